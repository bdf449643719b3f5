"""A document as one viewer may see it now, and what of that work may be kept until the next opening.

What leaves is a function of the document, the policy, the entities, the columns that are denied, and the answers
to "which of these entities are denied?". The first three are marked, the columns are asked for each time, and the
questions do not depend on who asks: they name the entities whose crowd in this document is too small (the paper's
sets that are not k-safe). So the questions and answers that led to a view are kept with it, as a tree; at the next
opening the questions are put again, to the database, for this viewer, and a view is used only at the end of a path
on which every answer is the same. A change of data, labels, grants or policy leads to another path, or to none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import PurePath
from threading import Lock
from typing import Any

from efface.core import Document, Guarantee, Reading, Report, SpanSet, Verdict
from efface.errors import EffaceError, InputError, PolicyError
from efface.formats import detect, get_format
from efface.guarantees.abilities import AsksRights, HasFingerprint
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.report.data import certificate
from efface.service.repository.earlier_copies import Copy, EarlierContents, merged, remembering, text_digest
from efface.service.repository.policies import FingerprintedPolicy
from efface.text.alignment import Alignment
from efface.text.folding import fold_term

WORD = re.compile(r"\w+")
_ATTEMPTS = 6  # the entities may change while they are indexed
_OVERHEAD = 2048  # bytes that an entry takes besides its texts


@dataclass(frozen=True)
class DocumentView:
    """What a viewer gets: bytes, a name and the text to search. A document that may not be shown has none of them;
    one whose name would disclose too much has no name."""

    released: bytes | None = field(repr=False)
    name: str | None = field(repr=False)
    format: str
    text: str = field(repr=False)
    verdict: str
    certificate: dict[str, Any] = field(repr=False, default_factory=dict)
    copy: Copy | None = field(repr=False, default=None)  # as it is remembered, where the policy asks for it
    word_places: bytes = field(repr=False, default=b"{}")  # JSON: made where the view is, in a worker process

    @cached_property
    def words(self) -> dict[str, tuple[int, int, int]]:
        """What a search may find: how often each word is in the text, and where it is first."""
        found: dict[str, tuple[int, int, int]] = json.loads(self.word_places)
        return found

    @property
    def weight(self) -> int:
        return len(self.released or b"") + 4 * len(self.text) + 4 * len(self.word_places) + _OVERHEAD


def words(text: str) -> Iterator[str]:
    """The words of a text, folded as terms are."""
    for match in WORD.finditer(text):
        folded = fold_term(match[0])
        if folded:
            yield folded


def word_places(name: str | None, text: str) -> bytes:
    """The words of a view as `DocumentView` keeps them. A word of the name alone is nowhere in the text."""
    found: dict[str, list[int]] = {}
    folded: dict[str, str] = {}
    for match in WORD.finditer(text):
        word = folded.get(match[0])
        if word is None:
            word = folded[match[0]] = fold_term(match[0])
        known = found.get(word)
        if known is not None:
            known[0] += 1
        elif word:
            found[word] = [1, *match.span()]
    for word in words(name or ""):
        found.setdefault(word, [0, 0, 0])
    return json.dumps(found, separators=(",", ":")).encode()


@lru_cache(maxsize=1024)
def _binding(_policy: str) -> AbstractContextManager[object]:
    return Lock()


Question = tuple[int, tuple[str, ...]]  # which guarantee asks, and about whom
DeniedIds = frozenset[str]
AnsweredQuestions = Sequence[tuple[Question, DeniedIds]]


@dataclass(frozen=True)
class ComputedView:
    """A view, the questions and answers that led to it, and a digest of the knowledge that it was computed with."""

    view: DocumentView
    steps: AnsweredQuestions = field(repr=False)
    facts: str


@dataclass
class _Fork:
    """A question and where each answer to it leads."""

    question: Question
    paths: dict[DeniedIds, _Fork | DocumentView] = field(default_factory=dict)


@dataclass(frozen=True)
class ViewerBinding:
    """A policy bound to a viewer, for one request. The database is asked at most once about each entity."""

    policy: FingerprintedPolicy
    bound: BoundPolicy
    viewer: str = field(repr=False)
    _denied: dict[int, dict[str, bool]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, policy: FingerprintedPolicy, viewer: str) -> ViewerBinding:
        """Bound to what the databases hold and allow at this moment. One at a time for each policy: when entities
        have changed, the first makes the index anew and the others find it made."""
        for attempt in range(_ATTEMPTS):
            try:
                with _binding(policy.name):
                    return cls(policy, policy.sanitizer.bind(viewer), viewer)
            except PolicyError:
                raise
            except InputError:
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    @cached_property
    def mark(self) -> tuple[object, ...] | None:
        """What a kept view depends on besides the document and the answers."""
        if self.policy.mark is None:
            return None
        if not all(isinstance(guarantee, HasFingerprint) for guarantee in self.bound.guarantees):
            return None  # it is unknown when the answers of such a guarantee change
        return (self.policy.mark, *knowledge_facts(self.bound))

    @cached_property
    def remembers(self) -> bool:
        """Whether releases are judged together with earlier ones."""
        return bool(remembering(self.bound))

    @property
    def remembers_viewer(self) -> bool:
        """Whether all that the viewer opened is judged together."""
        return any(remembered.by_viewer for _, _, remembered in remembering(self.bound))

    def ask(self, question: Question) -> DeniedIds:
        """The entities of these that are denied, as the database says now."""
        at, ids = question
        known = self._denied.setdefault(at, {})
        asked = [id for id in ids if id not in known]
        if asked:
            guarantee = self.bound.guarantees[at]
            assert isinstance(guarantee, AsksRights)
            denied = set(guarantee.denied(asked))
            known.update((id, id in denied) for id in asked)
        return frozenset(id for id in ids if known[id])

    def alone(self) -> ViewerBinding:
        """This viewing for one document: it asks again, and shares no answers with others."""
        return ViewerBinding(self.policy, self.bound, self.viewer)

    def recorded(self, steps: list[tuple[Question, DeniedIds]]) -> BoundPolicy:
        """This viewing, which also notes what is asked and answered."""
        return replace(self.bound, guarantees=tuple(self._guarantees(steps)))

    def _guarantees(self, steps: list[tuple[Question, DeniedIds]]) -> Iterator[Guarantee]:
        for at, guarantee in enumerate(self.bound.guarantees):
            if isinstance(guarantee, AsksRights) and guarantee.asks_rights:
                yield guarantee.with_rights(self._recorder(at, steps))
            else:
                yield guarantee

    def _recorder(
        self, at: int, steps: list[tuple[Question, DeniedIds]]
    ) -> Callable[[Sequence[str]], Collection[str]]:
        def ask(ids: Sequence[str]) -> Collection[str]:
            question = (at, tuple(ids))
            answer = self.ask(question)
            steps.append((question, answer))
            return answer

        return ask


def knowledge_facts(bound: BoundPolicy) -> list[object]:
    """What changes when the entities that a policy is bound to do, or the columns that are denied."""
    facts: list[object] = []
    for guarantee in bound.guarantees:
        if isinstance(guarantee, HasFingerprint):
            facts.append((guarantee.claim.name, guarantee.fingerprint))
    for name, finder in bound.finders.items():
        if isinstance(finder, HasFingerprint):
            facts.append((name, finder.fingerprint))
    return facts


def facts_digest(bound: BoundPolicy) -> str:
    """A digest of `knowledge_facts`, the same in every process."""
    return hashlib.sha256(repr(knowledge_facts(bound)).encode("utf-8", "surrogatepass")).hexdigest()


class ViewCache:
    """Views that were computed, as trees of questions and answers. The least used go first."""

    def __init__(self, megabytes: int) -> None:
        self._room = megabytes << 20
        self._trees: OrderedDict[tuple[object, ...], tuple[_Fork | DocumentView, int]] = OrderedDict()
        self._taken = 0
        self._lock = Lock()

    def prepare(self, viewing: ViewerBinding, documents: Iterable[tuple[str, str]]) -> None:
        """Ask in one go what opening all these will ask first."""
        together: dict[int, dict[str, None]] = {}
        with self._lock:
            for digest, name in documents:
                tree, _ = self._trees.get(_cache_key(viewing, digest, name), (None, 0))
                if isinstance(tree, _Fork):
                    at, ids = tree.question
                    together.setdefault(at, {}).update(dict.fromkeys(ids))
        for at, every in together.items():
            viewing.ask((at, tuple(every)))

    def open(
        self,
        viewing: ViewerBinding,
        digest: str,
        name: str,
        computed: Callable[[EarlierContents | None], ComputedView],
        earlier: EarlierContents | None = None,
    ) -> DocumentView:
        """The document as the viewer may see it now. With `earlier`, judged together with earlier copies. What was
        computed with other knowledge than the viewing's is newer, and is not kept under its mark."""
        found = self.kept(viewing, digest, name, earlier)
        if found is not None:
            return found
        made = computed(earlier)
        if viewing.mark is not None and made.facts == facts_digest(viewing.bound):
            self._keep(_cache_key(viewing, digest, name, earlier), made.steps, made.view)
        return made.view

    def kept(
        self, viewing: ViewerBinding, digest: str, name: str, earlier: EarlierContents | None = None
    ) -> DocumentView | None:
        """The view at the end of a path on which every answer is the same now, if there is one."""
        if viewing.mark is None:
            return None
        key = _cache_key(viewing, digest, name, earlier)
        with self._lock:
            at, _ = self._trees.get(key, (None, 0))
            if at is not None:
                self._trees.move_to_end(key)
        while isinstance(at, _Fork):
            at = at.paths.get(viewing.ask(at.question))
        return at

    def _keep(self, key: tuple[object, ...], steps: AnsweredQuestions, view: DocumentView) -> None:
        weight = view.weight + 64 * sum(len(ids) for (_, ids), _ in steps)
        with self._lock:
            root, before = self._trees.pop(key, (None, 0))
            made = _grown(root, steps, view)
            self._trees[key] = (made, before + weight)
            self._taken += weight
            while self._taken > self._room and self._trees:
                _, (_, freed) = self._trees.popitem(last=False)
                self._taken -= freed


def _grown(
    tree: _Fork | DocumentView | None, steps: AnsweredQuestions, view: DocumentView
) -> _Fork | DocumentView:
    """The tree with one path more. Where a solver was free to choose, a later question may differ from the one
    that was kept; the newer path then takes the place of the older."""
    if not steps:
        return view
    question, answer = steps[0]
    fork = tree if isinstance(tree, _Fork) and tree.question == question else _Fork(question)
    fork.paths[answer] = _grown(fork.paths.get(answer), steps[1:], view)
    return fork


def _cache_key(
    viewing: ViewerBinding, digest: str, name: str, earlier: EarlierContents | None = None
) -> tuple[object, ...]:
    return (digest, name, viewing.mark, earlier.mark if earlier is not None else "")


def computed_view(
    viewing: ViewerBinding, data: bytes, name: str, earlier: EarlierContents | None = None
) -> ComputedView:
    """The view, with what it depends on. Worker processes do this."""
    steps: list[tuple[Question, DeniedIds]] = []
    view = compute(viewing.recorded(steps), data, name, earlier)
    return ComputedView(view, steps, facts_digest(viewing.bound))


def compute(
    bound: BoundPolicy, data: bytes, name: str, earlier: EarlierContents | None = None
) -> DocumentView:
    """Sanitize, check, and only then show. A document that cannot be shown gives an empty view."""
    remembers = bool(remembering(bound))
    try:
        if earlier is not None:
            bound = earlier.bind(bound, _read(bound, data, name))
        report = pipeline.sanitize(data, name, bound)
    except PolicyError:
        raise
    except EffaceError as error:
        return DocumentView(None, None, "", "", type(error).__name__)
    if report.verdict is not Verdict.HELD or report.released is None:
        return DocumentView(None, None, report.document.format, "", report.verdict.value)
    planned = Alignment(report.edits).planned(report.document)
    # A name is the same in all copies and cannot be cut: where copies are judged together, it is not shown.
    shown = name if not remembers and _tells_nothing(bound, PurePath(name).stem, planned.text) else None
    copy = _copy(bound, report, planned) if remembers else None
    return DocumentView(
        report.released,
        shown,
        report.document.format,
        planned.text,
        report.verdict.value,
        certificate(report),
        copy,
        word_places(shown, planned.text),
    )


def _read(bound: BoundPolicy, data: bytes, name: str) -> Reading:
    """The original with its terms."""
    document = get_format(detect(name, data), bound.pictures).read(data, name)
    return find(document, bound.at(document))


def _copy(bound: BoundPolicy, report: Report, planned: Document) -> Copy:
    """What is remembered of a release."""
    reading = find(planned, bound.at(planned), Alignment(report.edits).inserted)
    terms = {over: guarantee.readable(reading, SpanSet(())) for over, guarantee, _ in remembering(bound)}
    struck = merged((edit.start, edit.end) for edit in report.edits)
    return Copy(text_digest(report.document.text), struck, terms)


def _tells_nothing(bound: BoundPolicy, stem: str, text: str) -> bool:
    """Whether the file's name and the text together still hold the guarantees. Underscores and digits hide words
    from a finder, so the words of the name are looked at by themselves too."""
    apart = " ".join(WORD.findall(re.sub(r"[_\d]+", " ", stem)))
    for title in dict.fromkeys((stem, stem.replace("_", " "), apart)):
        try:
            judged = pipeline.assess(f"{title}\n\n{text}".encode("utf-8", "replace"), "name.txt", bound)
        except EffaceError:
            return False
        if judged.verdict is not Verdict.HELD:
            return False
    return True
