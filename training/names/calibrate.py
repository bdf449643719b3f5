"""Temperature and thresholds from the `tune` parts, texts that are neither trained on nor reported; the weights of
`risk: subject` from cases that were left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from training.names.cases import CasesRecipe, cases_of
from training.names.data import Labelled
from training.names.passages import passage, target_weights
from training.names.weigh import weigh

from efface.evaluate.scoring import ScoreTally
from efface.finders.names.model import TYPES, NamesModel, digest, load_model, softmax
from efface.finders.names.tokens import Vocabulary

TEMPERATURES = np.arange(0.7, 2.6, 0.05)
LIMITS = np.arange(0.05, 0.96, 0.025)
FLAT = {"recall": dict.fromkeys(TYPES, 0.4), "precision": dict.fromkeys(TYPES, 0.6)}

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def calibrate(texts: list[Labelled], work: Path, folder: Path) -> None:
    """Write `settings.json` beside the model."""
    row: dict[str, Any] = {"digest": digest(folder), "temperature": 1.0, "thresholds": FLAT}
    row |= {"mask_thresholds": {}, "subject": {}}
    _write(folder, row)
    tune = [text for text in texts if text.split == "tune"]
    types, targets = _logits(load_model(folder), tune)
    row["temperature"] = _temperature(types, target_weights()[targets])
    row["thresholds"] = _thresholds(softmax(types, row["temperature"]), targets)
    vocabulary = Vocabulary.load(folder / "vocab.txt")
    weights, limits = weigh(cases_of(texts), work, vocabulary, CasesRecipe(), row["thresholds"]["recall"])
    row |= {"mask_thresholds": limits, "subject": weights}
    _write(folder, row)
    print(json.dumps(row, indent=1))


def _write(folder: Path, row: dict[str, Any]) -> None:
    (folder / "settings.json").write_text(json.dumps(row, indent=1) + "\n", "utf-8")
    load_model.cache_clear()


def _logits(model: NamesModel, texts: Iterable[Labelled]) -> tuple[Floats, Ints]:
    """Logits of tags for every word, with their targets."""
    logits: list[Floats] = []
    targets: list[Ints] = []
    for text in texts:
        words, marked = model.vocabulary.words(text.text), passage(text, model.vocabulary)
        for one in model.rows(words, whole=True):
            types, _ = model.run(one)
            logits.append(types[0, one.places])
            targets.append(np.array(marked.targets)[one.words])
    return np.concatenate(logits), np.concatenate(targets)


def _temperature(logits: Floats, allowed: Floats) -> float:
    """The one under which what is true was most probable."""

    def surprise(temperature: float) -> float:
        return float(-np.log((softmax(logits, temperature) * allowed).sum(1).clip(1e-9)).mean())

    return round(float(min(TEMPERATURES, key=surprise)), 2)


def _thresholds(tags: Floats, targets: Ints) -> dict[str, dict[str, float]]:
    """For each type the limit with the best F2 (recall) and F0.5 (precision) over the words of `tune`."""
    types = tags[:, 1::2] + tags[:, 2::2]
    best = types.argmax(1)
    outside = target_weights()[targets]
    chosen: dict[str, dict[str, float]] = {"recall": {}, "precision": {}}
    for number, kind in enumerate(TYPES):
        true = np.isin(targets, [1 + 2 * number, 2 + 2 * number])
        # A word that the source leaves open for this type is neither right nor wrong.
        judged = true | (outside[:, 1 + 2 * number] == 0)
        scores = np.where(best == number, types[:, number], 0.0)[judged]
        for preset, beta, low, high in (("recall", 2.0, 0.15, 0.5), ("precision", 0.5, 0.4, 0.9)):
            limits = LIMITS[(low <= LIMITS) & (high >= LIMITS)]
            limit = max(limits, key=_f(scores, true[judged], beta))
            chosen[preset][kind] = round(float(limit), 3)
    return chosen


def _f(scores: Floats, true: npt.NDArray[np.bool_], beta: float) -> Callable[[float], float]:
    def measure(limit: float) -> float:
        said = scores >= limit
        right = float((said & true).sum())
        return ScoreTally(right, float(true.sum()), right, float(said.sum())).f(beta)

    return measure
