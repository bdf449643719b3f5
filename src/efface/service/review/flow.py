"""A document with its decisions through the one flow: what would leave, and the verdict on it.

The verdict is the pipeline's. Where the decisions ask for less than the policy does (a protected term kept, a
smaller k), the file is made as decided and then verified under the policy itself, which is what counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from efface import pipeline
from efface.alignment import Alignment
from efface.core import Document, Guarantee, Outcome, Reading, Report, Verdict
from efface.errors import Refused
from efface.formats import detect, get_format
from efface.pipeline import Bound
from efface.service.review.deciding import LISTS, TYPE, Overruled, Redactions, Remembering, Without
from efface.service.review.decisions import Decided
from efface.strength import JUDGED, lever, with_k
from efface.terms.words import Listed, WordFinder


@dataclass(frozen=True)
class Prepared:
    """A document read once, and the policy bound to it and to its viewer."""

    data: bytes = field(repr=False)
    name: str
    bound: Bound
    document: Document
    reading: Reading

    @classmethod
    def of(cls, data: bytes, name: str, bound: Bound) -> Prepared:
        document = get_format(detect(name, data)).read(data, name)
        finders = {source: Remembering(finder) for source, finder in bound.finders.items()}
        bound = replace(bound, finders=finders).at(document)
        return cls(data, name, bound, document, pipeline.find(document, bound))


@dataclass(frozen=True)
class Result:
    """What would leave as things stand. Without a report the policy could not be kept at all, and `problem` says so."""

    version: int
    verdict: Verdict
    report: Report | None
    problem: str = ""


def run(prepared: Prepared, decided: Decided) -> Result:
    """The file as decided, judged under the policy."""
    policy, asked = _bounds(prepared, decided)
    try:
        report = pipeline.sanitize(prepared.data, prepared.name, asked)
        if _asks_less(prepared, decided) and report.released is not None:
            report = _judged(report, policy)
    except Refused as refused:
        return Result(decided.version, Verdict.BROKEN, None, f"{refused.message} {refused.hint}".strip())
    return Result(decided.version, report.verdict, report)


def _judged(report: Report, policy: Bound) -> Report:
    """The report with what the policy itself says of the released bytes, read again."""
    assert report.released is not None
    alignment = Alignment(report.edits)
    again = get_format(report.document.format).read(report.released, report.document.name)
    ours = alignment.inserted if alignment.gives(report.document, again.text) else ()
    reading = pipeline.find(again, policy, ours)
    outcomes = tuple(
        _with(first, guarantee, reading)
        for first, guarantee in zip(report.outcomes, policy.guarantees, strict=True)
    )
    return replace(report, outcomes=outcomes, verdict=pipeline.overall(outcomes, report.leaks))


def _with(first: Outcome, guarantee: Guarantee, reading: Reading) -> Outcome:
    found = guarantee.assess(reading)
    kept = first.verdict if first.verdict is not Verdict.BROKEN else Verdict.HELD
    return replace(first, claim=guarantee.claim, after=found, verdict=Verdict.BROKEN if found else kept)


def _bounds(prepared: Prepared, decided: Decided) -> tuple[Bound, Bound]:
    """The policy with what a reviewer may decide, and the same with all that they did decide."""
    text = prepared.document.text
    kept = {key: made for key, made in decided.terms.items() if made.kind == "keep"}
    spared = frozenset(place for place, made in decided.places.items() if made.kind == "keep")
    gone = {
        key: made.text if made.kind == "replace" else None
        for key, made in decided.terms.items()
        if made.kind != "keep"
    }
    places = {
        place: made.text if made.kind == "replace" else None
        for place, made in decided.places.items()
        if made.kind != "keep" and place[1] <= len(text)
    }
    bound = prepared.bound
    threshold = decided.strength or 0.0 if lever(bound.guarantees) is None else 0.0
    judged = tuple(
        Overruled(g, text, frozenset(kept), spared, threshold) if g.claim.name in JUDGED else g
        for g in bound.guarantees
    )
    redactions: tuple[Guarantee, ...] = (Redactions(text, gone, places, spared),) if gone or places else ()
    types = (*bound.types, TYPE)
    policy = replace(bound, guarantees=(*judged, *redactions), types=types)
    asked = replace(policy, guarantees=(*_levered(judged, decided.strength), *redactions))
    if kept:
        mine = WordFinder(tuple(Listed(made.term) for made in kept.values()), "kept by the reviewer")
        finders = {name: f if name in LISTS else Without(f, mine) for name, f in bound.finders.items()}
        asked = replace(asked, finders=finders)
    return policy, asked


def _levered(guarantees: tuple[Guarantee, ...], strength: float | None) -> tuple[Guarantee, ...]:
    if strength is None:
        return guarantees
    first = lever(guarantees)
    k = max(2, round(strength))
    return tuple(with_k(g, k) if g is first else g for g in guarantees)


def _asks_less(prepared: Prepared, decided: Decided) -> bool:
    if any(made.kind == "keep" for made in decided.terms.values()):
        return True
    first = lever(prepared.bound.guarantees)
    return first is not None and decided.strength is not None and decided.strength < getattr(first, "k", 0)
