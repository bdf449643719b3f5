"""Several readers at once: one document, its words, and what each reader's every class gains from them.

A column is one class for one reader. Its margin is how far that class is ahead of the true one for that reader.
A reader is confused when enough of its columns have a margin above 0.

A column may also mean silence: it passes when no evidence for the true class is left for that reader, and then
counts for as many classes as that reader needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from efface.solvers.confusability.problem import Floats, Ints

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Panel:
    """All of a word goes, or none of it. Pairs of words come after the words and vanish with either of the two.

    `gains[u, c]` is what word u adds to the margin of column c. `pair_gains` has the columns from
    `pair_start` on. All numbers are multiples of `grain`, so sums are exact and a margin of 0 is a tie.
    """

    gains: Floats
    start: Floats  # margins when every word is gone
    reader: Ints  # of each column
    needed: Ints  # for each reader, how many columns must pass
    weight: Ints  # of each column: for how many classes it counts
    values: Floats  # what one occurrence of a word is worth when it stays; negative: better gone
    sizes: Ints  # occurrences of each word
    grain: float
    left: Ints  # of each pair, its words; -1 for one that cannot go
    right: Ints
    pair_gains: Floats
    pair_start: int

    @property
    def costs(self) -> Floats:
        """What the suppression of each word costs."""
        return self.values * self.sizes

    @cached_property
    def pairs_of_words(self) -> list[list[tuple[int, int]]]:
        """For each word its pairs, each with the other word."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.sizes]
        for pair, (left, right) in enumerate(zip(self.left.tolist(), self.right.tolist(), strict=True)):
            if left >= 0:
                found[left].append((pair, right))
            if right >= 0 and right != left:
                found[right].append((pair, left))
        return found

    def alive(self, kept: Flags) -> Flags:
        """The pairs of words that both stay. The last place stands for a word that cannot be removed."""
        stays = np.append(kept, True)
        return np.asarray(stays[self.left] & stays[self.right])

    def margins(self, kept: Flags) -> Floats:
        found = self.start + kept @ self.gains
        if len(self.left):
            found[self.pair_start :] += self.alive(kept) @ self.pair_gains
        return np.asarray(found)

    def passing(self, margins: Floats) -> Ints:
        """For each reader, how many columns pass."""
        passed = margins > 0
        counted = np.bincount(self.reader[passed], self.weight[passed], minlength=len(self.needed))
        return counted.astype(np.int64)

    def holds(self, margins: Floats) -> bool:
        return bool((self.passing(margins) >= self.needed).all())

    def cost(self, kept: Flags) -> float:
        return float(self.costs[~kept].sum())

    def only(self, columns: Ints) -> Panel:
        """With these columns alone, which must be in order."""
        later = columns[columns >= self.pair_start] - self.pair_start
        return replace(
            self,
            gains=self.gains[:, columns],
            start=self.start[columns],
            reader=self.reader[columns],
            weight=self.weight[columns],
            pair_gains=self.pair_gains[:, later],
            pair_start=int((columns < self.pair_start).sum()),
        )

    def nearest(self, margins: Floats, extra: int = 0) -> Ints:
        """For each reader the columns that pass first: as many as are needed, and `extra` more."""
        order = np.lexsort((-margins, self.reader))
        sizes = np.bincount(self.reader, minlength=len(self.needed))
        rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        chosen = order[rank < (self.needed + extra)[self.reader[order]]]
        return np.sort(chosen)

    def hopeless(self) -> bool:
        """Whether some reader has too few columns that any choice of words could let pass."""
        best = self.start + np.maximum(self.gains, 0).sum(axis=0)
        best[self.pair_start :] += np.maximum(self.pair_gains, 0).sum(axis=0)
        return not self.holds(best)
