"""The second half of a build: gathered records become the sections of a segment.

Terms are numbered in the order of their hash. A *pair* is a term under one attribute; its postings are the
sorted numbers of the entities that have it, or a bitmap over all entities when that is not longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from efface.errors import InputError
from efface.files.array_file import ArrayKind, ArrayStream, stream_arrays
from efface.knowledge.entities.build_records import LABEL, Gathered
from efface.knowledge.entities.fuzzy import FuzzyParts
from efface.knowledge.entities.hashing import decode, distinct, filter_bits, make_filter
from efface.knowledge.entities.spool import PARTS, Array, Column, SpoolBuckets

SEGMENT = ArrayKind("entity index", version=12, remedy="Build the index again.")
_BITS = 64  # of a record that packs term, entity and attribute into one number
_NAME_LIKE = ("name", "alias", "aka", "person")
_PARTED = re.compile(rb"[ ./-]")  # a value of several words, or a code in groups


def is_name_like(column: str) -> bool:
    """Whether a column holds names, to go by what it is called."""
    return any(part in column.lower() for part in _NAME_LIKE)


def bitmap_words(entities: int) -> int:
    """The length of a bitmap in 32-bit words; a list of that length or longer is kept as a bitmap."""
    return -(-entities // 32)


def assemble(gathered: Gathered, path: Path, fuzzy: int = 0, tombs: Iterable[tuple[int, int]] = ()) -> str:
    """Write the segment. `tombs` are (segment, entity) that it hides. Returns its seal."""
    gathered.flush()
    entities = _Entities(gathered)
    terms = _TermWriter(gathered, entities, fuzzy)
    for part in range(PARTS):
        terms.take(part)
    hidden = np.array(list(tombs), np.uint32).reshape(-1, 2)
    sections = {
        **terms.sections(),
        **entities.sections(),
        "tomb_segment": Column.of(gathered.scratch, hidden[:, 0]).section(),
        "tomb_entity": Column.of(gathered.scratch, hidden[:, 1]).section(),
    }
    forms = {name: asdict(form) for name, form in gathered.forms().items()}
    facts = {
        "entities": entities.count,
        "attributes": [list(attribute) for attribute in gathered.attributes],
        "fuzzy": fuzzy,
        "forms": forms,
    }
    return stream_arrays(path, SEGMENT, facts, sections)


class _Entities:
    """Rows made into entities: rows with one id are one, numbered by their first row."""

    def __init__(self, gathered: Gathered) -> None:
        self._scratch = gathered.scratch
        self._ids = gathered.ids
        digests = np.frombuffer(bytes(gathered.id_digests), "<u8").reshape(-1, 2)
        self._lengths = np.array(gathered.id_lengths, np.uint32)
        self._weights = np.array(gathered.weights, np.float32)
        self._hashes = digests[:, 0]
        self.number_of, first_rows = _merge(digests)
        self._keep: Array | None = None
        if first_rows.size < gathered.rows:
            self._keep = np.zeros(gathered.rows, np.bool_)
            self._keep[first_rows] = True
        self.count = first_rows.size

    def sections(self) -> dict[str, ArrayStream]:
        lengths, weights, hashes, ids = self._lengths, self._weights, self._hashes, self._ids.section()
        if self._keep is not None:
            data = np.frombuffer(ids.stream.read(), np.uint8)
            ids = Column.of(self._scratch, data[np.repeat(self._keep, lengths)]).section()
            lengths, weights, hashes = lengths[self._keep], weights[self._keep], hashes[self._keep]
        order = np.argsort(hashes)
        return {
            "id_bytes": ids,
            "id_start": Column.of(self._scratch, lengths).starts(),
            "id_hash": Column.of(self._scratch, hashes[order]).section(),
            "id_number": Column.of(self._scratch, order.astype(np.uint32)).section(),
            "weight": Column.of(self._scratch, weights if (weights != 1).any() else weights[:0]).section(),
        }


def _merge(digests: Array) -> tuple[Array, Array]:
    """The entity number of each row, and the first row of each entity."""
    rows = digests.shape[0]
    order = np.lexsort((digests[:, 1], digests[:, 0]))  # stable: equal ids stay in the order of their rows
    ordered = digests[order]
    is_first = np.ones(rows, np.bool_)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first_row = np.empty(rows, np.int64)
    first_row[order] = order[is_first][np.cumsum(is_first) - 1]
    firsts = np.flatnonzero(first_row == np.arange(rows))
    return np.searchsorted(firsts, first_row).astype(np.uint32), firsts


def _numbered(keys: Array) -> tuple[Array, Array]:
    """The number of each key's term, and of each term the first of its keys. Terms are in the order of their hashes."""
    order = np.lexsort((keys["digest1"], keys["digest0"], keys["hash"]))
    ordered = keys[order]
    is_first = np.zeros(keys.size, np.bool_)
    is_first[0] = True
    for name in ("hash", "digest0", "digest1"):
        is_first[1:] |= ordered[name][1:] != ordered[name][:-1]
    term_of = np.empty(keys.size, np.int64)
    term_of[order] = np.cumsum(is_first) - 1
    return term_of, order[is_first]


class _TermWriter:
    """Terms, their pairs and their postings, written part by part; then the contexts of the entities."""

    def __init__(self, gathered: Gathered, entities: _Entities, fuzzy: int) -> None:
        scratch = gathered.scratch
        self._gathered = gathered
        self._entities = entities
        self._words = bitmap_words(entities.count)
        self._filter_bits = filter_bits(int(gathered.prefixes.sizes.sum()))
        self._hash = Column(scratch, "<u8")
        self._text = Column(scratch, "|u1")
        self._text_length = Column(scratch, "<u4")
        self._pair_count = Column(scratch, "<u4")
        self._pair_attribute = Column(scratch, "<u2")
        self._post_length = Column(scratch, "<u4")
        self._posts = Column(scratch, "<u4")
        self._filter = Column(scratch, "|u1")
        self._contexts = SpoolBuckets(scratch, np.uint64)
        self._is_fuzzy = fuzzy > 0
        self._fuzzy = FuzzyParts(scratch, fuzzy)
        attributes = gathered.attributes
        self._found = np.array([role != LABEL for _, role in attributes], np.bool_)
        named = np.array([is_name_like(name) for name, _ in attributes], np.bool_)
        self._names = self._found & named

    def take(self, part: int) -> None:
        """Add the terms of one part; parts come in order."""
        gathered = self._gathered
        prefixes = gathered.prefixes.take(part)
        self._filter.append(make_filter(prefixes, self._filter_bits, part, PARTS))
        keys, texts, posts = (bucket.take(part) for bucket in (gathered.keys, gathered.texts, gathered.posts))
        if not keys.size:
            return
        term_of, chosen = _numbered(keys)
        first_term = self._hash.size
        self._hash.append(keys["hash"][chosen])
        stretches = self._append_texts(texts, keys["length"], chosen)
        terms, attributes = self._append_pairs(term_of, chosen.size, posts)
        is_found, is_name = np.zeros((2, chosen.size), np.bool_)
        is_found[terms[self._found[attributes]]] = True
        is_name[terms[self._names[attributes]]] = True
        self._append_fuzzy(stretches, is_found, is_name, first_term)

    def _append_fuzzy(self, stretches: list[bytes], is_found: Array, is_name: Array, first_term: int) -> None:
        """Terms that may be written otherwise. A single word that is no name has no other form, unless edits count."""
        names = is_name.tolist()
        for at in np.flatnonzero(is_found | is_name).tolist():
            if self._is_fuzzy or names[at] or _PARTED.search(stretches[at]):
                self._fuzzy.add(decode(stretches[at]), first_term + at, names[at])

    def _append_texts(self, texts: Array, lengths: Array, chosen: Array) -> list[bytes]:
        ends = np.cumsum(lengths, dtype=np.int64)
        data = texts.tobytes()
        firsts, lasts = (ends - lengths)[chosen].tolist(), ends[chosen].tolist()
        stretches = [data[first:last] for first, last in zip(firsts, lasts, strict=True)]
        self._text.append(np.frombuffer(b"".join(stretches), np.uint8))
        self._text_length.append(lengths[chosen])
        return stretches

    def _append_pairs(self, term_of: Array, terms: int, posts: Array) -> tuple[Array, Array]:
        """Sort and write the postings of a part; the term (within the part) and attribute of each pair."""
        entity_bits = np.uint64(max(self._entities.count - 1, 1).bit_length())
        attribute_bits = np.uint64(max(self._found.size - 1, 1).bit_length())
        if terms.bit_length() + int(entity_bits + attribute_bits) > _BITS:
            raise InputError("There are too many entities and terms for one index.", "Split the entities.")
        packed = term_of[posts["key"]].astype(np.uint64)
        packed = (packed << attribute_bits | posts["attribute"]) << entity_bits
        packed = distinct(packed | self._entities.number_of[posts["row"]])
        pair_keys = packed >> entity_bits
        numbers = (packed & np.uint64((1 << int(entity_bits)) - 1)).astype(np.uint32)
        starts = np.flatnonzero(np.diff(pair_keys, prepend=~pair_keys[:1]))
        lengths = np.diff(starts, append=pair_keys.size)
        first_pair = self._pair_attribute.size
        pair_terms = (pair_keys[starts] >> attribute_bits).astype(np.int64)
        attributes = (pair_keys[starts] & np.uint64((1 << int(attribute_bits)) - 1)).astype(np.int64)
        self._pair_attribute.append(attributes)
        self._pair_count.append(np.bincount(pair_terms, minlength=terms))
        self._post_length.append(np.minimum(lengths, self._words))
        self._append_posts(numbers, starts, lengths)
        pairs = np.repeat(np.arange(first_pair, first_pair + starts.size, dtype=np.uint64), lengths)
        records = numbers.astype(np.uint64) << np.uint64(32) | pairs
        self._contexts.append(records, self._context_part(numbers))
        return pair_terms, attributes

    def _append_posts(self, numbers: Array, starts: Array, lengths: Array) -> None:
        """Write lists as they are, and long ones as bitmaps in their place."""
        written = 0
        for pair in np.flatnonzero(lengths >= self._words):
            start, end = starts[pair], starts[pair] + lengths[pair]
            flags = np.zeros(self._words * 32, np.bool_)
            flags[numbers[start:end]] = True
            self._posts.append(numbers[written:start])
            self._posts.append(np.packbits(flags, bitorder="little").view("<u4"))
            written = end
        self._posts.append(numbers[written:])

    def _context_part(self, numbers: Array) -> Array:
        return numbers.astype(np.int64) * PARTS // max(self._entities.count, 1)

    def sections(self) -> dict[str, ArrayStream]:
        pairs, counts = Column(self._gathered.scratch, "<u4"), Column(self._gathered.scratch, "<u4")
        for part in range(PARTS):
            records = np.sort(self._contexts.take(part))
            first, last = (-(-self._entities.count * at // PARTS) for at in (part, part + 1))
            numbers = (records >> np.uint64(32)).astype(np.int64) - first
            pairs.append(records & np.uint64(0xFFFFFFFF))
            counts.append(np.bincount(numbers, minlength=last - first))
        return {
            "term_hash": self._hash.section(),
            "text_bytes": self._text.section(),
            "text_start": self._text_length.starts(),
            "pair_start": self._pair_count.starts(),
            "pair_attribute": self._pair_attribute.section(),
            "post_start": self._post_length.starts(),
            "posts": self._posts.section(),
            "context_start": counts.starts(),
            "context_pairs": pairs.section(),
            "filter": self._filter.section(),
            **self._fuzzy.sections(),
        }
