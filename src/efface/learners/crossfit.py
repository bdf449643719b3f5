"""Honest rounds: a classifier is judged only on documents that it did not learn from.

A CRF fits its own training data nearly perfectly, so counts on them say that nothing is left to find. Here the
documents are cut in two; a classifier is learned from each half and judged on the other. Both together, the
union of their positives, are the round's classifier, so nothing is learned twice, and it misses no more than
was counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from efface.learners.classifier import Classifier, Costs, Learner
from efface.learners.features import FeatureView, Flags, Ints
from efface.learners.greedy import Counts, loss
from efface.learners.selection import SelectedLearner

HALVES = 2  # each half is judged by the model of the other


def parts(of_document: Ints, count: int, seed: int) -> Ints:
    """The part of each sentence: by document, or in stretches when there are too few documents."""
    documents, numbers = np.unique(of_document, return_inverse=True)
    if len(documents) >= count:
        drawn = np.random.default_rng(seed).permutation(len(documents)) % count
        return np.asarray(drawn[numbers], np.int64)
    return np.arange(len(of_document), dtype=np.int64) * count // max(1, len(of_document))


@dataclass(frozen=True, slots=True, eq=False)
class CrossFit:
    """Rounds by a learner that aims at these costs; `half` has the half of each sentence."""

    learner: Learner
    aim: Costs
    half: Ints

    def fit(self, view: FeatureView, sensitive: Flags) -> Classifier:
        """Part i knows nothing of half i. Several learners compete: the one that errs least on unseen halves is
        taken."""
        learned = []
        for number in range(HALVES):
            known, inside = view.part(self.half != number)
            learned.append(self._candidates(known, sensitive[inside]))
        united = []
        for name in learned[0]:
            united.append(Classifier.union(one[name] for one in learned))
        return min(united, key=lambda one: self._cost(one, view, sensitive))

    def judge(self, classifier: Classifier, view: FeatureView) -> Flags:
        """Each half as the part sees it that did not learn from it."""
        found = np.zeros(len(view), np.bool_)
        of_token = np.repeat(self.half, view.sentences.lengths)
        for number in range(HALVES):
            found |= classifier.part(number).predict(view) & (of_token == number)
        return found

    def _candidates(self, view: FeatureView, sensitive: Flags) -> Mapping[str, Classifier]:
        if isinstance(self.learner, SelectedLearner):
            return self.learner.candidates(view, sensitive, self.aim)
        return {"": self.learner.fit(view, sensitive, self.aim)}

    def _cost(self, classifier: Classifier, view: FeatureView, sensitive: Flags) -> float:
        counts = Counts.of(self.judge(classifier, view), sensitive, ~view.sentences.marked)
        return loss(self.aim, counts.false_negatives, counts.false_positives)
