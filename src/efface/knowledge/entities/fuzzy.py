"""Spellings near a term: words within one or two edits, names with initials or turned round, words joined.

Words, not whole values, are compared: every word of the dictionary is filed under what is left of its first
letters when up to two of them are dropped (symmetric deletion), so a misspelt word meets its neighbours in a
few look-ups. Numbers are never fuzzy: a number with another digit is another number.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from efface.files.array_file import ArrayStream
from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.hashing import (
    all_prefix_hashes,
    decode,
    distinct,
    encode,
    filter_bits,
    make_filter,
    word_hash,
)
from efface.knowledge.entities.spellings.words import NOT_PERSONAL, PARTICLES, SUFFIXES
from efface.knowledge.entities.spool import Array, Column, TemporaryStreams
from efface.text.folding import words as split

LENGTHS = (4, 8)  # the lengths from which a word may differ by one edit, and by two
_FILED_LETTERS = 7  # first letters of a word, by which it is filed
_MOST_WORDS = 5  # of a value that may be written as one word
_LEAST_JOINED = 6  # letters of a value that may be written as one word
_MOST_GROUPS = 8  # groups of a code
_NO_CODE = re.compile(r"[+-]?[\d,.']+|\d{4}-\d\d-\d\d.*")  # an amount, a date
_CACHED_WORDS = 1 << 16  # of texts, with the words that are near to them

_word_hash = lru_cache(maxsize=1 << 18)(word_hash)


def edits_allowed(length: int, most: int, lengths: tuple[int, int] = LENGTHS) -> int:
    """How many edits two words may differ by, when the shorter has this length."""
    return min(most, sum(length >= limit for limit in lengths))


def is_fuzzy(word: str) -> bool:
    """Whether a word may be misspelt: long enough, and letters only."""
    return len(word) >= LENGTHS[0] and word.isalpha()


def filed_under(word: str, edits: int) -> set[int]:
    """Hashes of what is left of a word's first letters when up to `edits` of them are dropped."""
    left = found = {word[:_FILED_LETTERS]}
    for _ in range(edits):
        left = {text[:at] + text[at + 1 :] for text in left for at in range(len(text))}
        found = found | left
    return {zlib.crc32(encode(text)) for text in found}


def variants(key: str, words: Sequence[str], is_name: bool) -> set[tuple[str, ...]]:
    """Other word sequences that mean a term: joined, and for names turned round or with initials."""
    if not "".join(words).isalpha():
        return set(joined_code(key, words))
    if not 2 <= len(words) <= _MOST_WORDS:
        return set()
    found = {(*words[:at], words[at] + words[at + 1], *words[at + 2 :]) for at in range(len(words) - 1)}
    found |= set(run_together(words))
    if is_name:
        bare = _without_suffix(words)
        found |= set(_name_forms(key, bare))
        if len(bare) > 1:
            found.add(bare)
    return found - {tuple(words)}


def _without_suffix(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a name without "Jr." at its end."""
    return tuple(words[:-1] if len(words) > 2 and words[-1] in SUFFIXES else words)


def run_together(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Words without what parts them, as in #PortMaren; not so few letters that they are another word."""
    whole = "".join(words)
    if 2 <= len(words) <= _MOST_WORDS and len(whole) >= _LEAST_JOINED and whole.isalpha():
        yield (whole,)


def joined_code(key: str, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A code without what parts it: SW1A2AA, 123456789 for 12-3456-789. An amount or a date is no code."""
    whole = "".join(words)
    if not 2 <= len(words) <= _MOST_GROUPS or len(whole) < _LEAST_JOINED or _NO_CODE.fullmatch(key):
        return
    if whole.isalnum() and not whole.isalpha():
        yield (whole,)


def _name_forms(key: str, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """ "manish kumar patel": patel manish kumar, m k patel, m patel, manish k patel, patel m, manish p, …"""
    for family in families(key, words):
        given = words[len(family) :] if "," in key else words[: -len(family)]
        if not given:
            continue
        initials = tuple(word[0] for word in given)
        together = ("".join(initials),)  # EM Lopez
        for form in {given, given[:1], initials, together, given[:1] + initials[1:], initials[:1]}:
            for written in spelled(family):
                yield form + written
                yield written + form
        if len(given[0]) > 2:  # not of "ADP, S.C."
            yield given[0], family[0][0]


def spelled(family: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A family name of several words, both as written and joined: O'Brien, OBrien."""
    yield family
    if len(family) > 1 and PARTICLES.isdisjoint(family):
        yield ("".join(family),)


def is_personal(key: str, words: Sequence[str]) -> bool:
    """Whether a name of several words can be a person's: no words of organisations and none that any text has."""
    found = families(key, words)
    first = words[0] if words else ""
    return (
        bool(found)
        and min(map(len, found[0])) > 2
        and len(first) > 1
        and not any(word in NOT_PERSONAL for word in words)
    )


def families(key: str, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The family name in a name of several words; it stands for the name after a title ("Mr Patel"). One with a
    hyphen, an apostrophe or a particle is read in several ways: its last word, all of it, and of two families with a
    hyphen the first (Garcia, Lopez-Garcia, Lopez)."""
    if not 2 <= len(words) <= _MOST_WORDS or not "".join(words).isalpha():
        return ()
    words = _without_suffix(words)
    if "," in key:
        before = tuple(words[: len(word_texts(key.split(",", maxsplit=1)[0]))])
        return (before,) if before else ()
    spans = split(key)
    first = len(words) - 1
    while first > 1 and (
        words[first - 1] in PARTICLES or key[spans[first - 1][1] : spans[first][0]] in ("-", "'")
    ):
        first -= 1
    last = len(words) - 1
    is_double = first == last - 1 and key[spans[first][1] : spans[last][0]] == "-" and len(words[first]) > 3
    either = (words[first : first + 1],) if is_double else ()
    return tuple(dict.fromkeys(tuple(some) for some in (words[-1:], words[first:], *either)))


class FuzzyParts:
    """Collects the words and variants of the terms of a segment, and writes their sections. Variants of names are
    found without fuzzy matching too; near words and joined ones only with it."""

    def __init__(self, scratch: TemporaryStreams, most: int) -> None:
        self._scratch = scratch
        self._most = most
        self._words: set[str] = set()
        self._variant_words, self._variant_lengths, self._variant_terms = array("Q"), array("q"), array("I")

    def add(self, key: str, term: int, is_name: bool) -> None:
        """Take in a term that is looked for in texts."""
        words = word_texts(key)
        if key.isascii() and not key.islower():  # digits and marks only
            forms = set(joined_code(key, words))
        elif not self._most and not (is_name and is_personal(key, words)):
            forms = {*run_together(words), *joined_code(key, words)}
        else:
            forms = variants(key, words, is_name)
        if self._most:
            self._words.update(filter(is_fuzzy, words))
        if is_name and is_personal(key, words):
            forms.update(form for family in families(key, words) for form in spelled(family))
        for form in sorted(forms):
            self._variant_words.extend(map(_word_hash, form))
            self._variant_lengths.append(len(form))
            self._variant_terms.append(term)

    def sections(self) -> dict[str, ArrayStream]:
        lengths = np.array(self._variant_lengths, np.int64)
        prefixes = all_prefix_hashes(np.array(self._variant_words, np.uint64), lengths)
        hashes = prefixes[np.cumsum(lengths) - 1]
        order = np.argsort(hashes, kind="stable")
        prefixes = distinct(prefixes)
        bits = make_filter(prefixes, filter_bits(prefixes.size))
        return {
            **self._word_sections(),
            "variant_hash": self._section(hashes[order]),
            "variant_term": self._section(np.array(self._variant_terms, np.uint32)[order]),
            "variant_filter": self._section(bits),
        }

    def _word_sections(self) -> dict[str, ArrayStream]:
        words = sorted(self._words)
        self._words.clear()
        filed, owners = array("I"), array("I")
        for number, word in enumerate(words):
            hashes = filed_under(word, edits_allowed(len(word), self._most))
            filed.extend(hashes)
            owners.extend([number] * len(hashes))
        texts = [encode(word) for word in words]
        lengths = np.fromiter(map(len, texts), np.uint32, len(texts))
        keys = np.array(filed, np.uint32)
        order = np.argsort(keys, kind="stable")
        return {
            "word_bytes": self._section(np.frombuffer(b"".join(texts), np.uint8)),
            "word_start": Column.of(self._scratch, lengths).starts(),
            "near_hash": self._section(keys[order]),
            "near_word": self._section(np.array(owners, np.uint32)[order]),
        }

    def _section(self, values: Array) -> ArrayStream:
        return Column.of(self._scratch, values).section()


class NearWords:
    """The words of a segment's dictionary that are near a given word."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self._bytes, self._starts = arrays["word_bytes"], arrays["word_start"]
        self._hashes, self._owners = arrays["near_hash"], arrays["near_word"]
        self._known: dict[tuple[str, int, tuple[int, int]], list[tuple[str, int]]] = {}

    def near(
        self, words: Sequence[str], most: int, lengths: tuple[int, int]
    ) -> dict[str, list[tuple[str, int]]]:
        """For each word, the dictionary's other words within the edits allowed, and their distance."""
        if len(self._known) > _CACHED_WORDS:
            self._known = {}  # not cleared: another thread may be reading
        known = self._known
        found = {word: known[word, most, lengths] for word in words if (word, most, lengths) in known}
        missing = [word for word in words if word not in found]
        found |= {word: [] for word in missing}
        for word, other, distance in self._search(missing, most, lengths):
            found[word].append((other, distance))
        known.update({(word, most, lengths): found[word] for word in missing})
        return found

    def _search(
        self, words: list[str], most: int, lengths: tuple[int, int]
    ) -> Iterator[tuple[str, str, int]]:
        """(word, near word, distance), for the words of the dictionary filed under a hash that the word has too."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import cpdist

        asked = [(at, key) for at, word in enumerate(words) for key in self._near_hashes(word, most, lengths)]
        if not asked:
            return
        owner, keys = np.array(asked, np.uint32).T
        low, high = (np.searchsorted(self._hashes, keys, side) for side in ("left", "right"))
        counts = high - low
        # All positions of the ranges low[i]:high[i], one range after the other: an arange over all of them,
        # shifted within each range from where the range begins in it (the counts before) to low[i].
        places = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        pairs = distinct(np.repeat(owner, counts).astype(np.uint64) << np.uint64(32) | self._owners[places])
        mine = [words[at] for at in (pairs >> np.uint64(32)).tolist()]
        others = [self._word(number) for number in (pairs & np.uint64(0xFFFFFFFF)).tolist()]
        distances = cpdist(mine, others, scorer=OSA.distance, score_cutoff=most).tolist()
        for word, other, distance in zip(mine, others, distances, strict=True):
            if 0 < distance <= edits_allowed(min(len(word), len(other)), most, lengths):
                yield word, other, distance

    def _near_hashes(self, word: str, most: int, lengths: tuple[int, int]) -> set[int]:
        return filed_under(word, edits_allowed(len(word), most, lengths))

    def _word(self, number: int) -> str:
        return decode(self._bytes[self._starts[number] : self._starts[number + 1]].tobytes())
