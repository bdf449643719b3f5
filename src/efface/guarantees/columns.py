"""Columns: no value of a column that the viewer is denied is left (ZoRRo, Section 3.3, condition 1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from efface.core import Claim, Finding, Plan, Reading, SpanSet
from efface.guarantees.removal import all_gone, left_of


@dataclass(frozen=True, slots=True)
class DeniedColumns:
    """Every value of these types from one knowledge goes, whatever it tells. `why` is the database's reason.

    `faked` are types whose replacements are made values, which may be somebody's by chance. In all others a value
    that efface put in (as a broader word, say) is a value that is left.
    """

    over: str
    types: Collection[str] = field(repr=False)
    why: str
    faked: frozenset[str] = frozenset()

    @property
    def claim(self) -> Claim:
        return Claim(
            name="columns",
            sentence="No value of a column that the database denies this viewer is left.",
            unit="values left",
        )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        inserted = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source != self.over or term.type not in self.types:
                continue
            ours = inserted if term.type in self.faked else SpanSet(())
            left = left_of(term, ours)
            if left is not None:
                count = float(len(left.mentions))
                findings.append(Finding("columns", term.type, (left,), count, 0.0, self.why))
        return tuple(findings)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings, self.why)
