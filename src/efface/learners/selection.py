"""The learners by name, and the one that takes the most accurate of them, judged by held-out sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from efface.errors import UsageError
from efface.learners.adaboost import AdaBoost
from efface.learners.classifier import Classifier, Costs, Learner
from efface.learners.crf import Crf
from efface.learners.ensemble import Ensemble
from efface.learners.features import FeatureView, Flags
from efface.learners.greedy import Counts, loss
from efface.learners.neural import NamesLearner
from efface.learners.svm import Svm

_HELD_OUT = 0.25  # the share of the sentences on which the learners are compared

SINGLE: Mapping[str, Callable[[int], Learner]] = {
    "crf": lambda _seed: Crf(),
    "svm": lambda seed: Svm(seed=seed),
    "adaboost": lambda _seed: AdaBoost(),
    "ensemble": lambda seed: Ensemble(seed=seed),
    "names": lambda _seed: NamesLearner(),
}
NAMES = (*SINGLE, "selection")


def learner(name: str, seed: int = 0) -> Learner:
    """The learner of this name."""
    if name == "selection":
        return SelectedLearner(seed)
    if name not in SINGLE:
        raise UsageError(f"There is no learner {name}.", f"Choose one of {', '.join(NAMES)}.")
    return SINGLE[name](seed)


@dataclass(frozen=True, slots=True)
class SelectedLearner:
    """Every learner learns three quarters of the sentences; the one with the fewest errors on the rest learns all.

    Errors weigh by the costs. Among equals the first in `among` is taken.
    """

    seed: int = 0
    among: tuple[str, ...] = tuple(SINGLE)
    name: str = "selection"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        out = np.random.default_rng(self.seed).random(len(view.sentences.lengths)) < _HELD_OUT
        known, inside = view.part(~out)
        held, outside = view.part(out)
        fitted = self.candidates(known, labels[inside], costs)
        best = min(fitted, key=lambda name: _cost(fitted[name], held, labels[outside], costs))
        return SINGLE[best](self.seed).fit(view, labels, costs)

    def candidates(self, view: FeatureView, labels: Flags, costs: Costs) -> dict[str, Classifier]:
        """Every learner's classifier; the ensemble is made of two that are there already."""
        fitted: dict[str, Classifier] = {}
        for name in self.among:
            if name == "ensemble" and {"crf", "svm"} <= fitted.keys():
                fitted[name] = Ensemble(self.seed).join(fitted["crf"], fitted["svm"], costs)
            else:
                fitted[name] = SINGLE[name](self.seed).fit(view, labels, costs)
        return fitted


def _cost(classifier: Classifier, held: FeatureView, truth: Flags, costs: Costs) -> float:
    counts = Counts.of(classifier.predict(held), truth, ~held.sentences.marked)
    return loss(costs, counts.false_negatives, counts.false_positives)
