"""One fold of one data set: every publisher, every ratio, each release attacked by the best of all learners."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from efface.attacks.tradeoff import Fold, PublishedFold, folds, publish, sanitize
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.classifier import Classifier, Costs, Learner
from efface.learners.features import Flags
from efface.learners.greedy import Round, apply, loss
from efface.learners.selection import SelectedLearner, learner
from experiments.greedy_sanitize.data import TYPE, UNSEEN, load

RATIOS = (1.0, 5.0, 10.0, 30.0, 100.0)
ATTACKED = (5.0, 10.0)  # the ratios at which every release is attacked
EVERYWHERE = ("crf", "selection")  # releases by these are attacked at every ratio
BUDGETS = (50, 100, 200, 500, 1000, 2000, 5000)
FOLDS = 4
PAPER = ("crf", "svm", "adaboost", "ensemble")


@dataclass(frozen=True)
class Task:
    """A fold, by number."""

    dataset: str
    fold: int
    words: int | None
    seed: int = 0

    @property
    def learners(self) -> tuple[str, ...]:
        """The names model is judged only on texts that it did not learn from."""
        return (*PAPER, "names") if self.dataset in UNSEEN else PAPER

    def learner(self, name: str) -> Learner:
        return SelectedLearner(self.seed, self.learners) if name == "selection" else learner(name, self.seed)


@dataclass(frozen=True)
class Row:
    """A publisher at a ratio. `greedy` runs GreedySanitize with rounds that aim at the loss, `accuracy` with
    rounds that aim at accuracy, as in the paper; `cost` is one cost-sensitive classifier; `once` the most
    accurate classifier, alone. Figures of the attack are -1 where none was run."""

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


@dataclass(frozen=True)
class Trial:
    """A fold at work. Equal releases are attacked once."""

    task: Task
    fold: Fold
    outcomes: dict[bytes, PublishedFold] = field(default_factory=dict)

    def row(
        self, publisher: str, name: str, ratio: float, classifiers: Iterable[Classifier], attacked: bool
    ) -> Row:
        chosen = tuple(classifiers)
        removed = apply(chosen, self.fold.held)
        truth = self.fold.held_labels
        left, published = int((truth & ~removed).sum()), round(1 - float(removed.mean()), 5)
        about = (self.task.dataset, self.task.fold, publisher, name, ratio, len(chosen), len(removed))
        if not attacked:
            return Row(*about, int(truth.sum()), published, left, -1, -1, (-1,) * len(BUDGETS))
        attack = self._outcome(removed).attack
        found = tuple(attack.found(budget) for budget in BUDGETS)
        counts = attack.counts
        return Row(
            *about, int(truth.sum()), published, left, counts.true_positives, counts.false_positives, found
        )

    def _outcome(self, removed: Flags) -> PublishedFold:
        key = removed.tobytes()
        if key not in self.outcomes:
            attacker = SelectedLearner(self.task.seed, self.task.learners)
            self.outcomes[key] = publish(self.fold, removed, attacker, self.task.seed)
        return self.outcomes[key]


def run(task: Task) -> list[Row]:
    material = TrainingTexts.of(load(task.dataset, task.words, task.seed))
    parts = folds(material, material.labels[TYPE], FOLDS, task.seed)
    trial = Trial(task, next(islice(parts, task.fold, None)))
    return [*_greedy(trial), *_accurate(trial), *_cost_sensitive(trial)]


def run_in_time(job: tuple[Task, float]) -> list[Row]:
    """The fold, or nothing when the time to begin is over."""
    task, until = job
    return run(task) if time.monotonic() < until else []


def _greedy(trial: Trial) -> Iterator[Row]:
    task = trial.task
    for name in (*task.learners, "selection"):
        for ratio in RATIOS:
            costs = Costs(ratio, 1.0)
            rounds = sanitize(trial.fold, task.learner(name), costs, costs, task.seed)
            attacked = ratio in ATTACKED or name in EVERYWHERE
            yield trial.row("greedy", name, ratio, _applied(rounds), attacked)


def _accurate(trial: Trial) -> Iterator[Row]:
    """The paper's own rounds: those for one ratio are the first of those for any higher one."""
    task, fold = trial.task, trial.fold
    for name in EVERYWHERE:
        path = sanitize(fold, task.learner(name), Costs(max(RATIOS), 1.0), Costs(), task.seed)
        for ratio in RATIOS:
            steps = until_it_no_longer_pays(path, Costs(ratio, 1.0))
            yield trial.row("accuracy", name, ratio, _applied(steps), True)
    best = task.learner("selection").fit(fold.known, fold.known_labels, Costs())
    yield trial.row("once", "selection", 1.0, [best], True)


def _cost_sensitive(trial: Trial) -> Iterator[Row]:
    task, fold = trial.task, trial.fold
    for name in task.learners:
        for ratio in RATIOS:
            one = task.learner(name).fit(fold.known, fold.known_labels, Costs(ratio, 1.0))
            yield trial.row("cost", name, ratio, [one], ratio in ATTACKED)


def _applied(rounds: Iterable[Round]) -> Iterator[Classifier]:
    return (step.classifier for step in rounds if step.pays)


def until_it_no_longer_pays(path: Iterable[Round], costs: Costs) -> Iterator[Round]:
    """The rounds of a longer run as they are for lower costs, where the learner does not look at them."""
    in_vain = 0
    for step in path:
        counts = step.counts
        before = loss(costs, counts.sensitive, in_vain)
        in_vain += counts.false_positives
        again = Round(step.classifier, counts, before, loss(costs, counts.false_negatives, in_vain))
        yield again
        if not again.pays:
            return
