"""Models of identifiers on disk. The weights are ours, not crfsuite's: its reader trusts the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError
from efface.files.local import read_input, write_output
from efface.knowledge.identifiers.corpus import type_name
from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings, TypeRounds
from efface.knowledge.model_file import Arrays, ModelFile
from efface.learners.classifier import CHAIN_FORMS, Classifier, LinearChain
from efface.learners.features import PAIRS, PLACES, Space
from efface.learners.greedy import Counts, Round
from efface.learners.persons import digest

_FILE = ModelFile("identifiers", "efface train identifiers", version=3, limit=2 << 30)
_STEEPEST = 500.0  # no weight of a step between words is as large


def save(model: GreedyModel, path: Path, *, force: bool = False, run: str = "") -> None:
    """Write the model, readable by its owner only: it knows words of the training data.

    `run` is the fingerprint of a run that is not finished."""
    write_output(path, dumps(model, run), force=force, private=True)


def load(path: Path, run: str = "") -> GreedyModel:
    """The model in a file; with `run`, what that run had learned when it was interrupted."""
    return loads(read_input(path, _FILE.limit), run)


def dumps(model: GreedyModel, run: str = "") -> bytes:
    features = [list(columns) for columns in model.space.columns]
    categories = [_rounds_as_data(category) for category in model.categories]
    about = {
        "run": run,
        "names": digest() if _uses_names(model) else "",
        "settings": asdict(model.settings),
        "features": features,
        "kinds": list(model.space.kinds),
        "categories": categories,
    }
    arrays: Arrays = {"about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8)}
    for number, table in enumerate(model.space.pairs):
        arrays[f"pairs{number}"] = table.astype(np.int32)
    for number, one in enumerate(_chains(model)):
        arrays[f"weights{number}"] = one.weights
    return _FILE.dumps(arrays)


def _chains(model: GreedyModel) -> Iterator[LinearChain]:
    for category in model.categories:
        for step in category.rounds:
            yield from chain.from_iterable(step.classifier.parts)


def _uses_names(model: GreedyModel) -> bool:
    return any(one.form.asks_names_model for one in _chains(model))


def _rounds_as_data(category: TypeRounds) -> dict[str, Any]:
    return {"type": category.type, "rounds": [_about_round(step) for step in category.rounds]}


def _about_round(step: Round) -> dict[str, Any]:
    parts = []
    for part in step.classifier.parts:
        parts.append([_about_chain(one) for one in part])
    return {
        "learner": step.classifier.learner,
        "counts": asdict(step.counts),
        "loss": step.loss,
        "next_loss": step.next_loss,
        "parts": parts,
    }


def _about_chain(one: LinearChain) -> dict[str, Any]:
    return {"kind": one.kind, "steps": one.steps, "threshold": one.threshold}


def loads(data: bytes, run: str = "") -> GreedyModel:
    arrays = _FILE.loads(data)
    try:
        about = json.loads(arrays["about"].tobytes())
        model = _model(about, arrays)
    except (ValueError, KeyError, TypeError, IndexError, InputError, RecursionError):
        raise _FILE.damaged() from None
    if _uses_names(model) and about.get("names") != digest():
        raise _FILE.error("The model was made with another names model.")
    if about.get("run", "") != run:
        raise _FILE.error("The model is of a run that is not finished, or of another one.")
    return model


def _model(about: dict[str, Any], arrays: Arrays) -> GreedyModel:
    space = _space(about, arrays)
    weights = (arrays[f"weights{number}"] for number in range(len(arrays)))
    categories = []
    for entry in about["categories"]:
        rounds = tuple(_round(one, weights, space.width) for one in entry["rounds"])
        categories.append(TypeRounds(_checked_type(entry["type"]), rounds))
    return GreedyModel(space, tuple(categories), IdentifierSettings(**about["settings"]))


def _checked_type(name: str) -> str:
    if type_name(name) != name:
        raise ValueError("type")
    return name


def _space(about: dict[str, Any], arrays: Arrays) -> Space:
    """The space of features as the file has it. Tables that do not fit together are refused."""
    columns = []
    width = 0
    for features in about["features"]:
        columns.append({str(feature): width + number for number, feature in enumerate(features)})
        width += len(features)
    kinds = {str(kind): number for number, kind in enumerate(about["kinds"])}
    tables = tuple(arrays[f"pairs{number}"].astype(np.int64) for number in range(len(PAIRS)))
    width += sum(int((table >= 0).sum()) for table in tables)
    if len(columns) != len(PLACES) or not all(_fits(table, len(kinds), width) for table in tables):
        raise ValueError("shapes")
    return Space(tuple(columns), kinds, tables, width)


def _fits(table: NDArray[np.int64], kinds: int, width: int) -> bool:
    """Whether a table of pairs has a cell for every pair of kinds, and each names a feature or none (-1)."""
    return table.shape == (kinds, kinds) and table.min(initial=-1) >= -1 and table.max(initial=-1) < width


def _round(entry: dict[str, Any], weights: Iterator[NDArray[Any]], width: int) -> Round:
    parts = []
    for part in entry["parts"]:
        parts.append(tuple(_chain(one, next(weights), width) for one in part))
    if not parts or not all(parts):
        raise ValueError("no chains")
    classifier = Classifier(str(entry["learner"]), tuple(parts))
    return Round(classifier, Counts(**entry["counts"]), float(entry["loss"]), float(entry["next_loss"]))


def _chain(about: dict[str, Any], weights: NDArray[Any], width: int) -> LinearChain:
    kind, steps = about["kind"], tuple(float(step) for step in about["steps"])
    form = CHAIN_FORMS[kind]
    if len(steps) != form.steps:
        raise ValueError("kind")
    shape = (width if form.has_weights else 0,)
    if weights.shape != shape or not np.isfinite(weights).all() or any(abs(s) > _STEEPEST for s in steps):
        raise ValueError("weights")
    return LinearChain(kind, weights.astype(np.float32), steps, float(about["threshold"]))
