"""Learning the readers beside naive Bayes from the documents' table. All start from the same tf-idf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.document_table import DocumentTable
from efface.knowledge.classes.readers import PAIRS, TrainedReader, weights
from efface.knowledge.classes.sparse_table import Floats, Ints, SparseTable

_BATCH = 16  # documents whose gradient is taken together; more of them share fewer words
_STEPS = 4_000  # batches in all, within these bounds:
_EPOCHS = (2, 12)  # passes over the documents
_MOST_COMPARED = 4_000  # documents each two of which are compared: 64 MB
_WORDS_TOGETHER = 2_048  # words over which products of documents are added up at once
_SMALLEST = 1e-3  # weights below this part of the largest are dropped
_BM25_K1, _BM25_B = 1.2, 0.75  # the usual values
_TOPICS = 100  # dimensions of the reader that goes by topics
_FEW_CLASSES = 20  # up to so many each class has a dimension of its own


def train_readers(
    names: Iterable[str], words: DocumentTable, pairs: DocumentTable | None, suffix: str = ""
) -> tuple[TrainedReader, ...]:
    """The readers of these names. `pairs` is needed for the one that reads pairs."""
    made = []
    for name in names:
        source = pairs if name == PAIRS else words
        if source is None:
            continue
        made.append(TrainedReader(name + suffix, _LEARNERS[name](source)))
    return tuple(made)


Singles = NDArray[np.float32]
Slope = Callable[[Singles, Ints], Singles]  # the gradient by scores, of scores and the true classes


def inverse_frequencies(table: DocumentTable) -> Floats:
    """log((1 + documents) / (1 + documents with the word)) + 1."""
    return np.log((1 + table.documents) / (1 + table.document_frequencies())) + 1.0


def tf_idf(table: DocumentTable, *, pairs: bool = False) -> tuple[Floats, Floats]:
    """A value for every entry, each document of length 1; and the inverse frequencies."""
    inverse = inverse_frequencies(table)
    raw = weights(table.counts.astype(np.int64), pairs=pairs) * inverse[table.columns]
    lengths = np.sqrt(np.bincount(table.of_entry, raw**2, minlength=table.documents))
    return raw / np.where(lengths > 0, lengths, 1.0)[table.of_entry], inverse


# --- by counting ------------------------------------------------------------------------------------------


def _cosine(table: DocumentTable) -> SparseTable:
    return _centroids(table, *tf_idf(table))


def _bigrams(table: DocumentTable) -> SparseTable:
    return _centroids(table, *tf_idf(table, pairs=True))


def _centroids(table: DocumentTable, values: Floats, inverse: Floats) -> SparseTable:
    """The sum of a class's documents, at length 1. The text's own inverse frequencies are in the rows."""
    sums = table.by_class(values)
    return sums.scaled(by_row=inverse, by_column=1.0 / sums.column_norms())


def _bm25(table: DocumentTable) -> SparseTable:
    counts = table.by_class(table.counts.astype(np.float64))
    rows, columns = counts.cells()
    lengths = np.bincount(columns, counts.values.astype(np.float64), minlength=table.classes)
    share = lengths / max(1.0, float(lengths.mean()))
    having = np.bincount(rows, minlength=table.words)
    inverse = np.log1p((table.classes - having + 0.5) / (having + 0.5))
    values = counts.values.astype(np.float64)
    damped = values * (_BM25_K1 + 1) / (values + _BM25_K1 * (1 - _BM25_B + _BM25_B * share[columns]))
    found = SparseTable(counts.width, counts.ends, counts.columns, damped.astype(np.float32))
    return found.scaled(by_row=inverse)


def _topics(table: DocumentTable) -> SparseTable:
    """Latent semantic analysis of the classes' centroids.

    With U the leading left singular vectors of (classes x words), a word's row becomes its row of the centroids
    times U U', and the columns are brought to length 1 again.
    """
    values, inverse = tf_idf(table)
    centroids = table.by_class(values)
    centroids = centroids.scaled(by_column=1.0 / centroids.column_norms())
    gram = np.zeros((table.classes, table.classes))
    for block in _blocks(centroids):
        gram += block.T @ block
    _, vectors = np.linalg.eigh(gram)
    # Half of the dimensions, at most 100: all of them would be the cosine itself. If there are few classes, all
    # dimensions but one.
    number = table.classes - 1 if table.classes <= _FEW_CLASSES else min(_TOPICS, table.classes // 2)
    leading = vectors[:, -max(1, number) :]
    mix = leading @ leading.T
    lengths = np.sqrt(np.maximum(np.einsum("ij,ik,kj->j", mix, gram, mix), 1e-12))
    mixed = [block @ (mix / lengths) for block in _blocks(centroids)]
    return _sparse(np.vstack([np.zeros((0, table.classes)), *mixed]).astype(np.float32)).scaled(
        by_row=inverse
    )


def _blocks(table: SparseTable, size: int = 4096) -> Iterator[Floats]:
    """Some rows at a time, with all their zeros."""
    for start in range(0, table.height, size):
        yield table.rows(np.arange(start, min(start + size, table.height)))


# --- by gradient ------------------------------------------------------------------------------------------


def _svm_slope(scores: Singles, truth: Ints) -> Singles:
    """The gradient of the squared hinge loss, one class against the rest."""
    signs = np.full(scores.shape, -1.0, np.float32)
    signs[np.arange(len(truth)), truth] = 1.0
    return np.asarray(-2.0 * signs * np.maximum(0.0, 1.0 - signs * scores))


def _logistic_slope(scores: Singles, truth: Ints) -> Singles:
    """The gradient of the cross entropy over all classes."""
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(len(truth)), truth] -= 1.0
    return np.asarray(chances)


def _svm(table: DocumentTable) -> SparseTable:
    return _descend(table, _svm_slope, rate=0.5)


def _logistic(table: DocumentTable) -> SparseTable:
    return _descend(table, _logistic_slope, rate=20.0)


def _descend(table: DocumentTable, slope: Slope, rate: float) -> SparseTable:
    exact, inverse = tf_idf(table)
    descent = GradientDescent(table, exact.astype(np.float32), slope, rate)
    found = descent.by_documents() if descent.has_few_documents else descent.by_words()
    return _sparse(found).scaled(by_row=inverse)


@dataclass(frozen=True, slots=True, eq=False)
class GradientDescent:
    """Weights by word and class, learned a batch of documents at a time, the steps growing shorter. No intercept: with
    one, the comparison of two classes would depend on the length of the text.

    A step adds documents to the weights, so the weights are always a sum of documents. Either form gives the same
    weights but for rounding: `by_words` changes the weights of a batch's words, `by_documents` how much of each document is
    in the sum.
    """

    table: DocumentTable
    values: Singles = field(repr=False)  # of every entry
    slope: Slope
    rate: float

    @property
    def has_few_documents(self) -> bool:
        """Whether there are fewer documents than words in a batch, and a table of their products fits in memory."""
        documents = self.table.documents
        words = min(self.table.words, _BATCH * len(self.values) // max(1, documents))
        return documents <= min(words, _MOST_COMPARED)

    def by_words(self) -> Singles:
        found = np.zeros((self.table.words, self.table.classes), np.float32)
        for part, length in self._steps():
            words, dense, truth = self._batch(part)
            slopes = self.slope(dense @ found[words], truth)
            found[words] -= dense.T @ (slopes * length)
        return found

    def by_documents(self) -> Singles:
        products = self._products()
        shares = np.zeros((self.table.documents, self.table.classes), np.float32)
        for part, length in self._steps():
            shares[part] -= self.slope(products[part] @ shares, self.table.labels[part]) * length
        found = np.zeros((self.table.words, self.table.classes), np.float32)
        for part in self._parts(np.arange(self.table.documents)):
            words, dense, _ = self._batch(part)
            found[words] += dense.T @ shares[part]
        return found

    def _steps(self) -> Iterator[tuple[Ints, np.float32]]:
        """The documents of each batch, and how far a step goes."""
        batches = max(1, -(-self.table.documents // _BATCH))
        epochs = int(np.clip(_STEPS // batches, *_EPOCHS))
        chance = np.random.default_rng(21)
        steps = 0
        for _ in range(epochs):
            for part in self._parts(chance.permutation(self.table.documents)):
                length = self.rate / (1.0 + 3.0 * steps / (epochs * batches))
                yield part, np.float32(length / np.sqrt(len(part)))
                steps += 1

    def _parts(self, order: Ints) -> Iterator[Ints]:
        for start in range(0, len(order), _BATCH):
            yield order[start : start + _BATCH]

    def _batch(self, part: Ints) -> tuple[Ints, Singles, Ints]:
        return next(self.table.batches(part, self.values, _BATCH))

    def _products(self) -> Singles:
        """The inner product of each two documents, added up over some words at a time."""
        table, of_entry = self.table, self.table.of_entry
        found = np.zeros((table.documents, table.documents), np.float32)
        for first in range(0, table.words, _WORDS_TOGETHER):
            width = min(_WORDS_TOGETHER, table.words - first)
            places = np.flatnonzero((table.columns >= first) & (table.columns < first + width))
            some = np.zeros((table.documents, width), np.float32)
            some[of_entry[places], table.columns[places] - first] = self.values[places]
            found += some @ some.T
        return found


def _sparse(dense: Singles) -> SparseTable:
    """Without the weights that are next to nothing."""
    sizes = np.abs(dense).ravel()
    places = np.flatnonzero(sizes > _SMALLEST * float(sizes.max(initial=0.0)))
    height, width = dense.shape
    ends = np.searchsorted(places, np.arange(height + 1, dtype=np.int64) * width)
    return SparseTable(
        width, ends.astype(np.int64), (places % max(1, width)).astype(np.int32), dense.ravel()[places]
    )


_LEARNERS: dict[str, Callable[[DocumentTable], SparseTable]] = {
    "linear-svm": _svm,
    "logistic": _logistic,
    "cosine": _cosine,
    "bm25": _bm25,
    PAIRS: _bigrams,
    "topics": _topics,
}
