"""The sensitivity curve behind a slider: computed once, then any step in well under 50 ms."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from efface.solvers.confusability.problem import Floats, Ints, SuppressionProblem
from efface.solvers.confusability.solve import steps_needed, suppression_order


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """For each k = 1, 2, … the order in which units go, and how many must."""

    problem: SuppressionProblem
    useful: Floats  # log P(entry | category)
    base: Floats  # log P(category) and what cannot change
    orders: tuple[Ints, ...]
    needed: tuple[int | None, ...]

    @classmethod
    def of(cls, problem: SuppressionProblem, useful: Floats, base: Floats, up_to: int) -> Curve:
        """k = 1 asks for nothing; beyond the number of classes nothing helps."""
        ranked = problem.ranked(problem.sizes)
        orders, needed = [], []
        for k in range(1, up_to + 1):
            rivals = ranked[: max(k - 1, 1)]
            order = suppression_order(problem, rivals) if len(rivals) else np.arange(len(problem.sizes))
            orders.append(order)
            needed.append(steps_needed(replace(problem, k=k), order))
        return cls(problem, useful, base, tuple(orders), tuple(needed))

    def at(self, k: int, steps: int) -> tuple[Floats, Floats]:
        """Every class's margin over the true one, and the categories' probabilities, after that many removed units."""
        kept = self.problem.sizes.copy()
        kept[self.orders[k - 1][:steps]] = 0
        scores = self.base + self.problem.amounts(kept) @ self.useful
        chances = np.exp(scores - scores.max(initial=-np.inf)) if len(scores) else scores
        return self.problem.margins(kept), chances / chances.sum() if len(scores) else chances

    def ahead(self, margins: Floats) -> int:
        return int((margins > 0).sum())
