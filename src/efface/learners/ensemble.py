"""A sensitive CRF as a sieve, then a support vector machine that cuts its false positives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from efface.learners.classifier import Classifier, Costs
from efface.learners.crf import Crf
from efface.learners.features import FeatureView, Flags
from efface.learners.svm import Svm

_SENSITIVE = 4.0  # the CRF counts a miss as this many times more costly


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A word is positive when the CRF finds it likely enough and the support vector machine confirms it."""

    seed: int = 0
    name: str = "ensemble"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        return self.join(Crf().fit(view, labels, costs), Svm(seed=self.seed).fit(view, labels, costs), costs)

    def join(self, crf: Classifier, svm: Classifier, costs: Costs) -> Classifier:
        """The ensemble of two that were learned already."""
        eager = Costs(costs.missed * _SENSITIVE, costs.removed)
        sieve = replace(crf.parts[0][0], threshold=eager.log_odds)
        return Classifier(self.name, ((sieve, *svm.parts[0]),))
