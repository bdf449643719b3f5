"""Class models on disk."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from efface.files.local import read_input, write_output
from efface.knowledge.classes.model import ClassModel, Labels, TrainingSettings
from efface.knowledge.classes.readers import PAIRS, TrainedReader
from efface.knowledge.classes.sparse_table import SparseTable
from efface.knowledge.model_file import Arrays, ModelFile

_FILE = ModelFile("classes", "efface train classes", version=3, limit=4 * 2**30)


def save(model: ClassModel, path: Path, *, force: bool = False) -> None:
    """Write the model; like every output, whole or not at all, and readable by its owner only."""
    write_output(path, dumps(model), force=force, private=True)


def load(path: Path) -> ClassModel:
    return loads(read_input(path, _FILE.limit))


def dumps(model: ClassModel) -> bytes:
    aliases = {name: list(others) for name, others in sorted(model.aliases.items())}
    readers_of_classes = [reader.name for reader in model.others]
    readers_of_categories = [reader.name for reader in model.category_readers]
    about = {
        "settings": asdict(model.settings) | {"stop_words": sorted(model.settings.stop_words)},
        "aliases": aliases,
        "sensitive": model.sensitive.names,
        "utility": model.utility.names,
        "words": model.words,
        "pairs": model.pairs,
        "readers": readers_of_classes,
        "category_readers": readers_of_categories,
    }
    arrays: Arrays = {
        "about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8),
        "seen": model.seen,
        "sensitive_documents": model.sensitive.documents,
        "sensitive_counts": model.sensitive.counts,
        "utility_documents": model.utility.documents,
        "utility_counts": model.utility.counts,
    }
    if model.categories is not None:
        arrays["categories"] = model.categories
    for kind, readers in (("reader", model.others), ("category_reader", model.category_readers)):
        for number, reader in enumerate(readers):
            arrays[f"{kind}{number}_ends"] = reader.table.ends
            arrays[f"{kind}{number}_columns"] = reader.table.columns
            arrays[f"{kind}{number}_values"] = reader.table.values
    return _FILE.dumps(arrays)


def loads(data: bytes) -> ClassModel:
    try:
        return _model(_FILE.loads(data))
    except (ValueError, KeyError, TypeError):
        raise _FILE.damaged() from None


def _model(arrays: Arrays) -> ClassModel:
    about = json.loads(arrays["about"].tobytes())
    learned = about["settings"]
    tuples = {
        "stop_words": frozenset(learned["stop_words"]),
        "utility": tuple(learned.get("utility", ())),
        "readers": tuple(learned["readers"]),
    }
    settings = TrainingSettings(**learned | tuples)
    words = tuple(about["words"])
    sensitive, utility = (
        _labels(
            tuple(about[kind]),
            arrays[f"{kind}_documents"].astype(np.int64),
            arrays[f"{kind}_counts"].astype(np.uint32),
            settings.smoothing,
            len(words),
        )
        for kind in ("sensitive", "utility")
    )
    aliases = {name: tuple(others) for name, others in about["aliases"].items()}
    model = ClassModel.of(words, sensitive, utility, settings, aliases, arrays["seen"].astype(np.uint64))
    pairs = tuple(about["pairs"])
    heights = {PAIRS: len(pairs)}
    others = []
    for number, name in enumerate(about["readers"]):
        height = heights.get(name.partition("/")[0], len(words))
        others.append(TrainedReader(name, _table(arrays, f"reader{number}", height, len(sensitive.names))))
    of_categories = []
    for number, name in enumerate(about.get("category_readers", ())):  # models of 0.1 have none
        table = _table(arrays, f"category_reader{number}", len(words), len(utility.names))
        of_categories.append(TrainedReader(name, table))
    model = model.with_readers(tuple(others), pairs, arrays.get("categories"))
    return replace(model, category_readers=tuple(of_categories))


def _table(arrays: Arrays, prefix: str, height: int, width: int) -> SparseTable:
    """A reader's table, refused when its parts do not fit together."""
    ends, columns, values = (arrays[f"{prefix}_{part}"] for part in ("ends", "columns", "values"))
    if len(ends) != height + 1 or len(columns) != len(values):
        raise ValueError("lengths")
    if ends[0] != 0 or ends[-1] != len(values) or (np.diff(ends) < 0).any():
        raise ValueError("rows")
    if len(columns) and (columns.min() < 0 or columns.max() >= width):
        raise ValueError("columns")
    if not np.isfinite(values).all():
        raise ValueError("values")
    return SparseTable(width, ends.astype(np.int64), columns.astype(np.int32), values.astype(np.float32))


def _labels(
    names: tuple[str, ...],
    documents: NDArray[np.int64],
    counts: NDArray[np.uint32],
    smoothing: float,
    features: int,
) -> Labels:
    if documents.shape != (len(names),) or counts.shape != (features, len(names)):
        raise ValueError("shapes")
    return Labels.of(names, documents, counts, smoothing)
