"""Readers: each gives every class a score that is linear in the words of a text.

Comparing two classes needs no norm of the text, so a reader's verdict on what is left of a text follows from the
words that are left, one by one. That is what lets a plan hold against all of them at once.

  naive-bayes  counts of words, with the classes' frequencies
  linear-svm   squared hinge loss on tf-idf, one class against the rest
  logistic     logistic regression on tf-idf
  cosine       tf-idf, cosine to the mean of a class's documents
  bm25         Okapi BM25, all texts of a class as one
  bigrams      cosine on pairs of neighbouring words
  topics       cosine after latent semantic analysis of the classes, a linear map

Every number is rounded to a multiple of 2^-18. Sums are then exact, in any order, and "strictly higher" means that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.sparse_table import SparseTable, spread

GRAIN = 2.0**-18  # weights are whole numbers of it, so that sums are exact in any order

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NAIVE_BAYES = "naive-bayes"
PAIRS = "bigrams"
OTHERS = ("linear-svm", "logistic", "cosine", "bm25", PAIRS, "topics")
READERS = (NAIVE_BAYES, *OTHERS)


def to_grain(numbers: NDArray[np.float64]) -> Floats:
    return np.asarray(np.round(numbers / GRAIN) * GRAIN)


@dataclass(frozen=True, slots=True, eq=False)
class TrainedReader:
    """What one reader learned, a row a word (or a pair of words) and a column a class."""

    name: str
    table: SparseTable = field(repr=False)

    @property
    def kind(self) -> str:
        """`linear-svm` of `linear-svm/2`, which learned from documents redacted twice."""
        return self.name.partition("/")[0]

    @property
    def never_negative(self) -> bool:
        """Whether no word counts against a class: a score of 0 then means that nothing of the class was seen."""
        return self.kind in ("cosine", "bm25", PAIRS)

    @property
    def reads_pairs(self) -> bool:
        return self.kind == PAIRS

    def scores(self, features: Ints, counts: Ints) -> Floats:
        """What each class scores on a text with these features."""
        return self.evidence(features, counts).scores

    def knows(self, features: Ints) -> NDArray[np.bool_]:
        """Which features say anything to this reader."""
        return np.asarray(self.table.ends[features + 1] > self.table.ends[features])

    def evidence(self, features: Ints, counts: Ints) -> Evidence:
        """The evidence for every class that these features give with these counts."""
        lengths = self.table.ends[features + 1] - self.table.ends[features]
        places = spread(self.table.ends[features], lengths)
        amounts = self.table.values[places].astype(np.float64)
        if self.reads_pairs:
            # Occurrences of a pair are added one by one, so the number is rounded before it is multiplied.
            amounts = to_grain(amounts) * np.repeat(counts, lengths)
        else:
            # `to_grain` without copies: there are hundreds of numbers a word.
            amounts *= np.repeat(weights(counts) / GRAIN, lengths)
            np.rint(amounts, out=amounts)
            amounts *= GRAIN
        columns, width = self.table.columns[places], self.table.width
        scores = np.asarray(np.bincount(columns, amounts, minlength=width), np.float64)
        return Evidence(lengths, width, columns, amounts, scores)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the features of a text add to the scores of the classes. Only numbers that are not 0 are held."""

    lengths: Ints  # of each feature, how many numbers it has
    width: int  # classes
    columns: NDArray[np.int32]
    amounts: Floats
    scores: Floats  # of each class

    def of_classes(self, classes: Ints) -> Floats:
        """What each feature adds to the scores of these classes, a row a feature."""
        local = np.full(self.width, -1)
        local[classes] = np.arange(len(classes))
        at = local[self.columns]
        wanted = np.flatnonzero(at >= 0)
        rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
        found = np.zeros((len(self.lengths), len(classes)))
        found[rows[wanted], at[wanted]] = self.amounts[wanted]
        return found

    def lead(self, one: int, others: Ints) -> Floats:
        """How far each feature brings one class ahead of each of the others."""
        rows = self.of_classes(np.append(others, one))
        return np.asarray(rows[:, -1:] - rows[:, :-1])


EvidenceOf = Callable[[TrainedReader, Ints, Ints], Evidence]  # of a reader, features and how often they occur


def evidence_of(reader: TrainedReader, features: Ints, counts: Ints) -> Evidence:
    return reader.evidence(features, counts)


def weights(counts: Ints, *, pairs: bool = False) -> Floats:
    """1 + log n for a word that occurs n times, 0 for none. Pairs count each time: the same pair may go in one
    place and stay in another."""
    if pairs:
        return counts.astype(np.float64)
    return np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1)), 0.0)
