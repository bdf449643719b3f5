"""Values: none is left that the viewer's own session shows nowhere, although it shows the row.

A view may show a viewer NULL or a mask in the place of a value. Where the viewer is shown the value of another entity,
k-safety decides whether it points to an entity whose value is hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from efface.core import Claim, Finding, Plan, Reading, Term
from efface.guarantees.abilities import Denied
from efface.guarantees.ksafety.exposure import cell
from efface.guarantees.left_parts import USUAL, LeftParts
from efface.guarantees.parts_in_words import is_stated_in_words
from efface.guarantees.removal import all_gone
from efface.knowledge.entities.column_values import cached_column
from efface.knowledge.entities.index import EntityIndex

_AT_ONCE = 500  # keys of one question to the database
_MOST_ASKED = 5_000  # holders of one value: if none of so many is shown, it is taken for hidden
_WHY = "the viewer's own session shows this value nowhere"


@dataclass(frozen=True, slots=True)
class HiddenValues:
    """Every value of one knowledge that is shown to the viewer in no row. `columns` gives each column's type."""

    index: EntityIndex = field(repr=False)
    over: str
    protect: Denied = field(repr=False)
    columns: Mapping[str, str]
    parts: LeftParts = USUAL
    answers: dict[tuple[str, str], bool] | None = field(default=None, repr=False, compare=False)

    @property
    def claim(self) -> Claim:
        return Claim(
            name="values",
            sentence="No value that the database shows this viewer in no row, though it shows the row, is left.",
            unit="values left",
            title="Protected values",
        )

    def at_look(self) -> HiddenValues:
        """The guarantee for one look at one document."""
        return replace(self, answers={})

    @property
    def fingerprint(self) -> str:
        return f"{self.over} {self.index.fingerprint}"

    @property
    def asks_rights(self) -> bool:
        return True

    def denied(self, ids: Sequence[str]) -> Collection[str]:
        return self.protect(ids)

    def with_rights(self, denied: Denied) -> HiddenValues:
        return replace(self, protect=denied)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        findings = []
        for term in reading.terms:
            if term.source == self.over and self._is_hidden(term):
                count = float(len(term.mentions))
                findings.append(Finding("values", term.type, (term,), count, 0.0, _WHY))
        return (*findings, *self._parts_left(reading))

    def _parts_left(self, reading: Reading) -> Iterator[Finding]:
        """What an operator left of a value that is hidden. What very many values give is not asked one by one."""
        left = self.parts.left_over(reading, self.over)
        for term in left:
            fits = self.parts.test(term.key)
            given = [
                replace(term, key=value, type=kind)
                for column, kind in self.columns.items()
                for value, _ in cached_column(self.index, column).values()
                if fits(value)
            ]
            if len(given) > _MOST_ASKED and is_stated_in_words(term.key):
                continue  # an age or a year that very many have
            if len(given) > _MOST_ASKED or any(map(self._is_hidden, given)):
                yield Finding("values", term.type, (term,), 1.0, 0.0, _WHY)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings, _WHY)

    def _is_hidden(self, term: Term) -> bool:
        known = self.answers if self.answers is not None else {}
        place = (term.type, term.key)
        if place not in known:
            columns = [name for name, kind in self.columns.items() if kind == term.type]
            known[place] = any(self._hides(column, term.key) for column in columns)
        return known[place]

    def _hides(self, column: str, key: str) -> bool:
        """Whether some row is shown without this value, and no row is shown with it."""
        somewhere_hidden = False
        for ids in self._holders(column, key):
            cells = [cell(id, column) for id in ids]
            denied = frozenset(self.protect([*ids, *cells]))
            shown_rows = [at for at, id in enumerate(ids) if id not in denied]
            if any(cells[at] not in denied for at in shown_rows):
                return False
            somewhere_hidden = somewhere_hidden or bool(shown_rows)
        return somewhere_hidden

    def _holders(self, column: str, key: str) -> Iterator[list[str]]:
        held = self.index.holders(column, key, _MOST_ASKED)
        for start in range(0, len(held), _AT_ONCE):
            yield held[start : start + _AT_ONCE]
