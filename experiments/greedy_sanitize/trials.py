"""One fold of one data set: every publisher, every ratio, each release attacked by the best of all learners."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from efface.attacks.tradeoff import Fold, Outcome, folds, path, paying, publish
from efface.knowledge.identifiers_training import Material
from efface.learners.classifier import Classifier, Costs
from efface.learners.greedy import apply
from efface.learners.selection import NAMES, SINGLE, learner
from experiments.greedy_sanitize.data import TYPE, load

RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
ATTACKED = (5.0, 10.0)  # the ratios at which cost-sensitive classifiers are attacked too
BUDGETS = (50, 100, 200, 500, 1000, 2000, 5000)
FOLDS = 4


@dataclass(frozen=True)
class Task:
    """A fold, by number."""

    dataset: str
    fold: int
    words: int | None
    seed: int = 0


@dataclass(frozen=True)
class Row:
    """A publisher at a ratio. `greedy` runs GreedySanitize; `cost` is one cost-sensitive classifier; `once` the
    first round of selection alone. Figures of the attack are -1 where none was run."""

    dataset: str
    fold: int
    publisher: str
    learner: str
    loss_ratio: float
    rounds: int
    words: int
    identifiers: int
    published: float
    left: int
    true_positives: int
    false_positives: int
    found: tuple[int, ...]  # within each of the budgets


def run(task: Task) -> list[Row]:
    material = Material.of(load(task.dataset, task.words, task.seed))
    parts = folds(material, material.labels[TYPE], FOLDS, task.seed)
    fold = next(islice(parts, task.fold, None))
    return [*_greedy(task, fold), *_cost_sensitive(task, fold)]


def run_in_time(job: tuple[Task, float]) -> list[Row]:
    """The fold, or nothing when the time to begin is over."""
    task, until = job
    return run(task) if time.monotonic() < until else []


def _greedy(task: Task, fold: Fold) -> Iterator[Row]:
    for name in NAMES:
        rounds = path(fold, learner(name, task.seed), max(RATIOS))
        known: dict[int, Outcome] = {}
        for ratio in RATIOS:
            chosen = paying(rounds, ratio)
            if len(chosen) not in known:
                known[len(chosen)] = publish(fold, chosen, task.seed)
            yield _attacked(task, "greedy", name, ratio, len(chosen), known[len(chosen)])
        if name == "selection":
            first = paying(rounds, max(RATIOS))[:1]
            outcome = known[1] if 1 in known else publish(fold, first, task.seed)
            yield _attacked(task, "once", name, 1.0, len(first), outcome)


def _cost_sensitive(task: Task, fold: Fold) -> Iterator[Row]:
    for name in SINGLE:
        for ratio in RATIOS:
            costs = Costs(ratio, 1.0)
            classifier = learner(name, task.seed).fit(fold.known, fold.known_labels, costs)
            if ratio in ATTACKED:
                yield _attacked(task, "cost", name, ratio, 1, publish(fold, [classifier], task.seed))
            else:
                yield _not_attacked(task, name, ratio, fold, [classifier])


def _attacked(task: Task, publisher: str, name: str, ratio: float, rounds: int, outcome: Outcome) -> Row:
    counts = outcome.attack.counts
    return Row(
        task.dataset,
        task.fold,
        publisher,
        name,
        ratio,
        rounds,
        outcome.words,
        outcome.identifiers,
        round(1 - outcome.removed / outcome.words, 5),
        counts.sensitive,
        counts.true_positives,
        counts.false_positives,
        tuple(outcome.attack.found(budget) for budget in BUDGETS),
    )


def _not_attacked(task: Task, name: str, ratio: float, fold: Fold, classifiers: Sequence[Classifier]) -> Row:
    removed = apply(classifiers, fold.held)
    left = int((fold.held_labels & ~removed).sum())
    identifiers, words = int(fold.held_labels.sum()), len(removed)
    published = round(1 - float(removed.mean()), 5)
    missing = (-1,) * len(BUDGETS)
    return Row(
        task.dataset, task.fold, "cost", name, ratio, 1, words, identifiers, published, left, -1, -1, missing
    )
