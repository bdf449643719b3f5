"""How many entities hold a set of terms.

`holders` answers for many sets at once: sets and groups are sorted together by their rarest terms, so only groups
that share them are compared. `HolderCounter` is made once and asked often: inverted bitsets, with the intersections of
eight terms at a time looked up in a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import WORD, Columns, Ints, Membership, Rows, pack

TABLE_BYTES = 32_000_000  # of tables in which counts are looked up
BATCH_BYTES = 4_000_000  # of rows that are counted at once
FEW = 1 << 18  # comparisons that are made rather than avoided


def holders(asked: Rows, groups: Rows, sizes: Ints) -> Ints:
    """For every asked set of terms, how many entities hold it: `sizes` says how many are in each group."""
    total = np.zeros(len(asked), dtype=np.int64)
    work = [(np.arange(len(asked)), groups, sizes)]
    while work:
        places, among, size = work.pop()
        for term in _rarest_first(among) if len(places) * len(among) > FEW else ():
            mine, inside = _has(asked[places], term), _has(among, term)
            if inside.all():
                break  # the terms that are left are in all of these groups
            if mine.any():
                work.append((places[mine], among[inside], size[inside]))
                places = places[~mine]
            if len(places) * len(among) <= FEW:
                break
        total[places] = _compare(asked[places], among, size)
    return total


def _rarest_first(groups: Rows) -> list[int]:
    held = [np.count_nonzero(_has(groups, term)) for term in range(groups.shape[1] * WORD)]
    return [int(term) for term in np.argsort(held, kind="stable")]


def _has(rows: Rows, term: int) -> NDArray[np.bool_]:
    has: NDArray[np.bool_] = rows[:, term // WORD] & np.uint64(1 << term % WORD) != 0
    return has


def _compare(asked: Rows, groups: Rows, sizes: Ints) -> Ints:
    """`holders` by comparing every set with every group."""
    total = np.zeros(len(asked), dtype=np.int64)
    lacking = ~groups.T
    step = max(1, FEW // max(1, len(groups)))
    for start in range(0, len(asked), step):
        part = asked[start : start + step]
        lacks = part[:, :1] & lacking[0]
        for word in range(1, len(lacking)):
            lacks |= part[:, word : word + 1] & lacking[word]
        place, group = np.divmod(np.flatnonzero(lacks.ravel() == 0), max(1, len(groups)))
        total[start : start + len(part)] = np.bincount(place, sizes[group], len(part))
    return total


@dataclass(frozen=True, slots=True, eq=False)
class CrowdTally:
    """Adds up the sizes of groups given as bits. Sizes are capped at `limit`, since only sums below k matter.

    A group has one bit for each binary digit 1 of its size, and a word holds bits of one digit only; so the sum is
    the words' bit counts times the words' weights.
    """

    groups: Ints  # for each bit the group it stands for, or -1
    weights: NDArray[np.float32]  # of each word

    @classmethod
    def of(cls, counts: Ints, limit: int) -> Self:
        capped = np.minimum(counts, limit)
        groups, weights = [], []
        for digit in range(max(1, int(capped.max(initial=0)).bit_length())):
            members = np.flatnonzero((capped >> digit) & 1)
            words = -(-len(members) // WORD)
            groups += [members, np.full(words * WORD - len(members), -1)]
            weights += [float(1 << digit)] * words
        return cls(np.concatenate(groups), np.array(weights, dtype=np.float32))

    def bits(self, matrix: Membership) -> Rows:
        """Rows of flags, one a group, as bits."""
        padded = np.concatenate([matrix, np.zeros((len(matrix), 1), dtype=np.bool_)], axis=1)
        return pack(padded[:, self.groups])

    def everyone(self) -> Rows:
        """All groups, as one row of bits."""
        return pack((self.groups >= 0)[None, :])

    def add(self, groups: Rows) -> Ints:
        """The number of entities in each row's groups."""
        bits = np.bitwise_count(groups).astype(np.float32)
        # Both factors are finite. The library behind `@` now and then sets the processor's flag for an invalid value all
        # the same, for lanes of its registers that no result is taken from.
        with np.errstate(invalid="ignore"):
            return (bits @ self.weights).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class CrowdBlock:
    """Some neighbouring terms of one window and, for each of their subsets, the groups that hold it."""

    window: int
    shift: np.uint32
    mask: np.uint32
    holders: Rows


@dataclass(frozen=True, slots=True, eq=False)
class HolderCounter:
    """Counts the entities that hold sets given as window columns."""

    blocks: tuple[CrowdBlock, ...]
    tally: CrowdTally
    everyone: Rows

    @classmethod
    def of(cls, shares: Columns, sizes: list[int], counts: Ints, limit: int) -> Self:
        """Over the groups `shares` (one column a group) of `counts` entities; `sizes` are the windows'."""
        tally = CrowdTally.of(counts, limit)
        everyone = tally.everyone()
        width = _table_bits(sum(sizes), everyone.shape[1])
        blocks = []
        for window, size in enumerate(sizes):
            for start in range(0, size, width):
                bits = np.arange(start, min(start + width, size), dtype=np.uint32)
                table = everyone
                for holders in tally.bits((shares[window] >> bits[:, None]) & 1 == 1):
                    table = np.concatenate([table, table & holders])
                blocks.append(CrowdBlock(window, np.uint32(start), np.uint32((1 << len(bits)) - 1), table))
        return cls(tuple(blocks), tally, everyone)

    def count(self, sets: Columns) -> Ints:
        """For every set the number of entities that hold it."""
        total = np.zeros(sets.shape[1], dtype=np.int64)
        step = max(16, BATCH_BYTES // self.everyone.nbytes)
        for start in range(0, len(total), step):
            part = sets[:, start : start + step]
            holders = np.repeat(self.everyone, part.shape[1], axis=0)
            for block in self.blocks:
                holders &= block.holders[(part[block.window] >> block.shift) & block.mask]
            total[start : start + step] = self.tally.add(holders)
        return total


def _table_bits(terms: int, words: int) -> int:
    """The widest blocks whose tables stay small."""
    return next((b for b in (8, 6, 4, 3, 2) if -(-terms // b) * (8 * words << b) <= TABLE_BYTES), 1)
