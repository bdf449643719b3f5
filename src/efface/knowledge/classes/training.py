"""Learning a class model in one pass over a corpus.

Documents pass by once. What is held of each is numbers: the words it has and how often. Naive Bayes, the other
readers and the choice of features are all computed from these.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from efface.errors import InputError
from efface.knowledge.classes.document_table import DocumentTable
from efface.knowledge.classes.labels import one_spelling
from efface.knowledge.classes.model import (
    ClassModel,
    LabelledDocument,
    Labels,
    TrainingSettings,
    count_features,
    word_hashes,
)
from efface.knowledge.classes.reader_training import train_readers
from efface.knowledge.classes.readers import PAIRS, TrainedReader
from efface.knowledge.classes.words import is_feature, pair_keys, word_keys

_NO_WORD = 0  # the column where stop words and the like are counted, to be dropped at the end
_DEFAULTS = TrainingSettings()

Ints = NDArray[np.int64]


def train(
    documents: Iterable[LabelledDocument],
    settings: TrainingSettings = _DEFAULTS,
    aliases: Mapping[str, Iterable[str]] | None = None,
) -> ClassModel:
    """Count, choose the features, and make every reader that the settings name."""
    tally = _Tally(settings)
    for document in documents:
        tally.add(document)
    if not tally.labels:
        raise InputError("The corpus has no documents.", "Check the path and the names of its fields.")
    return tally.model(aliases or {})


class _WordColumns(dict[str, int]):
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

    def keep(self, columns: Ints) -> _WordColumns:
        """Only the words of these columns, in their order."""
        kept = _WordColumns(self.stop_words)
        kept.words = ["", *(self.words[column] for column in columns)]
        kept.update((word, column) for column, word in enumerate(kept.words) if column)
        return kept


@dataclass(slots=True)
class _Entries:
    """(word, count) of all documents one after the other, and where each document ends."""

    lexicon: _WordColumns
    columns: array[int] = field(default_factory=lambda: array("i"))
    counts: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("q", [0]))

    def add(self, bag: Mapping[str, int]) -> None:
        self.columns.extend(map(self.lexicon.__getitem__, bag))
        self.counts.extend(bag.values())
        self.ends.append(len(self.columns))

    def totals(self) -> Ints:
        """How often each word occurs in all documents; what is no word, never."""
        columns, counts = self._arrays()
        found = np.bincount(columns, counts, minlength=len(self.lexicon.words)).astype(np.int64)
        found[_NO_WORD] = 0
        return found

    def forget(self, least: int) -> None:
        """Make room: words seen less often so far are unlikely to become features."""
        often = np.flatnonzero(self.totals() >= least)
        renumbered = np.zeros(len(self.lexicon.words), np.int32)  # `_NO_WORD`
        renumbered[often] = np.arange(1, len(often) + 1)
        columns, _ = self._arrays()
        self.columns = array("i", renumbered[columns].tobytes())
        self.lexicon = self.lexicon.keep(often)

    def _arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Copies: an array that numpy looks into could not grow."""
        return np.array(self.columns, np.int32), np.array(self.counts, np.int32)

    def table(self, chosen: Ints, labels: Ints, classes: int) -> DocumentTable:
        """The documents with the chosen words, numbered in the order in which they are given."""
        renumbered = np.full(len(self.lexicon.words), -1, np.int64)
        renumbered[chosen] = np.arange(len(chosen))
        columns, counts = self._arrays()
        whole = DocumentTable(
            columns, counts, np.array(self.ends, np.int64), labels, len(renumbered), classes
        )
        return whole.only(renumbered, len(chosen))


# Kinds of readers that judge categories beside naive Bayes.
CATEGORY_READERS = ("linear-svm", "logistic", "cosine")


class _Tally:
    """Everything counted so far."""

    def __init__(self, settings: TrainingSettings) -> None:
        self.settings = settings
        self.entries = _Entries(_WordColumns(settings.stop_words))
        self.pairs = _Entries(_WordColumns(frozenset())) if PAIRS in settings.others else None
        self.labels: list[tuple[str, tuple[str, ...]]] = []

    def add(self, document: LabelledDocument) -> None:
        self.entries.add(_bag(document.text, self.settings))
        self._make_room(self.entries)
        if self.pairs is not None:
            self.pairs.add(Counter(pair_keys(document.text, self.settings.stop_words)))
            self._make_room(self.pairs)
        self.labels.append((document.sensitive, document.utility))

    def _make_room(self, entries: _Entries) -> None:
        if len(entries.lexicon) > self.settings.vocabulary:
            entries.forget(max(2, self.settings.min_count))

    def model(self, aliases: Mapping[str, Iterable[str]]) -> ClassModel:
        self._spell_labels()
        totals = self.entries.totals()
        words = np.array(self.entries.lexicon.words, dtype=object)
        often = np.flatnonzero(totals >= max(1, self.settings.min_count))
        often = often[np.argsort(words[often])]
        chosen = self._chosen(often)
        secrets = [[secret] for secret, _ in self.labels]
        useful = [list(dict.fromkeys(names)) for _, names in self.labels]
        names, of_document = _numbered(secrets)
        table = self.entries.table(chosen, of_document, len(names))
        order = table.content_order()
        model = ClassModel.of(
            tuple(words[chosen]),
            _labels(table, secrets, self.settings),
            _labels(table, useful, self.settings),
            self.settings,
            {},
            np.sort(word_hashes(words[np.setdiff1d(often, chosen)])),
        ).with_aliases(aliases)
        pairs, pair_table = self._pairs(model.index, of_document, len(names))
        in_order = None if pair_table is None else pair_table.in_order(order)
        model = model.with_readers(
            train_readers(self.settings.others, table.in_order(order), in_order),
            pairs,
            main_categories(secrets, useful, model),
        )
        return replace(model, category_readers=self._category_readers(table, useful))

    def _spell_labels(self) -> None:
        """Write every label in one way."""
        secrets = one_spelling(secret for secret, _ in self.labels)
        useful = one_spelling(name for _, names in self.labels for name in names)
        spelled = []
        for secret, names in self.labels:
            spelled.append((secrets[secret], tuple(useful[name] for name in names)))
        self.labels = spelled

    def _category_readers(
        self, table: DocumentTable, useful: Sequence[Sequence[str]]
    ) -> tuple[TrainedReader, ...]:
        """Readers of the first category of every document that has one."""
        names, of_document = _numbered(useful)
        if len(names) < 2 or not self.settings.others:
            return ()
        labelled = replace(table, labels=of_document, classes=len(names))
        order = labelled.content_order()
        having = order[of_document[order] >= 0]
        return train_readers(CATEGORY_READERS, labelled.in_order(having), None)

    def _chosen(self, often: Ints) -> Ints:
        """All words that occur often enough, or as many as the settings allow: the most informative ones."""
        most = self.settings.features
        if most is None or len(often) <= most:
            return often
        worth = self._worth(often, [[secret] for secret, _ in self.labels])
        useful = [list(names) for _, names in self.labels]
        if any(useful):
            worth = np.maximum(worth, self._worth(often, useful))
        best = np.argsort(-worth, kind="stable")[:most]
        return np.asarray(often[np.sort(best)])

    def _worth(self, often: Ints, labels: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        names, _ = _numbered(labels)
        table = self.entries.table(often, np.zeros(len(labels), np.int64), 1)
        documents, of_label = memberships(labels, names)
        presence = _by_label(table, documents, of_label, len(names), presence=True)
        return mutual_information(presence, np.bincount(of_label, minlength=len(names)))

    def _pairs(
        self, index: Mapping[str, int], labels: Ints, classes: int
    ) -> tuple[tuple[str, ...], DocumentTable | None]:
        """Pairs of two feature words that are frequent enough."""
        if self.pairs is None:
            return (), None
        keys = self.pairs.lexicon.words
        often = np.flatnonzero(self.pairs.totals() >= max(1, self.settings.min_count))
        known = [column for column in often if index.keys() >= {*keys[column].split(" ")}]
        chosen = np.array(sorted(known, key=keys.__getitem__), np.int64)
        return tuple(keys[column] for column in chosen), self.pairs.table(chosen, labels, classes)


def _numbered(labels: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], Ints]:
    """The labels in alphabetical order, and the number of each document's first one."""
    names = tuple(sorted({name for some in labels for name in some}))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.array([numbers[some[0]] if some else -1 for some in labels], np.int64)


def memberships(labels: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[Ints, Ints]:
    """(document, label) for every label of every document."""
    numbers = {name: number for number, name in enumerate(names)}
    found = [
        (document, numbers[name]) for document, some in enumerate(labels) for name in dict.fromkeys(some)
    ]
    both = np.array(found, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _labels(table: DocumentTable, labels: Sequence[Sequence[str]], settings: TrainingSettings) -> Labels:
    names, _ = _numbered(labels)
    documents, of_label = memberships(labels, names)
    counts = _by_label(table, documents, of_label, len(names), presence=False)
    return Labels.of(names, np.bincount(of_label, minlength=len(names)), counts, settings.smoothing)


def _by_label(
    table: DocumentTable, documents: Ints, of_label: Ints, width: int, *, presence: bool
) -> NDArray[np.uint32]:
    """Occurrences (or documents) by word and label. A document may have several labels, or none."""
    counts = np.zeros((table.words, width), np.uint32)
    if not len(documents):
        return counts
    several = table.in_order(documents)
    added = np.ones(len(several.counts), np.uint32) if presence else several.counts.astype(np.uint32)
    np.add.at(counts, (several.columns, of_label[several.of_entry]), added)
    return counts


def main_categories(
    secrets: Sequence[Sequence[str]], useful: Sequence[Sequence[str]], model: ClassModel
) -> Ints:
    """For each class the category that most of its documents have; -1 for none."""
    table = np.zeros((len(model.sensitive.names), max(1, len(model.utility.names))), np.int64)
    rows = {name: number for number, name in enumerate(model.sensitive.names)}
    columns = {name: number for number, name in enumerate(model.utility.names)}
    for (secret,), names in zip(secrets, useful, strict=True):
        for name in names:
            table[rows[secret], columns[name]] += 1
    return np.where(table.any(axis=1), table.argmax(axis=1), -1)


def _bag(text: str, settings: TrainingSettings) -> Mapping[str, int]:
    return Counter(word_keys(text)) if settings.ngrams == 1 else count_features(text, settings)


def mutual_information(presence: NDArray[np.uint32], documents: Sequence[int] | Ints) -> NDArray[np.float64]:
    """I(word present; label) in nats for every word, from the documents of each label that have it."""
    has = presence.astype(np.float64)
    of_label = np.asarray(documents, np.float64)
    of_word = has.sum(axis=1, keepdims=True)
    lacks, total = of_label - has, of_label.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        given = np.where(has > 0, has * np.log(has * total / (of_label * of_word)), 0.0)
        absent = np.where(lacks > 0, lacks * np.log(lacks * total / (of_label * (total - of_word))), 0.0)
    return np.asarray((given + absent).sum(axis=1) / max(1.0, total))
