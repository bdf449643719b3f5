"""All readers together: where one who compares their lists puts a class.

A plan lets every reader rank the true class k-th or worse, so whoever knows k strikes out each class that some reader
ranks better. The classes that are left are ordered by the sum of their ranks, or by the worst of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JointPlaces:
    """The place of the true class among all, by both orders. A tie is the attacker's."""

    by_sum: int
    by_worst: int


def ranks_of(scores: Floats) -> Ints:
    """For each class 1 + how many classes score strictly higher."""
    ordered = np.sort(-scores)
    return np.asarray(1 + np.searchsorted(ordered, -scores, side="left"), np.int64)


def rank_table(scores: Iterable[Floats]) -> Ints:
    """A row a reader, a column a class."""
    return np.array([ranks_of(row) for row in scores], np.int64)


def joint_places(ranks: Ints, truth: int, k: int) -> JointPlaces:
    """Where the true class stands for one who puts all readers' ranks together. Struck out classes come last."""
    struck_out = ranks.min(axis=0) < k
    last = ranks.size * ranks.shape[1]  # more than any sum of ranks

    def place(order: Ints) -> int:
        keys = order + struck_out * last
        return 1 + int((keys < keys[truth]).sum())

    return JointPlaces(place(ranks.sum(axis=0)), place(ranks.max(axis=0)))
