"""Which words a dictionary defines by which others (made by `python -m training.semantic`)."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayKind, Bytes, open_arrays, write_arrays

KIND = ArrayKind("definitions")
_RARE = 30  # definitions that use a word before it stops telling what it defines
DEFINITIONS_FILE = Path(__file__).parent / "data" / "wordnet-definitions.def"


@dataclass(frozen=True)
class Definitions:
    """Words and phrases in normal form, and pairs of their numbers: what is defined, and a word that defines it."""

    words: Sequence[str] = field(repr=False)
    defined: npt.NDArray[np.uint32] = field(repr=False)
    used: npt.NDArray[np.uint32] = field(repr=False)

    def related(self, names: Sequence[Collection[str]]) -> dict[str, set[int]]:
        """For each of several things, given by its names, the words whose definitions use one of them and the rarer words
        that define it: by word, the numbers of the things."""
        wanted = {name for row in names for name in row}
        places = {word: place for place, word in enumerate(self.words) if word in wanted}
        things: dict[int, set[int]] = {}
        for number, row in enumerate(names):
            for name in row:
                if name in places:
                    things.setdefault(places[name], set()).add(number)
        own = np.zeros(len(self.words), bool)
        own[list(things)] = True
        rare = np.bincount(self.used, minlength=len(self.words)) <= _RARE
        found: dict[str, set[int]] = {}
        for pair in np.flatnonzero(own[self.used]).tolist():
            word, thing = int(self.defined[pair]), int(self.used[pair])
            found.setdefault(self.words[word], set()).update(things[thing])
        for pair in np.flatnonzero(own[self.defined] & rare[self.used]).tolist():
            word, thing = int(self.used[pair]), int(self.defined[pair])
            found.setdefault(self.words[word], set()).update(things[thing])
        return found


def write_definitions(path: Path, rows: Mapping[str, Sequence[str]]) -> None:
    words = sorted({*rows, *(word for row in rows.values() for word in row)})
    places = {word: place for place, word in enumerate(words)}
    lengths = np.array([len(rows.get(word, ())) for word in words], "<u2")
    used = np.array([places[word] for name in words for word in rows.get(name, ())], "<u4")
    sections = {
        "words": zlib.compress("\n".join(words).encode(), 9),
        "lengths": zlib.compress(lengths.tobytes(), 9),
        "used": zlib.compress(used.tobytes(), 9),
    }
    write_arrays(path, KIND, {"words": len(words), "pairs": len(used)}, sections, force=True)


@lru_cache(maxsize=1)
def definitions() -> Definitions:
    """The packaged ones, from WordNet 3.0."""
    sections = open_arrays(DEFINITIONS_FILE, KIND).arrays
    words = _unpacked(sections["words"]).decode().split("\n")
    lengths = np.frombuffer(_unpacked(sections["lengths"]), "<u2")
    used = np.frombuffer(_unpacked(sections["used"]), "<u4")
    return Definitions(words, np.repeat(np.arange(len(words), dtype=np.uint32), lengths), used)


def _unpacked(data: Bytes) -> bytes:
    return zlib.decompress(data.tobytes())
