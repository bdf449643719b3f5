"""GreedySanitize: learn, remove what was found, learn again from what is left, until it no longer pays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

import numpy as np

from efface.learners.classifier import Classifier, Costs
from efface.learners.features import FeatureView, Flags


@dataclass(frozen=True, slots=True)
class Counts:
    """How a classifier's answers on some tokens compare with the truth."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @classmethod
    def of(cls, found: Flags, sensitive: Flags, there: Flags) -> Counts:
        """Only tokens that are still there are counted."""
        return cls(
            int((found & sensitive & there).sum()),
            int((found & ~sensitive & there).sum()),
            int((~found & sensitive & there).sum()),
            int((~found & ~sensitive & there).sum()),
        )

    @property
    def positives(self) -> int:
        return self.true_positives + self.false_positives

    @property
    def sensitive(self) -> int:
        return self.true_positives + self.false_negatives

    @property
    def total(self) -> int:
        return self.positives + self.false_negatives + self.true_negatives

    @property
    def errors(self) -> int:
        return self.false_positives + self.false_negatives


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """A classifier, what it does to the tokens that were left, and the loss T(H) without and with it."""

    classifier: Classifier
    counts: Counts
    loss: float
    next_loss: float

    @property
    def pays(self) -> bool:
        return self.next_loss < self.loss


def loss(costs: Costs, missed: int, removed_in_vain: int) -> float:
    """T(H) = L · FN + C · FP."""
    return costs.missed * missed + costs.removed * removed_in_vain


class Learns(Protocol):
    """The paper's LearnClassifier: `fit` learns a classifier, and `judge` says which tokens of the training data
    count as its positives."""

    def fit(self, view: FeatureView, sensitive: Flags) -> Classifier: ...

    def judge(self, classifier: Classifier, view: FeatureView) -> Flags: ...


def greedy(
    view: FeatureView, sensitive: Flags, learner: Learns, costs: Costs, known: Sequence[Classifier] = ()
) -> Iterator[Round]:
    """One round after the other; the last, which no longer lowers the loss, is for the record only.

    `known` are classifiers of a run that was interrupted. There are at most as many rounds as tokens: each
    that pays removes one that is sensitive.
    """
    left, in_vain = view, 0
    for number in count():
        resumed = number < len(known)
        classifier = known[number] if resumed else learner.fit(left, sensitive)
        found = learner.judge(classifier, left)
        counts = Counts.of(found, sensitive, ~left.sentences.marked)
        before = loss(costs, counts.sensitive, in_vain)
        in_vain += counts.false_positives
        step = Round(classifier, counts, before, loss(costs, counts.false_negatives, in_vain))
        yield step
        if not step.pays:
            return
        left = left.without(found)


def apply(classifiers: Iterable[Classifier], view: FeatureView) -> Flags:
    """The union of all positives, each classifier on what its predecessors left."""
    removed = np.zeros(len(view), np.bool_)
    for classifier in classifiers:
        found = classifier.predict(view)
        removed |= found
        view = view.without(found)
    return removed
