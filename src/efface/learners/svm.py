"""A linear support vector machine with the history of its own answers, class weights as costs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.learners.classifier import Classifier, Costs, LinearChain, constant
from efface.learners.extras import scikit_learn_svm
from efface.learners.features import FeatureView, Flags, SentenceArrays


@dataclass(frozen=True, slots=True)
class Svm:
    """liblinear's dual coordinate descent; the same seed gives the same weights."""

    strength: float = 0.03
    seed: int = 0
    name: str = "svm"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        return Classifier(self.name, ((self._chain(view, labels, costs),),))

    def _chain(self, view: FeatureView, labels: Flags, costs: Costs) -> LinearChain:
        there = ~view.sentences.marked
        sensitive = labels & there
        if (one_sided := constant(view, sensitive, there)) is not None:
            return one_sided
        library = scikit_learn_svm()  # it brings scipy
        from scipy.sparse import csr_matrix, hstack

        features = hstack([view.matrix(), csr_matrix(history(view.sentences, sensitive))], format="csr")
        machine = library.LinearSVC(
            C=self.strength,
            tol=1e-2,
            class_weight={False: 1.0, True: costs.ratio},
            random_state=self.seed,
            max_iter=300,
        )
        with warnings.catch_warnings():  # a few steps short of the optimum is no reason to stop
            warnings.simplefilter("ignore")
            machine.fit(features[there], sensitive[there])
        found = machine.coef_[0]
        one, two = (float(np.float32(weight)) for weight in found[-2:])
        bias = float(np.float32(machine.intercept_[0]))
        return LinearChain("history", found[:-2].astype(np.float32), (bias, one, two))


def history(sentences: SentenceArrays, sensitive: Flags) -> NDArray[np.float32]:
    """Two columns: whether the word before is sensitive, and the one before that."""
    columns = np.zeros((len(sensitive), 2), np.float32)
    places = np.arange(len(sensitive)) - np.repeat(sentences.firsts, sentences.lengths)
    for back in (1, 2):
        inside = places >= back
        columns[inside, back - 1] = sensitive[np.flatnonzero(inside) - back]
    return columns
