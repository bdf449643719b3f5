"""Sets of terms as bits: 64-bit rows for storage, one 32-bit column a window for search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.uint64]  # (sets, words): term t is bit t % 64 of word t // 64
Columns = NDArray[np.uint32]  # (windows, sets): a set's share of each window, as a number
Membership = NDArray[np.bool_]  # (sets, terms)
Ints = NDArray[np.int64]

WORD = 64  # bits of a machine word


def words_for(terms: int) -> int:
    return max(1, -(-terms // WORD))


def pack(matrix: Membership) -> Rows:
    """The rows of a membership matrix as bits."""
    sets, terms = matrix.shape
    padded = np.zeros((sets, words_for(terms) * WORD), dtype=np.bool_)
    padded[:, :terms] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def unpack(rows: Rows, terms: int) -> Membership:
    """The membership matrix of rows of bits."""
    octets = np.ascontiguousarray(rows, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=terms).view(np.bool_)


def distinct(rows: Rows) -> tuple[Rows, Ints]:
    """The distinct rows in order, and for every row the place of its equal."""
    if rows.shape[1] == 1:
        values, inverse = np.unique(rows[:, 0], return_inverse=True)
        return values[:, None], inverse.reshape(-1)
    order = np.lexsort(rows.T)
    ordered = rows[order]
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    inverse = np.empty(len(rows), dtype=np.int64)
    inverse[order] = np.cumsum(first) - 1
    return ordered[first], inverse


def union(matrix: Membership) -> Membership:
    """The bits that at least one row has."""
    held: Membership = np.logical_or.reduce(matrix, axis=0)
    return held


def columns(matrix: Membership, windows: Sequence[Sequence[int]]) -> Columns:
    """Every set's share of each window: bit j of column w says whether it holds the window's j-th term."""
    shares = np.zeros((len(windows), len(matrix)), dtype=np.uint32)
    for share, window in zip(shares, windows, strict=True):
        for bit, term in enumerate(window):
            share |= matrix[:, term].astype(np.uint32) << np.uint32(bit)
    return shares


def matrix_of(shares: Columns, windows: Sequence[Sequence[int]]) -> Membership:
    """The way back from `columns`."""
    matrix = np.zeros((shares.shape[1], sum(map(len, windows))), dtype=np.bool_)
    for share, window in zip(shares, windows, strict=True):
        for bit, term in enumerate(window):
            matrix[:, term] = (share >> np.uint32(bit)) & np.uint32(1)
    return matrix
