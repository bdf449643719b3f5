"""Class models on disk: one line that says what it is and its checksum, then arrays. Never pickle.

The same model gives the same bytes. A file that was cut, changed or made by a later version is refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError
from efface.files import read_input, write_output
from efface.knowledge.classes_model import ClassModel, Labels, Settings

VERSION = 1
_MAGIC = b"efface-classes"
_LIMIT = 4 * 2**30
_WHY = "Train it again with `efface train classes`."


def save(model: ClassModel, path: Path, *, force: bool = False) -> None:
    """Write the model; like every output, whole or not at all, and readable by its owner only."""
    write_output(path, dumps(model), force=force, private=True)


def load(path: Path) -> ClassModel:
    return loads(read_input(path, _LIMIT))


def dumps(model: ClassModel) -> bytes:
    about = {
        "settings": asdict(model.settings) | {"stop_words": sorted(model.settings.stop_words)},
        "aliases": {name: list(others) for name, others in sorted(model.aliases.items())},
        "sensitive": model.sensitive.names,
        "utility": model.utility.names,
        "words": model.words,
    }
    arrays: dict[str, NDArray[Any]] = {
        "about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8),
        "seen": model.seen,
        "sensitive_documents": model.sensitive.documents,
        "sensitive_counts": model.sensitive.counts,
        "utility_documents": model.utility.documents,
        "utility_counts": model.utility.counts,
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    body = buffer.getvalue()
    return b"%s %d %s\n" % (_MAGIC, VERSION, hashlib.sha256(body).hexdigest().encode()) + body


def loads(data: bytes) -> ClassModel:
    line, _, body = data[:128].partition(b"\n")
    head = line.split(b" ")
    if len(head) != 3 or head[0] != _MAGIC:
        raise InputError("This is not a model of classes.", "Give a file made by `efface train classes`.")
    if head[1] != b"%d" % VERSION:
        raise InputError("The model was made by another version of efface.", _WHY)
    body = data[len(line) + 1 :]
    if hashlib.sha256(body).hexdigest().encode() != head[2]:
        raise InputError("The model is damaged: its checksum does not match.", _WHY)
    try:
        return _model(_arrays(body))
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile):
        raise InputError("The model is damaged: its parts do not fit together.", _WHY) from None


def _arrays(body: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(body)) as container:
        if sum(member.file_size for member in container.infolist()) > _LIMIT:
            raise ValueError("larger than any model")
    with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
        return dict(arrays)


def _model(arrays: dict[str, NDArray[Any]]) -> ClassModel:
    about = json.loads(arrays["about"].tobytes())
    learned = about["settings"]
    tuples = {
        "stop_words": frozenset(learned["stop_words"]),
        "utility": tuple(learned.get("utility", ())),
    }
    settings = Settings(**learned | tuples)
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
    return ClassModel.of(words, sensitive, utility, settings, aliases, arrays["seen"].astype(np.uint64))


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
