"""The project's own names model as a learner: only the probability from which words go is learned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from efface.learners.classifier import NEVER, Classifier, Costs, LinearChain
from efface.learners.features import FeatureView, Flags, Floats


@dataclass(frozen=True, slots=True)
class NamesLearner:
    """Removes tokens from the log-odds at which the labelled data say that removing is cheaper: C/(L+C)."""

    name: str = "names"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        there = ~view.sentences.marked
        threshold = cheapest(view.sentences.person_log_odds()[there], labels[there], costs)
        return Classifier(self.name, ((LinearChain("names", np.zeros(0, np.float32), (), threshold),),))


def cheapest(scores: Floats, truth: Flags, costs: Costs) -> float:
    """The threshold with the lowest L·FN + C·FP; of equals the highest, and one above all scores if none pays."""
    order = np.argsort(-scores, kind="stable")
    gain = np.cumsum(np.where(truth[order], costs.missed, -costs.removed))
    falling = scores[order]
    last = np.append(falling[1:] < falling[:-1], True)[: len(falling)]  # equal scores go together
    best = int(np.argmax(np.where(last, gain, -np.inf))) if len(gain) else 0
    return float(falling[best]) if len(gain) and gain[best] > 0 else NEVER
