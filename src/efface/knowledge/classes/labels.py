"""Labels of documents: how a model is learned, and what naive Bayes knows of the secret and the useful labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from efface.errors import UsageError
from efface.knowledge.classes.readers import NAIVE_BAYES, READERS, Floats, Ints, to_grain
from efface.knowledge.classes.words import STOP_WORDS
from efface.text.folding import fold_term


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A text, the class to hide, and the categories that may show."""

    text: str
    sensitive: str
    utility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a model is learned. `vocabulary` bounds memory: beyond it, words seen once so far are forgotten.

    `sensitive` and `utility` are what the corpus calls the class to hide and the categories that may show.
    """

    features: int | None = None  # at most so many words, the most informative ones; None: every word
    min_count: int = 2
    ngrams: int = 1
    smoothing: float = 1.0
    stop_words: frozenset[str] = STOP_WORDS
    vocabulary: int = 2_000_000
    sensitive: str = "sensitive"
    utility: tuple[str, ...] = ()
    readers: tuple[str, ...] = READERS

    @property
    def others(self) -> tuple[str, ...]:
        """The readers beside naive Bayes. A model of n-grams has none: they weigh single words."""
        return () if self.ngrams > 1 else tuple(name for name in self.readers if name != NAIVE_BAYES)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """One set of labels: documents and word counts of each, and the logarithms that follow from them."""

    names: tuple[str, ...] = field(repr=False)
    documents: Ints = field(repr=False)  # [labels]
    counts: NDArray[np.uint32] = field(repr=False)  # [features, labels]
    smoothing: float
    log_prior: Floats = field(repr=False)
    log_likelihood: NDArray[np.float32] = field(repr=False)  # [features, labels], exact in float32

    @classmethod
    def of(
        cls, names: tuple[str, ...], documents: Ints, counts: NDArray[np.uint32], smoothing: float
    ) -> Labels:
        totals = counts.sum(axis=0, dtype=np.float64) + smoothing * len(counts)
        likelihood = np.empty(counts.shape, np.float32)
        for start in range(
            0, len(counts), 1024
        ):  # in slices: the doubles of a large model need not fit at once
            block = counts[start : start + 1024]
            likelihood[start : start + 1024] = to_grain(np.log((block + smoothing) / totals))
        return cls(names, documents, counts, smoothing, _log_prior(documents), likelihood)

    def find(self, name: str) -> int | None:
        """The label's number, or None for an unknown label. Case, accents and spaces are ignored."""
        if name in self.names:
            return self.names.index(name)
        folded = fold_term(name)
        matching = (number for number, known in enumerate(self.names) if fold_term(known) == folded)
        return next(matching, None)

    def index(self, name: str) -> int:
        """The number of a label that should be known."""
        found = self.find(name)
        if found is None:
            raise UsageError(
                "The model does not know one of the document's labels.",
                "Check the labels, or name the new class and some of its documents under `learn` in the policy.",
            )
        return found

    def rows(self, features: Ints) -> Floats:
        """log P(feature | label), a row a feature."""
        return self.log_likelihood[features].astype(np.float64)

    def scores(self, features: Ints, counts: Ints) -> Floats:
        """log P(label) + log P(words | label)."""
        return self.log_prior + counts @ self.rows(features)

    def without(self, name: str, features: Ints, counts: Ints) -> Labels:
        """What is left when one document of a label is unlearned. Only that label's column changes."""
        label = self.index(name)
        column = self.counts[:, label].astype(np.int64)
        column[features] = np.maximum(column[features] - counts, 0)
        documents, table, likelihood = self.documents.copy(), self.counts.copy(), self.log_likelihood.copy()
        documents[label] = max(documents[label] - 1, 0)
        table[:, label] = column
        total = column.sum() + self.smoothing * len(column)
        likelihood[:, label] = to_grain(np.log((column + self.smoothing) / total))
        return replace(
            self,
            documents=documents,
            counts=table,
            log_prior=_log_prior(documents),
            log_likelihood=likelihood,
        )


def one_spelling(labels: Iterable[str]) -> dict[str, str]:
    """For every label its commonest spelling: `Acme`, `ACME` and `acme` are one class.

    As three classes they would be one another's crowd, and all three name the truth.
    """
    groups: dict[str, list[tuple[str, int]]] = {}
    for label, count in Counter(labels).items():
        groups.setdefault(fold_term(label) or label, []).append((label, count))
    chosen = {}
    for group in groups.values():
        best, _ = min(group, key=lambda one: (-one[1], one[0]))
        chosen.update({label: best for label, _ in group})
    return chosen


def _log_prior(documents: Ints) -> Floats:
    """A label without documents counts as if it had half a one: rare, not impossible."""
    weights = np.maximum(documents, 0.5)
    return to_grain(np.log(weights / weights.sum()))


def pair(found: Mapping[int, int]) -> tuple[Ints, Ints]:
    return np.fromiter(found, np.int64, len(found)), np.fromiter(found.values(), np.int64, len(found))


def padded(labels: Labels, rows: int) -> Labels:
    counts = np.vstack([labels.counts, np.zeros((rows, len(labels.names)), np.uint32)])
    return replace(labels, counts=counts)


def with_documents(labels: Labels, name: str, bags: Sequence[Mapping[int, int]]) -> Labels:
    """More documents of a label; the logarithms follow in `relearned`."""
    names, documents, counts = labels.names, labels.documents.copy(), labels.counts.copy()
    if name not in names:
        names = (*names, name)
        documents = np.append(documents, 0)
        counts = np.hstack([counts, np.zeros((len(counts), 1), np.uint32)])
    column = names.index(name)
    documents[column] += len(bags)
    for bag in bags:
        features, frequencies = pair(bag)
        counts[features, column] += frequencies.astype(np.uint32)
    return replace(labels, names=names, documents=documents, counts=counts)


def relearned(labels: Labels) -> Labels:
    return Labels.of(labels.names, labels.documents, labels.counts, labels.smoothing)
