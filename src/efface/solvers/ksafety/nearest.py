"""BTop in little memory: the same choices as `greedy.btop_naive`, one protected context at a time.

Each protected context keeps only its smallest blockers: as many as it takes until every term that it shows is in K of
them. A removal changes those of the contexts that show the term, and of no others. Contexts that
look alike after it become one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Ints, Rows, distinct, pack, unpack
from efface.solvers.ksafety.greedy import best_term
from efface.solvers.ksafety.pruning import Flags, ReducedProblem

Chosen = NDArray[np.int32]  # by size from 1 on and term: the blockers among the K smallest with the term


def btop_by_rows(problem: ReducedProblem) -> Flags:
    """The terms that BTop keeps."""
    return _Contexts(problem).run()


class _Contexts:
    def __init__(self, problem: ReducedProblem) -> None:
        self.problem = problem
        self.kept = np.ones(len(problem.weights), dtype=np.bool_)
        self.shown, self.secrets = pack(problem.protected), problem.secrets
        self.rivals = _Rivals(pack(problem.rivals), problem.counts, len(self.kept), problem.k)
        self.chosen: list[Chosen | None] = [None] * len(self.shown)  # None: not known any more

    def run(self) -> Flags:
        while self._look():
            term = self._best()
            self.kept[term] = False
            self._remove(pack(~self.kept[None, :]))
        return self.kept

    def _look(self) -> bool:
        """Find what is not known, and forget the contexts that are safe. Whether others are left."""
        safe = np.zeros(len(self.shown), dtype=np.bool_)
        for row, chosen in enumerate(self.chosen):
            if chosen is None:
                self.chosen[row] = found = self.rivals.nearest(self.shown[row])
                safe[row] = found is None
        self._keep(np.flatnonzero(~safe))
        return len(self.shown) > 0

    def _keep(self, rows: Ints) -> None:
        self.shown, self.secrets = self.shown[rows], self.secrets[rows]
        self.chosen = [self.chosen[row] for row in rows]

    def _best(self) -> int:
        """The term with the best score for its weight."""
        by_size = np.zeros((len(self.kept), len(self.kept)), dtype=np.int64)
        for secrets, chosen in zip(self.secrets, self.chosen, strict=True):
            if chosen is not None:
                by_size[: len(chosen)] += int(secrets) * chosen
        score = (by_size / np.arange(1, len(by_size) + 1)[:, None]).sum(axis=0)
        return best_term(score, self.problem.weights, self.kept)

    def _remove(self, gone: Rows) -> None:
        """Take out the terms. Contexts may become equal then: what is known of one is true of all."""
        changed = (self.shown & gone).any(axis=1)
        shown, place = distinct(self.shown & ~gone)
        chosen: list[Chosen | None] = [None] * len(shown)
        for row in np.flatnonzero(~changed):
            chosen[place[row]] = self.chosen[row]
        self.secrets = np.bincount(place, weights=self.secrets, minlength=len(shown)).astype(np.int64)
        self.shown, self.chosen = shown, chosen
        self.rivals = self.rivals.without(gone)


class _Rivals:
    """The contexts of all entities, equal ones as one."""

    def __init__(self, held: Rows, counts: Ints, terms: int, k: int) -> None:
        self.held, self.counts, self.terms, self.k = held, counts, terms, k
        self.lacking = np.ascontiguousarray(~held.T)
        self.reach = 0  # the size of the largest blocker that the last context needed

    def without(self, gone: Rows) -> _Rivals:
        held, place = distinct(self.held & ~gone)
        counts = np.bincount(place, weights=self.counts, minlength=len(held)).astype(np.int64)
        fewer = _Rivals(held, counts, self.terms, self.k)
        fewer.reach = self.reach
        return fewer

    def nearest(self, shown: Rows) -> Chosen | None:
        """The smallest blockers of a context by size and term; None if it is safe."""
        sizes = self._sizes(shown)
        most = int(np.bitwise_count(shown).sum(dtype=np.int64))
        reach = max(0, min(self.reach, most) - 1)
        while True:
            near = np.flatnonzero(sizes <= reach)
            blockers = unpack((shown[:, None] & self.lacking[:, near]).T, self.terms)
            if self.counts[near[sizes[near] == 0]].sum() >= self.k:
                return None
            found = self.counts[near] @ blockers
            if reach >= most or (found >= self.k - 1)[unpack(shown[None, :], self.terms)[0]].all():
                break
            reach += 1
        self.reach = reach
        return self._smallest(blockers, self.counts[near], sizes[near])

    def _sizes(self, shown: Rows) -> NDArray[np.unsignedinteger]:
        """The size of each rival's blocker."""
        sizes: NDArray[np.unsignedinteger] = np.bitwise_count(shown[0] & self.lacking[0])
        if len(shown) > 3:  # 256 terms or more
            sizes = sizes.astype(np.uint16)
        for word in range(1, len(shown)):
            sizes += np.bitwise_count(shown[word] & self.lacking[word])
        return sizes

    def _smallest(self, blockers: Flags, counts: Ints, sizes: NDArray[np.unsignedinteger]) -> Chosen:
        """For each size and term the blockers that are among the K smallest with the term."""
        found = np.array(
            [counts[sizes == size] @ blockers[sizes == size] for size in range(1, int(sizes.max()) + 1)]
        )
        total = np.minimum(found.cumsum(axis=0), self.k - 1)
        chosen: Chosen = np.diff(total, axis=0, prepend=0).astype(np.int32)
        return chosen
