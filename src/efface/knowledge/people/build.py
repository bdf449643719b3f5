"""Builds an index of people from their backgrounds, some people at a time.

An index is a folder of segments. A segment holds, for every word (by a hash), the people of whom it is said and how
often. New people make a new segment; a person of an earlier one may get more text. Two spellings of a name that differ
in case, accents, spaces or order alone are one person: as two they would be each other's crowd.
"""

from __future__ import annotations

import shutil
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError, UsageError
from efface.knowledge.classes.labels import LabelledDocument
from efface.knowledge.classes.model import word_hashes
from efface.knowledge.classes.words import STOP_WORDS, is_feature, word_keys
from efface.knowledge.people.files import ABOUT, PeopleFiles, open_files, write_about, write_segment
from efface.knowledge.people.person_key import person_key

_MOST_ENTRIES = 8_000_000  # (word, person) held in memory before a segment is written: some 300 MB


def build_people(
    documents: Iterable[LabelledDocument], output: Path, *, add: bool = False, force: bool = False
) -> int:
    """Write an index, or add people to one; how many people it has then. The person is the document's class."""
    if add and not (output / ABOUT).is_file():
        raise InputError("There is no index of people to add to.", "Build one first, without --add.")
    if output.exists() and not add and not force:
        raise UsageError("The output exists.", "Give another path, or --force.")
    output.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".people-", dir=output.parent))
    try:
        if add:
            shutil.copytree(output, folder, dirs_exist_ok=True)
        people = _PeopleWriter(folder).write(documents)
        if not people:
            raise InputError("The background has no people.", "Check the path and the names of its fields.")
        _put(folder, output)
        return people
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _put(folder: Path, output: Path) -> None:
    """The new index in the place of the old one: there is always a whole one."""
    folder.chmod(0o700)
    old = folder.with_name(folder.name + ".old")
    if output.exists():
        output.rename(old)
    folder.rename(output)
    shutil.rmtree(old, ignore_errors=True)


class _PeopleWriter:
    """Collects people and writes a segment whenever enough has come together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []
        self.shared = False  # a person has text in two segments
        self.words = np.zeros(0, np.uint64)  # of all segments
        self.written = np.zeros(0, bool)  # people with text in a segment
        self.seals: dict[str, str] = {}  # of the segments, by their names
        if (folder / ABOUT).is_file():
            self._take_up(open_files(folder))
        self.numbers = {person_key(name): number for number, name in enumerate(self.names)}
        self._start()

    def _take_up(self, known: PeopleFiles) -> None:
        """Continues with the existing index."""
        self.names, self.shared = list(known.names), known.shared
        self.seals |= known.seals
        for segment in known.segments:
            self._count(segment.words, segment.lengths > 0)

    def _count(self, words: NDArray[np.uint64], people: NDArray[np.bool_]) -> None:
        """Take note of a segment: its words, and whether one of its people has text in an earlier segment."""
        self.words = np.union1d(self.words, words)
        before = np.zeros(max(len(self.written), len(people)), bool)
        before[: len(self.written)] = self.written
        self.shared = self.shared or bool((before[: len(people)] & people).any())
        before[: len(people)] |= people
        self.written = before

    def _start(self) -> None:
        self.hashes = array("Q")
        self.people = array("i")
        self.counts = array("i")

    def write(self, documents: Iterable[LabelledDocument]) -> int:
        for document in documents:
            person = self.numbers.setdefault(person_key(document.sensitive), len(self.names))
            if person == len(self.names):
                self.names.append(document.sensitive)
            self._add(person, counted(document.text))
            if len(self.hashes) >= _MOST_ENTRIES:
                self._flush()
        self._flush()
        write_about(self.folder, self.names, len(self.words), shared=self.shared, seals=self.seals)
        return len(self.names)

    def _add(self, person: int, bag: Mapping[str, int]) -> None:
        self.hashes.frombytes(word_hashes(bag).tobytes())
        self.people.extend([person] * len(bag))
        self.counts.extend(bag.values())

    def _flush(self) -> None:
        """One segment: entries sorted by word and person, those of the same person added up."""
        if not self.hashes:
            return
        hashes, people = np.array(self.hashes, np.uint64), np.array(self.people, np.int32)
        order = np.lexsort((people, hashes))
        hashes, people, counts = hashes[order], people[order], np.array(self.counts, np.int64)[order]
        new = np.concatenate([[True], (hashes[1:] != hashes[:-1]) | (people[1:] != people[:-1])])
        first = np.flatnonzero(new)
        sums = np.add.reduceat(counts, first)
        hashes, people = hashes[first], people[first]
        words, starts = np.unique(hashes, return_index=True)
        lengths = np.bincount(people, sums, minlength=len(self.names)).astype(np.int64)
        arrays = {
            "words": words,
            "ends": np.append(starts, len(hashes)),
            "people": people,
            "counts": sums,
            "lengths": lengths,
        }
        name = _segment_name(len(self.seals))
        self.seals[name] = write_segment(self.folder / name, arrays)
        self._count(words, lengths > 0)
        self._start()


def _segment_name(number: int) -> str:
    return f"segment{number:04d}"


def counted(text: str) -> Counter[str]:
    """The words that count, and how often each occurs."""
    found = Counter(word_keys(text))
    return Counter({key: n for key, n in found.items() if is_feature(key) and key not in STOP_WORDS})
