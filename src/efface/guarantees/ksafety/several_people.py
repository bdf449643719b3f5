"""A reader who knows the method, and a text with values of several entities.

Everything goes that any protected entity has, so nothing that stays depends on whom the text is about. The reader then
puts candidates in the place of one of them: a candidate leads to the same release if its note would have been cut by
the same rule. At least k such candidates are counted for everybody in the text, or the release is not proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.removal_cost import has_overlaps, place_of
from efface.knowledge.entities.column_values import ColumnValues
from efface.knowledge.entities.signatures import column_and_key, in_column

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_MOST_TRIED = 20  # times k candidates whose own notes are judged
TOO_FEW = "fewer than k candidates lead to this release for a reader who reruns efface"
SHARED = "one place of the text stands for values of several columns, so candidates cannot be put in it"
TWICE = "an entity has several values of one column in the text, so candidates cannot be put in their place"


@dataclass(frozen=True)
class Note:
    """The terms of a text by column, and who has which value there."""

    tables: dict[str, ColumnValues] = field(repr=False)
    plain: dict[str, Flags] = field(
        repr=False
    )  # of each column: which codes are values that say only themselves
    protected: Flags = field(repr=False)
    keys: tuple[str, ...]
    repeated: frozenset[str]  # of them, those that stand in several places
    k: int

    def holders(self, key: str) -> Flags:
        """Who has this value in its column."""
        column, value = column_and_key(key)
        table = self.tables[column]
        flags = np.zeros(len(self.protected), np.bool_)
        flags[table.entities[table.codes == table.code(value)]] = True
        return flags

    def everything(self) -> frozenset[str]:
        """The terms that any protected entity has."""
        return frozenset(key for key in self.keys if (self.holders(key) & self.protected).any())

    def people(self) -> list[frozenset[str]]:
        """What each protected entity has of the text, without those who have a part of what another has."""
        struck = sorted(self.everything())
        if not struck:
            return []
        bits = np.stack([self.holders(key) for key in struck], axis=1)[self.protected]
        rows = np.unique(bits[bits.any(axis=1)], axis=0)
        whole = [row for row in rows if int((rows >= row).all(axis=1).sum()) == 1]
        return [frozenset(np.array(struck, object)[row].tolist()) for row in whole]

    def doubt(self) -> str:
        """Why the release is not proved; empty where it is. A candidate counts if their own note would be proved, too:
        a note that efface refuses leads to no release."""
        reason, crowds = self._judged()
        if reason:
            return reason
        for mine, fits in crowds:
            tried = islice(np.flatnonzero(fits).tolist(), _MOST_TRIED * self.k)
            proved = (entity for entity in tried if not self._about(mine, entity)._judged()[0])
            if sum(1 for _ in islice(proved, self.k)) < self.k:
                return TOO_FEW
        return ""

    def _about(self, mine: frozenset[str], entity: int) -> Note:
        """The note with a candidate's values in the place of these."""
        theirs = {}
        for key in mine:
            table = self.tables[column_and_key(key)[0]]
            code = int(table.codes[np.searchsorted(table.entities, entity)])
            theirs[key] = in_column(column_and_key(key)[0], table.key(code))
        keys = tuple(theirs.get(key, key) for key in self.keys)
        repeated = frozenset(theirs.get(key, key) for key in self.repeated)
        return replace(self, keys=keys, repeated=repeated)

    def _judged(self) -> tuple[str, list[tuple[frozenset[str], Flags]]]:
        """Why too few fit, and otherwise the values of everybody in the text with those who fit in their place."""
        crowds = []
        found = self.people()
        shown = self._shown()
        known = frozenset(key for key in self.everything() if (self.holders(key) & shown).any())
        times = Counter(chain.from_iterable(found))
        said_twice = frozenset(key for key in self.repeated if times[key] > 1)
        for mine in found:
            if not mine & self.repeated and self._has_all(mine, shown):
                continue  # the text is about an entity that the reader may see
            columns = [column_and_key(key)[0] for key in mine]
            if len(set(columns)) < len(columns):
                return TWICE, []
            seen = mine & (known | said_twice)
            fits = self._candidates(mine - seen, seen)
            if int(fits.sum()) < self.k:
                return TOO_FEW, []
            crowds.append((mine - seen, fits))
        return "", crowds

    def _shown(self) -> Flags:
        """Whom the reader may see, and of whom something stays: the reader knows what was struck of them."""
        struck = self.everything()
        shown = np.zeros(len(self.protected), np.bool_)
        for key in self.keys:
            if key not in struck:
                shown |= self.holders(key) & ~self.protected
        return shown

    def _has_all(self, keys: Iterable[str], among: Flags) -> bool:
        """Whether one of these entities has all the values."""
        left = among.copy()
        for key in keys:
            left &= self.holders(key)
        return bool(left.any())

    def _candidates(self, mine: frozenset[str], seen: frozenset[str]) -> Flags:
        """Which protected entities could be in the place of the one that has these values.

        `seen` are values that candidates must have, too: those that the reader knows, and those that stand in several
        places with one placeholder, perhaps for several people.
        """
        columns = sorted(column_and_key(key)[0] for key in mine)
        others = [key for key in self.keys if key not in mine]
        fits = self.protected.copy()
        for key in seen:
            fits &= self.holders(key)
        for column in columns:
            fits &= self._has_another(column, [key for key in others if column_and_key(key)[0] == column])
        if not self._stays_mixed(columns, others):
            fits &= ~self._joined(columns, others)
        if not self._is_unsafe_without(others):
            fits &= self._is_rare(columns)
        return fits

    def _has_another(self, column: str, taken: list[str]) -> Flags:
        """Who has one plain value in the column, and not one that stands elsewhere: the placeholders would be
        others."""
        table = self.tables[column]
        flags: Flags = np.bincount(table.entities, minlength=len(self.protected)) == 1
        flags[table.entities[~self.plain[column][table.codes]]] = False
        for key in taken:
            flags &= ~self.holders(key)
        return flags

    def _stays_mixed(self, columns: list[str], others: list[str]) -> bool:
        """Whether the text holds two values of one column, whichever candidate is in the place."""
        counts = Counter([*columns, *(column_and_key(key)[0] for key in others)])
        return any(count > 1 for count in counts.values())

    def _joined(self, columns: list[str], others: list[str]) -> Flags:
        """The entities whose values some entity has together with all the other values of the text.

        With such values the note could be about one person, and efface would have cut it differently.
        """
        has_others = np.ones(len(self.protected), np.bool_)
        for key in others:
            has_others &= self.holders(key)
        _, group = np.unique(self._codes(columns), axis=0, return_inverse=True)
        flags: Flags = np.isin(group.reshape(-1), group.reshape(-1)[has_others])
        return flags

    def _is_unsafe_without(self, others: list[str]) -> bool:
        """Whether the other values alone make efface cut. It then cuts, whichever candidate is in the place."""
        bits = np.stack([self.holders(key) for key in others], axis=1) if others else None
        if bits is None:
            return False
        rows = np.unique(bits[self.protected & bits.any(axis=1)], axis=0)
        return any(int((bits[:, row].all(axis=1)).sum()) < self.k for row in rows)

    def _is_rare(self, columns: list[str]) -> Flags:
        """Whose values in these columns fewer than k have: efface cuts a note with them."""
        codes = self._codes(columns)
        _, group, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        flags: Flags = counts[group.reshape(-1)] < self.k
        return flags

    def _codes(self, columns: list[str]) -> Ints:
        """A value of everybody in each of the columns; -1 - the entity's place where it has none or several."""
        codes = np.repeat(-1 - np.arange(len(self.protected))[:, None], len(columns), axis=1)
        for at, column in enumerate(columns):
            table = self.tables[column]
            single = np.bincount(table.entities, minlength=len(self.protected))[table.entities] == 1
            codes[table.entities[single], at] = table.codes[single]
        return codes


def cut(
    exposure: Exposure, tables: dict[str, ColumnValues], plain: dict[str, Flags], protected: Flags, k: int
) -> tuple[frozenset[str], str]:
    """(what goes, why it is not proved): everything that any protected entity has."""
    repeated = frozenset(term.key for term in exposure.terms if len(term.mentions) > 1)
    note = Note(tables, plain, protected, tuple(term.key for term in exposure.terms), repeated, k)
    struck = note.everything()
    return struck, SHARED if shares_places(exposure) else note.doubt()


def shares_places(exposure: Exposure) -> bool:
    """Whether one place of the text stands for several terms."""
    places = [place_of(term) for term in exposure.terms]
    return len(set(places)) < len(places) or has_overlaps(exposure.terms)
