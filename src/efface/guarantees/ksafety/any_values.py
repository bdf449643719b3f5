"""Releases about several people that at least k candidates lead to, whatever the values in the text are.

`StruckColumns` looks at what a release shows: which columns were struck, how often, and what stays. It looks at no value that was
struck. So all notes with this release have the same answer, and a candidate's note need not be proved by yet other notes.

Let M be values of a protected entity in the text, in the columns Q, which fewer than k entities have (of others, k
entities have the very same text). Whoever is put in their place must be protected; must have one plain value in each
struck column, so that the text is read in the same way (`read_alike` looks); and must share no struck value of the
text, so that the placeholders are the same. Their note must be cut, too. It is cut in two cases: fewer than k
entities have their values in Q; or another value of the text is of a column, such as a name, in which every value of
a protected entity is one of fewer than k entities. The text has
two values of one column, so that no candidate makes it a note about one person. Each other struck value of a column
excludes some of these candidates: at most as many as share one value there. At least k candidates must be left, for
every Q.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from efface.guarantees.ksafety.imagined_notes import crowds, imagined
from efface.knowledge.entities.column_values import ColumnValues

Flags = npt.NDArray[np.bool_]

_MOST_COLUMNS = 6  # with more of them nothing is said


@dataclass(frozen=True)
class StruckColumns:
    """The columns of what is struck, of which `denied` are of protected entities, and who has which value there."""

    times: Counter[str]
    denied: Counter[str]
    tables: Mapping[str, ColumnValues] = field(repr=False)
    protected: Flags = field(repr=False)
    # Some of the protected entities with one plain value in each column, chosen by the columns alone.
    candidates: Flags = field(repr=False)
    k: int

    def holds(self, kept: Counter[str]) -> bool:
        """Whether at least k candidates lead to the release. Each struck term stands once, and nobody of whom something
        is kept has a value that could be struck: the caller sees to both."""
        if len(self.times) > _MOST_COLUMNS or max((self.times + kept).values(), default=0) < 2:
            return False
        repeated = (column for column, count in self.times.items() if count > 1)
        if any(_has_several(self.tables[column], self.protected) for column in repeated):
            return False  # two values of one column may then be one person's
        sizes = range(1, len(self.times) + 1)
        subsets = chain.from_iterable(combinations(sorted(self.times), size) for size in sizes)
        try:
            return all(map(self._leaves_enough, subsets))
        except MemoryError:
            return False

    def _leaves_enough(self, columns: tuple[str, ...]) -> bool:
        """Whether k candidates are left for somebody's values in these columns."""
        chosen = [self.tables[column] for column in columns]
        entities, codes = imagined(chosen, len(self.protected))
        rare = crowds(entities, codes, np.arange(len(entities))) < self.k
        if not (rare & self.protected[entities]).any():
            return True  # k entities have the same values, whatever they are
        rows = self.candidates[entities]
        if not self._is_cut_without(columns):
            rows &= rare
        left = int(rows.sum())  # one row each, since they have one value in each column
        for at, column in enumerate(columns):
            left -= (self.times[column] - 1) * int(np.bincount(codes[rows, at]).max(initial=0))
        return left >= self.k

    def _is_cut_without(self, columns: tuple[str, ...]) -> bool:
        """Whether the other values make efface cut, whichever candidate is in the place of those in these columns."""
        others = self.denied - Counter(columns)
        return any(column in self._always_rare for column in others)

    @cached_property
    def _always_rare(self) -> frozenset[str]:
        """The columns of which fewer than k entities have any one value that a protected entity has."""
        found = set()
        for column in self.denied:
            table = self.tables[column]
            holders = np.bincount(table.codes)
            if int(holders[table.codes[self.protected[table.entities]]].max(initial=0)) < self.k:
                found.add(column)
        return frozenset(found)


def _has_several(table: ColumnValues, among: Flags) -> bool:
    return bool((np.bincount(table.entities, minlength=len(among))[among] > 1).any())
