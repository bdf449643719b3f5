"""Risk against what is published, over the price of a missed identifier: publish a fold, attack it, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.attacks.release import FOLDS, Attack, attack_view, joined
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.classifier import Costs, Learner
from efface.learners.crossfit import HALVES, CrossFit, parts
from efface.learners.features import FeatureView, Flags, Space
from efface.learners.greedy import Round, apply, greedy
from efface.learners.selection import SelectedLearner

RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Documents to learn from, and others to publish."""

    known: FeatureView
    known_labels: Flags
    known_documents: NDArray[np.int64]  # the document of each sentence
    held: FeatureView
    held_labels: Flags
    held_documents: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PublishedFold:
    """The published documents after a set of classifiers was applied, and the attacker's result on them."""

    removed: int
    words: int
    identifiers: int
    attack: Attack


@dataclass(frozen=True, slots=True)
class TradeoffPoint:
    """One ratio L/C: the share of words published, of identifiers left, and of identifiers found."""

    loss_ratio: float
    published: float
    left: float
    found: float
    true_positives: int
    rounds: float


def folds(material: TrainingTexts, labels: Flags, count: int = FOLDS, seed: int = 0) -> Iterator[Fold]:
    """Cross-validation by document; features are those of the documents learned from."""
    number = len(material.texts)
    part = np.random.default_rng(seed).permutation(number) % min(count, number)
    of_sentence = part[material.of_sentence] if number > 1 else _stretches(material, count)
    for out in range(int(of_sentence.max(initial=0)) + 1):
        sentences, inside = material.view.sentences.part(of_sentence != out)
        space = Space.build(sentences, material.words)
        view = FeatureView(material.view.sentences, space, space.rows(material.words))
        held, outside = view.part(of_sentence == out)
        yield Fold(
            view.part(of_sentence != out)[0],
            labels[inside],
            material.of_sentence[of_sentence != out],
            held,
            labels[outside],
            material.of_sentence[of_sentence == out],
        )


def _stretches(material: TrainingTexts, count: int) -> NDArray[np.int64]:
    total = len(material.of_sentence)
    return np.arange(total, dtype=np.int64) * min(count, total) // max(1, total)


def sanitize(fold: Fold, learner: Learner, costs: Costs, aim: Costs, seed: int = 0) -> tuple[Round, ...]:
    """GreedySanitize on the documents to learn from."""
    honest = CrossFit(learner, aim, parts(fold.known_documents, HALVES, seed))
    return tuple(greedy(fold.known, fold.known_labels, honest, costs))


def publish(fold: Fold, removed: Flags, attacker: Learner, seed: int = 0) -> PublishedFold:
    """What is left of the documents to publish, attacked by one who has the labels of three quarters of them.

    The documents learned from are no use to an attacker: the classifiers know their names, so hardly any is left.
    """
    left = fold.held.without(removed)
    attack = attack_view(left, fold.held_labels, fold.held_documents, attacker, seed)
    return PublishedFold(int(removed.sum()), len(removed), int(fold.held_labels.sum()), attack)


def tradeoff(
    material: TrainingTexts,
    labels: Flags,
    learner: Learner,
    ratios: Sequence[float] = RATIOS,
    *,
    seed: int = 0,
    count: int = FOLDS,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[TradeoffPoint, ...]:
    """A point for each ratio, over all folds."""
    outcomes: dict[float, list[tuple[int, PublishedFold]]] = {ratio: [] for ratio in ratios}
    done = 0
    for fold in folds(material, labels, count, seed):
        for ratio in ratios:
            costs = Costs(ratio, 1.0)
            classifiers = [
                step.classifier for step in sanitize(fold, learner, costs, costs, seed) if step.pays
            ]
            removed = apply(classifiers, fold.held)
            outcomes[ratio].append((len(classifiers), publish(fold, removed, SelectedLearner(seed), seed)))
            watch(done := done + 1, count * len(ratios))
    return tuple(_point(ratio, outcomes[ratio]) for ratio in sorted(ratios))


def _point(ratio: float, found: Sequence[tuple[int, PublishedFold]]) -> TradeoffPoint:
    parts = [outcome for _, outcome in found]
    whole = joined(part.attack for part in parts)
    words = sum(part.words for part in parts)
    removed = sum(part.removed for part in parts)
    identifiers = max(1, sum(part.identifiers for part in parts))
    rounds = sum(number for number, _ in found)
    return TradeoffPoint(
        loss_ratio=ratio,
        published=1 - removed / max(1, words),
        left=whole.counts.sensitive / identifiers,
        found=whole.found(whole.default_budget) / identifiers,
        true_positives=whole.counts.true_positives,
        rounds=rounds / max(1, len(found)),
    )


def knee(points: Sequence[TradeoffPoint]) -> TradeoffPoint:
    """The point farthest from the line between the ends of the curve. On a straight curve it is the safest point.

    Both axes are scaled to the unit square first, so that they count alike.
    """
    removed = np.array([1 - point.published for point in points])
    risk = np.array([point.left for point in points])
    x, y = _stretched(removed), _stretched(risk)
    first, last = int(np.argmin(removed)), int(np.argmax(removed))
    across, down = x[last] - x[first], y[last] - y[first]
    distance = across * (y[first] - y) - down * (x[first] - x)
    best = int(np.argmax(distance))
    return (
        points[best]
        if distance[best] > 1e-9
        else min(points, key=lambda point: (point.left, -point.published))
    )


def _stretched(values: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = float(np.ptp(values))
    return (values - values.min()) / spread if spread else np.zeros(len(values))
