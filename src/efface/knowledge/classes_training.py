"""Learning a class model in one pass over a corpus that need not fit in memory.

What is held is the vocabulary and one sparse table of counts a label set; documents pass by, their words are
summed in blocks.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError
from efface.knowledge.classes_model import (
    ClassModel,
    LabelledDocument,
    Labels,
    Settings,
    count_features,
    word_hashes,
)
from efface.knowledge.classes_words import is_feature, word_keys

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BLOCK = 4_000_000  # entries (document, word) between two sums
_NO_WORD = 0  # the column where stop words and the like are counted, to be dropped at the end
_DEFAULTS = Settings()


def train(
    documents: Iterable[LabelledDocument],
    settings: Settings = _DEFAULTS,
    aliases: Mapping[str, Iterable[str]] | None = None,
) -> ClassModel:
    """Count, choose the features that tell most about the labels, and keep their counts."""
    tally = _Tally(settings)
    for document in documents:
        tally.add(document)
    tally.flush()
    if not tally.sensitive.labels:
        raise InputError("The corpus has no documents.", "Check the path and the names of its fields.")
    return tally.model({name: tuple(others) for name, others in (aliases or {}).items()})


class _Lexicon(dict[str, int]):
    """Word to column, in order of appearance; what can never be a feature goes to `_NO_WORD`."""

    def __init__(self, stop_words: frozenset[str]) -> None:
        super().__init__()
        self.stop_words = stop_words
        self.words: list[str] = [""]

    def __missing__(self, key: str) -> int:
        if not is_feature(key) or key in self.stop_words:
            return _NO_WORD
        self[key] = column = len(self.words)
        self.words.append(key)
        return column

    def keep(self, columns: NDArray[np.int64]) -> _Lexicon:
        """Only the words of these columns, in their order."""
        kept = _Lexicon(self.stop_words)
        kept.words = ["", *(self.words[column] for column in columns)]
        kept.update((word, column) for column, word in enumerate(kept.words) if column)
        return kept


@dataclass(slots=True)
class _Table:
    """Counts of words, and of documents that have them, for each label."""

    labels: dict[str, int] = field(default_factory=dict)
    documents: list[int] = field(default_factory=list)
    counts: csr_array | None = None
    presence: csr_array | None = None

    def add(self, block: csr_array, labels: Iterable[Iterable[str]]) -> None:
        from scipy.sparse import csr_array

        rows, columns = [], []
        for row, names in enumerate(labels):
            for name in dict.fromkeys(names):
                column = self.labels.setdefault(name, len(self.labels))
                if column == len(self.documents):
                    self.documents.append(0)
                self.documents[column] += 1
                rows.append(row)
                columns.append(column)
        shape = (len(self.labels), block.shape[0])
        members = csr_array((np.ones(len(rows), np.int64), (columns, rows)), shape=shape)
        present = csr_array((np.ones_like(block.data), block.indices, block.indptr), shape=block.shape)
        self.counts = _sum(self.counts, members @ block)
        self.presence = _sum(self.presence, members @ present)

    def keep(self, columns: NDArray[np.int64]) -> None:
        self.counts = _no_word_and(self.counts, columns)
        self.presence = _no_word_and(self.presence, columns)


def _sum(old: csr_array | None, new: csr_array) -> csr_array:
    if old is None:
        return new
    old.resize(new.shape)
    return old + new


def _no_word_and(table: Any, columns: NDArray[np.int64]) -> Any:
    return table[:, np.concatenate([[_NO_WORD], columns])] if table is not None else None


class _Tally:
    """Everything counted so far."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lexicon = _Lexicon(settings.stop_words)
        self.sensitive = _Table()
        self.utility = _Table()
        self._start_block()

    def _start_block(self) -> None:
        """The documents since the last flush: columns and counts one after the other, and where each ends."""
        self.columns = array("q")
        self.counts = array("q")
        self.ends = array("q", [0])
        self.labels: list[tuple[str, tuple[str, ...]]] = []

    def add(self, document: LabelledDocument) -> None:
        bag = _bag(document.text, self.settings)
        self.columns.extend(map(self.lexicon.__getitem__, bag))
        self.counts.extend(bag.values())
        self.ends.append(len(self.columns))
        self.labels.append((document.sensitive, document.utility))
        if len(self.columns) >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Take the block into the tables."""
        from scipy.sparse import csr_array

        shape = (len(self.labels), len(self.lexicon.words))
        block = csr_array((np.array(self.counts), np.array(self.columns), np.array(self.ends)), shape=shape)
        self.sensitive.add(block, ((secret,) for secret, _ in self.labels))
        self.utility.add(block, (useful for _, useful in self.labels))
        self._start_block()
        if len(self.lexicon) > self.settings.vocabulary:
            self._forget()

    def _forget(self) -> None:
        """Make room: words seen once so far are unlikely to become features."""
        totals = _totals(self.sensitive.counts)
        often = np.flatnonzero(totals >= max(2, self.settings.min_count))
        often = often[often != _NO_WORD]
        self.lexicon = self.lexicon.keep(often)
        self.sensitive.keep(often)
        self.utility.keep(often)

    def model(self, aliases: Mapping[str, tuple[str, ...]]) -> ClassModel:
        totals = _totals(self.sensitive.counts)
        totals[_NO_WORD] = 0
        often = np.flatnonzero(totals >= max(1, self.settings.min_count))
        worth = mutual_information(self.sensitive.presence, self.sensitive.documents)
        if self.utility.labels:
            worth = np.maximum(worth, mutual_information(self.utility.presence, self.utility.documents))
        words = np.array(self.lexicon.words, dtype=object)
        often = often[np.argsort(words[often])]  # equal worth: alphabetical
        best = np.argsort(-worth[often], kind="stable")[: self.settings.features]
        chosen = often[np.sort(best)]
        dropped = np.setdiff1d(often, chosen)
        return ClassModel.of(
            tuple(words[chosen]),
            self._labels(self.sensitive, chosen),
            self._labels(self.utility, chosen),
            self.settings,
            aliases,
            np.sort(word_hashes(words[dropped])),
        )

    def _labels(self, table: _Table, chosen: NDArray[np.int64]) -> Labels:
        names = sorted(table.labels)
        order = np.array([table.labels[name] for name in names], np.int64)
        counts = np.zeros((len(chosen), len(names)), np.uint32)
        if names and table.counts is not None:
            counts = np.ascontiguousarray(table.counts[:, chosen].toarray()[order].T.astype(np.uint32))
        documents = np.array(table.documents, np.int64)[order]
        return Labels.of(tuple(names), documents, counts, self.settings.smoothing)


def _bag(text: str, settings: Settings) -> Mapping[str, int]:
    return Counter(word_keys(text)) if settings.ngrams == 1 else count_features(text, settings)


def _totals(table: Any) -> NDArray[np.int64]:
    return np.asarray(table.sum(axis=0)).ravel()


def mutual_information(presence: Any, documents: Iterable[int]) -> NDArray[np.float64]:
    """I(word present; label) in nats for every word, from the documents of each label that have it.

    Only labels that have the word are looked at; the others' share is the same for all and added in one go.
    """
    table = presence.tocoo()
    of_label = np.array(list(documents), np.float64)
    everything = of_label.sum()
    of_word = _totals(presence).astype(np.float64)
    label, word = table.coords
    has, lacks = table.data.astype(np.float64), of_label[label] - table.data
    without = everything - of_word
    with np.errstate(divide="ignore", invalid="ignore"):
        given = has * np.log(has * everything / (of_label[label] * of_word[word]))
        absent = np.where(
            lacks > 0, lacks * np.log(lacks * everything / (of_label[label] * without[word])), 0.0
        )
        shared = np.where(without > 0, np.log(everything / without), 0.0)
    rest = np.bincount(word, of_label[label], minlength=len(of_word))  # documents of the labels looked at
    inside = np.bincount(word, given + absent, minlength=len(of_word))
    return np.asarray((inside + (everything - rest) * shared) / everything)
