"""Sparse tables on numpy alone: the weight of a word for those classes that it tells something about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SparseTable:
    """Rows of (column, value) pairs: row r has those from `ends[r]` to `ends[r + 1]`. All others are 0."""

    width: int
    ends: Ints = field(repr=False)
    columns: NDArray[np.int32] = field(repr=False)
    values: NDArray[np.float32] = field(repr=False)

    @property
    def height(self) -> int:
        return len(self.ends) - 1

    @classmethod
    def of_cells(
        cls, rows: Ints, columns: Ints, values: NDArray[Any], height: int, width: int
    ) -> SparseTable:
        """From cells in any order; cells of the same place are added up."""
        keys = rows.astype(np.int64) * width + columns
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order].astype(np.float64)
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else order
        sums = np.add.reduceat(values, first) if len(keys) else values
        at = keys[first]
        ends = np.searchsorted(at, np.arange(height + 1, dtype=np.int64) * width)
        return cls(width, ends.astype(np.int64), (at % width).astype(np.int32), sums.astype(np.float32))

    def cells(self) -> tuple[Ints, Ints]:
        """The row and the column of every number, in the order of `values`."""
        rows = np.repeat(np.arange(self.height, dtype=np.int64), np.diff(self.ends))
        return rows, self.columns.astype(np.int64)

    def rows(self, wanted: Ints) -> Floats:
        """Some rows with all their zeros."""
        found = np.zeros((len(wanted), self.width))
        lengths = self.ends[wanted + 1] - self.ends[wanted]
        places = spread(self.ends[wanted], lengths)
        found[np.repeat(np.arange(len(wanted)), lengths), self.columns[places]] = self.values[places]
        return found

    def scaled(
        self, by_row: NDArray[Any] | None = None, by_column: NDArray[Any] | None = None
    ) -> SparseTable:
        rows, columns = self.cells()
        values = self.values.astype(np.float64)
        if by_row is not None:
            values = values * by_row[rows]
        if by_column is not None:
            values = values * by_column[columns]
        return SparseTable(self.width, self.ends, self.columns, values.astype(np.float32))

    def column_norms(self) -> Floats:
        """The Euclidean length of every column; 1 for one without numbers."""
        squares = np.bincount(self.columns, self.values.astype(np.float64) ** 2, minlength=self.width)
        return np.where(squares > 0, np.sqrt(squares), 1.0)


def spread(starts: Ints, lengths: Ints) -> Ints:
    """start, start + 1, … for each stretch, one stretch after the other."""
    total = int(lengths.sum())
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(total)
