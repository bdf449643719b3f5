"""The files of an index of people, and how damage to them is noticed.

`about.json` names the version and the seal of every segment, and has a digest of its own. The people and the counts of a
word may be larger than memory, so they are not read when an index is opened: each word has a checksum of its entries
(`sums`), which is compared when the word is first looked at.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError
from efface.files.array_file import ArrayKind, ArrayStream, open_arrays, stream_arrays
from efface.knowledge.classes.readers import Ints

ABOUT = "about.json"
PEOPLE = ArrayKind("index of people", version=4)
FORMAT = f"efface-people {PEOPLE.version}"
_NAMES = "names.json"
_ARRAYS: Mapping[str, np.dtype[Any]] = {
    "words": np.dtype(np.uint64),
    "ends": np.dtype(np.int64),
    "people": np.dtype(np.int32),
    "counts": np.dtype(np.int32),
    "lengths": np.dtype(np.int64),
    "sums": np.dtype(np.uint32),
}
_BY_WORD = ("people", "counts")  # checked word by word


@dataclass(frozen=True, slots=True, eq=False)
class PeopleSegment:
    """An inverted index: for each hashed word, the people whose background contains it, and how often."""

    words: NDArray[np.uint64]
    ends: Ints
    people: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: Ints  # words in the background of each person
    sums: NDArray[np.uint32] = field(repr=False)  # of the entries of each word
    checked: NDArray[np.bool_] = field(repr=False)  # words whose entries were compared with their checksum

    @classmethod
    def open(cls, path: Path, seal: str) -> PeopleSegment:
        """The segment of this seal. Another one has another seal, and is refused."""
        found = open_arrays(path, PEOPLE, seal=seal, checked_later=_BY_WORD).arrays
        if {name: array.dtype for name, array in found.items()} != _ARRAYS:
            raise ValueError("arrays")
        words, ends = found["words"], found["ends"]
        entries = len(found["people"])
        if len(ends) != len(words) + 1 or len(found["sums"]) != len(words):
            raise ValueError("words")
        if int(ends[-1]) != entries or len(found["counts"]) != entries:
            raise ValueError("entries")
        return cls(**found, checked=np.zeros(len(words), bool))

    def users(self, word: np.uint64) -> int:
        """How many people's backgrounds contain a word."""
        at = self._place(word)
        return 0 if at is None else int(self.ends[at + 1] - self.ends[at])

    def entries(self, word: np.uint64) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The people whose background contains a word, by number, and how often it occurs there."""
        at = self._place(word)
        if at is None:
            return self.people[:0], self.counts[:0]
        stretch = slice(int(self.ends[at]), int(self.ends[at + 1]))
        people, counts = self.people[stretch], self.counts[stretch]
        if not self.checked[at]:
            if _checksum(people, counts) != self.sums[at]:
                raise damaged()
            self.checked[at] = True
        return people, counts

    def _place(self, word: np.uint64) -> int | None:
        at = int(np.searchsorted(self.words, word))
        return at if at < len(self.words) and self.words[at] == word else None


@dataclass(frozen=True, slots=True)
class PeopleFiles:
    """An opened index: its people's names, its segments, and what `about.json` says of them."""

    names: tuple[str, ...] = field(repr=False)
    segments: tuple[PeopleSegment, ...] = field(repr=False)
    words: int
    shared: bool  # a person has text in two segments
    seals: Mapping[str, str] = field(repr=False)  # of the segments, by their names


def open_files(folder: Path) -> PeopleFiles:
    """An index with every file checked that is read whole. What is damaged or of another version is refused."""
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
        if about["format"] != FORMAT:
            raise InputError("The index was made by another version of efface.", "Build it again.")
        if about.pop("digest") != _digest(_canonical(about)):
            raise damaged()
        listed = (folder / _NAMES).read_bytes()
        if about["names"] != _digest(listed):
            raise damaged()
        seals: dict[str, str] = about["segments"]
        segments = tuple(PeopleSegment.open(folder / name, seal) for name, seal in seals.items())
        return PeopleFiles(
            tuple(json.loads(listed)), segments, int(about["words"]), bool(about["shared"]), seals
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise damaged() from None


def damaged() -> InputError:
    return InputError("This is no index of people, or it is damaged.", "Make one with `efface train people`.")


def write_about(
    folder: Path, names: Sequence[str], words: int, *, shared: bool, seals: Mapping[str, str]
) -> None:
    """Writes `about.json` after the segments. `seals` are the segments' seals."""
    listed = json.dumps(names, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (folder / _NAMES).write_bytes(listed)
    about = {
        "format": FORMAT,
        "words": words,
        "shared": shared,
        "segments": dict(seals),
        "names": _digest(listed),
    }
    (folder / ABOUT).write_bytes(_canonical({**about, "digest": _digest(_canonical(about))}))


def write_segment(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write the arrays of a segment with the checksums of its words. Returns its seal."""
    stored = {name: array.astype(_ARRAYS[name], copy=False) for name, array in arrays.items()}
    stored["sums"] = np.fromiter(_sums(stored["ends"], stored["people"], stored["counts"]), np.uint32)
    streams = {
        name: ArrayStream(io.BytesIO(array.tobytes()), array.dtype.str) for name, array in stored.items()
    }
    return stream_arrays(path, PEOPLE, {}, streams)


def _sums(ends: Ints, people: NDArray[np.int32], counts: NDArray[np.int32]) -> Iterator[int]:
    for start, end in pairwise(ends.tolist()):
        yield _checksum(people[start:end], counts[start:end])


def _checksum(people: NDArray[np.int32], counts: NDArray[np.int32]) -> int:
    return crc32(np.ascontiguousarray(counts).data, crc32(np.ascontiguousarray(people).data))


def _canonical(about: Mapping[str, Any]) -> bytes:
    return json.dumps(about, sort_keys=True).encode()


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
