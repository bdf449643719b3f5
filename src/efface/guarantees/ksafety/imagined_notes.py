"""Every note that a reader can imagine about somebody: one value of theirs in each of some columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from efface.knowledge.entities.column_values import ColumnValues

Ints = npt.NDArray[np.int64]

_MOST_ROWS = 20_000_000  # combinations of values that fit into memory


def imagined(tables: Sequence[ColumnValues], entities: int) -> tuple[Ints, Ints]:
    """Every note that could be about an entity: (the entity of each note, its codes). A person with two values in a column
    has two notes."""
    rows = np.arange(entities)
    columns: list[Ints] = []
    for table in tables:
        counts = np.bincount(table.entities, minlength=entities)
        starts = np.cumsum(counts) - counts
        times = counts[rows]
        if int(times.sum()) > _MOST_ROWS:
            raise MemoryError("too many notes can be imagined")
        repeated = np.repeat(rows, times)
        within = np.arange(len(repeated)) - np.repeat(np.cumsum(times) - times, times)
        columns = [np.repeat(column, times) for column in columns]
        columns.append(table.codes[starts[repeated] + within])
        rows = repeated
    return rows, np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0), np.int64)


def crowds(entities: Ints, codes: Ints, rows: Ints) -> Ints:
    """For each of the rows, how many different entities among the rows have its codes."""
    group = np.zeros(len(rows), np.int64)
    for column in codes[rows].T:
        _, group = np.unique(group * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    most = int(entities.max(initial=0)) + 1
    pairs = np.unique(group * most + entities[rows])  # an entity may have one note twice
    sizes: Ints = np.bincount(pairs // most, minlength=int(group.max(initial=0)) + 1)
    return sizes[group]
