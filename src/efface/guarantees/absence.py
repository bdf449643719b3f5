"""Absence: nothing that the finders mark as identifying is left in what is released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.core import Claim, Edit, Finding, Mention, Plan, Reading, SpanSet, Term

_OWN = frozenset({"names"})  # sources that keep to thresholds of their own
_LISTED = frozenset({"deny"})  # sources whose terms no replacement may bring back


@dataclass(frozen=True, slots=True)
class Absence:
    """Every term from `sources` goes, except types in `exempt` (their operator is `keep`)."""

    sources: frozenset[str]
    exempt: frozenset[str] = frozenset()
    threshold: float = 0.0

    @property
    def claim(self) -> Claim:
        return Claim(
            name="absence",
            sentence="No identifier that the finders mark is left in the released file.",
            unit="mentions left",
            parameters={"threshold": self.threshold},
        )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        inserted = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source not in self.sources or term.type in self.exempt:
                continue
            threshold = 0.0 if term.source in _OWN else self.threshold
            ours = SpanSet(()) if term.source in _LISTED else inserted
            left = tuple(m for m in term.mentions if m.score >= threshold and not ours.covers(m.start, m.end))
            if len(left) == len(term.mentions):
                findings.append(self._finding(term))
            elif left:
                findings.append(self._finding(Term(term.key, term.type, left, term.source)))
        return tuple(findings)

    def _finding(self, term: Term) -> Finding:
        because = term.mentions[0].because
        return Finding("absence", term.type, (term,), float(len(term.mentions)), 0.0, because)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        edits = tuple(_edit(mention) for finding in findings for mention in _mentions(finding))
        return Plan(edits=edits, cost=float(len(edits)), lower_bound=float(len(edits)))


def _mentions(finding: Finding) -> Iterator[Mention]:
    for term in finding.terms:
        yield from term.mentions


def _edit(mention: Mention) -> Edit:
    return Edit(mention.start, mention.end, mention.type, mention.key, mention.because, score=mention.score)
