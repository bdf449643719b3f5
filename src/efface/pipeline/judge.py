"""Judging: what the guarantees say of a reading, and the verdict on all of it."""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import (
    Document,
    Finding,
    Guarantee,
    Leakage,
    Outcome,
    Reading,
    Report,
    Scope,
    Span,
    Verdict,
    worst,
)
from efface.formats import notes
from efface.guarantees.abilities import KnowsTerms, MayBeUnproven, judges_finds
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.coverage import coverage_of
from efface.pipeline.find import find


def judge(document: Document, bound: BoundPolicy, inserted: Sequence[Span] = ()) -> Report:
    """What the document discloses as it is. `inserted` are the places where efface itself put text."""
    reading = find(document, bound, inserted)
    outcomes = []
    for guarantee in bound.guarantees:
        found = guarantee.assess(reading)
        unknown = unknown_terms(guarantee, reading)
        verdict, on_finds = verdict_of(guarantee, found), judges_finds(guarantee)
        outcomes.append(Outcome(guarantee.claim, found, found, verdict, on_finds=on_finds, unknown=unknown))
    coverage = coverage_of(document, bound)
    return Report(
        document,
        worst((overall(outcomes, ()), coverage.verdict)),
        tuple(outcomes),
        notes=(*bound.all_notes, *notes(document)),
        coverage=coverage,
    )


def assess_all(reading: Reading, guarantees: Sequence[Guarantee]) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each guarantee, in their order."""
    return tuple(guarantee.assess(reading) for guarantee in guarantees)


def unknown_terms(guarantee: Guarantee, reading: Reading) -> tuple[str, ...]:
    """Terms that stay and that the guarantee's knowledge does not cover, as they are spelled."""
    if not (hasattr(guarantee, "unknown_terms") and isinstance(guarantee, KnowsTerms)):
        return ()
    text = reading.document.text
    spelled = []
    for term in guarantee.unknown_terms(reading):
        first = term.mentions[0]
        spelled.append(" ".join(text[first.start : first.end].split()))
    return tuple(spelled)


def verdict_of(guarantee: Guarantee, findings: Sequence[Finding]) -> Verdict:
    """The verdict on one guarantee. A guarantee about a whole release is not proven by one document."""
    if findings:
        return Verdict.BROKEN
    if hasattr(guarantee, "is_proven") and isinstance(guarantee, MayBeUnproven) and not guarantee.is_proven:
        return Verdict.UNPROVEN
    return Verdict.UNPROVEN if guarantee.claim.scope is Scope.RELEASE else Verdict.HELD


def overall(outcomes: Sequence[Outcome], leaks: Sequence[Leakage]) -> Verdict:
    """The worst verdict of all. A leak breaks whatever holds."""
    return Verdict.BROKEN if leaks else worst(outcome.verdict for outcome in outcomes)
