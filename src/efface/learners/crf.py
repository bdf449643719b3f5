"""Conditional random fields, learned by crfsuite. The weights are taken out, so that applying needs no crfsuite."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from efface.learners.classifier import Classifier, Costs, LinearChain, constant
from efface.learners.extras import crfsuite
from efface.learners.features import PLACES, FeatureView, Flags

_LABELS = {"0": 0, "1": 1}


@dataclass(frozen=True, slots=True)
class Crf:
    """L-BFGS with an L2 penalty; deterministic. Costs move the threshold of the marginals to C/(L+C)."""

    penalty: float = 2.0
    iterations: int = 40
    name: str = "crf"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        """Removed tokens stay in their sentence as context, with the label of words that are not sensitive."""
        there = ~view.sentences.marked
        sensitive = labels & there
        chain = constant(view, sensitive, there)  # crfsuite knows no label that it never saw
        if chain is None:
            chain = replace(learned(_Task(self, view, sensitive)), threshold=costs.log_odds)
        return Classifier(self.name, ((chain,),))


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be learned from what; equal tasks have equal solutions."""

    settings: Crf
    view: FeatureView = field(compare=False)
    sensitive: Flags = field(compare=False)
    mark: bytes = field(init=False)

    def __post_init__(self) -> None:
        mark = hashlib.sha256(self.view.sentences.padded.tobytes())
        mark.update(self.sensitive.tobytes())
        for columns in self.view.rows.columns:
            mark.update(columns.tobytes())
        object.__setattr__(self, "mark", mark.digest())


@lru_cache(maxsize=16)
def learned(task: _Task) -> LinearChain:
    """The weights for accuracy. Remembered: they do not depend on the costs, and several ask for the same."""
    weights = np.zeros(task.view.space.width, np.float32)
    steps = [0.0, 0.0, 0.0, 0.0]
    model = _train(task)
    for (feature, label), weight in model.state_features.items():
        weights[int(feature)] += weight if label == "1" else -weight
    for (before, after), weight in model.transitions.items():
        steps[2 * _LABELS[before] + _LABELS[after]] = weight
    return LinearChain("marginal", weights, tuple(steps))


def _train(task: _Task) -> Any:
    pycrfsuite = crfsuite()
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": task.settings.penalty, "max_iterations": task.settings.iterations})
    trainer.set("feature.possible_transitions", True)
    named = np.where(task.sensitive, "1", "0").tolist()
    for first, items in items_of(task.view):
        trainer.append(pycrfsuite.ItemSequence(items), named[first : first + len(items)])
    with _scratch() as path:
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        with tagger.open(path):
            return tagger.info()


def items_of(view: FeatureView) -> Iterator[tuple[int, list[list[str]]]]:
    """Every sentence as crfsuite wants it: lists of the names of features."""
    spelled = view.rows.spelled
    ids = [view.sentences.ids(place).tolist() for place in PLACES]
    pairs = [column.tolist() for column in view.pair_columns]
    width = view.space.width
    for first, length in zip(view.sentences.firsts.tolist(), view.sentences.lengths.tolist(), strict=True):
        sentence = []
        for at in range(first, first + length):
            words = (names[of_place[at]] for names, of_place in zip(spelled, ids, strict=True))
            item = list(chain.from_iterable(words))
            item += [str(column[at]) for column in pairs if column[at] < width]
            sentence.append(item)
        yield first, sentence


@contextlib.contextmanager
def _scratch() -> Iterator[str]:
    """A private file for crfsuite, which writes its model to disk; it is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="efface-") as folder:
        yield os.path.join(folder, "crf")  # noqa: PTH118 - a C library takes a plain string
