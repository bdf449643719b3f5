"""BTop made fast: the same choices as `greedy.btop_naive`, from bitsets and as few blockers as possible.

For each size the rivals whose blocker has it are one bitset a protected context; those whose blocker holds a term
are found 64 at a time, from the smallest size on and only until there are K (the paper's lazy evaluation).
A removal moves every blocker with the term down by one size, again 64 at a time.
Nor is every term scored again after a removal. A blocker shrinks by at most one, so the sizes found
before, less one, bound the score from above; only terms whose bound could win are scored anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from efface.solvers.bits import Ints, pack, union
from efface.solvers.crowd import Tally
from efface.solvers.greedy import EQUAL, blocker_sizes
from efface.solvers.pruning import Flags, Problem

TOGETHER = 4  # sizes looked at in one step


def btop(problem: Problem) -> Flags:
    """The terms that BTop keeps."""
    return _Blockers(problem).run()


class _Blockers:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.kept = np.ones(len(problem.weights), dtype=np.bool_)
        self.tally = Tally.of(problem.counts, problem.k)
        self.lacking = self.tally.bits(~problem.rivals.T)
        self.levels = self._levels()
        self.unsafe = self.tally.add(self.levels[:, 0]) < problem.k
        self.stale = problem.protected.copy()
        # by protected context, size from 1 on and term: the blockers among the K smallest with the term
        self.chosen = self._smallest()

    def _levels(self) -> NDArray[np.uint64]:
        """By protected context and size from 0 on: the rivals whose blocker has this size."""
        sizes = blocker_sizes(self.problem, self.kept)[:, self.tally.groups]
        most = int(sizes.max())
        digits = [pack((sizes >> digit) & 1 == 1) for digit in range(most.bit_length())]
        levels = np.tile(self.tally.everyone(), (len(sizes), most + 1, 1))
        for size in range(most + 1):
            for digit, bits in enumerate(digits):
                levels[:, size] &= bits if size >> digit & 1 else ~bits
        return levels

    def _smallest(self) -> NDArray[np.int32]:
        """A bound to begin with: the K smallest blockers, whatever terms they hold."""
        taken = _first(self.tally.add(self.levels[:, 1:]), self.problem.k - 1).astype(np.int32)
        used = int(np.flatnonzero(taken.any(axis=0))[-1]) + 1
        return taken[:, :used, None] * self.problem.protected[:, None, :]

    def run(self) -> Flags:
        while self.unsafe.any():
            self._remove(self._best())
        return self.kept

    def _best(self) -> int:
        """The term with the best score for its weight. A bound that could win is replaced by the score."""
        secrets = self.problem.secrets * self.unsafe
        by_size = np.einsum("p,pst->st", secrets, self.chosen)
        stale = union(self.stale & self.unsafe[:, None])
        while True:
            score = (by_size / np.arange(1, len(by_size) + 1)[:, None]).sum(axis=0)
            value = np.where(self.kept, score / self.problem.weights, -1.0)
            first = value >= value.max() * EQUAL
            if not (first & stale).any():
                return int(first.argmax())
            term = int((first & stale).argmax())
            self._score(term)
            by_size = np.concatenate([by_size, np.zeros((self.chosen.shape[1] - len(by_size), len(value)))])
            by_size[:, term] = secrets @ self.chosen[:, :, term]
            stale[term] = False

    def _score(self, term: int) -> None:
        """Find the K smallest blockers with the term, for every protected context where they may have changed."""
        rows = np.flatnonzero(self.stale[:, term] & self.unsafe)
        self.stale[rows, term] = False
        self.chosen[rows, :, term] = 0
        missing = np.full(len(rows), self.problem.k - 1)
        for size in range(1, self.levels.shape[1], TOGETHER):
            part = slice(size, size + TOGETHER)
            taken = _first(self.tally.add(self.levels[rows, part] & self.lacking[term]), missing[:, None])
            self._deepen(size - 1 + taken.shape[1])
            self.chosen[rows, size - 1 : size - 1 + taken.shape[1], term] = taken
            missing -= taken.sum(axis=1)
            rows, missing = rows[missing > 0], missing[missing > 0]
            if not len(rows):
                return

    def _deepen(self, sizes: int) -> None:
        before = self.chosen.shape[1]
        if sizes > before:
            more = np.zeros((len(self.chosen), sizes - before, len(self.kept)), dtype=np.int32)
            self.chosen = np.concatenate([self.chosen, more], axis=1)

    def _remove(self, term: int) -> None:
        self.kept[term] = False
        rows = np.flatnonzero(self.problem.protected[:, term] & self.unsafe)
        levels = self.levels[rows]
        moved = levels & self.lacking[term]
        levels ^= moved
        levels[:, :-1] |= moved[:, 1:]
        self.levels[rows] = levels
        self.unsafe[rows] = self.tally.add(levels[:, 0]) < self.problem.k
        self.stale[rows] = self.problem.protected[rows] & self.kept
        before = self.chosen[rows]
        self.chosen[rows] = 0
        self.chosen[rows, 0] = before[:, :2].sum(axis=1)
        self.chosen[rows, 1:-1] = before[:, 2:]


def _first(found: Ints, wanted: Ints | int) -> Ints:
    """Of the numbers found, a column a size, those that are the first `wanted`."""
    total: Ints = np.minimum(found.cumsum(axis=1), wanted)
    total[:, 1:] -= total[:, :-1].copy()
    return total
