"""A document with its decisions through the one flow: what would leave, and the verdict on it.

The verdict is the pipeline's. Where the decisions ask for less than the policy does (a protected term kept, a
smaller k), the file is made as decided and then verified under the policy itself, which is what counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeVar

from efface.core import (
    Document,
    Finder,
    Format,
    Guarantee,
    Outcome,
    Reading,
    Report,
    SpanSet,
    Verdict,
    traits_of,
    worst,
)
from efface.errors import Refused
from efface.formats import detect, get_format
from efface.guarantees.abilities import HasFingerprint, Ranks
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy, StageListener, unwatched
from efface.pipeline.find import find
from efface.pipeline.judge import overall
from efface.pipeline.page_areas import without_areas
from efface.policy.bind_decisions import (
    TYPE,
    Replacement,
    finder_of_kept,
    finder_of_redacted,
    overruled,
    redactions,
    without_kept_edits,
)
from efface.report.strength import is_overrulable, lever
from efface.service.review.decisions import Decision, EffectiveDecisions, digest_of_text
from efface.service.review.redacted_areas import area_places, boxes_of, pages_of
from efface.service.review.wrappers import (
    KeptPlaces,
    Remembering,
    RememberingFormat,
    WithoutKeptPlaces,
    list_finders,
    words_around_parts,
)
from efface.text.alignment import Alignment
from efface.text.folding import fold_term
from efface.text.spans import Place

_Key = TypeVar("_Key", str, Place)

# What wider words may be: "March 2024" for a day, "over 80" for an age.
_WIDER = frozenset({"AGE", "DATE_TIME", "LOCATION", "MISC", "NRP", "ORGANIZATION", "POSTCODE", "QUANTITY"})


@dataclass(frozen=True)
class ReviewInput:
    """A document read once, and the policy bound to it and to its viewer. `format` remembers what it read."""

    data: bytes = field(repr=False)
    name: str
    bound: BoundPolicy
    document: Document
    format: Format = field(repr=False)
    found_by: Mapping[str, Finder] = field(repr=False)  # the finders of the policy, before they remember

    @classmethod
    def of(
        cls, data: bytes, name: str, bound: BoundPolicy, earlier: ReviewInput | None = None
    ) -> ReviewInput:
        """Reads the document; of an `earlier` input of the same file its readings are used again, and its finders
        where they are the same and know nothing from data."""
        again = earlier if earlier is not None and earlier.bound.pictures is bound.pictures else None
        format = again.format if again else _remembering_format(data, name, bound)
        document = format.read(data, name)
        at = bound.at(document)
        finders: dict[str, Finder] = {source: Remembering(finder) for source, finder in at.finders.items()}
        finders |= again.same_finders(bound) if again else {}
        return cls(data, name, replace(at, finders=finders), document, format, bound.finders)

    def same_finders(self, bound: BoundPolicy) -> dict[str, Finder]:
        """The finders of this input that another binding of a policy has too, with what they remember. What a finder
        knows from data may have changed, so such a one is not among them."""
        same: dict[str, Finder] = {}
        for source, finder in bound.finders.items():
            from_data = isinstance(finder, HasFingerprint) or traits_of(finder).known_to_reader
            if not from_data and self.found_by.get(source) == finder:
                same[source] = self.bound.finders[source]
        return same

    def is_of(self, data: bytes, name: str) -> bool:
        """Whether this is the same file under the same name."""
        return self.name == name and self.data == data

    @cached_property
    def reading(self) -> Reading:
        """What the finders mark. To show the text nobody needs it."""
        return find(self.document, self.bound)


def _remembering_format(data: bytes, name: str, bound: BoundPolicy) -> Format:
    return RememberingFormat(get_format(detect(name, data), bound.pictures))


@dataclass(frozen=True)
class ReviewResult:
    """What would leave now. Without a report the policy could not be kept at all, and `problem` says so."""

    version: int
    verdict: Verdict
    report: Report | None
    problem: str = ""


def run(
    prepared: ReviewInput,
    decided: EffectiveDecisions,
    shows_codes: bool = False,
    watch: StageListener = unwatched,
) -> ReviewResult:
    """The file as decided, judged under the policy. With `shows_codes`, exemption codes are in the text."""
    try:
        policy, asked = _bounds(prepared, decided, shows_codes)
        words = _area_words(prepared, decided)
        report = pipeline.sanitize(
            prepared.data, prepared.name, asked, watch, format=prepared.format, searched_later=words
        )
        if _asks_less(prepared, decided) and report.released is not None:
            report = _judged_by_policy(report, policy, prepared.format)
        report = without_areas(report, boxes_of(decided.areas), pages_of(decided.areas), words)
    except Refused as refused:
        return ReviewResult(
            decided.version, Verdict.BROKEN, None, f"{refused.message} {refused.hint}".strip()
        )
    return ReviewResult(decided.version, report.verdict, report)


def _area_words(prepared: ReviewInput, decided: EffectiveDecisions) -> frozenset[str]:
    """The folded words that an area or a page takes out and nothing else does: elsewhere they may stay."""
    if not decided.areas:
        return frozenset()
    text = prepared.document.text
    words = {fold_term(text[start:end]) for start, end in _area_places(prepared, decided)}
    found = {mention.key for term in prepared.reading.terms for mention in term.mentions}
    placed = {fold_term(text[start:end]) for start, end in decided.places}
    return frozenset(words - found - placed - decided.terms.keys())


def _area_places(prepared: ReviewInput, decided: EffectiveDecisions) -> Iterable[Place]:
    return area_places(prepared.data, prepared.document, decided.areas)


def _judged_by_policy(report: Report, policy: BoundPolicy, format: Format) -> Report:
    """The report with what the policy itself says of the released bytes, read again."""
    assert report.released is not None
    alignment = Alignment(report.edits)
    again = format.read(report.released, report.document.name)
    ours = alignment.inserted if alignment.gives(report.document, again.text) else ()
    reading = find(again, policy, ours)
    outcomes = tuple(
        _with(first, guarantee, reading)
        for first, guarantee in zip(report.outcomes, policy.guarantees, strict=True)
    )
    verdict = worst((overall(outcomes, report.leaks), report.coverage.verdict))
    return replace(report, outcomes=outcomes, verdict=verdict)


def _with(first: Outcome, guarantee: Guarantee, reading: Reading) -> Outcome:
    found = guarantee.assess(reading)
    kept = first.verdict if first.verdict is not Verdict.BROKEN else Verdict.HELD
    plan = (
        replace(first.plan, measures=()) if found and first.plan else first.plan
    )  # they measure another plan
    return replace(
        first, claim=guarantee.claim, after=found, plan=plan, verdict=Verdict.BROKEN if found else kept
    )


def _bounds(
    prepared: ReviewInput, decided: EffectiveDecisions, shows_codes: bool
) -> tuple[BoundPolicy, BoundPolicy]:
    """The policy with what a reviewer may decide, and the same with all that they did decide."""
    text = prepared.document.text
    _require_same_text(text, decided)
    kept = {key: made for key, made in decided.terms.items() if made.kind == "keep"}
    spared = frozenset(place for place, made in decided.places.items() if made.kind == "keep")
    gone, types = _redactions(prepared, decided, spared, shows_codes)
    bound = prepared.bound
    judged = _overruled(prepared, decided, frozenset(kept), spared)
    policy = replace(bound, guarantees=(*judged, *gone), types=(*bound.types, *sorted(types)))
    asked = replace(policy, guarantees=(*_levered(judged, decided.strength), *gone))
    mine = _finder_of_kept(kept.values())
    lists = list_finders(bound.finders)
    if stays := spared | _undenied_places(prepared, mine, lists):
        asked = replace(asked, keep=KeptPlaces(text, stays, bound.keep))
    return policy, _without_kept(asked, mine, lists) if kept else asked


def _without_kept(asked: BoundPolicy, kept: Finder, lists: Collection[str]) -> BoundPolicy:
    """The policy without the finds that the reviewer keeps. Terms on its own lists are still removed."""
    finders: dict[str, Finder] = {}
    for name, finder in asked.finders.items():
        finders[name] = finder if name in lists else WithoutKeptPlaces(finder, kept)
    guarantees: list[Guarantee] = []
    for guarantee in asked.guarantees:
        guarantees.append(without_kept_edits(guarantee, kept) if isinstance(guarantee, Ranks) else guarantee)
    return replace(asked, finders=finders, guarantees=tuple(guarantees))


def _finder_of_kept(kept: Iterable[Decision]) -> Finder:
    """Finds the terms that the reviewer keeps. It remembers: every finder asks it for the same texts."""
    return Remembering(finder_of_kept(made.term for made in kept))


def _undenied_places(prepared: ReviewInput, kept: Finder, lists: frozenset[str]) -> frozenset[Place]:
    """The places of the kept terms, without those that hold a term that a list of the policy denies."""
    text = prepared.document.text
    denied = SpanSet(m.span for name in lists for m in prepared.bound.finders[name].find(text))
    return frozenset((m.start, m.end) for m in kept.find(text) if not denied.touches(m.start, m.end))


def _overruled(
    prepared: ReviewInput, decided: EffectiveDecisions, kept: frozenset[str], spared: frozenset[Place]
) -> tuple[Guarantee, ...]:
    """The policy's guarantees; in those on finds the reviewer's judgement overrules the finder's."""
    guarantees = prepared.bound.guarantees
    threshold = 0.0
    if lever(guarantees) is None and decided.strength:  # the slider then moves the threshold of the finders
        threshold = decided.strength
    lists = list_finders(prepared.bound.finders)
    finder = Remembering(finder_of_kept(sorted(kept)))
    judged: list[Guarantee] = []
    for guarantee in guarantees:
        if is_overrulable(guarantee):
            text = prepared.document.text
            judged.append(overruled(guarantee, text, finder, kept, spared, threshold, lists))
        else:
            judged.append(guarantee)
    return tuple(judged)


def _require_same_text(text: str, decided: EffectiveDecisions) -> None:
    """Refuse places of a text that this is not: they would be places of other words."""
    digest = digest_of_text(text) if decided.places else ""
    for place, made in decided.places.items():
        if made.text_digest != digest:
            raise Refused("A decision is about a place in another text.", "Undo it, and decide anew.")
        if place[1] > len(text):
            raise Refused("A decision is about a place that the text does not have.", "Undo it.")


def _redactions(
    prepared: ReviewInput, decided: EffectiveDecisions, spared: frozenset[Place], shows_codes: bool
) -> tuple[tuple[Guarantee, ...], set[str]]:
    """The guarantees that what the reviewer redacted is gone, none if they redacted nothing, and the types of that."""
    text = prepared.document.text
    gone = _replacements(decided.terms, shows_codes)
    places = dict.fromkeys(_area_places(prepared, decided), Replacement())
    places |= {place: gone[key] for place, key in words_around_parts(text, gone).items()}
    places |= _replacements(decided.places, shows_codes)
    marks = (*gone.values(), *places.values())
    types = {TYPE, *(mark.type for mark in marks)}
    written = {mark.text for mark in marks if mark.text}
    _require_other_words(written, finder_of_redacted(gone, glued=True), prepared.found_by.values())
    return redactions(text, gone, places, spared), types


def _require_other_words(written: Iterable[str], redacted: Finder, finders: Iterable[Finder]) -> None:
    """Refuse words in the place of others that hold what the reviewer redacts everywhere, or that identify by
    themselves: a number, a term of a list, a value of a database. Finders do not judge what efface puts into a text.
    An invented name is the reviewer's choice."""
    certain = [finder for finder in finders if not traits_of(finder).reads_sentence]
    for text in written:
        found = chain.from_iterable(finder.find(text) for finder in certain)
        if any(redacted.find(text)) or any(mention.type not in _WIDER for mention in found):
            raise Refused(
                "Words that you wrote in the place of others are redacted elsewhere or identify by themselves.",
                "Undo one of the two, or write other words.",
            )


def _replacements(decided: Mapping[_Key, Decision], shows_codes: bool) -> dict[_Key, Replacement]:
    """The replacement for each term or place that is removed."""
    gone = ((key, made) for key, made in decided.items() if made.kind != "keep")
    return {key: _replacement_of(made, shows_codes) for key, made in gone}


def _replacement_of(made: Decision, shows_codes: bool) -> Replacement:
    """What a decision puts in the place of what it takes out."""
    if made.kind == "replace":
        return Replacement(text=made.text)
    if made.code and shows_codes:
        return Replacement(made.type or TYPE, f"[{TYPE} {made.code}]")
    return Replacement(made.type or TYPE)


def _levered(guarantees: tuple[Guarantee, ...], strength: float | None) -> tuple[Guarantee, ...]:
    if strength is None:
        return guarantees
    first = lever(guarantees)
    k = max(2, round(strength))
    return tuple(first.with_strength(k) if first is not None and g is first else g for g in guarantees)


def _asks_less(prepared: ReviewInput, decided: EffectiveDecisions) -> bool:
    if any(made.kind == "keep" for made in decided.terms.values()):
        return True
    first = lever(prepared.bound.guarantees)
    if first is None or first.strength is None or decided.strength is None:
        return False
    return decided.strength < first.strength
