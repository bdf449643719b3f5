"""Absence: nothing that the finders mark as identifying is left in what is released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from efface.core import Claim, Finding, Plan, Reading, SpanSet
from efface.guarantees.removal import all_gone, left_of

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
            left = left_of(term, ours, threshold)
            if left is not None:
                because, count = left.mentions[0].because, float(len(left.mentions))
                findings.append(Finding("absence", term.type, (left,), count, 0.0, because))
        return tuple(findings)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings)
