"""Word vectors: how near in meaning two words are, for what the counts of a small corpus do not know.

The packaged ones are what the sentence encoder all-MiniLM-L6-v2 makes of each word or phrase by itself, on fewer
dimensions and in one byte a number (`python -m training.semantic --only vectors`).
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayKind, open_arrays, write_arrays
from efface.knowledge.corpus.text_runs import term_key

KIND = ArrayKind("word vectors")
PACKAGED = Path(__file__).parent / "data" / "minilm-words.vec"

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class WordVectors:
    """Vectors of length 1 by key. A key is a word or a phrase in normal form."""

    places: Mapping[str, int] = field(repr=False)
    numbers: npt.NDArray[np.int8] = field(repr=False)

    def knows(self, key: str) -> bool:
        return key in self.places or key.lower() in self.places

    def of(self, keys: Sequence[str]) -> Array:
        """A vector for each key: its own, else the mean of those of its words, else zeros."""
        found = np.zeros((len(keys), self.numbers.shape[1]), np.float32)
        for row, key in enumerate(keys):
            for word in [key] if self.knows(key) else key.split(" "):
                place = self.places.get(word, self.places.get(word.lower()))
                if place is not None:
                    found[row] += _scaled(self.numbers[place].astype(np.float32))
        return _scaled(found)

    def of_names(self, names: Sequence[str]) -> Array:
        """A vector for each name as written. It is zero if a word of the name is unknown."""
        keys = [term_key(name) for name in names]
        known = np.array([self.knows(key) or all(map(self.knows, key.split(" "))) for key in keys], bool)
        return np.where(known[:, None], self.of(keys), np.float32(0))

    @cached_property
    def mean(self) -> Array:
        """The mean of all vectors: what is near to it is near to everything."""
        return np.asarray(_scaled(self.numbers.astype(np.float32)).mean(axis=0), np.float32)


def _scaled(vectors: Array) -> Array:
    """Vectors of length 1; zeros stay zeros."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1), np.float32)


def write_vectors(path: Path, keys: Sequence[str], numbers: npt.NDArray[np.int8], attribution: str) -> None:
    """Write keys and their vectors, one byte a number."""
    facts = {"words": len(keys), "dimensions": int(numbers.shape[1]), "attribution": attribution}
    sections = {"keys": lzma.compress("\n".join(keys).encode()), "numbers": numbers.tobytes()}
    write_arrays(path, KIND, facts, sections, force=True)


def open_vectors(path: Path) -> WordVectors:
    """Map a file of vectors and check its seal."""
    opened = open_arrays(path, KIND)
    keys = lzma.decompress(opened.arrays["keys"].tobytes()).decode().split("\n")
    shape = (opened.facts["words"], opened.facts["dimensions"])
    numbers = opened.arrays["numbers"].view(np.int8).reshape(shape)
    return WordVectors({key: place for place, key in enumerate(keys)}, numbers)


@lru_cache(maxsize=1)
def packaged_vectors() -> WordVectors:
    """The vectors that the package carries."""
    return open_vectors(PACKAGED)
