"""The problem behind k-confusability: one document against all classes, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from efface.core import Optimality

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def all_stay(kept: Ints, units: Sequence[int]) -> bool:
    """Whether something of each unit is kept. A loop: arrays would be slower for the few units of an n-gram."""
    return all(kept[unit] for unit in units)


@dataclass(frozen=True, slots=True, eq=False)
class SuppressionProblem:
    """One document against all classes.

    `leads[e, c]` is log P(entry e | c) - log P(entry e | truth); `start[c]` the same of the priors and of all
    words that cannot change. All are multiples of `grain`, so sums are exact and a lead of 0 is a tie.
    """

    leads: Floats
    counts: Ints  # of each entry
    start: Floats
    priors: Floats  # P(c), to weigh the rivals
    values: Floats  # what one occurrence of a unit is worth when it stays; negative: better gone
    sizes: Ints  # occurrences of each unit
    truth: int
    k: int
    grain: float
    parts: tuple[tuple[int, ...], ...] | None = None  # the units of each entry; None: entry i is unit i
    whole: bool = True  # a unit goes with all its occurrences, or by one occurrence at a time

    def margins(self, kept: Ints) -> Floats:
        """How far each class is ahead of the true one when `kept` occurrences of every unit stay."""
        return np.asarray(self.start + self.amounts(kept) @ self.leads)

    def amounts(self, kept: Ints) -> Ints:
        """How often each entry still occurs."""
        if self.parts is None:
            return kept
        # An entry of several units, as an n-gram is, occurs only while every one of them stays.
        alive = np.array([all_stay(kept, part) for part in self.parts], dtype=bool)
        return np.where(alive, self.counts, 0)

    def holds(self, margins: Floats) -> bool:
        return int((margins > 0).sum()) >= self.k - 1

    def cost(self, kept: Ints) -> float:
        """The worth of what is suppressed."""
        return float((self.sizes - kept) @ self.values)

    def others(self) -> Ints:
        return np.delete(np.arange(len(self.start)), self.truth)

    def ranked(self, kept: Ints) -> Ints:
        """The other classes, the one furthest ahead first; equals in their order."""
        others = self.others()
        return np.asarray(others[np.argsort(-self.margins(kept)[others], kind="stable")])

    def against(self, rivals: Ints) -> SuppressionProblem:
        """The problem when only these rivals count."""
        columns = np.append(rivals, self.truth)
        return replace(
            self,
            leads=self.leads[:, columns],
            start=self.start[columns],
            priors=self.priors[columns],
            truth=len(rivals),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Suppression:
    """What stays of every unit, what that costs, and what is known about it."""

    kept: Ints
    cost: float
    lower_bound: float
    optimality: Optimality
    rivals: tuple[int, ...]  # the classes now ahead of the true one
