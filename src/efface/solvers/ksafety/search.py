"""ERASE's two exact searches, Section 5: levelwise (apriori) and best-first with the L-window bound.

Both grow sets of kept terms, which are Python integers with one bit a term. They are exponential and meant for
small documents; `windows` goes further.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from efface.solvers.ksafety import lattice
from efface.solvers.ksafety.pruning import Flags, ReducedProblem, Weights
from efface.solvers.ksafety.windows import judge

WINDOW = 16  # the default of L: beyond it the tables cost more than they prune
LONGEST = 22  # its tables have 2^L entries
CLOCK = 128  # steps between two looks at the clock


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The terms kept, a weight that no safe set exceeds, and what is worth knowing about the way there."""

    kept: Flags
    bound: float
    note: str = ""


@dataclass(slots=True)
class _Oracle:
    """Says whether a term is safe beside a safe set, and remembers the crowds it has counted."""

    k: int
    holders: list[int]  # for each term the groups of entities that hold it
    digits: list[int]  # for each binary digit the groups whose size has it
    showing: list[list[int]]  # for each term the protected contexts that hold it
    enough: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: ReducedProblem) -> _Oracle:
        capped = np.minimum(problem.counts, problem.k)
        digits = [_number((capped >> digit) & 1 == 1) for digit in range(problem.k.bit_length())]
        contexts = [_number(row) for row in problem.protected]
        showing: list[list[int]] = []  # for each term the protected contexts that show it
        for term in range(len(problem.weights)):
            showing.append([context for context in contexts if context >> term & 1])
        return cls(problem.k, [_number(column) for column in problem.rivals.T], digits, showing)

    def safe(self, kept: int, term: int) -> bool:
        return all(self._enough(kept & context | 1 << term) for context in self.showing[term])

    def _enough(self, shown: int) -> bool:
        answer = self.enough.get(shown)
        if answer is None:
            holders = -1
            for term in _terms(shown):
                holders &= self.holders[term]
            crowd = sum((holders & mask).bit_count() << digit for digit, mask in enumerate(self.digits))
            answer = self.enough[shown] = crowd >= self.k
        return answer


def levelwise(problem: ReducedProblem, deadline: float) -> SearchResult:
    """All safe sets, level by level; the heaviest of all levels wins (with weights it need not be the largest)."""
    oracle = _Oracle.of(problem)
    size = len(problem.weights)
    best, heaviest, level = 0, 0.0, [0]
    while level:
        known, level = set(level), []
        for step, kept in enumerate(sorted(known)):
            if step % CLOCK == 0 and time.thread_time() > deadline:
                return SearchResult(
                    _flags(best, size), float(problem.weights.sum()), "stopped by the time limit"
                )
            for term in range(kept.bit_length(), size):
                grown = kept | 1 << term
                if all(grown ^ 1 << other in known for other in _terms(kept)) and oracle.safe(kept, term):
                    level.append(grown)
        for kept in sorted(level):  # on equal weight the set whose terms come first in string order
            weight = _weight(kept, problem.weights)
            if weight > heaviest:
                best, heaviest = kept, weight
    return SearchResult(_flags(best, size), heaviest)


def best_first(problem: ReducedProblem, deadline: float, window: int | None) -> SearchResult:
    """Decide term by term, the most promising prefix first."""
    oracle = _Oracle.of(problem)
    size = len(problem.weights)
    length = min(size, window or WINDOW, LONGEST)
    suffix = suffix_bounds(problem, length)
    queue = [(-suffix[0], 0, 0, 0.0)]  # bound, minus the terms decided, kept, its weight
    best, heaviest = 0, 0.0
    for step in range(1 << 62):
        bound, decided, kept, weight = heappop(queue)
        if weight > heaviest:
            best, heaviest = kept, weight
        if -decided == size:
            return SearchResult(_flags(kept, size), weight, f"window of {length}")
        if step % CLOCK == 0 and time.thread_time() > deadline:
            break
        term = -decided
        if oracle.safe(kept, term):
            more = weight + float(problem.weights[term])
            heappush(queue, (-more - suffix[term + 1], decided - 1, kept | 1 << term, more))
        heappush(queue, (-weight - suffix[term + 1], decided - 1, kept, weight))
    return SearchResult(_flags(best, size), -bound, f"window of {length}; stopped by the time limit")


def suffix_bounds(problem: ReducedProblem, length: int) -> list[float]:
    """For each term the heaviest set of it and its successors that is safe within every window of `length` terms."""
    size, full = len(problem.weights), 1 << length
    if not length:
        return [0.0]
    start = size - length
    safe = _safe_subsets(problem, start, length)
    table = np.where(safe, lattice.subset_weights(problem.weights[start:]), -np.inf)
    mask = np.arange(full)
    ends = [float(table[mask & ((1 << term) - 1) == 0].max()) for term in range(length)]
    bounds = [*ends, 0.0]
    for first in range(start - 1, -1, -1):
        following = np.maximum(table[: full // 2], table[full // 2 :])  # with the next term left out, or kept
        safe = _safe_subsets(problem, first, length)
        weight = problem.weights[first] * (mask & 1)
        table = np.where(safe, weight + following[mask >> 1], -np.inf)
        bounds.insert(0, float(table.max()))
    return bounds


def _safe_subsets(problem: ReducedProblem, start: int, length: int) -> Flags:
    return lattice.outside(judge(problem, range(start, start + length)))[: 1 << length]


def _number(flags: Flags) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _terms(subset: int) -> Iterator[int]:
    while subset:
        lowest = subset & -subset
        yield lowest.bit_length() - 1
        subset ^= lowest


def _weight(subset: int, weights: Weights) -> float:
    return float(sum(weights[term] for term in _terms(subset)))


def _flags(subset: int, size: int) -> Flags:
    return np.array([subset >> term & 1 for term in range(size)], dtype=np.bool_)
