"""Two systems on the same cases: is the difference more than luck?

A paired test by approximate randomisation: under the hypothesis that the two systems are alike, which of
them made which of a case's two predictions does not matter, so they are exchanged at random, case by case,
and the share of exchanges with a difference at least as large is the p-value. The interval of the
difference is by bootstrap over the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.evaluate.scoring import ALL, CaseScore, ScoreTally

ROUNDS = 10_000  # rounds of the paired test: the smallest p-value is 1/10,001
BATCH = 500  # rounds that are drawn at once, for memory's sake
SEED = 20  # any number; the same files give the same interval

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second, its 95 % interval, and how often luck alone does as much."""

    measure: str
    first: float
    second: float
    low: float
    high: float
    p_value: float

    @property
    def difference(self) -> float:
        return self.first - self.second


def compare(first: Sequence[CaseScore], second: Sequence[CaseScore]) -> list[Difference]:
    """Recall, precision, F1 and F2 of the two, token by token, over all types."""
    one, other = _counts(first), _counts(second)
    return [_difference(name, measure, one, other) for name, measure in MEASURES.items()]


def _counts(scores: Sequence[CaseScore]) -> Floats:
    tallies = [score.tallies.get(("token", ALL), ScoreTally()) for score in scores]
    return np.array([[t.found, t.gold, t.right, t.said] for t in tallies], np.float64)


def _recall(sums: Floats) -> Floats:
    return np.where(sums[..., 1] > 0, sums[..., 0] / np.maximum(sums[..., 1], 1), 1.0)


def _precision(sums: Floats) -> Floats:
    return np.where(sums[..., 3] > 0, sums[..., 2] / np.maximum(sums[..., 3], 1), 1.0)


def _f(beta: float) -> Callable[[Floats], Floats]:
    def measure(sums: Floats) -> Floats:
        recall, precision = _recall(sums), _precision(sums)
        below = beta**2 * precision + recall
        return np.where(below > 0, (1 + beta**2) * precision * recall / np.where(below > 0, below, 1), 0.0)

    return measure


MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "recall": _recall,
    "precision": _precision,
    "F1": _f(1),
    "F2": _f(2),
}


def _difference(name: str, measure: Callable[[Floats], Floats], one: Floats, other: Floats) -> Difference:
    rng = np.random.default_rng(SEED)
    first, second = float(measure(one.sum(0))), float(measure(other.sum(0)))
    gap = one - other
    extreme = 0
    drawn: list[Floats] = []
    for _ in range(ROUNDS // BATCH):
        swap = rng.integers(0, 2, (BATCH, len(one))).astype(np.float64)
        moved = swap @ gap  # what the exchanged cases take from the first and give to the second
        luck = measure(one.sum(0) - moved) - measure(other.sum(0) + moved)
        extreme += int((np.abs(luck) >= abs(first - second) - 1e-12).sum())
        times = rng.multinomial(len(one), np.full(len(one), 1 / len(one)), BATCH).astype(np.float64)
        drawn.append(measure(times @ one) - measure(times @ other))
    low, high = np.percentile(np.concatenate(drawn), [2.5, 97.5])
    return Difference(name, first, second, float(low), float(high), (extreme + 1) / (ROUNDS + 1))
