"""Learning the readers beside naive Bayes from the documents' table. All start from the same tf-idf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.document_table import DocumentTable
from efface.knowledge.classes.readers import PAIRS, TrainedReader, weights
from efface.knowledge.classes.sparse_table import Floats, Ints, SparseTable

_BATCH = 16  # documents whose gradient is taken together; more of them share fewer words
_STEPS = 4_000  # batches in all, within these bounds:
_EPOCHS = (2, 12)  # passes over the documents
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


def _descend(table: DocumentTable, slope: Callable[[Singles, Ints], Singles], rate: float) -> SparseTable:
    """Gradient descent, a batch of documents at a time, the steps growing shorter. No intercept: with one, the
    comparison of two classes would depend on the length of the text.
    """
    exact, inverse = tf_idf(table)
    values = exact.astype(np.float32)
    found = np.zeros((table.words, table.classes), np.float32)
    batches = max(1, -(-table.documents // _BATCH))
    epochs = int(np.clip(_STEPS // batches, *_EPOCHS))
    chance = np.random.default_rng(21)
    steps = 0
    for _ in range(epochs):
        order = chance.permutation(table.documents)
        for words, dense, truth in table.batches(order, values, _BATCH):
            length = rate / (1.0 + 3.0 * steps / (epochs * batches))
            slopes = slope(dense @ found[words], truth)
            found[words] -= dense.T @ (slopes * np.float32(length / np.sqrt(len(truth))))
            steps += 1
    return _sparse(found).scaled(by_row=inverse)


def _sparse(dense: NDArray[np.float32]) -> SparseTable:
    """Without the weights that are next to nothing."""
    least = _SMALLEST * float(np.abs(dense).max(initial=0.0))
    rows, columns = np.nonzero(np.abs(dense) > least)
    return SparseTable.of_cells(rows, columns, dense[rows, columns], *dense.shape)


_LEARNERS: dict[str, Callable[[DocumentTable], SparseTable]] = {
    "linear-svm": _svm,
    "logistic": _logistic,
    "cosine": _cosine,
    "bm25": _bm25,
    PAIRS: _bigrams,
    "topics": _topics,
}
