"""Building a corpus index: which document holds which word or frequent phrase. The text itself is not kept.

Two passes. The first numbers the words and spools the numbers, and counts hashed phrases in a fixed table;
the second collects only phrases whose table entry is frequent enough. Memory follows what is kept.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.files.array_file import write_arrays
from efface.knowledge.corpus.counts import KIND
from efface.knowledge.corpus.postings import encode
from efface.knowledge.corpus.text_runs import BREAK, MAX_PHRASE, TOKEN, WEAK, WORD, kind_of
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
from efface.knowledge.taxonomy.words import Lexicon

MIN_WORD = 3  # documents that must hold a word, unless rare ones are asked for
MIN_PHRASE = 6  # and a phrase
MIN_LISTED = 1  # and a phrase that the taxonomy lists
MAX_DOCUMENT = 10_000_000  # characters of one document; the rest is not counted
_SLOTS = 1 << 25  # of the table that counts phrases by hash: 64 MB
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_TEXTS = (".txt", ".md", ".text")
_SHIFT = np.uint64(64 - 25)  # bits by which a hash is shifted to its slot
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Positions = npt.NDArray[np.int64]
Kinds = npt.NDArray[np.uint8]


def read_documents(paths: Iterable[Path]) -> Iterator[str]:
    """Documents of JSON lines (`text`, perhaps `title`), text files and folders, compressed or not."""
    for path in paths:
        if path.is_dir():
            yield from read_documents(
                sorted(child for child in path.iterdir() if not child.name.startswith("."))
            )
        else:
            yield from _file_documents(path)


def _file_documents(path: Path) -> Iterator[str]:
    inner = path.with_suffix("") if path.suffix in _OPENERS else path
    opener = _OPENERS.get(path.suffix, Path.open)
    try:
        with opener(path, "rb") as file:
            if inner.suffix in _TEXTS:
                yield file.read(MAX_DOCUMENT * 4).decode("utf-8", "replace")[:MAX_DOCUMENT]
            elif inner.suffix in (".jsonl", ".ndjson"):
                yield from _json_lines(path, file)
            else:
                raise InputError(
                    f"{path.name} is no text and no JSON lines.", "Give .jsonl or .txt, or a folder."
                )
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"{path} cannot be read: {type(error).__name__}.", "Check the file.") from None


def _json_lines(path: Path, file: IO[bytes]) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            text = record if isinstance(record, str) else f"{record.get('title', '')}\n{record['text']}"
        except (ValueError, KeyError, AttributeError, RecursionError):
            raise InputError(f"{path.name}, line {number}: no JSON object with `text`.", "Mend it.") from None
        yield text[:MAX_DOCUMENT]


class _WordNumbers(dict[str, int]):
    """Numbers of words as they are spelled; several spellings share the number of their normal form."""

    def __init__(self, english: Lexicon) -> None:
        super().__init__()
        self._lexicon = english
        self.numbers: dict[str, int] = {"": 0}
        self.kinds = [BREAK]

    def __missing__(self, spelled: str) -> int:
        kind = kind_of(spelled)
        number = 0
        if kind != BREAK:
            key = self._lexicon.key(spelled) or spelled
            number = self.numbers.setdefault(key, len(self.numbers))
            if number == len(self.kinds):
                self.kinds.append(kind)
        self[spelled] = number
        return number


class _Spool:
    """The numbered words of every document, one after the other in a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.lengths: list[int] = []

    def add(self, numbers: Numbers) -> None:
        self._file.write(numbers.tobytes())
        self.lengths.append(len(numbers))

    def documents(self) -> Iterator[Numbers]:
        self._file.seek(0)
        for length in self.lengths:
            yield np.frombuffer(self._file.read(4 * length), np.uint32)

    def all(self) -> Numbers:
        """Every document's words, where they lie on the disk."""
        self._file.flush()
        return np.memmap(self._file, np.uint32, "r") if sum(self.lengths) else np.empty(0, np.uint32)


def build(
    files: Sequence[Path],
    path: Path,
    progress: Callable[[int], object] = lambda _done: None,
    *,
    attribution: str = "",
    rare: bool = False,
    force: bool = False,
) -> None:
    """Index the documents in `files`. `progress` hears how many documents were read so far.

    `rare`: words of a single document too. They say most, but of a private collection they name people.
    """
    words = _WordNumbers(lexicon())
    with tempfile.TemporaryFile() as file:
        spool = _Spool(file)
        table = _count(read_documents(files), words, spool, progress)
        if not spool.lengths:
            raise InputError("There is no document to count.", "Give files with text.")
        listed = _taxonomy_hashes(words)
        wanted = table >= MIN_PHRASE
        wanted[listed >> _SHIFT] = True
        kinds = np.array(words.kinds, np.uint8)
        kept = _collect(spool, kinds, wanted, listed, 1 if rare else MIN_WORD)
        terms = _documents_of_terms(kept, spool, list(words.numbers))
    facts = {"documents": len(spool.lengths), "attribution": attribution}
    write_arrays(path, KIND, facts, _sections(terms, len(spool.lengths)), force=force)


def _count(
    documents: Iterable[str], words: _WordNumbers, spool: _Spool, progress: Callable[[int], object]
) -> npt.NDArray[np.uint16]:
    """Number and spool the words; how many documents hold a phrase of each slot."""
    table = np.zeros(_SLOTS, np.uint16)
    for count, text in enumerate(documents, 1):
        numbers = np.fromiter(map(words.__getitem__, TOKEN.findall(text)), np.uint32)
        spool.add(numbers)
        slots = np.unique(np.concatenate([hashes for hashes, _ in _grams(numbers)]) >> _SHIFT)
        table[slots] += table[slots] < 0xFFFF
        if count % 256 == 0:
            progress(count)
    progress(len(spool.lengths))
    return table


def _grams(numbers: Numbers) -> Iterator[tuple[Hashes, Positions]]:
    """For each length: the hashes of all runs of words that no border cuts, and where they begin."""
    wide = numbers.astype(np.uint64)
    whole = numbers != 0
    hashes = wide * _PRIME
    for length in range(1, MAX_PHRASE + 1):
        if length > 1:
            if len(hashes) < 2:
                return
            hashes = ((hashes[:-1] ^ (hashes[:-1] >> np.uint64(31))) + wide[length - 1 :]) * _PRIME
            whole = whole[:-1] & (numbers[length - 1 :] != 0)
        places = np.flatnonzero(whole)
        yield hashes[places], places


@lru_cache(maxsize=1)
def _names() -> tuple[tuple[str, ...], ...]:
    """The taxonomy's names as keys of words."""
    taxonomy = wordnet()
    keys = {word: taxonomy.lexicon.key(word) for name in taxonomy.spellings for word in TOKEN.findall(name)}
    rows = set()
    for name in taxonomy.spellings:
        row = tuple(keys[word] for word in TOKEN.findall(name) if kind_of(word))
        if 0 < len(row) <= MAX_PHRASE:
            rows.add(row)
    return tuple(rows)


def _taxonomy_hashes(words: _WordNumbers) -> Hashes:
    """Hashes of the taxonomy's names that the documents could hold."""
    found: list[Hashes] = []
    for name in _names():
        if name[0] not in words.numbers:  # nearly all: the taxonomy has 100,000 names
            continue
        row = [words.numbers.get(key, 0) for key in name]
        if all(row):
            *_, (hashes, _places) = _grams(np.array(row, np.uint32))
            found.append(hashes)
    return np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class _FrequentTerms:
    """Terms that are frequent enough: where each first occurs, its length, and its documents in a row."""

    firsts: Positions
    lengths: Positions
    starts: Positions
    documents: Numbers


def _collect(
    spool: _Spool, kinds: Kinds, wanted: npt.NDArray[np.bool_], listed: Hashes, min_word: int
) -> _FrequentTerms:
    hashes: list[Hashes] = []
    places: list[Positions] = []
    offset = 0
    for numbers in spool.documents():
        for length, (found, at) in enumerate(_grams(numbers), 1):
            good = (kinds[numbers[at]] == WORD) & (kinds[numbers[at + length - 1]] == WORD)
            good |= (kinds[numbers[at]] == WEAK) & (length > 1) & (kinds[numbers[at + length - 1]] == WORD)
            if length > 1:
                good &= wanted[found >> _SHIFT]
            unique, first = np.unique(found[good], return_index=True)
            hashes.append(unique)
            places.append((at[good][first] + offset) * MAX_PHRASE + length - 1)
        offset += len(numbers)
    return _frequent(np.concatenate(hashes), np.concatenate(places), listed, spool.lengths, min_word)


def _frequent(
    hashes: Hashes, places: Positions, listed: Hashes, sizes: Sequence[int], min_word: int
) -> _FrequentTerms:
    order = np.argsort(hashes, kind="stable")  # stable: a term's documents stay in order
    hashes, places = hashes[order], places[order]
    starts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)])
    counts = np.diff(np.append(starts, len(hashes)))
    lengths = places[starts] % MAX_PHRASE + 1
    least = np.where(lengths == 1, min_word, MIN_PHRASE)
    least[np.isin(hashes[starts], listed)] = MIN_LISTED
    good = counts >= least
    ends = np.cumsum(sizes)
    documents = np.searchsorted(ends, places // MAX_PHRASE, side="right").astype(np.uint32)
    documents = documents[np.repeat(good, counts)]
    bounds = np.concatenate([[0], np.cumsum(counts[good])])
    return _FrequentTerms(places[starts][good] // MAX_PHRASE, lengths[good], bounds, documents)


def _documents_of_terms(kept: _FrequentTerms, spool: _Spool, keys: Sequence[str]) -> dict[str, Numbers]:
    """The documents of each term, by its name in order of the alphabet."""
    numbers = spool.all()
    places = zip(kept.firsts.tolist(), kept.lengths.tolist(), strict=True)
    names = {}
    for index, (first, length) in enumerate(places):
        name = " ".join(keys[number] for number in numbers[first : first + length])
        names[name] = index
    return {name: kept.documents[kept.starts[at] : kept.starts[at + 1]] for name, at in sorted(names.items())}


def _sections(terms: dict[str, Numbers], documents: int) -> dict[str, bytes]:
    counts = np.array([len(row) for row in terms.values()], "<u4")
    return {
        "terms": lzma.compress("\n".join(terms).encode(), preset=6),
        "counts": lzma.compress(counts.tobytes(), preset=6),
        "postings": b"".join(encode(row, documents) for row in terms.values()),
    }
