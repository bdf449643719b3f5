"""What guarantees of plain absence share: what is left of a term, and a plan that removes it all."""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Finding, Optimality, Plan, SpanSet, Term


def left_of(term: Term, ours: SpanSet, threshold: float = 0.0) -> Term | None:
    """The term with the mentions that are not efface's own words and score enough; None without any."""
    left = tuple(m for m in term.mentions if m.score >= threshold and not ours.covers(m.start, m.end))
    if len(left) == len(term.mentions):
        return term
    return Term(term.key, term.type, left, term.source) if left else None


def all_gone(findings: Sequence[Finding], reason: str = "") -> Plan:
    """Every mention goes, for the reason given or its own."""
    edits = tuple(
        mention.edit(reason or mention.because)
        for finding in findings
        for term in finding.terms
        for mention in term.mentions
    )
    return Plan(edits, float(len(edits)), Optimality.PROVED, float(len(edits)))
