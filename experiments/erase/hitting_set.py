"""A baseline for `exact`: the minimum hitting set over dangerous sets that are found as they are needed.

Solve the hitting set over the sets found so far (HiGHS), look for dangerous sets in what it leaves, add them,
repeat. It needs no more than the definition, and is what one would try first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from efface.solvers.ksafety.pruning import ReducedProblem, prune
from efface.solvers.ksafety.solve import Instance


def solve_by_hitting_sets(instance: Instance, k: int, time_limit: float) -> tuple[float, float]:
    """The proved lower bound on the removal, and the weight of the best safe one found."""
    deadline = time.process_time() + time_limit
    pruned = prune(instance, k)
    forced = float(instance.weights[pruned.forced].sum())
    search = _HittingSets.of(pruned.problem.hardest())
    least, cost = search.run(deadline)
    return forced + least, forced + cost


@dataclass(slots=True)
class _HittingSets:
    """Sets of terms and of entities are integers with a bit a member."""

    k: int
    weights: list[float]
    holders: list[int]
    contexts: list[int]
    found: set[int]

    @classmethod
    def of(cls, problem: ReducedProblem) -> _HittingSets:
        entities = np.repeat(problem.rivals, np.minimum(problem.counts, problem.k), axis=0)
        columns = [_number(column) for column in entities.T]
        return cls(
            problem.k, problem.weights.tolist(), columns, [_number(row) for row in problem.protected], set()
        )

    def run(self, deadline: float) -> tuple[float, float]:
        removed = self._repair(0)
        least, cost = 0.0, self._weight(removed)
        while least < cost - 1e-6 and time.process_time() < deadline:
            removed, bound = self._hit(deadline - time.process_time())
            least = max(least, bound)
            if time.process_time() < deadline:
                cost = min(cost, self._weight(self._repair(removed)))
        return least, cost

    def _weight(self, terms: int) -> float:
        return sum(self.weights[term] for term in _members(terms))

    def _crowd(self, terms: int) -> int:
        holders = -1
        for term in _members(terms):
            holders &= self.holders[term]
        return holders.bit_count() if terms else self.k

    def _dangerous(self, shown: int) -> int:
        """A small dangerous set among the terms shown, or none."""
        if shown.bit_count() < 2 or self._crowd(shown) >= self.k:
            return 0
        chosen, left = 0, shown
        while not chosen or self._crowd(chosen) >= self.k:
            term = min(_members(left), key=lambda term: self._crowd(chosen | 1 << term))
            chosen, left = chosen | 1 << term, left & ~(1 << term)
        for term in _members(chosen):
            if self._crowd(chosen & ~(1 << term)) < self.k:
                chosen &= ~(1 << term)
        return chosen

    def _repair(self, removed: int) -> int:
        """Remove more until everything is safe, and remember the dangerous sets met on the way."""
        while new := {s for c in self.contexts if (s := self._dangerous(c & ~removed))}:
            self.found |= new
            while new:
                often = Counter(term for terms in new for term in _members(terms))
                term = max(sorted(often), key=lambda term: often[term] / self.weights[term])
                removed |= 1 << term
                new = {terms for terms in new if not terms >> term & 1}
        return removed

    def _hit(self, seconds: float) -> tuple[int, float]:
        """The lightest hitting set of what was found, or the best in time, and the bound."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        pairs = [(row, term) for row, terms in enumerate(sorted(self.found)) for term in _members(terms)]
        rows, terms = zip(*pairs, strict=True)
        matrix = csr_array((np.ones(len(pairs)), (rows, terms)), shape=(len(self.found), len(self.weights)))
        answer = milp(
            self.weights,
            constraints=LinearConstraint(matrix, lb=1),
            integrality=np.ones(len(self.weights)),
            bounds=Bounds(0, 1),
            options={"time_limit": max(0.1, seconds)},
        )
        chosen = answer.x if answer.x is not None else np.ones(len(self.weights))
        bound = answer.mip_dual_bound or 0.0
        whole = all(weight == int(weight) for weight in self.weights)
        return _number(chosen > 0.5), float(np.ceil(bound - 1e-6) if whole else bound)


def _number(flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _members(terms: int) -> Iterator[int]:
    while terms:
        lowest = terms & -terms
        yield lowest.bit_length() - 1
        terms ^= lowest
