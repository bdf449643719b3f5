"""The documents of a corpus as numbers: which words each has, how often, and its class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.sparse_table import Ints, SparseTable, spread


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTable:
    """Document d has the words `columns[ends[d]:ends[d + 1]]`, `counts` times each, and is of class `labels[d]`."""

    columns: NDArray[np.int32]
    counts: NDArray[np.int32]
    ends: Ints
    labels: Ints
    words: int
    classes: int

    @property
    def documents(self) -> int:
        return len(self.ends) - 1

    @property
    def of_entry(self) -> Ints:
        """The document of every entry."""
        return np.repeat(np.arange(self.documents), np.diff(self.ends))

    def only(self, renumbered: Ints, words: int) -> DocumentTable:
        """With the words that keep a number of 0 or more, under that number."""
        columns = renumbered[self.columns]
        stays = columns >= 0
        lengths = np.bincount(self.of_entry[stays], minlength=self.documents)
        ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return DocumentTable(
            columns[stays].astype(np.int32), self.counts[stays], ends, self.labels, words, self.classes
        )

    def in_order(self, order: Ints) -> DocumentTable:
        """The same documents in another order."""
        lengths = np.diff(self.ends)[order]
        places = spread(self.ends[order], lengths)
        ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return DocumentTable(
            self.columns[places], self.counts[places], ends, self.labels[order], self.words, self.classes
        )

    def content_order(self) -> Ints:
        """The documents sorted by what is in them: what is learned does not depend on how a corpus is sorted."""
        mixed = (np.arange(self.words) * 2654435761 % 2**32).astype(np.float64)
        sums = np.bincount(self.of_entry, mixed[self.columns] * self.counts, minlength=self.documents)
        return np.lexsort((sums, self.labels))

    def document_frequencies(self) -> Ints:
        return np.bincount(self.columns, minlength=self.words)

    def by_class(self, values: NDArray[np.float64]) -> SparseTable:
        """A value for every entry, added up by word and class."""
        of_class = self.labels[self.of_entry]
        return SparseTable.of_cells(self.columns.astype(np.int64), of_class, values, self.words, self.classes)

    def batches(
        self, order: Ints, values: NDArray[np.float32], size: int
    ) -> Iterator[tuple[Ints, NDArray[np.float32], Ints]]:
        """Some documents at a time: the words they have, their values (a row a document), their classes."""
        for start in range(0, len(order), size):
            part = order[start : start + size]
            lengths = self.ends[part + 1] - self.ends[part]
            places = spread(self.ends[part], lengths)
            words, local = np.unique(self.columns[places], return_inverse=True)
            dense = np.zeros((len(part), len(words)), np.float32)
            dense[np.repeat(np.arange(len(part)), lengths), local] = values[places]
            yield words.astype(np.int64), dense, self.labels[part]
