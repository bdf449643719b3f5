"""The readers that learn by gradient: two forms of one computation, and tables made from dense numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.knowledge.classes import LabelledDocument, TrainingSettings, train
from efface.knowledge.classes.document_table import DocumentTable
from efface.knowledge.classes.reader_training import (
    GradientDescent,
    Slope,
    _logistic_slope,
    _sparse,
    _svm_slope,
    tf_idf,
)
from efface.knowledge.classes.sparse_table import SparseTable

_WORDS = 12


@st.composite
def document_tables(draw: st.DrawFn) -> DocumentTable:
    """Up to forty documents, some without words, of up to five classes."""
    bags = draw(
        st.lists(
            st.dictionaries(st.integers(0, _WORDS - 1), st.integers(1, 4), max_size=6),
            min_size=1,
            max_size=40,
        )
    )
    classes = draw(st.integers(1, 5))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=len(bags), max_size=len(bags)))
    columns = [word for bag in bags for word in bag]
    counts = [number for bag in bags for number in bag.values()]
    ends = np.cumsum([0, *map(len, bags)])
    return DocumentTable(
        np.array(columns, np.int32),
        np.array(counts, np.int32),
        ends.astype(np.int64),
        np.array(labels, np.int64),
        _WORDS,
        classes,
    )


@pytest.mark.parametrize(("slope", "rate"), [(_svm_slope, 0.5), (_logistic_slope, 20.0)])
@given(table=document_tables())
def test_both_forms_learn_the_same(slope: Slope, rate: float, table: DocumentTable) -> None:
    descent = GradientDescent(table, tf_idf(table)[0].astype(np.float32), slope, rate)
    by_words, by_documents = descent.by_words(), descent.by_documents()
    scale = max(1.0, float(np.abs(by_words).max()))
    np.testing.assert_allclose(by_documents, by_words, atol=2e-3 * scale)


def test_few_documents_are_learned_from_document_by_document() -> None:
    many, few = _table(documents=200, words_each=3), _table(documents=20, words_each=30)
    descents = [
        GradientDescent(each, tf_idf(each)[0].astype(np.float32), _svm_slope, 0.5) for each in (many, few)
    ]
    assert [each.has_few_documents for each in descents] == [False, True]


def _table(documents: int, words_each: int) -> DocumentTable:
    columns = np.tile(np.arange(words_each, dtype=np.int32), documents)
    ends = np.arange(documents + 1, dtype=np.int64) * words_each
    labels = np.arange(documents, dtype=np.int64) % 2
    return DocumentTable(columns, np.ones(len(columns), np.int32), ends, labels, words_each, 2)


@given(table=document_tables(), least=st.floats(0, 2))
def test_dense_numbers_make_the_same_table_as_their_cells(table: DocumentTable, least: float) -> None:
    dense = np.zeros((table.words, table.classes), np.float32)
    dense[table.columns, table.labels[table.of_entry]] = table.counts
    dense[dense <= least] = 0
    rows, columns = np.nonzero(dense)
    wanted = SparseTable.of_cells(rows, columns, dense[rows, columns], *dense.shape)
    found = _sparse(dense)
    assert found.width == wanted.width
    np.testing.assert_array_equal(found.ends, wanted.ends)
    np.testing.assert_array_equal(found.columns, wanted.columns)
    np.testing.assert_array_equal(found.values, wanted.values)


def test_many_classes_of_two_documents_are_told_apart() -> None:
    documents = [
        LabelledDocument(f"common words about {'thing' * (1 + number % 3)} mark{number}", f"class {number}")
        for number in range(60)
        for _ in range(2)
    ]
    model = train(documents, TrainingSettings())
    readers = [reader for reader in model.others if reader.name in ("linear-svm", "logistic")]
    assert len(readers) == 2
    for number in range(60):
        features, counts = model.bag(f"something about mark{number}")
        truth = model.sensitive.index(f"class {number}")
        assert all(int(np.argmax(reader.scores(features, counts))) == truth for reader in readers)
