"""Hashes of words and of sequences of words, the same on every machine and in every process.

A term is hashed word by word, so that a text is searched in one pass: the hash of a longer window follows
from that of the shorter one. Hashes only propose matches; the comparison of strings decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so that a step loses nothing
_MASK = (1 << 64) - 1  # hashes are counted modulo two to the power of 64

Hashes = npt.NDArray[np.uint64]


def encode(text: str) -> bytes:
    """Bytes of any string; lone surrogates, which hostile input may hold, survive."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def digest(data: bytes) -> bytes:
    """128 bits that identify a string while an index is built."""
    return hashlib.blake2b(data, digest_size=16).digest()


def word_hash(word: str) -> int:
    """64 bits of one word."""
    return int.from_bytes(digest(encode(word))[:8], "little")


cached_word_hash = lru_cache(maxsize=1 << 16)(word_hash)


def sequence_hash(words: Iterable[int]) -> int:
    """The hash of words in a row; 0 for none."""
    value = 0
    for word in words:
        value = (value * MULTIPLIER + word) & _MASK
    return value


def all_prefix_hashes(words: Hashes, counts: npt.NDArray[np.int64]) -> Hashes:
    """The hashes of all prefixes of many sequences. `words` holds the sequences one after the other, `counts` their
    lengths."""
    found = words.copy()
    lasts = np.cumsum(counts)
    for depth in range(1, int(counts.max(initial=0))):
        at = (lasts - counts)[counts > depth] + depth
        found[at] = extend(found[at - 1], found[at])
    return found


def extend(prefixes: Hashes, words: Hashes) -> Hashes:
    """The hashes of `prefixes`, each one word longer."""
    return prefixes * np.uint64(MULTIPLIER) + words


def filter_bits(expected: int) -> int:
    """How many bits (a power of two) a filter over `expected` hashes takes: about one in sixteen set."""
    return 1 << max(16 * expected, 1024).bit_length()


def might_hold(bits: npt.NDArray[np.uint8], hashes: Hashes) -> npt.NDArray[np.bool_]:
    """Which hashes may have been put into the filter; a no is certain, a yes is not."""
    place = hashes >> np.uint64(64 - (bits.size * 8).bit_length() + 1)
    held: npt.NDArray[np.bool_] = (
        bits[place >> np.uint64(3)] >> (place & np.uint64(7)).astype(np.uint8) & np.uint8(1)
    ).astype(np.bool_)
    return held


def make_filter(hashes: Hashes, total_bits: int, part: int = 0, parts: int = 1) -> npt.NDArray[np.uint8]:
    """The stretch of a filter that belongs to hashes whose top bits say `part` of `parts`."""
    size = total_bits // parts
    flags = np.zeros(size, np.bool_)
    place = hashes >> np.uint64(64 - total_bits.bit_length() + 1)
    flags[place - np.uint64(part * size)] = True
    return np.packbits(flags, bitorder="little")


def distinct(values: Hashes) -> Hashes:
    """The distinct values in ascending order; sorting is faster here than `np.unique`, which hashes."""
    ordered = np.sort(values)
    keep = np.ones(ordered.size, np.bool_)
    keep[1:] = ordered[1:] != ordered[:-1]
    return ordered[keep]
