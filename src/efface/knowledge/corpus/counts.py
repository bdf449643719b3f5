"""What the world writes: how many documents hold a term, or all of a group of terms.

A query is alternatives of conjunctions of keys: `((HIV,), (human immunodeficiency virus,))` are the documents
that hold either name, `((infected, cell),)` those that hold both words. A key is a word or a known phrase in
normal form, its words separated by a space.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.files.array_file import ArrayKind, Bytes, open_arrays
from efface.knowledge.corpus.postings import bitmap, sizes
from efface.knowledge.corpus.text_runs import term_keys
from efface.knowledge.taxonomy.concepts import lexicon

KIND = ArrayKind("corpus")
WIKIPEDIA = Path(__file__).parent / "data" / "wikipedia.idx"
_CHUNK_BYTES = 1 << 20  # bytes of intermediate rows: they stay in the cache of the processor
_KEPT_ROWS = 20_000  # bitmaps of 2.9 kB; the distinct words of a book are fewer
_MAX_TERMS = 256 * 1024 * 1024  # bytes of a section once it is unpacked

Query = tuple[tuple[str, ...], ...]
Groups = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint64]


class CountTable(Protocol):
    """Queries ready to be counted in groups. `where` keeps only the documents of one of them."""

    def counts(self, groups: Groups) -> Counts: ...

    def where(self, query: int) -> CountTable: ...


class Corpus(Protocol):
    """Documents of the world. `knows` says whether it can count a key."""

    @property
    def documents(self) -> int: ...

    def knows(self, key: str) -> bool: ...

    def table(self, queries: Sequence[Query]) -> CountTable: ...


@runtime_checkable
class KeepsRows(Protocol):
    """Is faster when it may keep what it was asked for. `for_look` makes the corpus that keeps it, for one document."""

    def for_look(self) -> Corpus: ...


def corpus_for_look(corpus: Corpus) -> Corpus:
    """The corpus for one look at one document."""
    return corpus.for_look() if isinstance(corpus, KeepsRows) else corpus


@dataclass(frozen=True, slots=True)
class Bitmaps:
    """One row of bits a query."""

    rows: Rows = field(repr=False)

    def counts(self, groups: Groups) -> Counts:
        """For each row of `groups` (numbers of queries), how many documents fit all its queries."""
        total = np.empty(len(groups), np.int64)
        step = max(1, _CHUNK_BYTES // max(1, 8 * self.rows.shape[1]))
        for start in range(0, len(groups), step):
            part = groups[start : start + step]
            joint = self.rows[part[:, 0]]
            for column in range(1, part.shape[1]):
                joint &= self.rows[part[:, column]]
            np.bitwise_count(joint).sum(axis=1, dtype=np.int64, out=total[start : start + step])
        return total

    def where(self, query: int) -> Bitmaps:
        """Only the documents of one query, closed up: rows become short, and counting cheap."""
        packed = self.rows.view(np.uint8)
        wanted = np.flatnonzero(np.unpackbits(packed[query]))
        places, shifts = wanted >> 3, (7 - (wanted & 7)).astype(np.uint8)
        closed = np.empty((len(packed), -(-len(wanted) // 8)), np.uint8)
        step = max(1, _CHUNK_BYTES // max(1, len(wanted)))
        for start in range(0, len(packed), step):
            bits = packed[start : start + step, places] >> shifts & 1
            closed[start : start + step] = np.packbits(bits, axis=1)
        return Bitmaps(_as_uint64(closed))


@dataclass(frozen=True)
class IndexedCorpus:
    """A corpus index in a file. It keeps no row that it was asked for; a copy that is made for a look at a document does."""

    documents: int
    attribution: str
    _places: dict[str, int] = field(repr=False)
    _counts: npt.NDArray[np.int64] = field(repr=False)
    _postings: Bytes = field(repr=False)
    _unpacked: dict[str, Bytes] | None = field(default=None, repr=False, compare=False)

    def for_look(self) -> IndexedCorpus:
        """A copy for one document, which keeps the rows of its words. What was computed of the index is shared."""
        assert self._list_ends is not None
        mine = copy(self)
        object.__setattr__(mine, "_unpacked", {})
        return mine

    @cached_property
    def _list_ends(self) -> npt.NDArray[np.int64]:
        return np.cumsum(sizes(self._counts, self.documents))

    @property
    def terms(self) -> Iterable[str]:
        """Every key that can be counted."""
        return self._places.keys()

    def counted(self) -> Iterable[tuple[str, int]]:
        """Every key with the number of documents that hold it."""
        return zip(self._places, self._counts.tolist(), strict=True)

    def knows(self, key: str) -> bool:
        return key in self._places

    def row(self, key: str) -> Bytes:
        """The documents of a key, one bit each; of an unknown key none."""
        if self._unpacked is None:
            return self._unpack(key)
        if key not in self._unpacked:
            if len(self._unpacked) >= _KEPT_ROWS:
                self._unpacked.clear()
            self._unpacked[key] = self._unpack(key)
        return self._unpacked[key]

    def _unpack(self, key: str) -> Bytes:
        place = self._places.get(key)
        if place is None:
            return np.zeros(-(-self.documents // 8), np.uint8)
        count, end = int(self._counts[place]), int(self._list_ends[place])
        start = int(self._list_ends[place - 1]) if place else 0
        return bitmap(self._postings[start:end], count, self.documents)

    def table(self, queries: Sequence[Query]) -> Bitmaps:
        keys = {key: self.row(key) for query in queries for part in query for key in part}
        rows = np.zeros((len(queries), -(-self.documents // 8)), np.uint8)
        for index, query in enumerate(queries):
            for part in query:
                rows[index] |= np.bitwise_and.reduce([keys[key] for key in part])
        return Bitmaps(_as_uint64(rows))

    def count(self, terms: Iterable[str]) -> int:
        """How many documents hold all the terms, given as in a text: `count(["HIV", "helper T cells"])`."""
        return count(self, terms)


def _as_uint64(rows: Bytes) -> Rows:
    """Rows of bytes as rows of 64 bits, filled up with zeros."""
    padded = np.zeros((len(rows), max(8, -(-rows.shape[1] // 8) * 8)), np.uint8)
    padded[:, : rows.shape[1]] = rows
    return padded.view(np.uint64)


@dataclass(frozen=True, slots=True)
class CombinedCorpus:
    """Several corpora as one: the documents of all, side by side."""

    corpora: tuple[IndexedCorpus, ...]

    def for_look(self) -> CombinedCorpus:
        return CombinedCorpus(tuple(corpus.for_look() for corpus in self.corpora))

    @property
    def documents(self) -> int:
        return sum(corpus.documents for corpus in self.corpora)

    def knows(self, key: str) -> bool:
        return any(corpus.knows(key) for corpus in self.corpora)

    def table(self, queries: Sequence[Query]) -> Bitmaps:
        return Bitmaps(np.concatenate([corpus.table(queries).rows for corpus in self.corpora], axis=1))

    def count(self, terms: Iterable[str]) -> int:
        return count(self, terms)


def query(corpus: Corpus, term: str) -> Query:
    """A term as the corpus can count it: as a phrase if it knows the phrase, else all its words."""
    keys = term_keys(term, lexicon())
    phrase = " ".join(keys)
    return ((phrase,),) if corpus.knows(phrase) or not keys else (keys,)


def count(corpus: Corpus, terms: Iterable[str]) -> int:
    """How many documents hold all the terms."""
    queries = [query(corpus, term) for term in terms]
    if not queries:
        return corpus.documents
    return int(corpus.table(queries).counts(np.arange(len(queries))[None, :])[0])


def open_corpus(path: Path) -> IndexedCorpus:
    """Map an index and check its seal."""
    opened = open_arrays(path, KIND)
    text = _unpacked(opened.arrays["terms"]).decode()
    keys = text.split("\n") if text else []
    counts = np.frombuffer(_unpacked(opened.arrays["counts"]), "<u4").astype(np.int64)
    places = {key: place for place, key in enumerate(keys)}
    facts = opened.facts
    return IndexedCorpus(facts["documents"], facts["attribution"], places, counts, opened.arrays["postings"])


@lru_cache(maxsize=1)
def wikipedia() -> IndexedCorpus:
    """The default corpus, as packaged: counts over 23,388 articles of the English Wikipedia."""
    return open_corpus(WIKIPEDIA)


def _unpacked(data: Bytes) -> bytes:
    worker = lzma.LZMADecompressor()
    content = worker.decompress(data.tobytes(), _MAX_TERMS)
    if not worker.eof:
        raise InputError("A section of the index is too large.", "Build it again.")
    return content
