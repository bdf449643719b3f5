"""How well the terms of one scope distinguish entities, and which protected entities are in too small a crowd."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from efface.core import Finding, Measure, Term
from efface.knowledge.entities.signatures import Masks, Selection, Signatures, column_and_key
from efface.solvers.ksafety.crowd import holders
from efface.solvers.ksafety.solve import Instance

Crowds = npt.NDArray[np.int64]
NAMED = 1000  # findings that name their entity; the plan covers all
# Between an entity's id and a column of it, in a question about one value. No id holds half a surrogate pair: an index
# is written as UTF-8. A control character could be part of a key.
_CELL = "\ud800"


def cell(id: str, column: str) -> str:
    """A question about one value of an entity: whether the viewer is shown it."""
    return f"{id}{_CELL}{column}"


def id_and_column(asked: str) -> tuple[str, str]:
    """What a question is about: an entity, and a column or none."""
    id, _, column = asked.partition(_CELL)
    return id, column


def crowds_of(signatures: Signatures) -> Crowds:
    """For every group, how many entities hold at least its terms."""
    return holders(signatures.groups, signatures.groups, signatures.counts)


@dataclass(frozen=True, slots=True)
class SmallCrowds:
    """How terms distinguish entities, for any reader: groups, their crowds, and the entities in too small a crowd."""

    signatures: Signatures
    crowds: Crowds
    small: tuple[tuple[int, str], ...] = field(repr=False)  # (group, id)

    def size(self) -> int:
        return self.signatures.groups.size + len(self.small)

    def only(self, keys: Sequence[str], k: int | None) -> SmallCrowds:
        """The crowds by some of the terms. A crowd never shrinks with fewer terms, so an entity in too small a crowd
        then is in one now."""
        signatures, places = self.signatures.only(keys)
        crowds = crowds_of(signatures)
        is_small = crowds < k if k is not None else np.ones(len(crowds), np.bool_)
        moved = ((int(places[group]), id) for group, id in self.small)
        return SmallCrowds(
            signatures, crowds, tuple((group, id) for group, id in moved if group >= 0 and is_small[group])
        )

    def questions(self, *, with_values: bool) -> Iterator[str]:
        """The entities in too small a crowd; with their values, where a viewer may be shown other ones."""
        columns: dict[int, list[str]] = {}
        for group, id in self.small:
            yield id
            if with_values:
                if group not in columns:
                    keys = keys_of(self.signatures, group)
                    columns[group] = sorted({column_and_key(key)[0] for key in keys} - {""})
                yield from (cell(id, column) for column in columns[group])

    def exposure(self, terms: tuple[Term, ...], denied: Mapping[str, bool], k: int | None) -> Exposure:
        """A denied entity is protected. If only a value of an entity is denied, only that value is protected."""
        hidden: dict[int, list[str]] = {}
        values: dict[int, list[tuple[str, str]]] = {}
        for group, id in self.small:
            if denied[id]:
                hidden.setdefault(group, []).append(id)
                continue
            for key in keys_of(self.signatures, group):
                if denied.get(cell(id, column_and_key(key)[0]), False):
                    values.setdefault(group, []).append((id, key))
        protected = np.zeros(len(self.crowds), np.int64)
        protected[list(hidden)] = [len(ids) for ids in hidden.values()]
        return Exposure(terms, self.signatures, self.crowds, protected, hidden, k, values)


@dataclass(frozen=True, slots=True)
class Exposure:
    """The terms of one scope, and how well they distinguish each group of entities from the others."""

    terms: tuple[Term, ...]
    signatures: Signatures
    crowds: Crowds
    protected: Crowds  # how many of each group
    hidden: Selection | Mapping[int, Sequence[str]]  # who they are, or those of each group
    k: int | None
    # The denied values of each group, as pairs of id and term.
    values: Mapping[int, Sequence[tuple[str, str]]] = field(default_factory=dict, repr=False)

    @property
    def forced(self) -> set[str]:
        """Denied values of entities that are not denied, where too few entities share what the text says of them."""
        return {key for found in self.values.values() for _, key in found}

    @property
    def unsafe(self) -> list[int]:
        """The groups that hold a protected entity in too small a crowd, the smallest crowd first."""
        held = np.flatnonzero(self.protected)
        small = held if self.k is None else held[self.crowds[held] < self.k]
        return [int(group) for group in small[np.argsort(self.crowds[small], kind="stable")]]

    def instance(self, weights: Mapping[str, float]) -> Instance:
        """The problem for the solvers, each term with a mark before it: "0" or "1".

        Of equally good plans the exact solvers keep the terms that come first in string order. "0" marks the terms of
        entities in small crowds that need no protection, so those are kept (ZoRRo's Table 4). `term[1:]` is the term.
        """
        signatures = self.signatures
        open_groups = np.flatnonzero(self.protected < signatures.counts)
        if self.k is not None:
            open_groups = open_groups[self.crowds[open_groups] < self.k]
        told = np.bitwise_or.reduce(signatures.groups[open_groups], axis=0)
        marks = ["0" if int(told[at // 64]) >> (at % 64) & 1 else "1" for at in range(len(signatures.terms))]
        marked = [mark + term for mark, term in zip(marks, signatures.terms, strict=True)]
        return Instance.from_signatures(
            marked,
            signatures.groups,
            signatures.counts,
            self.protected,
            signatures.empty,
            {name: weights.get(name[1:], 1.0) for name in marked},
        )

    def without(self, gone: set[str]) -> Exposure:
        """The exposure once some terms are gone. Protected entities stay protected."""
        kept = [term for term in self.terms if term.key not in gone]
        signatures, places = self.signatures.only([term.key for term in kept])
        protected = np.zeros(len(signatures.counts), np.int64)
        moved = places >= 0
        np.add.at(protected, places[moved], self.protected[moved])
        return replace(
            self,
            terms=tuple(kept),
            signatures=signatures,
            crowds=crowds_of(signatures),
            protected=protected,
            hidden={},
            values={},
        )

    def safety(self) -> Callable[[Iterable[str]], bool]:
        """A test: whether every protected entity is in a crowd that is large enough once only these terms stay.

        Only those whose crowd is too small now are looked at, since no crowd shrinks when terms go. Rows are numbers
        here, and what is known of a row is kept from one question to the next."""
        bits = {key: 1 << at for at, key in enumerate(self.signatures.terms)}
        rows = {
            int.from_bytes(self.signatures.groups[group].astype("<u8").tobytes(), "little")
            for group in self.unsafe
        }
        known = {0: True}

        def is_safe(kept: Iterable[str]) -> bool:
            mask = 0
            for key in kept:
                mask |= bits.get(key, 0)
            for left in {row & mask for row in rows}:
                if left not in known:
                    known[left] = self._is_crowded(left)
                if not known[left]:
                    return False
            return True

        return is_safe

    def _is_crowded(self, row: int) -> bool:
        words = row.to_bytes(self.signatures.groups.shape[1] * 8, "little")
        return self.k is not None and self.signatures.crowd(np.frombuffer(words, "<u8")) >= self.k

    def keys(self, group: int) -> tuple[str, ...]:
        return keys_of(self.signatures, group)

    def _named(self) -> Iterator[tuple[int, str]]:
        """(group, id) of the protected entities in too small a crowd, as many as are named."""
        groups = self.unsafe[:NAMED]
        if isinstance(self.hidden, Selection):
            found: dict[int, list[str]] = {group: [] for group in groups}
            for group, id in self.signatures.members(groups, self.hidden):
                found[group].append(id)
            members: Mapping[int, Sequence[str]] = found
        else:
            members = self.hidden
        pairs = ((group, id) for group in groups for id in sorted(members.get(group, ())))
        yield from islice(pairs, NAMED)

    def findings(self, over: str) -> Iterator[Finding]:
        by_key = {term.key: term for term in self.terms}
        limit = float("inf") if self.k is None else float(self.k)
        for group, id in self._named():
            terms = tuple(plain(by_key[key]) for key in self.keys(group))
            crowd = int(self.crowds[group])
            because = f"its {len(terms)} terms in the text fit {crowd} of {over}"
            yield Finding("k-safety", id, terms, float(crowd), limit, because)
        for group, found in self.values.items():
            for id, key in islice(found, NAMED):
                because = (
                    f"the viewer is not shown this value, and the text fits {self.crowds[group]} of {over}"
                )
                yield Finding(
                    "k-safety", id, (plain(by_key[key]),), float(self.crowds[group]), limit, because
                )

    def measures(self, kept: set[str]) -> tuple[Measure, ...]:
        """The crowd of every protected entity touched, before and after."""
        keep = self.signatures.mask([at for at, key in enumerate(self.signatures.terms) if key in kept])
        limit = float("inf") if self.k is None else float(self.k)
        after = {
            group: self.signatures.crowd(self.signatures.groups[group] & keep)
            for group in self.unsafe[:NAMED]
        }
        return tuple(
            Measure(id, float(self.crowds[group]), float(after[group]), limit) for group, id in self._named()
        )


def plain(term: Term) -> Term:
    """The term as the finder gave it, without its column."""
    return Term(column_and_key(term.key)[1], term.type, term.mentions, term.source)


def keys_of(signatures: Signatures, group: int) -> tuple[str, ...]:
    """The terms of a group."""
    row: Masks = signatures.groups[group]
    bits = np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")
    return tuple(signatures.terms[at] for at in np.flatnonzero(bits).tolist())
