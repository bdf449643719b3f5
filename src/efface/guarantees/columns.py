"""Columns: no value of a column that the viewer is denied is left (ZoRRo, Section 3.3, condition 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from efface.core import NOTHING, Claim, Finding, Plan, Reading, SpanSet
from efface.guarantees.left_parts import USUAL, LeftParts
from efface.guarantees.removal import all_gone, left_of
from efface.knowledge.entities.column_values import cached_column
from efface.knowledge.entities.index import EntityIndex


@dataclass(frozen=True, slots=True)
class DeniedColumns:
    """Every value of these types from one knowledge goes, whether or not it identifies. `why` is the database's reason.

    `faked` are types whose replacements are invented values, which may be real ones by chance. In all others a value
    that efface put in (as a broader word, say) is a value that is left. With the `index`, a part of a value of the
    denied `columns` that an operator left is one too.
    """

    over: str
    types: Collection[str] = field(repr=False)
    why: str
    faked: frozenset[str] = frozenset()
    columns: Collection[str] = field(default=(), repr=False)
    index: EntityIndex | None = field(default=None, repr=False)
    parts: LeftParts = USUAL

    @property
    def fingerprint(self) -> str:
        return f"{self.over} {sorted(self.types)}"

    @property
    def claim(self) -> Claim:
        return Claim(
            name="columns",
            sentence="No value of a column that the database denies this viewer is left.",
            unit="values left",
            legend="a protected value",
            title="Protected columns",
        )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        inserted = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source != self.over or term.type not in self.types:
                continue
            ours = inserted if term.type in self.faked else NOTHING
            left = left_of(term, ours)
            if left is not None:
                count = float(len(left.mentions))
                findings.append(Finding("columns", term.type, (left,), count, 0.0, self.why))
        return (*findings, *self._parts_left(reading))

    def _parts_left(self, reading: Reading) -> Iterator[Finding]:
        left = list(self.parts.left_over(reading, self.over))
        if self.index is None or not left:
            return
        tables = [cached_column(self.index, name) for name in sorted(self.columns)]
        for term in left:
            fits = self.parts.test(term.key)
            if any(fits(value) for table in tables for value, _ in table.values()):
                yield Finding("columns", term.type, (term,), 1.0, 0.0, self.why)

    def explain(self, finding: Finding) -> str:
        return "It is a value in the records that the viewer of this copy may not see."

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings, self.why)
