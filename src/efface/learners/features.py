"""Sentences as arrays of word ids, and the space of features over them.

A word's own features are extracted once. What a classifier sees at a token is the sum over the places
around it, so a round that replaces removed words by the mark changes ids and extracts nothing again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from efface.learners.persons import Persons
from efface.learners.tokens import BEGIN, END, MARK, Tokens
from efface.learners.words import Traits, traits

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

PLACES = (-2, -1, 0, 1, 2)
PAIRS = ((-1, 0), (0, 1))
_PAD = 2  # words before and after each sentence
_MARK_ID = 2  # the number of a placeholder's feature, after those of begin and end
_REMEMBERED = 50_000  # words


class FeatureLexicon:
    """Words and their numbers, in order of appearance; the pads and the mark come first."""

    def __init__(self) -> None:
        self._ids = {BEGIN: 0, END: 1, MARK: _MARK_ID}

    def ids(self, words: Sequence[str]) -> list[int]:
        known = self._ids
        for word in dict.fromkeys(words):
            known.setdefault(word, len(known))
        return [known[word] for word in words]

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._ids)


@dataclass(frozen=True, eq=False)
class SentenceArrays:
    """Tokens of many sentences: word ids with pads between sentences, and where the tokens are in them."""

    padded: NDArray[np.int32]
    at: Ints
    firsts: Ints  # the first token of each sentence
    lengths: Ints
    persons: Persons
    numbers: Ints  # of the tokens, as `persons` counts them

    @classmethod
    def of(cls, texts: Iterable[Tokens], lexicon: FeatureLexicon) -> SentenceArrays:
        padded: list[int] = []
        lengths: list[int] = []
        kept = tuple(texts)
        for tokens in kept:
            ids = lexicon.ids(tokens.words)
            bounds = [*tokens.firsts.tolist(), len(ids)]
            for start, end in pairwise(bounds):
                padded += [0] * _PAD
                padded += ids[start:end]
                padded += [1] * _PAD
                lengths.append(end - start)
        sizes = np.array(lengths, np.int64)
        numbers = np.arange(int(sizes.sum()), dtype=np.int64)
        at, firsts = _padded_positions(sizes)
        return cls(np.array(padded, np.int32), at, firsts, sizes, Persons(kept), numbers)

    def __len__(self) -> int:
        return len(self.at)

    def ids(self, place: int = 0) -> NDArray[np.int32]:
        """The word at this distance from each token."""
        found: NDArray[np.int32] = self.padded[self.at + place]
        return found

    @property
    def marked(self) -> Flags:
        """The tokens where something was removed."""
        found: Flags = self.ids() == _MARK_ID
        return found

    def without(self, removed: Flags) -> SentenceArrays:
        """What the next round sees: the mark in place of the removed tokens."""
        padded = self.padded.copy()
        padded[self.at[removed]] = _MARK_ID
        return replace(self, padded=padded)

    def part(self, sentences: Flags) -> tuple[SentenceArrays, Flags]:
        """Some of the sentences, and which tokens they hold."""
        tokens = np.repeat(sentences, self.lengths)
        kept = np.repeat(sentences, self.lengths + 2 * _PAD)
        sizes = self.lengths[sentences]
        at, firsts = _padded_positions(sizes)
        part = SentenceArrays(self.padded[kept], at, firsts, sizes, self.persons, self.numbers[tokens])
        return part, tokens

    def person_log_odds(self) -> Floats:
        """The names model's log-odds that each token is a person's name, in the text as it was read."""
        return np.asarray(self.persons.log_odds[self.numbers], np.float64)


def _padded_positions(sizes: Ints) -> tuple[Ints, Ints]:
    """The positions between the pads of the tokens of sentences of these sizes, and the first token of each."""
    shift = _PAD * (2 * np.arange(len(sizes), dtype=np.int64) + 1)
    at = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(shift, sizes)
    return at, np.cumsum(sizes) - sizes


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """For every word and place the columns of its features; column `width` of each row is a sentinel."""

    starts: tuple[Ints, ...]  # one a place: where each word's columns begin
    columns: tuple[Ints, ...]
    kinds: Ints  # a word's kind, -1 when the space does not know it
    width: int
    known: Mapping[int, Floats] = field(default_factory=dict)  # sums, by the identity of the weights

    def sums(self, weights: NDArray[np.float32]) -> Floats:
        """For every place and word the sum of the weights of its features."""
        if (found := self.known.get(id(weights))) is not None:
            return found
        padded = np.append(weights.astype(np.float64), 0.0)
        both = zip(self.starts, self.columns, strict=True)
        return np.stack([np.add.reduceat(padded[columns], starts) for starts, columns in both])

    @cached_property
    def spelled(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """For every place and word the columns as text, the form in which crfsuite takes features."""
        names = [str(column) for column in range(self.width)]
        found = []
        for starts, columns in zip(self.starts, self.columns, strict=True):
            flat, bounds = columns.tolist(), [*starts.tolist(), len(columns)]
            words = []
            for start, end in pairwise(bounds):
                words.append(tuple(names[column] for column in flat[start : end - 1]))
            found.append(tuple(words))
        return tuple(found)


def _frequent(seen: Sequence[Traits], counts: Sequence[int], place: int, minimum: int) -> list[str]:
    """The features of words at this place that occur at least `minimum` times, in the order of the words."""
    total: Counter[str] = Counter()
    for trait, count in zip(seen, counts, strict=True):
        if count:
            for feature in _at(trait, place):
                total[feature] += count
    return [feature for feature, count in total.items() if count >= minimum]


@dataclass(frozen=True, eq=False)
class Space:
    """The features seen often enough in the training data, numbered block by block."""

    columns: tuple[Mapping[str, int], ...]  # one a place
    kinds: Mapping[str, int]
    pairs: tuple[Ints, ...]  # one a pair of places: kind x kind to a column, -1 for none
    width: int

    @classmethod
    def build(cls, sentences: SentenceArrays, words: Sequence[str], minimum: int = 2) -> Space:
        """Features that occur at least `minimum` times; those of the mark always count."""
        seen = [traits(word) for word in words]
        columns: list[dict[str, int]] = []
        width = 0
        for place in PLACES:
            counts = np.bincount(sentences.ids(place), minlength=len(words))
            counts[_MARK_ID] = minimum
            kept = _frequent(seen, counts.tolist(), place, minimum)
            columns.append({feature: width + number for number, feature in enumerate(kept)})
            width += len(kept)
        distinct = dict.fromkeys(trait.kind for trait in seen)
        kinds = {kind: number for number, kind in enumerate(distinct)}
        of_word = np.array([kinds[trait.kind] for trait in seen], np.int64)
        tables: list[Ints] = []
        for left, right in PAIRS:
            both = of_word[sentences.ids(left)] * len(kinds) + of_word[sentences.ids(right)]
            is_kept = np.bincount(both, minlength=len(kinds) ** 2) >= minimum
            table = np.full(len(kinds) ** 2, -1, np.int64)
            table[is_kept] = width + np.arange(int(is_kept.sum()))
            width += int(is_kept.sum())
            tables.append(table.reshape(len(kinds), len(kinds)))
        return cls(tuple(columns), kinds, tuple(tables), width)

    def rows(self, words: Sequence[str]) -> FeatureRows:
        """The columns of each word at each place."""
        seen = [traits(word) for word in words]
        starts, columns = [], []
        names: list[list[tuple[str, ...]]] = []  # of the features, by the distance to the word
        for distance in range(3):
            names.append([_at(trait, distance) for trait in seen])
        for place, known in zip(PLACES, self.columns, strict=True):
            begins: list[int] = []
            flat: list[int] = []
            for each in names[abs(place)]:
                begins.append(len(flat))
                flat += [column for column in map(known.get, each) if column is not None]
                flat.append(self.width)
            starts.append(np.array(begins, np.int64))
            columns.append(np.array(flat, np.int64))
        kinds = np.array([self.kinds.get(trait.kind, -1) for trait in seen], np.int64)
        return FeatureRows(tuple(starts), tuple(columns), kinds, self.width)


class WordSums:
    """What words add to the scores of some classifiers, remembered: texts share their words. For many threads."""

    def __init__(self, space: Space, weights: Sequence[NDArray[np.float32]]) -> None:
        self._space, self._weights = space, tuple(weights)
        self._lock = Lock()
        self._forget()

    def __reduce__(self) -> tuple[type[WordSums], tuple[object, ...]]:
        return WordSums, (self._space, self._weights)

    def _forget(self) -> None:
        self._ids: dict[str, int] = {}
        self._kinds: Ints = np.zeros(0, np.int64)
        self._sums: Floats = np.zeros((len(self._weights), len(PLACES), 0))

    def rows(self, words: Sequence[str]) -> FeatureRows:
        """The words as rows of the feature space, limited to what these classifiers use."""
        with self._lock:
            if len(self._ids) > _REMEMBERED:
                self._forget()
            self._learn([word for word in words if word not in self._ids])
            at = np.array([self._ids[word] for word in words], np.int64)
            found, kinds = self._sums[:, :, at], self._kinds[at]
        known = {id(weights): sums for weights, sums in zip(self._weights, found, strict=True)}
        return FeatureRows((), (), kinds, self._space.width, known)

    def _learn(self, new: Sequence[str]) -> None:
        if not new:
            return
        fresh = self._space.rows(new)
        self._ids.update(zip(new, range(len(self._ids), len(self._ids) + len(new)), strict=True))
        self._kinds = np.append(self._kinds, fresh.kinds)
        sums = np.array([fresh.sums(weights) for weights in self._weights])
        shape = (len(self._weights), len(PLACES), len(new))
        self._sums = np.concatenate([self._sums, sums.reshape(shape)], axis=2)


def _at(trait: Traits, place: int) -> tuple[str, ...]:
    return (trait.own, trait.near, trait.far)[abs(place)]


@dataclass(frozen=True, eq=False)
class FeatureView:
    """Sentences seen through a space: what learners learn from and classifiers judge."""

    sentences: SentenceArrays
    space: Space
    rows: FeatureRows

    def __len__(self) -> int:
        return len(self.sentences)

    def without(self, removed: Flags) -> FeatureView:
        return replace(self, sentences=self.sentences.without(removed))

    def part(self, sentences: Flags) -> tuple[FeatureView, Flags]:
        found, tokens = self.sentences.part(sentences)
        return replace(self, sentences=found), tokens

    def scores(self, weights: NDArray[np.float32]) -> Floats:
        """The sum of the weights of each token's features."""
        total = np.zeros(len(self.sentences))
        if not len(total):
            return total
        for place, sums in zip(PLACES, self.rows.sums(weights), strict=True):
            total += sums[self.sentences.ids(place)]
        padded = np.append(weights, np.float32(0))
        for column in self.pair_columns:
            total += padded[column]
        return total

    @cached_property
    def pair_columns(self) -> tuple[Ints, ...]:
        """The column of each token's pairs of kinds, the sentinel where there is none."""
        found = []
        for pair, table in zip(PAIRS, self.space.pairs, strict=True):
            left, right = (self.rows.kinds[self.sentences.ids(place)] for place in pair)
            column = np.where((left >= 0) & (right >= 0), table[left, right], -1)
            found.append(np.where(column < 0, self.space.width, column))
        return tuple(found)

    def matrix(self) -> csr_matrix:
        """Tokens by features, ones where a feature is present."""
        from scipy.sparse import csr_matrix

        at, features = self.present()
        return csr_matrix((np.ones(len(at), np.float32), (at, features)), (len(self), self.space.width))

    def present(self) -> tuple[Ints, Ints]:
        """Tokens, and for each of them a feature that it has; a token with many features comes many times."""
        tokens, columns = [], []
        every = np.arange(len(self))
        for place, starts, flat in zip(PLACES, self.rows.starts, self.rows.columns, strict=True):
            ids = self.sentences.ids(place)
            sizes = np.diff(np.append(starts, len(flat)))[ids]
            begins = np.cumsum(sizes) - sizes
            columns.append(flat[np.arange(int(sizes.sum())) + np.repeat(starts[ids] - begins, sizes)])
            tokens.append(np.repeat(every, sizes))
        for column in self.pair_columns:
            columns.append(column)
            tokens.append(every)
        at, features = np.concatenate(tokens), np.concatenate(columns)
        real = features < self.space.width
        return at[real], features[real]
