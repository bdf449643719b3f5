"""Which terms may still be kept beside those kept already: the test that every step of the search needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Columns, Ints, Membership, columns
from efface.solvers.ksafety.crowd import Census
from efface.solvers.ksafety.pruning import ReducedProblem

PAIR_BYTES = 8_000_000
UNKNOWN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Safety:
    """A problem seen through a partition of its terms into windows of at most 32."""

    k: int
    census: Census
    protected: Columns
    holds: Membership  # (terms in window order, protected)
    window: Ints  # of each term in window order
    bit: NDArray[np.uint32]  # of each term in window order

    @classmethod
    def of(cls, problem: ReducedProblem, windows: Sequence[Sequence[int]]) -> Self:
        sizes = [len(window) for window in windows]
        order = [term for window in windows for term in window]
        return cls(
            problem.k,
            Census.of(columns(problem.rivals, windows), sizes, problem.counts, problem.k),
            columns(problem.protected, windows),
            np.ascontiguousarray(problem.protected[:, order].T),
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate([1 << np.arange(size) for size in sizes]).astype(np.uint32),
        )

    def compatible(self, kept: Columns, wanted: Columns, last: Ints) -> Columns:
        """Of each `wanted` set the terms that are safe, one at a time, beside the safe set `kept`.

        Where `last` names the term that joined `kept` last, all of `wanted` was compatible before it did,
        so only protected contexts that hold it can object; `UNKNOWN` asks all of them.
        """
        answer = wanted.copy()
        step = max(1, PAIR_BYTES // (4 * self.protected.size + 1))
        for start in range(0, kept.shape[1], step):
            part = slice(start, start + step)
            self._filter(kept[:, part], answer[:, part], last[part])
        return answer

    def _filter(self, kept: Columns, wanted: Columns, last: Ints) -> None:
        shown = kept[:, :, None] & self.protected[:, None, :]  # (windows, nodes, protected)
        kind = np.uint8 if len(self.window) < 256 else np.uint16
        sizes = np.bitwise_count(shown).sum(axis=0, dtype=kind)
        known = np.flatnonzero(last != UNKNOWN)
        sizes[known] *= self.holds[last[known]]
        node, term = np.nonzero(wanted[self.window].T & self.bit)
        step = max(1, PAIR_BYTES // (self.holds.shape[1] + 1))
        for start in range(0, len(node), step):
            part = slice(start, start + step)
            self._strike(shown, sizes, node[part], term[part], wanted)

    def _strike(
        self, shown: Columns, sizes: NDArray[np.unsignedinteger], node: Ints, term: Ints, wanted: Columns
    ) -> None:
        """Strike `term` from its node's wanted set if some protected context, with it, has too small a crowd.

        The context that shows most is asked first; those that show no more than a cleared one are cleared too.
        """
        suspect = sizes[node] * self.holds[term]
        while True:
            worst = suspect.argmax(axis=1)
            open_ = suspect[np.arange(len(node)), worst] > 0
            node, term, suspect, worst = node[open_], term[open_], suspect[open_], worst[open_]
            if not len(node):
                return
            pattern = shown[:, node, worst]
            joined = pattern.copy()
            joined[self.window[term], np.arange(len(node))] |= self.bit[term]
            safe = self.census.count(joined) >= self.k
            lost = node[~safe], term[~safe]
            np.bitwise_and.at(wanted, (self.window[lost[1]], lost[0]), ~self.bit[lost[1]])
            node, term, suspect, pattern = node[safe], term[safe], suspect[safe], pattern[:, safe]
            for start in range(0, len(node), 256):
                part = slice(start, start + 256)
                suspect[part] *= (shown[:, node[part]] & ~pattern[:, part, None]).any(axis=0)
