"""BTop made fast: the same choices as `greedy.btop_naive`, from bitsets and as few blockers as possible.

For each size the rivals whose blocker has it are one bitset a protected context; those whose blocker holds a term
are found 64 at a time. A removal moves every blocker with the term down by one size, again 64 at a time.
Sizes are looked at from the smallest on, and only as far as it takes to tell which term wins (the paper's lazy
evaluation, and more): blockers not found yet are larger, and after a removal a blocker is smaller by at most
one, so what is known already bounds every score from above.

The bitsets take one bit a blocker and size. Where that is too much, `nearest.btop_by_rows` makes the same choices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Ints, pack, union
from efface.solvers.ksafety.crowd import CrowdTally
from efface.solvers.ksafety.greedy import EQUAL, blocker_sizes, last_of
from efface.solvers.ksafety.nearest import btop_by_rows
from efface.solvers.ksafety.pruning import Flags, ReducedProblem

TOGETHER = 4  # sizes looked at in one step
BLOCKERS = 100_000_000  # protected contexts times rivals; at most for a table of all blockers


def btop(problem: ReducedProblem) -> Flags:
    """The terms that BTop keeps."""
    if len(problem.protected) * len(problem.rivals) > BLOCKERS:
        return btop_by_rows(problem)
    return _Blockers(problem).run()


class _Blockers:
    def __init__(self, problem: ReducedProblem) -> None:
        self.problem = problem
        self.kept = np.ones(len(problem.weights), dtype=np.bool_)
        self.tally = CrowdTally.of(problem.counts, problem.k)
        self.lacking = self.tally.bits(~problem.rivals.T)
        self.levels = self._levels()
        self.unsafe = self.tally.add(self.levels[:, 0]) < problem.k
        self.stale = problem.protected.copy()  # where `chosen` is only a bound
        self.depth = np.zeros(len(problem.weights), dtype=np.int64)  # sizes that were looked at where stale
        # By protected context, size from 1 on and term: how many of the K smallest blockers with the term have the
        # size. The sum over all sizes is at most K. No entry stands at a larger size than is true, so that a score
        # made of them is never too small.
        self.chosen = self._smallest()

    def _levels(self) -> NDArray[np.uint64]:
        """By protected context and size from 0 on: the rivals whose blocker has this size."""
        sizes = blocker_sizes(self.problem, self.kept)[:, self.tally.groups]
        most = int(sizes.max())
        levels = [np.repeat(self.tally.everyone(), len(sizes), axis=0)]
        for digit in reversed(range(most.bit_length())):
            bits = pack((sizes >> digit) & 1 == 1)
            levels = [half for level in levels for half in (level & ~bits, level & bits)]
        return np.stack(levels[: most + 1], axis=1)

    def _smallest(self) -> NDArray[np.int32]:
        """An initial bound: the K smallest blockers, regardless of their terms."""
        taken = _first_wanted(self.tally.add(self.levels[:, 1:]), self.problem.k - 1).astype(np.int32)
        used = int(np.flatnonzero(taken.any(axis=0))[-1]) + 1
        return taken[:, :used, None] * self.problem.protected[:, None, :]

    def run(self) -> Flags:
        while self.unsafe.any():
            self._remove(self._best())
        return self.kept

    def _best(self) -> int:
        """The term with the best score for its weight. While it is only a bound that wins, look deeper."""
        secrets = self.problem.secrets * self.unsafe
        by_size = np.einsum("p,pst->st", secrets, self.chosen)
        while True:
            score = (by_size / np.arange(1, len(by_size) + 1)[:, None]).sum(axis=0)
            value = np.where(self.kept, score / self.problem.weights, -1.0)
            first = value >= value.max() * EQUAL
            unsure = first & union(self.stale & self.unsafe[:, None])
            if not unsure.any():
                return last_of(first)
            term = int(unsure.argmax())
            self._look(term)
            by_size = np.concatenate([by_size, np.zeros((self.chosen.shape[1] - len(by_size), len(value)))])
            by_size[:, term] = secrets @ self.chosen[:, :, term]

    def _look(self, term: int) -> None:
        """Count blockers with the term of the next few sizes, for every protected context where they may have
        changed. Blockers not found yet have at least the size after these, and are counted there: a bound."""
        rows = np.flatnonzero(self.stale[:, term] & self.unsafe)
        depth = int(self.depth[term])
        missing = self.problem.k - 1 - self.chosen[rows, :depth, term].sum(axis=1)
        level = self.levels[rows, depth + 1 : depth + 1 + TOGETHER]
        taken = _first_wanted(self.tally.add(level & self.lacking[term]), missing[:, None])
        missing -= taken.sum(axis=1)
        reached = depth + taken.shape[1]
        more = (missing > 0) & (reached + 1 < self.levels.shape[1])
        self._make_room(reached + 1)
        self.chosen[rows, depth:, term] = 0
        self.chosen[rows, depth:reached, term] = taken
        self.chosen[rows[more], reached, term] = missing[more]
        self.stale[rows[~more], term] = False
        self.depth[term] = reached

    def _make_room(self, sizes: int) -> None:
        before = self.chosen.shape[1]
        if sizes > before:
            room = np.zeros((len(self.chosen), sizes - before, len(self.kept)), dtype=np.int32)
            self.chosen = np.concatenate([self.chosen, room], axis=1)

    def _remove(self, term: int) -> None:
        """Remove a term from every protected context that has it. Each blocker with the term is one smaller then."""
        self.kept[term] = False
        rows = np.flatnonzero(self.problem.protected[:, term] & self.unsafe)
        levels = self.levels[rows]
        moved = levels & self.lacking[term]
        levels ^= moved
        levels[:, :-1] |= moved[:, 1:]
        self.levels[rows] = levels
        self.unsafe[rows] = self.tally.add(levels[:, 0]) < self.problem.k
        self.stale[rows] = self.problem.protected[rows] & self.kept
        self.depth[:] = 0
        self._loosen(rows)

    def _loosen(self, rows: Ints) -> None:
        """Move every count down by one size, since blockers may be one smaller: the counts are bounds again."""
        before = self.chosen[rows]
        self.chosen[rows] = 0
        self.chosen[rows, 0] = before[:, :2].sum(axis=1)
        self.chosen[rows, 1:-1] = before[:, 2:]


def _first_wanted(found: Ints, wanted: Ints | int) -> Ints:
    """Returns the numbers found, a column a size, cut off after the first `wanted`."""
    total: Ints = np.minimum(found.cumsum(axis=1), wanted)
    total[:, 1:] -= total[:, :-1].copy()
    return total
