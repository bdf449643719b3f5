"""A reader who knows the method, and a text with values of several entities.

Everything goes that any protected entity has, so nothing that stays depends on whom the text is about. Where the columns
alone say that k candidates lead to this, it is proved (`any_values`); where they do once the values of all others go too,
these go. Otherwise the reader puts candidates in the place of one of them: a candidate leads to the same release if its
note would have been cut by the same rule and be held. At least k such candidates are counted for everybody in the text, or
the release is not proved; `fixed_point` says how the notes of candidates prove each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from efface.guarantees.ksafety import any_values, fixed_point
from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.fixed_point import TOO_FEW
from efface.guarantees.ksafety.imagined_notes import crowds, imagined
from efface.guarantees.ksafety.plain_values import InPlace
from efface.guarantees.ksafety.read_alike import is_read_alike
from efface.guarantees.ksafety.removal_cost import has_overlaps, place_of
from efface.knowledge.entities.column_values import ColumnValues
from efface.knowledge.entities.signatures import column_and_key, in_column

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_MOST_TRIED, _TIMES_K = 80, 4  # candidates whose values are put in the text: so many, or so many times k
_NEIGHBOURS = 2  # times k candidates whose own notes are judged
SHARED = "one place of the text stands for values of several columns, so candidates cannot be put in it"
READ_OTHERWISE = (
    "with the values of candidates the text is read in another way, so they may not lead to this release"
)
TWICE = "an entity has several values of one column in the text, so candidates cannot be put in their place"


@dataclass(frozen=True)
class _Crowd:
    """Who could stand in the place of somebody in the text."""

    mine: frozenset[str]  # the values that they would put there
    seen: frozenset[str]  # the values that they must have, too
    fits: Flags = field(repr=False)

    @property
    def columns(self) -> list[str]:
        return sorted(column_and_key(key)[0] for key in self.mine)


@dataclass(frozen=True)
class Note:
    """The terms of a text by column, and who has which value there. Two notes are equal if their terms are."""

    tables: dict[str, ColumnValues] = field(repr=False, compare=False)
    # Of each column: which codes are values that say only themselves.
    plain: dict[str, Flags] = field(repr=False, compare=False)
    protected: Flags = field(repr=False, compare=False)
    k: int = field(compare=False)
    keys: frozenset[str]
    repeated: frozenset[str]  # of them, those that stand in several places
    in_place: InPlace | None = field(default=None, repr=False, compare=False)
    put: tuple[tuple[str, str], ...] = ()  # for terms of the text: which stand in their place in this note
    _kept: dict[tuple[str, ...], Ints] = field(default_factory=dict, repr=False, compare=False)

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
        """Why the release is not proved; empty where it is. A candidate counts if their own note is proved, too: a
        note that efface refuses leads to no release."""
        reason, _ = self.judged()
        return reason or fixed_point.doubt(self, Note._led_to, self.k)

    def holds_without(self, struck: frozenset[str]) -> bool:
        """Whether a release without these terms is that of k candidates, whatever the terms are: see `any_values`. This
        takes for granted that the notes of candidates are read alike."""
        if struck & self.repeated:
            return False
        kept = self.keys - struck
        shown = np.zeros(len(self.protected), np.bool_)
        for key in kept:
            shown |= self.holders(key)
        for column in {column_and_key(key)[0] for key in struck}:
            table = self.tables[column]
            theirs = table.codes[shown[table.entities]]
            if np.isin(table.codes[self.protected[table.entities]], theirs).any():
                return False  # of a person who stays the reader knows what was struck
        times, denied = _columns(struck), _columns(self.everything())
        chosen = self._some_candidates(sorted(times))
        found = any_values.StruckColumns(times, denied, self.tables, self.protected, chosen, self.k)
        return found.holds(_columns(kept))

    def _some_candidates(self, columns: list[str]) -> Flags:
        """Protected entities with one plain value in each column, those with the rarest values first: as many as can be
        put in the text."""
        usable = self.protected.copy()
        sharing = np.zeros(len(self.protected), np.int64)
        for column in columns:
            table = self.tables[column]
            usable &= self._has_another(column, [])
            np.maximum.at(sharing, table.entities, np.bincount(table.codes)[table.codes])
        among = np.flatnonzero(usable)
        chosen = np.zeros(len(self.protected), np.bool_)
        most = max(_MOST_TRIED, _TIMES_K * self.k)
        chosen[among[np.argsort(sharing[among], kind="stable")[:most]]] = True
        return chosen

    def is_read_alike(self, struck: frozenset[str]) -> bool:
        """Whether the text with values of the candidates has the same terms at the same places."""
        if self.in_place is None:
            return True
        candidates = self._some_candidates(sorted(_columns(struck)))
        values: dict[str, set[str]] = {}
        for column in _columns(struck):
            table = self.tables[column]
            codes = np.unique(table.codes[candidates[table.entities]])
            values[column] = {table.key(int(code)) for code in codes}
        return is_read_alike(self.in_place, struck, values)

    def _led_to(self) -> list[Counter[Note]] | None:
        """For everybody in the text, the notes of those who fit in their place, with how many have each; None where
        too few fit."""
        reason, crowds = self.judged()
        if reason or not self._is_read():
            return None
        return [self._notes_of(crowd) for crowd in crowds]

    def _notes_of(self, crowd: _Crowd) -> Counter[Note]:
        """The notes of the candidates whose values stand near these in the order of all values.

        Some of them are enough, and neighbours have the same neighbours. So few notes are judged with this one, and
        they are the same ones whichever of them is the note at hand.
        """
        groups = self._groups(crowd.columns)
        near = np.flatnonzero(crowd.fits & self._neighbours(crowd))
        _, first, counts = np.unique(groups[near], return_index=True, return_counts=True)
        notes: Counter[Note] = Counter()
        for entity, count in zip(near[first].tolist(), counts.tolist(), strict=True):
            notes[self._note_about(crowd.mine, entity)] += count
        return notes

    def _neighbours(self, crowd: _Crowd) -> Flags:
        """The entities of the same section of the order. A section has the values of several times k entities."""
        groups = self._groups(crowd.columns)
        usable = self.protected & self._have(crowd.seen)
        for column in crowd.columns:
            usable &= self._has_another(column, [])
        sizes = np.bincount(groups[usable], minlength=int(groups.max(initial=0)) + 1)
        least = _NEIGHBOURS * self.k
        last = max(int(sizes.sum()) // least - 1, 0)
        sections = np.minimum((np.cumsum(sizes) - sizes) // least, last)
        # Whoever has several values in a column is in a group of their own before all others.
        ours = int(groups[self._have(crowd.mine)].max(initial=0))
        flags: Flags = sections[groups] == sections[ours]
        return flags

    def _note_about(self, mine: frozenset[str], entity: int) -> Note:
        """The note with a candidate's values in the place of these."""
        theirs = {}
        for key in mine:
            table = self.tables[column_and_key(key)[0]]
            code = int(table.codes[np.searchsorted(table.entities, entity)])
            theirs[key] = in_column(column_and_key(key)[0], table.key(code))
        keys = frozenset(theirs.get(key, key) for key in self.keys)
        repeated = frozenset(theirs.get(key, key) for key in self.repeated)
        before = dict(self.put)
        now = {key: theirs.get(before.get(key, key), before.get(key, key)) for key in self._written_keys}
        put = tuple(sorted((key, other) for key, other in now.items() if key != other))
        return replace(self, keys=keys, repeated=repeated, put=put)

    @property
    def _written_keys(self) -> Iterable[str]:
        return self.in_place.terms if self.in_place is not None else ()

    def _is_read(self) -> bool:
        """Whether the finder finds the terms of this note where they are put."""
        values = {key: column_and_key(other)[1] for key, other in self.put}
        return self.in_place is None or not values or self.in_place.reads_as(values)

    def judged(self) -> tuple[str, list[_Crowd]]:
        """Returns why too few candidates fit, or else, for everybody in the text, their values and the candidates
        that fit."""
        crowds = []
        found = self.people()
        shown = self._visible_entities()
        known = frozenset(key for key in self.everything() if (self.holders(key) & shown).any())
        times = Counter(chain.from_iterable(found))
        said_twice = frozenset(key for key in self.repeated if times[key] > 1)
        for mine in found:
            if not mine & self.repeated and int(self._have(mine).sum()) >= self.k:
                continue  # the same text is that of at least k, whatever the reader knows of what was removed
            columns = [column_and_key(key)[0] for key in mine]
            if len(set(columns)) < len(columns):
                return TWICE, []
            seen = mine & (known | said_twice)
            fits = self._candidates(mine - seen, seen)
            if int(fits.sum()) < self.k:
                return TOO_FEW, []
            crowds.append(_Crowd(mine - seen, seen, fits))
        return "", crowds

    def _visible_entities(self) -> Flags:
        """The entities that the reader may see and of which a value stays. The reader can look up what was struck of
        them."""
        struck = self.everything()
        shown = np.zeros(len(self.protected), np.bool_)
        for key in self.keys:
            if key not in struck:
                shown |= self.holders(key) & ~self.protected
        return shown

    def _has_all(self, keys: Iterable[str], among: Flags) -> bool:
        """Whether one of these entities has all the values."""
        return bool((among & self._have(keys)).any())

    def _have(self, keys: Iterable[str]) -> Flags:
        """Who has all these values."""
        flags = np.ones(len(self.protected), np.bool_)
        for key in keys:
            flags &= self.holders(key)
        return flags

    def _candidates(self, mine: frozenset[str], seen: frozenset[str]) -> Flags:
        """Which protected entities could be in the place of the one that has these values.

        `seen` are values that candidates must have, too: those that the reader knows, and those that stand in several
        places with one placeholder, perhaps for several people.
        """
        columns = sorted(column_and_key(key)[0] for key in mine)
        others = [key for key in self.keys if key not in mine]
        fits = self.protected & self._have(seen)
        for column in columns:
            fits &= self._has_another(column, [key for key in others if column_and_key(key)[0] == column])
        if not self._stays_mixed(columns, others):
            fits &= ~self._joined(columns, others)
        if not self._is_unsafe_without(others):
            fits &= self._is_rare(columns)
        return fits

    def _has_another(self, column: str, taken: list[str]) -> Flags:
        """The entities with one plain value in the column that differs from the values elsewhere. Their
        placeholders would differ."""
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
        group = self._groups(columns)
        flags: Flags = np.isin(group, group[self._have(others)])
        return flags

    def _is_unsafe_without(self, others: list[str]) -> bool:
        """Whether the other values alone make efface cut. It then cuts, whichever candidate is in the place."""
        bits = np.stack([self.holders(key) for key in others], axis=1) if others else None
        if bits is None:
            return False
        rows = np.unique(bits[self.protected & bits.any(axis=1)], axis=0)
        return any(int((bits[:, row].all(axis=1)).sum()) < self.k for row in rows)

    def _is_rare(self, columns: list[str]) -> Flags:
        """Who has values in these columns that fewer than k entities share. efface cuts a note with such values."""
        entities, codes = imagined([self.tables[column] for column in columns], len(self.protected))
        flags = np.ones(len(self.protected), np.bool_)
        flags[entities[crowds(entities, codes, np.arange(len(entities))) >= self.k]] = False
        return flags

    def _groups(self, columns: list[str]) -> Ints:
        """For everybody the place of their values in these columns in the order of all such values."""
        place = tuple(columns)
        if place not in self._kept:
            _, group = np.unique(self._codes(columns), axis=0, return_inverse=True)
            self._kept[place] = group.reshape(-1)
        return self._kept[place]

    def _codes(self, columns: list[str]) -> Ints:
        """A value of everybody in each of the columns; -1 - the entity's place where it has none or several."""
        codes = np.repeat(-1 - np.arange(len(self.protected))[:, None], len(columns), axis=1)
        for at, column in enumerate(columns):
            table = self.tables[column]
            single = np.bincount(table.entities, minlength=len(self.protected))[table.entities] == 1
            codes[table.entities[single], at] = table.codes[single]
        return codes


def _columns(keys: Iterable[str]) -> Counter[str]:
    return Counter(column_and_key(key)[0] for key in keys)


def cut(
    exposure: Exposure,
    tables: dict[str, ColumnValues],
    plain: dict[str, Flags],
    protected: Flags,
    k: int,
    in_place: InPlace | None = None,
) -> tuple[frozenset[str], str]:
    """(what goes, why it is not proved): everything that any protected entity has."""
    repeated = frozenset(term.key for term in exposure.terms if len(term.mentions) > 1)
    keys = frozenset(term.key for term in exposure.terms)
    note = Note(tables, plain, protected, k, keys, repeated, in_place)
    struck = note.everything()
    if shares_places(exposure):
        return struck, SHARED
    # What goes is decided by the columns alone: candidates' notes that are read alike may not be cut in another way.
    if note.holds_without(struck):
        return struck, "" if note.is_read_alike(struck) else note.doubt()
    if note.holds_without(note.keys):
        return note.keys, "" if note.is_read_alike(note.keys) else READ_OTHERWISE
    return struck, note.doubt()


def shares_places(exposure: Exposure) -> bool:
    """Whether one place of the text stands for several terms."""
    places = [place_of(term) for term in exposure.terms]
    return len(set(places)) < len(places) or has_overlaps(exposure.terms)
