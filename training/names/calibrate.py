"""Temperatures and thresholds, from the `tune` parts: texts that are neither trained on nor reported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from training.names.data import Labelled
from training.names.passages import MASKS, NO_MASK_KNOWN, passage, target_weights

from efface.binding import bind
from efface.evaluate.gold import Case, Gold
from efface.evaluate.scoring import ALL, Predicted, Tally, score
from efface.evaluate.systems import predicted
from efface.policy import parse
from efface.terms.names.finder import candidates, mentions_of, read, subject
from efface.terms.names.model import SUBJECT, TYPES, NamesModel, digest, load_model, softmax

TEMPERATURES = np.arange(0.7, 2.6, 0.05)
LIMITS = np.arange(0.05, 0.96, 0.025)
FLAT = {"recall": dict.fromkeys(TYPES, 0.4), "precision": dict.fromkeys(TYPES, 0.6)}
MASK_LIMITS = [round(0.06 + 0.02 * step, 2) for step in range(33)]
LEAST_PRECISION = 0.80  # what `risk: subject` aims at with the recall preset,
MARGIN = 0.02  # and by how much more than it, since other cases differ

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def calibrate(texts: list[Labelled], folder: Path) -> None:
    """Write `settings.json` beside the model."""
    row: dict[str, Any] = {"digest": digest(folder), "temperature": 1.0, "mask_temperature": 1.0}
    row |= {"thresholds": FLAT, "mask_thresholds": {"recall": 0.3, "precision": 0.6}}
    _write(folder, row)
    tune = [text for text in texts if text.split == "tune"]
    types, targets, _, _ = _logits(load_model(folder), tune)
    row["temperature"] = _temperature(types, target_weights()[targets])
    cases = [text for text in tune if text.source == "tab"]
    _, _, masks, mask_targets = _logits(load_model(folder, SUBJECT), cases)
    judged = mask_targets != NO_MASK_KNOWN
    known = np.eye(len(MASKS), dtype=np.float32)[mask_targets[judged]]
    row["mask_temperature"] = _temperature(masks[judged], known)
    row["thresholds"] = _thresholds(softmax(types, row["temperature"]), targets)
    _write(folder, row)
    row["mask_thresholds"] = _mask_thresholds(list(map(_case, cases)), load_model(folder, SUBJECT))
    _write(folder, row)
    print(json.dumps(row, indent=1))


def _write(folder: Path, row: dict[str, Any]) -> None:
    (folder / "settings.json").write_text(json.dumps(row, indent=1) + "\n", "utf-8")
    load_model.cache_clear()


def _logits(model: NamesModel, texts: Iterable[Labelled]) -> tuple[Floats, Ints, Floats, Ints]:
    """Logits of tags and masks for every word, with their targets."""
    rows: list[tuple[Floats, Ints, Floats, Ints]] = []
    for text in texts:
        words, marked = model.vocabulary.words(text.text), passage(text, model.vocabulary)
        for one in model.rows(words, whole=True):
            types, mask = model.run([one])
            targets, masks = np.array(marked.targets)[one.words], np.array(marked.masks)[one.words]
            rows.append((types[0, one.places], targets, mask[0, one.places], masks))
    return (
        np.concatenate([columns[0] for columns in rows]),
        np.concatenate([columns[1] for columns in rows]),
        np.concatenate([columns[2] for columns in rows]),
        np.concatenate([columns[3] for columns in rows]),
    )


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
        return Tally(right, float(true.sum()), right, float(said.sum())).f(beta)

    return measure


def _mask_thresholds(cases: list[Case], model: NamesModel) -> dict[str, float]:
    """The limit from which on the precision is enough, and the one with the best F0.5, on the tuning cases."""
    results = dict.fromkeys(MASK_LIMITS, Tally())
    bound = bind(parse("efface: 1\nfind: {names: {risk: subject}}\n"))
    bound = replace(bound, finders={"patterns": bound.finders["patterns"]})
    for case in cases:
        page = read(case.text, model, candidates, model.settings.thresholds["recall"], whole=True)
        patterns = predicted(case.text, bound)
        for limit in MASK_LIMITS:
            mentions = [Predicted(m.start, m.end, m.type) for m in mentions_of(page, subject(page, limit))]
            results[limit] += score(case, [*mentions, *patterns]).tallies["token", ALL]
    for limit, tally in results.items():
        print(limit, round(tally.recall, 3), round(tally.precision, 3), flush=True)
    enough = [results[limit].precision >= LEAST_PRECISION + MARGIN for limit in MASK_LIMITS]
    recall = min((limit for at, limit in enumerate(MASK_LIMITS) if all(enough[at:])), default=0.5)
    precision = max(results, key=lambda limit: results[limit].f(0.5))
    return {"recall": recall, "precision": max(precision, recall)}


def _case(text: Labelled) -> Case:
    marked = zip(text.spans, text.masks or (), strict=True)
    gold = tuple(Gold(start, end, kind, "", mask[2]) for (start, end, kind), mask in marked)
    return Case(text.name, text.text, (gold,))
