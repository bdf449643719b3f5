"""One segment of an index, as questions: terms, their pairs and postings, entities and their contexts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayFile, open_arrays
from efface.knowledge.entities.build_records import IDENTIFYING, LABEL, SENSITIVE, word_texts
from efface.knowledge.entities.build_segments import SEGMENT, bitmap_words
from efface.knowledge.entities.fuzzy import NearWords
from efface.knowledge.entities.hashing import (
    Hashes,
    cached_word_hash,
    decode,
    digest,
    encode,
    might_hold,
    sequence_hash,
)
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.spellings.notations import Form

Numbers = npt.NDArray[np.uint32]
Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A name and what it is for: `identifying`, `sensitive` or `label`."""

    name: str
    role: str


@dataclass(frozen=True)
class EntitySegment:
    """An opened segment file. Entities, terms and pairs are numbered from 0 within it."""

    number: int
    file: ArrayFile = field(repr=False)

    @classmethod
    def open(cls, path: Path, number: int, seal: str) -> EntitySegment:
        return cls(number, open_arrays(path, SEGMENT, seal=seal))

    @cached_property
    def entities(self) -> int:
        return int(self.file.facts["entities"])

    @cached_property
    def fuzzy(self) -> int:
        return int(self.file.facts["fuzzy"])

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        return tuple(Attribute(name, role) for name, role in self.file.facts["attributes"])

    @cached_property
    def forms(self) -> dict[str, Form]:
        """The patterns of attributes that have one."""
        return {name: Form(**form) for name, form in self.file.facts.get("forms", {}).items()}

    @cached_property
    def near_words(self) -> NearWords:
        return NearWords(dict(self.file.arrays))

    # Terms

    def may_begin(self, hashes: Hashes, with_variants: bool) -> npt.NDArray[np.bool_]:
        """Which sequences of words may be the beginning, or all, of a term or of a variant of one."""
        found = might_hold(self.file.arrays["filter"], hashes)
        if with_variants:
            found |= might_hold(self.file.arrays["variant_filter"], hashes)
        return found

    def terms_of(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
        """Terms whose words have one of these hashes: the place of the hash in the input, and the term."""
        return _ranges(self.file.arrays["term_hash"], hashes)

    def variants_of(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
        """Terms with a variant that has one of these hashes: the place of the hash in the input, and the term."""
        asked, places = _ranges(self.file.arrays["variant_hash"], hashes)
        return asked, self.file.arrays["variant_term"][places].astype(np.int64)

    def text(self, term: int) -> str:
        start = self.file.arrays["text_start"]
        return decode(self.file.arrays["text_bytes"][start[term] : start[term + 1]].tobytes())

    def terms(self, keys: Sequence[str]) -> dict[str, int]:
        """The numbers of those keys that are terms here."""
        hashes = [sequence_hash(map(cached_word_hash, word_texts(key))) for key in keys]
        asked, terms = self.terms_of(np.array(hashes, np.uint64))
        proposed = ((keys[at], term) for at, term in zip(asked.tolist(), terms.tolist(), strict=True))
        return {key: term for key, term in proposed if self.text(term) == key}

    def wordless(self) -> Iterator[int]:
        """Terms without a letter or digit, which no word leads to."""
        return iter(self._wordless)

    @cached_property
    def _wordless(self) -> list[int]:
        _, terms = self.terms_of(np.zeros(1, np.uint64))
        return [int(term) for term in terms]

    # Pairs and postings

    def pairs(self, term: int) -> range:
        start = self.file.arrays["pair_start"]
        return range(int(start[term]), int(start[term + 1]))

    def attribute(self, pair: int) -> Attribute:
        return self.attributes[int(self.file.arrays["pair_attribute"][pair])]

    def postings(self, pair: int) -> tuple[Numbers, Bits | None]:
        """The entities of a pair: their sorted numbers, or (and then no numbers) a bitmap over all."""
        start = self.file.arrays["post_start"]
        posts: Numbers = self.file.arrays["posts"][start[pair] : start[pair + 1]]
        if posts.size == bitmap_words(self.entities):
            return posts[:0], posts.view(np.uint8)
        return posts, None

    def holders(self, pair: int) -> Numbers:
        """The entities of a pair as sorted numbers."""
        numbers, bits = self.postings(pair)
        return numbers if bits is None else numbers_in(bits, self.entities)

    # Entities

    def id(self, number: int) -> str:
        start = self.file.arrays["id_start"]
        return decode(self.file.arrays["id_bytes"][start[number] : start[number + 1]].tobytes())

    def entity_number(self, id: str) -> int | None:
        return self.entity_numbers([id]).get(id)

    def entity_numbers(self, ids: Sequence[str]) -> dict[str, int]:
        """The numbers of those ids that are here, found in one look."""
        hashed = np.frombuffer(b"".join(digest(encode(id)) for id in ids), "<u8")[::2]
        asked, places = _ranges(self.file.arrays["id_hash"], hashed)
        numbers = self.file.arrays["id_number"][places].tolist()
        proposed = ((ids[at], number) for at, number in zip(asked.tolist(), numbers, strict=True))
        return {id: number for id, number in proposed if self.id(number) == id}

    def context(self, number: int) -> list[tuple[Attribute, str]]:
        """Every attribute and folded value of an entity, in all roles."""
        start = self.file.arrays["context_start"]
        pairs = self.file.arrays["context_pairs"][start[number] : start[number + 1]]
        terms = np.searchsorted(self.file.arrays["pair_start"], pairs, "right") - 1
        attributes = self.file.arrays["pair_attribute"][pairs]
        return [
            (self.attributes[attribute], self.text(term))
            for attribute, term in zip(attributes.tolist(), terms.tolist(), strict=True)
        ]

    def entity(self, number: int) -> Entity:
        """An entity as the index stores it: with folded values."""
        values: dict[str, list[tuple[str, str]]] = {IDENTIFYING: [], SENSITIVE: [], LABEL: []}
        for attribute, text in self.context(number):
            values[attribute.role].append((attribute.name, text))
        weights = self.file.arrays["weight"]
        return Entity(
            self.id(number),
            tuple(values[IDENTIFYING]),
            tuple(values[SENSITIVE]),
            tuple(values[LABEL]),
            float(weights[number]) if weights.size else 1.0,
        )


def numbers_in(bits: Bits | None, count: int) -> Numbers:
    """The places of the bits set among the first `count`."""
    if bits is None:
        return np.arange(count, dtype=np.uint32)
    return np.flatnonzero(np.unpackbits(bits, count=count, bitorder="little")).astype(np.uint32)


def bits_of(numbers: Numbers, count: int) -> Bits:
    """A bitmap as long as those in the postings."""
    flags = np.zeros(bitmap_words(count) * 32, np.bool_)
    flags[numbers] = True
    return np.packbits(flags, bitorder="little")


def has_bit(bits: Bits, numbers: Numbers) -> npt.NDArray[np.bool_]:
    """Which of the numbers are in the bitmap."""
    held: npt.NDArray[np.bool_] = (
        bits[numbers >> np.uint32(3)] >> (numbers & np.uint32(7)).astype(np.uint8) & np.uint8(1)
    ).astype(np.bool_)
    return held


def _ranges(table: Hashes, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """All places of the hashes in a sorted table: (place in the input, place in the table)."""
    low = table.searchsorted(hashes)
    there = (low < table.size).nonzero()[0]
    there = there[table[low[there]] == hashes[there]]  # few: only they are searched for a second time
    if not there.size:
        return there, np.empty(0, np.int64)
    low = low[there]
    counts = table.searchsorted(hashes[there], "right") - low
    asked = np.repeat(there, counts)
    firsts = np.repeat(low - np.cumsum(counts) + counts, counts)
    return asked, firsts + np.arange(asked.size)
