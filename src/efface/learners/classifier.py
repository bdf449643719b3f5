"""What learners return: linear classifiers over a space of features that decode along the sentence.

A CRF's marginals, a support vector machine with the history of its own answers and boosted stumps are all a
weight for each feature and a few numbers for the step from word to word, so one small class runs them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from efface.learners.features import FeatureView, Flags, Floats, Ints, SentenceArrays

LearnerKind = Literal["marginal", "history", "names"]
NEVER = 1e6  # a threshold that no score reaches
_SURE = 50.0  # beyond any threshold
_FAR = 300.0  # log-odds beyond which nothing changes


@dataclass(frozen=True, slots=True)
class ChainForm:
    """What a kind of chain stores: how many numbers for the step between words, and whether features have weights."""

    steps: int
    has_weights: bool = True
    asks_names_model: bool = False


CHAIN_FORMS: Mapping[LearnerKind, ChainForm] = {
    "marginal": ChainForm(steps=4),
    "history": ChainForm(steps=3),
    "names": ChainForm(steps=0, has_weights=False, asks_names_model=True),
}


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
        """The threshold as log-odds."""
        return math.log(self.removed / self.missed)


@dataclass(frozen=True, slots=True, eq=False)
class LinearChain:
    """Weights of features, and of the step from one word to the next.

    `marginal`: `steps` are a CRF's weights of the transitions 00, 01, 10, 11; the score is the log-odds of
    the marginal. `history`: they are a bias and the weights of a positive one and two words before. `names`
    has neither weights nor steps: the score is the log-odds of a person's name by the project's own model.
    """

    kind: LearnerKind
    weights: NDArray[np.float32]
    steps: tuple[float, ...]
    threshold: float = 0.0  # scores from here are positive

    @property
    def form(self) -> ChainForm:
        """What this kind of chain stores."""
        return CHAIN_FORMS[self.kind]

    def scores(self, view: FeatureView) -> Floats:
        if self.form.asks_names_model:
            return view.sentences.person_log_odds()
        if self.kind == "marginal":
            found: Floats = marginals([self], view)[0]
            return found
        return _with_history(view.scores(self.weights), view.sentences, self.steps, self.threshold)


@dataclass(frozen=True, slots=True, eq=False)
class Classifier:
    """Positive is what one of the parts finds, and a part finds what all its chains do.

    A chain may confirm what another sifted. Parts were learned from different documents: together they are
    the union of their positives.
    """

    learner: str
    parts: tuple[tuple[LinearChain, ...], ...]

    @classmethod
    def union(cls, classifiers: Iterable[Classifier]) -> Classifier:
        united = tuple(classifiers)
        return cls(united[0].learner, tuple(part for one in united for part in one.parts))

    def part(self, number: int) -> Classifier:
        return Classifier(self.learner, (self.parts[number],))

    def scores(self, view: FeatureView) -> Floats:
        """Zero and more is positive. Tokens already removed are never positive."""
        crfs = [chain for part in self.parts for chain in part if chain.kind == "marginal"]
        known = dict(zip(map(id, crfs), marginals(crfs, view), strict=True))  # side by side: half the time

        def score(chain: LinearChain) -> Floats:
            found = known[id(chain)] if id(chain) in known else chain.scores(view)
            return found - chain.threshold

        # A token is positive where all chains of at least one part say so.
        by_part = []
        for part in self.parts:
            by_part.append(np.min([score(chain) for chain in part], axis=0))
        united = np.max(by_part, axis=0)
        united[view.sentences.marked] = -np.inf
        return np.asarray(united, np.float64)

    def predict(self, view: FeatureView) -> Flags:
        return self.scores(view) >= 0


class Learner(Protocol):
    """Learns from the tokens that are not removed; `labels` says which of them are sensitive."""

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier: ...


def constant(view: FeatureView, sensitive: Flags, there: Flags) -> LinearChain | None:
    """The answer where only one class is left to learn from."""
    weights = np.zeros(view.space.width, np.float32)
    if not sensitive.any():
        return LinearChain("history", weights, (-_SURE, 0.0, 0.0))
    return LinearChain("history", weights, (_SURE, 0.0, 0.0)) if sensitive[there].all() else None


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Tokens column by column: the first of every sentence, then the second of those that have one, and so on.

    Sentences stand in order of length, the longest first, so a column continues the beginning of the one before.
    """

    order: Ints  # the token at each place, and
    turned: Ints  # where sentences are read from their ends
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, sentences: SentenceArrays) -> _Columns:
        by_length = np.argsort(-sentences.lengths, kind="stable")
        lengths = sentences.lengths[by_length]
        longest = int(lengths[0]) if len(lengths) else 0
        sizes = np.searchsorted(-lengths, -np.arange(longest), side="left")
        column = np.repeat(np.arange(longest), sizes)
        row = np.arange(len(column)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        firsts = sentences.firsts[by_length][row]
        return cls(firsts + column, firsts + lengths[row] - 1 - column, tuple(sizes.tolist()))

    def steps(self) -> Iterator[tuple[slice, slice]]:
        """Pairs of a column and what is before it, word by word."""
        begin = 0
        for before, size in pairwise(self.sizes):
            yield slice(begin, begin + size), slice(begin + before, begin + before + size)
            begin += before


def marginals(chains: Sequence[LinearChain], view: FeatureView) -> Floats:
    """The log-odds of every token by each CRF, all of them side by side.

    Forward and backward over two labels, as odds: one number a token instead of two. Backward is forward from
    the sentence's end with the transitions turned, so one walk does both.
    """
    if not chains:
        return np.zeros((0, len(view)))
    columns = _Columns.of(view.sentences)
    emitted = np.stack([view.scores(chain.weights) for chain in chains], axis=1).clip(-_FAR, _FAR)
    e00, e01, e10, e11 = np.exp(np.array([chain.steps for chain in chains])).T
    stay, enter = np.concatenate([e11, e11]), np.concatenate([e01, e10])
    out, leave = np.concatenate([e00, e00]), np.concatenate([e10, e01])
    odds = np.exp(np.concatenate([emitted[columns.order], emitted[columns.turned]], axis=1))
    for before, now in columns.steps():
        known, here = odds[before], odds[now]
        here *= (enter + stay * known) / (out + leave * known)
    logs = np.log(odds)
    total = -emitted  # counted on both ways
    total[columns.order] += logs[:, : len(chains)]
    total[columns.turned] += logs[:, len(chains) :]
    return total.T


def _with_history(
    emitted: Floats, sentences: SentenceArrays, steps: tuple[float, ...], threshold: float
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
