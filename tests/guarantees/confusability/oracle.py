"""The definitions, slow and obvious: what the fast code must agree with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from efface.knowledge.classes import LabelledDocument
from efface.knowledge.classes.model import GRAIN
from efface.solvers.confusability.problem import SuppressionProblem


def on_grain(value: float) -> float:
    return round(value / GRAIN) * GRAIN


def log_prior(documents: Sequence[LabelledDocument], name: str) -> float:
    return on_grain(math.log(sum(d.sensitive == name for d in documents) / len(documents)))


def log_likelihood(
    documents: Sequence[LabelledDocument], name: str, word: str, features: Sequence[str], smoothing: float
) -> float:
    """log P(word | class): the word's share of the class's feature words, smoothed."""
    words = [w for d in documents if d.sensitive == name for w in d.text.split() if w in features]
    return on_grain(math.log((words.count(word) + smoothing) / (len(words) + smoothing * len(features))))


def score(documents: Sequence[LabelledDocument], name: str, text: str, features: Sequence[str]) -> float:
    """log P(class) + sum of log P(word | class) over the words of a plain text."""
    return log_prior(documents, name) + sum(
        log_likelihood(documents, name, word, features, 1.0) for word in text.split() if word in features
    )


def mutual_information(documents: Sequence[LabelledDocument], word: str) -> float:
    """Between "the word occurs" and the class, over documents."""
    total = len(documents)
    joint = Counter((word in d.text.split(), d.sensitive) for d in documents)
    occurs = Counter(word in d.text.split() for d in documents)
    classes = Counter(d.sensitive for d in documents)
    return sum(
        n / total * math.log(n * total / (occurs[present] * classes[name]))
        for (present, name), n in joint.items()
    )


def ahead(problem: SuppressionProblem, kept: Sequence[int]) -> int:
    """Classes with a strictly higher score when `kept` occurrences of each unit stay."""
    parts = problem.parts
    if parts is None:
        parts = tuple((unit,) for unit in range(len(problem.sizes)))
    count = 0
    for name in range(len(problem.start)):
        margin = float(problem.start[name])
        for entry, part in enumerate(parts):
            if problem.parts is None:
                margin += kept[entry] * float(problem.leads[entry, name])
            elif all(kept[unit] for unit in part):
                margin += int(problem.counts[entry]) * float(problem.leads[entry, name])
        count += name != problem.truth and margin > 0
    return count


def all_plans(problem: SuppressionProblem) -> Iterator[tuple[int, ...]]:
    """Every way to keep whole words, or occurrences, of every unit."""
    choices = [(0, int(size)) if problem.whole else range(int(size) + 1) for size in problem.sizes]
    return product(*choices)


def best_cost(problem: SuppressionProblem) -> float | None:
    """The least worth that must go; None when nothing helps."""
    costs = [
        float((problem.sizes - np.array(kept)) @ problem.values)
        for kept in all_plans(problem)
        if ahead(problem, kept) >= problem.k - 1
    ]
    return min(costs, default=None)
