"""Which terms may still be kept beside those kept already: the test that every step of the search needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Columns, Ints, Membership, columns
from efface.solvers.ksafety.crowd import HolderCounter
from efface.solvers.ksafety.pruning import ReducedProblem

PAIR_BYTES = 8_000_000  # of pairs that are compared at once
UNKNOWN = -1  # no term was put back last
_PAIRS_AT_ONCE = 256  # of a node and a term whose contexts are cleared in one step


@dataclass(frozen=True, slots=True, eq=False)
class Safety:
    """A problem seen through a partition of its terms into windows of at most 32."""

    k: int
    census: HolderCounter
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
            HolderCounter.of(columns(problem.rivals, windows), sizes, problem.counts, problem.k),
            columns(problem.protected, windows),
            np.ascontiguousarray(problem.protected[:, order].T),
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate([1 << np.arange(size) for size in sizes]).astype(np.uint32),
        )

    def compatible(self, kept: Columns, wanted: Columns, last: Ints) -> Columns:
        """Returns the terms of each `wanted` set that are safe, one at a time, beside the safe set `kept`.

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
            self._drop_unsafe(shown, sizes, node[part], term[part], wanted)

    def _drop_unsafe(
        self, shown: Columns, sizes: NDArray[np.unsignedinteger], node: Ints, term: Ints, wanted: Columns
    ) -> None:
        """Drop `term` from its node's wanted set if some protected context, with it, has too small a crowd.

        `node` and `term` are pairs, and all arrays below have a row or a column for each pair. A round asks of each
        pair the context that shows most. If it is unsafe, the pair is dropped and done. If it is safe, so is every
        context that shows no more; the next round asks one of the others.
        """
        suspect = (
            sizes[node] * self.holds[term]
        )  # (pairs, protected): how much is shown; 0 where nothing is to ask
        while True:
            worst = suspect.argmax(axis=1)
            is_open = suspect[np.arange(len(node)), worst] > 0
            node, term, suspect, worst = node[is_open], term[is_open], suspect[is_open], worst[is_open]
            if not len(node):
                return
            pattern = shown[:, node, worst]  # (windows, pairs)
            is_safe = self._crowds_with(pattern, term) >= self.k
            self._drop(node[~is_safe], term[~is_safe], wanted)
            node, term, suspect, pattern = node[is_safe], term[is_safe], suspect[is_safe], pattern[:, is_safe]
            _clear_within(suspect, shown, node, pattern)

    def _crowds_with(self, pattern: Columns, term: Ints) -> Ints:
        """The crowds of what is shown, each with one term more."""
        joined = pattern.copy()
        joined[self.window[term], np.arange(len(term))] |= self.bit[term]
        return self.census.count(joined)

    def _drop(self, node: Ints, term: Ints, wanted: Columns) -> None:
        np.bitwise_and.at(wanted, (self.window[term], node), ~self.bit[term])


def _clear_within(suspect: NDArray[np.unsignedinteger], shown: Columns, node: Ints, pattern: Columns) -> None:
    """Clear the contexts that show no more than the safe pattern of their pair."""
    for start in range(0, len(node), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        suspect[part] *= (shown[:, node[part]] & ~pattern[:, part, None]).any(axis=0)
