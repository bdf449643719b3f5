"""The documents of one term in about as few bits as they can have: Elias-Fano, or a plain bitmap if smaller.

Of each document number the low bits are stored as they are; the high bits as gaps in unary. How many low bits
follows from the number of documents, so a row's length does too, and no table of offsets is needed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.uint32]


def _low_bits(count: int, documents: int) -> int:
    return max(0, (documents // count).bit_length() - 1)


def sizes(counts: npt.NDArray[np.int64], documents: int) -> npt.NDArray[np.int64]:
    """Bytes that a row with each of these counts takes."""
    distinct, inverse = np.unique(counts, return_inverse=True)
    return np.array([_size(int(count), documents) for count in distinct], np.int64)[inverse]


def _size(count: int, documents: int) -> int:
    low = _low_bits(count, documents)
    return min(-(-(count * low + count + (documents >> low) + 1) // 8), -(-documents // 8))


def _is_uncompressed(count: int, documents: int) -> bool:
    return _size(count, documents) == -(-documents // 8)


def encode(row: Numbers, documents: int) -> bytes:
    """A row of document numbers, ascending."""
    count = len(row)
    if _is_uncompressed(count, documents):
        bits = np.zeros(documents, np.uint8)
        bits[row] = 1
        return np.packbits(bits).tobytes()
    low = _low_bits(count, documents)
    bits = np.zeros(count * low + count + (documents >> low) + 1, np.uint8)
    for place in range(low):
        bits[place : count * low : low] = (row >> place) & 1
    bits[count * low + (row >> low) + np.arange(count)] = 1
    return np.packbits(bits).tobytes()


def bitmap(data: Bytes, count: int, documents: int) -> Bytes:
    """The row as one bit a document, in bytes (the first document is the highest bit)."""
    if _is_uncompressed(count, documents):
        return data
    low = _low_bits(count, documents)
    bits = np.unpackbits(data)
    row = (np.flatnonzero(bits[count * low :])[:count] - np.arange(count)) << low
    for place in range(low):
        row |= bits[place : count * low : low].astype(np.int64) << place
    flags = np.zeros(documents, np.uint8)
    flags[row] = 1
    return np.packbits(flags)
