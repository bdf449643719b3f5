"""A reader who knows the method: reruns efface on the note of every candidate and keeps those with this release.

The notes that a reader imagines have the same columns filled, each with one candidate's values. `Method` decides for
all of them at once which columns stay, in tiers. A tier is a set of columns (a family); it serves a note by keeping
these columns and striking the others. It does so if at least k protected candidates share the values that stay
and were not served by a tier before. So every release is the release of at least k candidates, by construction.
The last tier keeps nothing; should fewer than k be left for it, tiers before it are given up until there are k.
Texts with values of several entities are cut by the rule of `several_people`, and so are texts with a value that
is more than itself (see `plain_values`): nobody who has one is a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from efface.guarantees.ksafety import several_people
from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.fixed_point import TOO_FEW
from efface.guarantees.ksafety.imagined_notes import crowds, imagined
from efface.guarantees.ksafety.plain_values import InPlace
from efface.knowledge.entities.column_values import ColumnValues, cached_column
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import column_and_key

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_MOST_COLUMNS = 6  # columns of a note; beyond so many the rarest values go first
_MOST_TRIED = 20  # times k candidates whose values are put in the text
# Numbers in place of a tier: no tier serves the note yet; the note is not of a protected entity, or not of plain values.
_UNASSIGNED, _NOT_PROTECTED = -1, -2


@dataclass(frozen=True)
class Method:
    """The candidates: every entity, and which of them are protected, in the order of `EntityIndex.everyone`."""

    index: EntityIndex = field(repr=False)
    k: int
    protected: Flags = field(repr=False)
    # For a column, which of its codes are values that tell nothing but themselves.
    plain: Callable[[str], Flags] = field(repr=False)
    _made: dict[tuple[str, ...], Tiers] = field(default_factory=dict, repr=False)

    def kept(self, values: Mapping[str, str]) -> tuple[frozenset[str], Iterator[dict[str, str]]]:
        """Takes the values of a note by column. Returns the columns that stay, and the values of every candidate
        whose note has the same release."""
        columns = tuple(sorted(values))
        if columns not in self._made:
            plain = [self.plain(column) for column in columns]
            self._made[columns] = tiers(self._tables(columns), self.protected, self.k, plain)
        found = self._made[columns]
        codes = [table.code(values[column]) for column, table in zip(columns, found.tables, strict=True)]
        family = found.kept(codes)
        rows = found.candidates(codes, family).tolist()
        theirs = (_values_of(row, columns, found.tables) for row in rows)
        return frozenset([columns[at] for at in family]), theirs

    def _tables(self, columns: Sequence[str]) -> list[ColumnValues]:
        return [cached_column(self.index, column) for column in columns]


def _values_of(row: Sequence[int], columns: Sequence[str], tables: Sequence[ColumnValues]) -> dict[str, str]:
    """The values of a row of codes, by column."""
    cells = zip(columns, tables, row, strict=True)
    return {column: table.key(code) for column, table, code in cells}


@dataclass(frozen=True)
class Tiers:
    """For every imagined note (a row) the tier that serves it; `families[tier]` are the columns that stay."""

    tables: tuple[ColumnValues, ...] = field(repr=False)
    entities: Ints = field(repr=False)  # of each row
    codes: Ints = field(repr=False)  # (rows, columns)
    tier: Ints = field(repr=False)
    families: tuple[tuple[int, ...], ...]

    def kept(self, codes: Sequence[int]) -> tuple[int, ...]:
        same = (self.codes == np.array(codes, np.int64)).all(axis=1) & (self.tier >= 0)
        rows = np.flatnonzero(same)
        return self.families[int(self.tier[rows[0]])] if rows.size else ()

    def candidates(self, codes: Sequence[int], family: tuple[int, ...]) -> Ints:
        """The protected entities with a note of which the same columns stay with these values: a row of codes each."""
        at = list(family)
        same = (self.codes[:, at] == np.array(codes, np.int64)[at]).all(axis=1)
        rows = np.flatnonzero(same & (self.tier == self.families.index(family)))
        _, first = np.unique(self.entities[rows], return_index=True)
        return self.codes[rows[first]]


def tiers(
    tables: Sequence[ColumnValues], protected: Flags, k: int, plain: Sequence[Flags] | None = None
) -> Tiers:
    """Serve every protected candidate by the first tier that can. Only notes of plain values are cut by tiers."""
    entities, codes = imagined(tables, len(protected))
    families = _families(len(tables))
    is_ours = protected[entities]
    for at, flags in enumerate(plain or ()):
        is_ours &= flags[codes[:, at]]
    tier = np.where(is_ours, _UNASSIGNED, _NOT_PROTECTED)
    # A note that is safe as it is stays as it is, about any entity: here protected and other entities count.
    everyone = crowds(entities, codes, np.arange(len(entities)))
    tier[(everyone >= k) & (tier == _UNASSIGNED)] = 0
    for number, family in enumerate(families[1:], 1):
        rows = np.flatnonzero(tier == _UNASSIGNED)
        sizes = crowds(entities, codes[:, list(family)], rows)
        tier[rows[sizes >= k]] = number
    _serve_the_rest(entities, tier, len(families) - 1, k)
    return Tiers(tuple(tables), entities, codes, tier, families)


def _serve_the_rest(entities: Ints, tier: Ints, last: int, k: int) -> None:
    """Give tiers up, the last first, until those who keep nothing are at least k."""
    for number in range(last, 0, -1):
        left = np.unique(entities[(tier == _UNASSIGNED) | (tier == last)]).size
        if not (tier == _UNASSIGNED).any() or left >= k:
            break
        tier[tier == number] = _UNASSIGNED
    tier[tier == _UNASSIGNED] = last


def _families(columns: int) -> tuple[tuple[int, ...], ...]:
    """Which columns stay, tier by tier: all, then as many as can be. The order depends on no value."""
    sizes = range(columns, -1, -1)
    if columns > _MOST_COLUMNS:
        sizes = [columns, 2, 1, 0]  # type: ignore[assignment]
    return tuple(some for size in sizes for some in combinations(range(columns), size))


@dataclass(frozen=True)
class MethodCut:
    """What goes, and why it is not proved that at least k candidates lead to it; empty where it is."""

    struck: frozenset[str]
    doubt: str = ""


def cut(method: Method, exposure: Exposure, in_place: InPlace | None = None) -> MethodCut:
    """Removes terms until at least k entities could have led to this release."""
    by_column = {column_and_key(term.key)[0]: term.key for term in exposure.terms}
    has_each_once = len(by_column) == len(exposure.terms)
    if has_each_once and _is_of_one(exposure) and not several_people.shares_places(exposure):
        try:
            return _cut_for_one(method, by_column, in_place)
        except MemoryError:  # too many notes can be imagined: judge the text as one about several people
            pass
    tables = {column: cached_column(method.index, column) for column in by_column}
    plain = {column: method.plain(column) for column in by_column}
    return MethodCut(*several_people.cut(exposure, tables, plain, method.protected, method.k, in_place))


def _is_of_one(exposure: Exposure) -> bool:
    """Whether all terms of the text fit one protected entity in too small a crowd."""
    return any(len(exposure.keys(group)) == len(exposure.terms) for group in exposure.unsafe)


def _cut_for_one(method: Method, by_column: Mapping[str, str], in_place: InPlace | None) -> MethodCut:
    values = {column: column_and_key(key)[1] for column, key in by_column.items()}
    kept, candidates = method.kept(values)
    struck = frozenset(key for column, key in by_column.items() if column not in kept)
    crowd = 0  # candidates whose values, written in the text, are read as these values
    for theirs in islice(candidates, _MOST_TRIED * method.k):
        written = {key: theirs[column] for column, key in by_column.items()}
        crowd += in_place is None or in_place.reads_as(written)
        if crowd >= method.k:
            return MethodCut(struck, "")
    return MethodCut(struck, TOO_FEW)
