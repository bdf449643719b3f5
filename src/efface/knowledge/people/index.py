"""An index of people: who could a text be about, out of everybody known?

The arrays are mapped into memory, so opening an index costs next to nothing. For one text the people who share its
telling words are found, and a small class model of them and of the words of the text is made (`model`). Everything that
works with class models works with that. People outside of it can only add to the crowd, so a claim on it holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.disguised_words import possible_keys
from efface.knowledge.classes.labels import Labels, TrainingSettings
from efface.knowledge.classes.model import ClassModel, word_hashes
from efface.knowledge.classes.other_readings import other_keys
from efface.knowledge.classes.readers import NAIVE_BAYES, Floats, Ints, TrainedReader, to_grain
from efface.knowledge.classes.sparse_table import SparseTable
from efface.knowledge.classes.words import STOP_WORDS
from efface.knowledge.people.build import counted
from efface.knowledge.people.files import PeopleSegment, open_files
from efface.knowledge.people.person_key import person_key

READERS = (NAIVE_BAYES, "cosine", "bm25")
_CANDIDATES = 300  # people with whom a text is compared
_ENTRIES = 400_000  # looked at to find the candidates, those of the rarest words first
_SMOOTHING = 0.1  # a background is short beside the words there are
_K1, _B = 1.2, 0.75  # BM25's usual values


@dataclass(frozen=True)
class PeopleIndex:
    """Everybody known. `names` is in the order in which people were added."""

    names: tuple[str, ...] = field(repr=False)
    segments: tuple[PeopleSegment, ...] = field(repr=False)
    size: int = 0  # how many words there are
    shared: bool = False  # a person has text in two segments

    @classmethod
    def open(cls, folder: Path) -> PeopleIndex:
        known = open_files(folder)
        return cls(known.names, known.segments, known.words, known.shared)

    @cached_property
    def lengths(self) -> Floats:
        """Words in the background of each person."""
        found = np.zeros(len(self.names))
        for segment in self.segments:
            found[: len(segment.lengths)] += segment.lengths
        return found

    @property
    def most_compared(self) -> int:
        """How many people a text is compared with."""
        return min(len(self.names), _CANDIDATES)

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {person_key(name): number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int | None:
        """A person's number; None for an unknown person."""
        try:
            return self.names.index(name)  # to fold half a million names takes a second
        except ValueError:
            return self._by_name.get(person_key(name))

    def users(self, words: Sequence[str]) -> Ints:
        """How many people's backgrounds contain each word."""
        return np.array([self._users(word) for word in word_hashes(words)], np.int64)

    def _users_of(self, words: Iterable[str]) -> dict[str, int]:
        """The words that occur in a background, with the number of people who have them."""
        asked = tuple(words)
        pairs = zip(asked, self.users(asked).tolist(), strict=True)
        return {word: count for word, count in pairs if count}

    def _users(self, word: np.uint64) -> int:
        if not self.shared:
            return sum(segment.users(word) for segment in self.segments)
        people = [segment.entries(word)[0] for segment in self.segments]
        return len(np.unique(np.concatenate(people))) if people else 0

    def model(self, text: str, truth: str | None = None) -> ClassModel:
        """A class model of the likeliest people (and the true one), over the words of a text."""
        users_of = self._users_of({*counted(text), *other_keys(text)} - STOP_WORDS)
        disguised = possible_keys(text, lambda key: key in users_of or key in STOP_WORDS)
        users_of |= self._users_of(disguised - users_of.keys() - STOP_WORDS)
        words = tuple(sorted(users_of))
        users = np.array([users_of[word] for word in words], np.int64)
        hashes = word_hashes(words)
        people = self._candidates(hashes, users, None if truth is None else self.number(truth))
        return self._model(words, users, people, self._counts(hashes, people))

    def _candidates(self, hashes: NDArray[np.uint64], users: Ints, truth: int | None) -> Ints:
        """The people who share most of the rarest words, in the order of their numbers."""
        scores = np.zeros(len(self.names))
        inverse = _inverse(users, len(self.names))
        budget = _ENTRIES
        for place in np.argsort(users, kind="stable"):
            budget -= int(users[place])
            if budget < 0 and budget + int(users[place]) < _ENTRIES:
                break
            for segment in self.segments:
                people, counts = segment.entries(hashes[place])
                scores[people] += inverse[place] * (1 + np.log(counts))
        scores /= np.sqrt(np.maximum(self.lengths, 50.0))
        best = np.argsort(-scores, kind="stable")[:_CANDIDATES] if len(scores) <= 10_000 else _top(scores)
        return np.unique(best if truth is None else np.append(best, truth))

    def _counts(self, hashes: NDArray[np.uint64], people: Ints) -> NDArray[np.uint32]:
        """How often each word occurs in each of these people's backgrounds."""
        counts = np.zeros((len(hashes), len(people)), np.uint32)
        for segment in self.segments:
            for place, word in enumerate(hashes):
                listed, times = segment.entries(word)
                at = np.minimum(np.searchsorted(listed, people), max(0, len(listed) - 1))
                if len(listed):
                    there = listed[at] == people
                    counts[place, there] += times[at[there]].astype(np.uint32)
        return counts

    def _model(
        self, words: tuple[str, ...], users: Ints, people: Ints, counts: NDArray[np.uint32]
    ) -> ClassModel:
        names = tuple(self.names[person] for person in people)
        lengths = self.lengths[people]
        likelihood = np.log((counts + _SMOOTHING) / (lengths + _SMOOTHING * max(1, self.size)))
        prior = np.zeros(len(people))  # all people are equally likely
        sensitive = Labels(
            names,
            np.ones(len(people), np.int64),
            counts,
            _SMOOTHING,
            prior,
            to_grain(likelihood).astype(np.float32),
        )
        nobody = Labels.of((), np.zeros(0, np.int64), np.zeros((len(words), 0), np.uint32), _SMOOTHING)
        settings = TrainingSettings(min_count=1, readers=READERS, sensitive="person")
        model = ClassModel.of(words, sensitive, nobody, settings, {}, np.zeros(0, np.uint64))
        model = model.with_readers(self._readers(users, lengths, counts), ())
        users_of = dict(zip(words, users.tolist(), strict=True))
        return replace(model, users_of=users_of, of_people=True)

    def _readers(self, users: Ints, lengths: Floats, counts: NDArray[np.uint32]) -> tuple[TrainedReader, ...]:
        inverse = _inverse(users, len(self.names))
        rows, columns = np.nonzero(counts)
        times = counts[rows, columns].astype(np.float64)
        size = (len(counts), counts.shape[1])
        near = inverse[rows] ** 2 * (1 + np.log(times)) / np.sqrt(np.maximum(lengths[columns], 1.0))
        mean = max(1.0, float(self.lengths.mean()))
        damped = times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * lengths[columns] / mean))
        return (
            TrainedReader("cosine", SparseTable.of_cells(rows, columns, near, *size)),
            TrainedReader("bm25", SparseTable.of_cells(rows, columns, inverse[rows] * damped, *size)),
        )


def _inverse(users: Ints, people: int) -> Floats:
    return np.asarray(np.log1p((people - users + 0.5).clip(0.5) / (users + 0.5)))


def _top(scores: Floats) -> Ints:
    return np.argpartition(-scores, _CANDIDATES)[:_CANDIDATES]
