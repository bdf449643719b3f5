"""AdaBoost over stumps (a feature is there or not) with confidences, as used for text by Schapire and Singer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.learners.classifier import Classifier, Costs, LinearChain, constant
from efface.learners.features import FeatureView, Flags, Floats, Ints
from efface.learners.svm import history

_LOOK = 10  # stumps between two looks at all examples
_LIGHT = 0.01  # the share of the weight that may be left out in between


@dataclass(frozen=True, slots=True)
class _Presence:
    """Pairs of a token and a feature that it has, ordered by feature and then by token. A sparse matrix of ones,
    without a library that the base install does not have."""

    tokens: Ints
    columns: Ints
    width: int  # how many features there are

    def of_tokens(self, kept: Ints) -> _Presence:
        """These tokens only, in ascending order, numbered again."""
        number = np.full(int(max(self.tokens.max(initial=-1), kept.max(initial=-1))) + 1, -1)
        number[kept] = np.arange(len(kept))
        found = number[self.tokens]
        return _Presence(found[found >= 0], self.columns[found >= 0], self.width)

    def of_columns(self, kept: Ints) -> _Presence:
        """These features only, in ascending order, numbered again."""
        number = np.full(self.width, -1)
        number[kept] = np.arange(len(kept))
        found = number[self.columns]
        return _Presence(self.tokens[found >= 0], found[found >= 0], len(kept))

    def chosen(self, pairs: Flags) -> _Presence:
        return _Presence(self.tokens[pairs], self.columns[pairs], self.width)

    def weighed(self, weights: Floats) -> Floats:
        """For each feature the weight of the tokens that have it."""
        return np.bincount(self.columns, weights[self.tokens], self.width).astype(np.float64, copy=False)

    def sums(self, votes: Floats, size: int) -> Floats:
        """For each token the votes of its features."""
        return np.bincount(self.tokens, votes[self.columns], size).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True)
class AdaBoost:
    """Every stump votes by the log-odds on its two sides, so the sum of the stumps is linear in the features."""

    stumps: int = 150
    rarest: int = 5  # a feature seen less often makes no stump
    name: str = "adaboost"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        there = ~view.sentences.marked
        sensitive = labels & there
        if (one_sided := constant(view, sensitive, there)) is not None:
            return Classifier(self.name, ((one_sided,),))
        votes, bias = self._boost(view, sensitive, there, costs)
        one, two = (float(np.float32(weight)) for weight in votes[-2:])
        chain = LinearChain("history", votes[:-2].astype(np.float32), (float(np.float32(bias)), one, two))
        return Classifier(self.name, ((chain,),))

    def _boost(self, view: FeatureView, sensitive: Flags, there: Flags, costs: Costs) -> tuple[Floats, float]:
        features = _features(view, sensitive).of_tokens(np.flatnonzero(there))
        often = np.flatnonzero(np.bincount(features.columns, minlength=features.width) >= self.rarest)
        used, truth = features.of_columns(often), sensitive[there]
        weights = np.where(truth, costs.missed, costs.removed) / len(truth)
        votes, bias = np.zeros(features.width), 0.0
        for _ in range(0, self.stumps if len(often) else 0, _LOOK):
            heavy = _heavy(weights)
            chosen, constant_vote = _stumps(
                used.of_tokens(heavy), truth[heavy], weights[heavy] / weights.sum()
            )
            votes[often] += chosen
            bias += constant_vote
            margins = used.sums(chosen, len(truth)) + constant_vote
            weights = weights * np.exp(np.where(truth, -margins, margins))
            weights /= weights.sum()
        return votes, bias


def _features(view: FeatureView, sensitive: Flags) -> _Presence:
    """The features of the text and, in the last two columns, whether the words before are sensitive."""
    at, column = view.present()
    later, back = np.nonzero(history(view.sentences, sensitive))
    tokens = np.concatenate([at, later])
    columns = np.concatenate([column, back + view.space.width])
    order = np.lexsort((tokens, columns))
    return _Presence(tokens[order], columns[order], view.space.width + 2)


def _heavy(weights: Floats) -> NDArray[np.int64]:
    """The examples that carry nearly all of the weight: the others hardly move the choice of the next stumps."""
    order = np.argsort(-weights, kind="stable")
    enough = int(np.searchsorted(np.cumsum(weights[order]), (1 - _LIGHT) * weights.sum())) + 1
    return np.sort(order[:enough])


def _stumps(features: _Presence, truth: Flags, weights: Floats) -> tuple[Floats, float]:
    """The next few stumps: a vote for each feature, and one for every word."""
    starts = np.searchsorted(features.columns, np.arange(features.width + 1))
    groups = [features.chosen(truth[features.tokens]), features.chosen(~truth[features.tokens])]
    smooth = 1 / (2 * len(truth))
    votes, bias = np.zeros(features.width), 0.0
    for _ in range(_LOOK):
        sides = np.stack([group.weighed(weights) for group in groups], axis=1)
        rest = np.maximum(np.array([weights @ truth, weights @ ~truth]) - sides, 0.0)
        best = int(np.argmin(np.sqrt(sides[:, 0] * sides[:, 1]) + np.sqrt(rest[:, 0] * rest[:, 1])))
        with_it, without = (
            0.5 * float(np.log((side[best, 0] + smooth) / (side[best, 1] + smooth))) for side in (sides, rest)
        )
        votes[best] += with_it - without
        bias += without
        margins = np.full(len(truth), without)
        margins[features.tokens[starts[best] : starts[best + 1]]] = with_it
        weights = weights * np.exp(np.where(truth, -margins, margins))
        weights /= weights.sum()
    return votes, bias
