"""Guesses of one who knows how k-confusability plans: where each reader ranks the truth, one by one and together.

A plan lets every reader rank the true class k-th or worse, and not much worse, since that would cost words. Whoever has
the readers can therefore name the class at one rank, or the class that no reader ranks better than k and that all of
them together still rank best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.joint_ranks import joint_places, rank_table
from efface.knowledge.classes.model import ClassModel

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedText:
    """For each reader (a row) the rank of every class on one released text, and the true class."""

    ranks: Ints
    truth: int

    @classmethod
    def of(cls, model: ClassModel, released: str, truth: str) -> RankedText:
        return cls(rank_table(model.all_scores(released).values()), model.sensitive.index(truth))

    @property
    def of_truth(self) -> Ints:
        return np.asarray(self.ranks[:, self.truth])

    def is_alone(self, reader: int) -> bool:
        """Whether no other class has the rank of the true one; if several share it, a guess is right only by chance."""
        return int((self.ranks[reader] == self.of_truth[reader]).sum()) == 1


def rank_guess(texts: Sequence[RankedText]) -> float:
    """The success of one who names the class at one rank of one reader, both chosen after the fact."""
    counted = _hits(texts)
    return max(counted.values(), default=0) / max(1, len(texts))


def rank_guess_left_out(texts: Sequence[RankedText]) -> float:
    """The same with reader and rank chosen on all texts but the one that is guessed: no luck is counted as skill."""
    counted = _hits(texts)
    right = 0.0
    for text in texts:
        own = {(reader, int(rank)) for reader, rank in enumerate(text.of_truth) if text.is_alone(reader)}
        others = {place: count - (place in own) for place, count in counted.items()}
        most = max(others.values(), default=0)
        best = [place for place, count in others.items() if count == most]
        right += len(own.intersection(best)) / max(1, len(best))
    return right / max(1, len(texts))


def _hits(texts: Sequence[RankedText]) -> Counter[tuple[int, int]]:
    """In how many texts the true class is alone at a rank, for each reader and rank."""
    return Counter(
        (reader, int(rank))
        for text in texts
        for reader, rank in enumerate(text.of_truth)
        if text.is_alone(reader)
    )


def joint_ranks(texts: Sequence[RankedText], k: int) -> dict[str, Ints]:
    """The place of the true class in the lists of one who puts all readers together, ties for the attacker."""
    places = [joint_places(text.ranks, text.truth, k) for text in texts]
    by_sum = np.array([place.by_sum for place in places], np.int64)
    by_worst = np.array([place.by_worst for place in places], np.int64)
    return {"sum": by_sum, "worst": by_worst}
