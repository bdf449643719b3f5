"""How many entities hold a set of terms: inverted bitsets, with the intersections of eight terms at a time
looked up in a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from efface.solvers.bits import WORD, Columns, Ints, Matrix, Rows, pack

TABLE_BYTES = 32_000_000
BATCH_BYTES = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Adds up the sizes of groups given as bits, a size counting no further than `limit`: nobody asks beyond k.

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

    def bits(self, matrix: Matrix) -> Rows:
        """Rows of flags, one a group, as bits."""
        padded = np.concatenate([matrix, np.zeros((len(matrix), 1), dtype=np.bool_)], axis=1)
        return pack(padded[:, self.groups])

    def everyone(self) -> Rows:
        """All groups, as one row of bits."""
        return pack((self.groups >= 0)[None, :])

    def add(self, groups: Rows) -> Ints:
        """The number of entities in each row's groups."""
        return (np.bitwise_count(groups).astype(np.float32) @ self.weights).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some neighbouring terms of one window and, for each of their subsets, the groups that hold it."""

    window: int
    shift: np.uint32
    mask: np.uint32
    holders: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Census:
    """Counts the entities that hold sets given as window columns."""

    blocks: tuple[Block, ...]
    tally: Tally
    everyone: Rows

    @classmethod
    def of(cls, shares: Columns, sizes: list[int], counts: Ints, limit: int) -> Self:
        """Over the groups `shares` (one column a group) of `counts` entities; `sizes` are the windows'."""
        tally = Tally.of(counts, limit)
        everyone = tally.everyone()
        width = _table_bits(sum(sizes), everyone.shape[1])
        blocks = []
        for window, size in enumerate(sizes):
            for start in range(0, size, width):
                bits = np.arange(start, min(start + width, size), dtype=np.uint32)
                table = everyone
                for holders in tally.bits((shares[window] >> bits[:, None]) & 1 == 1):
                    table = np.concatenate([table, table & holders])
                blocks.append(Block(window, np.uint32(start), np.uint32((1 << len(bits)) - 1), table))
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
