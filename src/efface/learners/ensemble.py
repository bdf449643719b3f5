"""A sensitive CRF as a sieve, then a support vector machine that cuts its false positives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from efface.learners.classifier import Classifier, Costs
from efface.learners.crf import Crf
from efface.learners.features import Flags, View
from efface.learners.svm import Svm

_SENSITIVE = 4.0  # the sieve takes a miss for this many times worse


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Positive is what the CRF finds likely enough and the machine confirms."""

    seed: int = 0
    name: str = "ensemble"

    def fit(self, view: View, labels: Flags, costs: Costs) -> Classifier:
        return self.join(Crf().fit(view, labels, costs), Svm(seed=self.seed).fit(view, labels, costs), costs)

    def join(self, crf: Classifier, svm: Classifier, costs: Costs) -> Classifier:
        """The ensemble of two that were learned already."""
        eager = Costs(costs.missed * _SENSITIVE, costs.removed)
        sieve = replace(crf.parts[0][0], threshold=eager.log_odds)
        return Classifier(self.name, ((sieve, *svm.parts[0]),))
