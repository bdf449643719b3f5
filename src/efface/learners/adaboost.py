"""AdaBoost over stumps (a feature is there or not) with confidences, as used for text by Schapire and Singer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from efface.learners.classifier import Chain, Classifier, Costs, constant
from efface.learners.features import Flags, Floats, View
from efface.learners.svm import history

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_LOOK = 10  # stumps between two looks at all examples
_LIGHT = 0.01  # the share of the weight that may be left out in between


@dataclass(frozen=True, slots=True)
class AdaBoost:
    """Every stump votes by the log-odds on its two sides, so the sum of the stumps is linear in the features."""

    stumps: int = 150
    rarest: int = 5  # a feature seen less often makes no stump
    name: str = "adaboost"

    def fit(self, view: View, labels: Flags, costs: Costs) -> Classifier:
        there = ~view.sentences.marked
        sensitive = labels & there
        if (one_sided := constant(view, sensitive, there)) is not None:
            return Classifier(self.name, ((one_sided,),))
        votes, bias = self._boost(view, sensitive, there, costs)
        one, two = (float(np.float32(weight)) for weight in votes[-2:])
        chain = Chain("history", votes[:-2].astype(np.float32), (float(np.float32(bias)), one, two))
        return Classifier(self.name, ((chain,),))

    def _boost(self, view: View, sensitive: Flags, there: Flags, costs: Costs) -> tuple[Floats, float]:
        from scipy.sparse import csr_matrix, hstack

        features = hstack([view.matrix(), csr_matrix(history(view.sentences, sensitive))], format="csr")[
            there
        ]
        often = np.flatnonzero(np.bincount(features.indices, minlength=features.shape[1]) >= self.rarest)
        used, truth = features[:, often], sensitive[there]
        weights = np.where(truth, costs.missed, costs.removed) / len(truth)
        votes, bias = np.zeros(features.shape[1]), 0.0
        for _ in range(0, self.stumps if len(often) else 0, _LOOK):
            heavy = _heavy(weights)
            chosen, constant_vote = _stumps(used[heavy], truth[heavy], weights[heavy] / weights.sum())
            votes[often] += chosen
            bias += constant_vote
            margins = used @ chosen + constant_vote
            weights = weights * np.exp(np.where(truth, -margins, margins))
            weights /= weights.sum()
        return votes, bias


def _heavy(weights: Floats) -> NDArray[np.int64]:
    """The examples that carry nearly all of the weight: the others hardly move the choice of the next stumps."""
    order = np.argsort(-weights, kind="stable")
    enough = int(np.searchsorted(np.cumsum(weights[order]), (1 - _LIGHT) * weights.sum())) + 1
    return np.sort(order[:enough])


def _stumps(features: csr_matrix, truth: Flags, weights: Floats) -> tuple[Floats, float]:
    """The next few stumps: a vote for each feature, and one for every word."""
    by_column, by_feature = features.tocsc(), features.T.tocsr()
    smooth = 1 / (2 * len(truth))
    votes, bias = np.zeros(features.shape[1]), 0.0
    for _ in range(_LOOK):
        sides = by_feature @ np.stack([weights * truth, weights * ~truth], axis=1)
        rest = np.maximum(np.array([weights @ truth, weights @ ~truth]) - sides, 0.0)
        best = int(np.argmin(np.sqrt(sides[:, 0] * sides[:, 1]) + np.sqrt(rest[:, 0] * rest[:, 1])))
        with_it, without = (
            0.5 * float(np.log((side[best, 0] + smooth) / (side[best, 1] + smooth))) for side in (sides, rest)
        )
        votes[best] += with_it - without
        bias += without
        margins = np.full(len(truth), without)
        margins[by_column.indices[by_column.indptr[best] : by_column.indptr[best + 1]]] = with_it
        weights = weights * np.exp(np.where(truth, -margins, margins))
        weights /= weights.sum()
    return votes, bias
