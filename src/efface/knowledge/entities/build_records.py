"""The first half of a build: a stream of entities becomes records, parted by the hash of their term.

Memory stays bounded: a chunk of values is folded and hashed once a distinct value, then thrown into buckets.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from efface.errors import InputError
from efface.knowledge.entities.hashing import Hashes, all_prefix_hashes, digest, distinct, encode, word_hash
from efface.knowledge.entities.sources import Entity, Values
from efface.knowledge.entities.spellings.notations import LEARNED, Form, NotationLearner, notations
from efface.knowledge.entities.spool import PARTS, Array, Column, SpoolBuckets, TemporaryStreams
from efface.text.folding import fold_term, words

IDENTIFYING, SENSITIVE, LABEL = "identifying", "sensitive", "label"

KEY = np.dtype([("hash", "<u8"), ("digest0", "<u8"), ("digest1", "<u8"), ("length", "<u4")])
POST = np.dtype([("key", "<u4"), ("attribute", "<u2"), ("row", "<u4")])

_CHUNK = 1 << 20  # records that are hashed at once
_CHUNK_CHARACTERS = 1 << 26  # of the records that are hashed at once
_CACHE = 1 << 19  # words whose hashes are kept: most occur again and again
_PART_SHIFT = np.uint64(64 - (PARTS.bit_length() - 1))
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def fold_value(value: str) -> str:
    """`fold_term`, with a short way for the plain values that databases are full of."""
    if value.isascii() and value.isprintable() and "  " not in value:
        return value.lower().strip()
    return fold_term(value)


def word_texts(key: str) -> list[str]:
    """The words of a folded term."""
    if key.isascii():
        return _ASCII_WORD.findall(key)
    return [key[start:end] for start, end in words(key)]


def part_of(hashes: Array) -> Array:
    """Which bucket a hash belongs to; buckets are in the order of their hashes."""
    return (hashes >> _PART_SHIFT).astype(np.int64)


class Gathered:
    """The stream in parts: keys, their bytes, postings and the hashes of all beginnings of terms."""

    def __init__(
        self,
        scratch: TemporaryStreams,
        fold: Callable[[str], str] = fold_value,
        patterns: Mapping[str, str] | None = None,
    ) -> None:
        self.scratch = scratch
        self.attributes: list[tuple[str, str]] = []
        self.rows = 0
        self.keys = SpoolBuckets(scratch, KEY)
        self.texts = SpoolBuckets(scratch, np.uint8)
        self.posts = SpoolBuckets(scratch, POST)
        self.prefixes = SpoolBuckets(scratch, np.uint64)
        self.ids = Column(scratch, "|u1")
        self.id_digests = bytearray()
        self.id_lengths = array("I")
        self.weights = array("f")
        self._fold = fold
        self._notations = notations(patterns or {})
        self._learners = {
            name: NotationLearner() for name, spec in (patterns or {}).items() if spec == LEARNED
        }
        self._known: dict[str, dict[str, int]] = {IDENTIFYING: {}, SENSITIVE: {}, LABEL: {}}
        self._word_hash = lru_cache(maxsize=_CACHE)(word_hash)
        self._forget()

    def add(self, entity: Entity) -> None:
        """Adds one entity, or one piece of it."""
        seen, keys, attributes, known = self._seen, self._post_keys, self._post_attributes, self._known
        for role, values in (
            (IDENTIFYING, self._normal(entity.terms)),
            (SENSITIVE, self._normal(entity.sensitive)),
            (LABEL, entity.labels),
        ):
            mine = known[role]
            for name, value in values:
                at = seen.get(value)
                if at is None:
                    at = self._take_in(value)
                if at >= 0:
                    keys.append(at)
                    attribute = mine.get(name)
                    attributes.append(self._attribute(name, role) if attribute is None else attribute)
        self._post_ends.append(len(keys))
        id = encode(entity.id)
        self._ids.append(id)
        self.id_lengths.append(len(id))
        self.id_digests += digest(id)
        self.weights.append(entity.weight)
        self.rows += 1
        if len(keys) > _CHUNK or self._characters > _CHUNK_CHARACTERS:
            self.flush()

    def _normal(self, values: Values) -> Values:
        """The values, those with a pattern in their normal form."""
        if not self._notations:
            return values
        return tuple((name, self._normal_value(name, value)) for name, value in values)

    def _normal_value(self, name: str, value: str) -> str:
        notation = self._notations.get(name)
        if notation is None:
            return value
        normal = notation.normal(self._fold(value))
        if name in self._learners:
            self._learners[name].add(normal)
        return normal

    def forms(self) -> dict[str, Form]:
        """The patterns as texts are searched for them, by attribute."""
        learned = {name: learner.form() for name, learner in self._learners.items()}
        return {name: learned.get(name, Form(entry.spec)) for name, entry in self._notations.items()}

    def _attribute(self, name: str, role: str) -> int:
        """The number of an attribute not met before."""
        number = self._known[role][name] = len(self.attributes)
        self.attributes.append((name, role))
        if number >= 1 << 16:
            raise InputError("The entities have more than 65,536 attributes.", "Use fewer attribute names.")
        return number

    def _take_in(self, value: str) -> int:
        """Registers a value that is new in this chunk. Returns its key's number, or -1 if its key is empty."""
        key = self._fold(value)
        if not key:
            self._seen[value] = -1
            return -1
        text = encode(key)
        mark = digest(text)
        words_of_key = word_texts(key)
        if words_of_key == [key]:  # as `word_hash` has it
            self._word_hashes.append(int.from_bytes(mark[:8], "little"))
        else:
            self._word_hashes.extend(map(self._word_hash, words_of_key))
        self._word_counts.append(len(words_of_key))
        self._key_digests += mark
        self._key_texts.append(text)
        self._characters += len(value)
        self._seen[value] = number = len(self._key_texts) - 1
        return number

    def _forget(self) -> None:
        """Begin a chunk."""
        self._seen: dict[str, int] = {}
        self._characters = 0
        self._ids: list[bytes] = []
        self._post_keys, self._post_attributes = array("I"), array("H")
        self._post_ends: list[int] = []
        self._word_hashes, self._word_counts = array("Q"), array("q")
        self._key_digests = bytearray()
        self._key_texts: list[bytes] = []

    def flush(self) -> None:
        """Throw the chunk into the buckets."""
        self.ids.append(np.frombuffer(b"".join(self._ids), np.uint8))
        counts = np.array(self._word_counts, np.int64)
        hashes = all_prefix_hashes(np.array(self._word_hashes, np.uint64), counts)
        prefixes = distinct(hashes)
        self.prefixes.append(prefixes, part_of(prefixes))
        whole = np.zeros(counts.size, np.uint64)  # a term without words has the hash 0
        whole[counts > 0] = hashes[np.cumsum(counts)[counts > 0] - 1]
        places, parts = self._flush_keys(whole)
        ends = np.array(self._post_ends, np.int64)
        posts = np.empty(len(self._post_keys), POST)
        keys = np.array(self._post_keys, np.int64)
        posts["key"] = places[keys]
        posts["attribute"] = self._post_attributes
        first = self.rows - ends.size
        posts["row"] = np.repeat(np.arange(first, self.rows), np.diff(ends, prepend=0))
        self.posts.append(posts, parts[keys])
        self._forget()

    def _flush_keys(self, hashes: Hashes) -> tuple[Array, Array]:
        """Throw the chunk's keys into the buckets: the place of each in its part, and the part."""
        keys = np.empty(len(self._key_texts), KEY)
        keys["hash"] = hashes
        digests = np.frombuffer(bytes(self._key_digests), "<u8").reshape(-1, 2)
        keys["digest0"], keys["digest1"] = digests[:, 0], digests[:, 1]
        keys["length"] = np.fromiter(map(len, self._key_texts), np.uint32, len(self._key_texts))
        parts = part_of(keys["hash"])
        order = np.argsort(parts, kind="stable")
        counts = np.bincount(parts, minlength=PARTS)
        firsts = np.cumsum(counts) - counts
        places = np.empty(keys.size, np.int64)
        places[order] = np.arange(keys.size) - (firsts - self.keys.sizes)[parts[order]]
        for part in np.flatnonzero(counts):
            mine = order[firsts[part] : firsts[part] + counts[part]]
            self.texts.write(int(part), b"".join([self._key_texts[at] for at in mine]))
        self.keys.append(keys, parts)
        return places, parts
