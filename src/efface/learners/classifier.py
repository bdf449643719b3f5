"""What learners return: linear classifiers over a space of features that decode along the sentence.

A CRF's marginals, a support vector machine with the history of its own answers and boosted stumps are all a
weight for each feature and a few numbers for the step from word to word, so one small class runs them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from efface.learners.features import Flags, Floats, Ints, Sentences, View

Kind = Literal["marginal", "history"]
_SURE = 50.0  # beyond any threshold
_FAR = 300.0  # log-odds beyond which nothing changes


@dataclass(frozen=True, slots=True)
class Costs:
    """What a missed identifier costs (the paper's L) and what a word removed in vain costs (C)."""

    missed: float = 1.0
    removed: float = 1.0

    @property
    def ratio(self) -> float:
        return self.missed / self.removed

    @property
    def threshold(self) -> float:
        """The probability from which removing is cheaper."""
        return self.removed / (self.missed + self.removed)

    @property
    def log_odds(self) -> float:
        """The same as log-odds."""
        return math.log(self.removed / self.missed)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Weights of features, and of the step from one word to the next.

    `marginal`: `steps` are a CRF's weights of the transitions 00, 01, 10, 11; the score is the log-odds of
    the marginal. `history`: they are a bias and the weights of a positive one and two words before.
    """

    kind: Kind
    weights: NDArray[np.float32]
    steps: tuple[float, ...]
    threshold: float = 0.0  # scores from here are positive

    def scores(self, view: View) -> Floats:
        emitted = view.scores(self.weights)
        if self.kind == "marginal":
            return _log_odds(emitted, view.sentences, self.steps)
        return _with_history(emitted, view.sentences, self.steps, self.threshold)


@dataclass(frozen=True, slots=True, eq=False)
class Classifier:
    """Positive is what every chain finds positive: one, or a sieve and one that confirms."""

    learner: str
    chains: tuple[Chain, ...]

    def scores(self, view: View) -> Floats:
        """Zero and more is positive. Tokens already removed are never positive."""
        found = np.min([chain.scores(view) - chain.threshold for chain in self.chains], axis=0)
        found[view.sentences.marked] = -np.inf
        return np.asarray(found, np.float64)

    def predict(self, view: View) -> Flags:
        return self.scores(view) >= 0


class Learner(Protocol):
    """Learns from the tokens that are not removed; `labels` says which of them are sensitive."""

    def fit(self, view: View, labels: Flags, costs: Costs) -> Classifier: ...


def constant(view: View, sensitive: Flags, there: Flags) -> Chain | None:
    """The answer where only one class is left to learn from."""
    weights = np.zeros(view.space.width, np.float32)
    if not sensitive.any():
        return Chain("history", weights, (-_SURE, 0.0, 0.0))
    return Chain("history", weights, (_SURE, 0.0, 0.0)) if sensitive[there].all() else None


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Tokens column by column: the first of every sentence, then the second of those that have one, and so on.

    Sentences stand in order of length, the longest first, so a column continues the beginning of the one before.
    """

    order: Ints  # the token at each place
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, sentences: Sentences) -> _Columns:
        by_length = np.argsort(-sentences.lengths, kind="stable")
        lengths = sentences.lengths[by_length]
        longest = int(lengths[0]) if len(lengths) else 0
        sizes = np.searchsorted(-lengths, -np.arange(longest), side="left")
        column = np.repeat(np.arange(longest), sizes)
        row = np.arange(len(column)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return cls(sentences.firsts[by_length][row] + column, tuple(sizes.tolist()))

    def steps(self) -> Iterator[tuple[slice, slice]]:
        """Pairs of a column and what stands before it, word by word."""
        begin = 0
        for before, size in pairwise(self.sizes):
            yield slice(begin, begin + size), slice(begin + before, begin + before + size)
            begin += before


def _log_odds(emitted: Floats, sentences: Sentences, steps: tuple[float, ...]) -> Floats:
    """Forward and backward over two labels, as odds: one number a token instead of two."""
    columns = _Columns.of(sentences)
    e00, e01, e10, e11 = (math.exp(step) for step in steps)
    odds = np.exp(np.clip(emitted[columns.order], -_FAR, _FAR))
    forward, backward = odds.copy(), np.ones(len(odds))
    moves = list(columns.steps())
    for before, now in moves:
        known = forward[before]
        forward[now] *= (e01 + e11 * known) / (e00 + e10 * known)
    for before, now in reversed(moves):
        known = odds[now] * backward[now]
        backward[before] = (e10 + e11 * known) / (e00 + e01 * known)
    total = np.empty(len(odds))
    total[columns.order] = np.log(forward) + np.log(backward)
    return total


def _with_history(
    emitted: Floats, sentences: Sentences, steps: tuple[float, ...], threshold: float
) -> Floats:
    bias, one, two = steps
    columns = _Columns.of(sentences)
    scores = emitted[columns.order] + bias
    earlier: slice | None = None  # the column before the one before
    for before, now in columns.steps():
        scores[now] += one * (scores[before] >= threshold)
        if earlier is not None:
            size = now.stop - now.start
            scores[now] += two * (scores[earlier.start : earlier.start + size] >= threshold)
        earlier = before
    total = np.empty(len(scores))
    total[columns.order] = scores
    return total
