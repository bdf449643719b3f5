"""A document as one viewer may see it now, and what of that work may be kept until the next opening.

What leaves is a function of the document, the policy, the entities, the columns that are denied, and the answers
to "which of these entities are denied?". The first three are marked, the columns are asked for each time, and the
questions do not depend on who asks: they name the entities whose crowd in this document is too small (the paper's
sets that are not k-safe). So the questions and answers that led to a view are kept with it, as a tree; at the next
opening the questions are put again, to the database, for this viewer, and a view is used only at the end of a path
on which every answer is the same. A change of data, labels, grants or policy leads to another path, or to none.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import PurePath
from threading import Lock
from typing import Any

from efface import pipeline
from efface.alignment import Alignment
from efface.core import Guarantee, Verdict
from efface.errors import EffaceError, InputError, PolicyError
from efface.folding import fold_term
from efface.guarantees.columns import DeniedColumns
from efface.guarantees.ksafety import KSafety
from efface.pipeline import Bound
from efface.report.data import certificate
from efface.service.policies import Named

WORD = re.compile(r"\w+")
_ATTEMPTS = 6  # the entities may change while they are indexed
_OVERHEAD = 2048  # bytes that an entry takes besides its texts


@dataclass(frozen=True)
class View:
    """What a viewer gets: bytes, a name and the text to search. A document that may not be shown has none of them;
    one whose name would tell too much has no name."""

    released: bytes | None = field(repr=False)
    name: str | None = field(repr=False)
    format: str
    text: str = field(repr=False)
    verdict: str
    certificate: dict[str, Any] = field(repr=False, default_factory=dict)

    @cached_property
    def words(self) -> frozenset[str]:
        """What a search may find."""
        return frozenset(words(f"{self.name or ''} {self.text}"))

    @property
    def weight(self) -> int:
        return len(self.released or b"") + 4 * len(self.text) + _OVERHEAD


def words(text: str) -> Iterator[str]:
    """The words of a text, folded as terms are."""
    for match in WORD.finditer(text):
        folded = fold_term(match[0])
        if folded:
            yield folded


@lru_cache(maxsize=1024)
def _binding(_policy: str) -> AbstractContextManager[object]:
    return Lock()


Question = tuple[int, tuple[str, ...]]  # which guarantee asks, and about whom
Answer = frozenset[str]


@dataclass
class _Fork:
    """A question and where each answer to it leads."""

    question: Question
    paths: dict[Answer, _Fork | View] = field(default_factory=dict)


@dataclass(frozen=True)
class Viewing:
    """A policy bound to a viewer, for one request. Nobody is asked about twice in it."""

    policy: Named
    bound: Bound
    _denied: dict[int, dict[str, bool]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, policy: Named, viewer: str) -> Viewing:
        """Bound to what the databases hold and allow at this moment. One at a time for each policy: when entities
        have changed, the first makes the index anew and the others find it made."""
        for attempt in range(_ATTEMPTS):
            try:
                with _binding(policy.name):
                    return cls(policy, policy.sanitizer.bind(viewer))
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
        facts: list[object] = [self.policy.mark]
        for guarantee in self.bound.guarantees:
            if isinstance(guarantee, KSafety):
                facts.append((guarantee.over, guarantee.index.fingerprint))
            elif isinstance(guarantee, DeniedColumns):
                facts.append((guarantee.over, frozenset(guarantee.types)))
        for name, finder in self.bound.finders.items():
            index = getattr(finder, "index", None)
            if index is not None:
                facts.append((name, index.fingerprint))
        return tuple(facts)

    def ask(self, question: Question) -> Answer:
        """Who of these is denied, as the database says now."""
        at, ids = question
        known = self._denied.setdefault(at, {})
        asked = [id for id in ids if id not in known]
        if asked:
            guarantee = self.bound.guarantees[at]
            assert isinstance(guarantee, KSafety) and callable(guarantee.protect)
            denied = set(guarantee.protect(asked))
            known.update((id, id in denied) for id in asked)
        return frozenset(id for id in ids if known[id])

    def alone(self) -> Viewing:
        """The same for one document: it asks again, and shares no answers with others."""
        return Viewing(self.policy, self.bound)

    def recorded(self, steps: list[tuple[Question, Answer]]) -> Bound:
        """The same, noting what is asked and answered."""
        return replace(self.bound, guarantees=tuple(self._guarantees(steps)))

    def _guarantees(self, steps: list[tuple[Question, Answer]]) -> Iterator[Guarantee]:
        for at, guarantee in enumerate(self.bound.guarantees):
            if isinstance(guarantee, KSafety) and callable(guarantee.protect):
                yield replace(guarantee, protect=self._recorder(at, steps))
            else:
                yield guarantee

    def _recorder(
        self, at: int, steps: list[tuple[Question, Answer]]
    ) -> Callable[[Sequence[str]], Collection[str]]:
        def ask(ids: Sequence[str]) -> Collection[str]:
            question = (at, tuple(ids))
            answer = self.ask(question)
            steps.append((question, answer))
            return answer

        return ask


class Views:
    """Views that were computed, as trees of questions and answers. The least used go first."""

    def __init__(self, megabytes: int) -> None:
        self._room = megabytes << 20
        self._trees: OrderedDict[tuple[object, ...], tuple[_Fork | View, int]] = OrderedDict()
        self._taken = 0
        self._lock = Lock()

    def prepare(self, viewing: Viewing, documents: Iterable[tuple[str, str]]) -> None:
        """Ask in one go what opening all these will ask first."""
        together: dict[int, dict[str, None]] = {}
        with self._lock:
            for digest, name in documents:
                tree, _ = self._trees.get((digest, name, viewing.mark), (None, 0))
                if isinstance(tree, _Fork):
                    at, ids = tree.question
                    together.setdefault(at, {}).update(dict.fromkeys(ids))
        for at, every in together.items():
            viewing.ask((at, tuple(every)))

    def open(self, viewing: Viewing, digest: str, name: str, read: Callable[[], bytes]) -> View:
        """The document as the viewer may see it now."""
        found = self.kept(viewing, digest, name)
        if found is not None:
            return found
        steps: list[tuple[Question, Answer]] = []
        view = compute(viewing.recorded(steps), read(), name)
        if viewing.mark is not None:
            self._keep((digest, name, viewing.mark), steps, view)
        return view

    def kept(self, viewing: Viewing, digest: str, name: str) -> View | None:
        """The view at the end of a path on which every answer is the same now, if there is one."""
        if viewing.mark is None:
            return None
        key = (digest, name, viewing.mark)
        with self._lock:
            at, _ = self._trees.get(key, (None, 0))
            if at is not None:
                self._trees.move_to_end(key)
        while isinstance(at, _Fork):
            at = at.paths.get(viewing.ask(at.question))
        return at

    def _keep(self, key: tuple[object, ...], steps: list[tuple[Question, Answer]], view: View) -> None:
        weight = view.weight + 64 * sum(len(ids) for (_, ids), _ in steps)
        with self._lock:
            root, before = self._trees.pop(key, (None, 0))
            made = _grown(root, steps, view)
            self._trees[key] = (made, before + weight)
            self._taken += weight
            while self._taken > self._room and self._trees:
                _, (_, freed) = self._trees.popitem(last=False)
                self._taken -= freed


def _grown(tree: _Fork | View | None, steps: list[tuple[Question, Answer]], view: View) -> _Fork | View:
    """The tree with one path more. Where a solver was free to choose, a later question may differ from the one
    that was kept; the newer path then takes the place of the older."""
    if not steps:
        return view
    question, answer = steps[0]
    fork = tree if isinstance(tree, _Fork) and tree.question == question else _Fork(question)
    fork.paths[answer] = _grown(fork.paths.get(answer), steps[1:], view)
    return fork


def compute(bound: Bound, data: bytes, name: str) -> View:
    """The whole way: sanitize, check, and only then show. Whatever cannot be shown looks like nothing at all."""
    try:
        report = pipeline.sanitize(data, name, bound)
    except PolicyError:
        raise
    except EffaceError as error:
        return View(None, None, "", "", type(error).__name__)
    if report.verdict is not Verdict.HELD or report.released is None:
        return View(None, None, report.document.format, "", report.verdict.value)
    text = Alignment(report.edits).planned(report.document).text
    shown = name if _tells_nothing(bound, PurePath(name).stem, text) else None
    return View(
        report.released, shown, report.document.format, text, report.verdict.value, certificate(report)
    )


def _tells_nothing(bound: Bound, stem: str, text: str) -> bool:
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
