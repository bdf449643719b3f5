"""The definitions of the paper, slow and obvious: data are numbers, classifiers are sets of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations

Classifier = frozenset[int]


@dataclass(frozen=True)
class World:
    """Instances 0 … n-1, those that are sensitive, and the costs."""

    n: int
    sensitive: frozenset[int]
    missed: int
    removed: int

    @property
    def everything(self) -> frozenset[int]:
        return frozenset(range(self.n))

    def published(self, chosen: Iterable[Classifier]) -> frozenset[int]:
        return self.everything - frozenset(chain.from_iterable(chosen))

    def false_negatives(self, chosen: Iterable[Classifier]) -> int:
        return len(self.sensitive & self.published(chosen))

    def false_positives(self, chosen: Iterable[Classifier]) -> int:
        return len(frozenset(chain.from_iterable(chosen)) - self.sensitive)

    def loss(self, chosen: Iterable[Classifier]) -> int:
        """T(H) = L · FN(H) + C · FP(H)."""
        kept = list(chosen)
        return self.missed * self.false_negatives(kept) + self.removed * self.false_positives(kept)

    def true_positives_on(self, one: Classifier, left: frozenset[int]) -> int:
        return len(one & left & self.sensitive)

    def false_positives_on(self, one: Classifier, left: frozenset[int]) -> int:
        return len((one & left) - self.sensitive)

    def is_local_optimum(self, chosen: Iterable[Classifier], attacker: Classifier) -> bool:
        """Definition 4.1: adding the attacker's classifier does not lower the loss."""
        kept = list(chosen)
        return self.loss([*kept, attacker]) - self.loss(kept) >= 0


def subsets(n: int) -> Iterator[Classifier]:
    """Every classifier over n instances."""
    items = range(n)
    return (frozenset(found) for size in range(n + 1) for found in combinations(items, size))


def greedy(world: World, learned: Iterable[Classifier]) -> list[Classifier]:
    """Algorithm 1 with the classifiers that learning would return, in turn."""
    kept: list[Classifier] = []
    for one in learned:
        if world.loss([*kept, one]) - world.loss(kept) >= 0:
            break
        kept.append(one)
    return kept
