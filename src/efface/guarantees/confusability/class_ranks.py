"""A text as the readers of k-confusability judge it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from efface.core import Span, SpanSet
from efface.knowledge.classes.disguised_words import DisguisedWord, with_words_undisguised
from efface.knowledge.classes.model import ClassModel, CountedText
from efface.knowledge.classes.names import find_names
from efface.knowledge.classes.readers import NAIVE_BAYES, Evidence, Ints, TrainedReader
from efface.knowledge.classes.words import Word, is_feature, words
from efface.text.spans import Place


@dataclass(frozen=True)
class ConfusabilityLook:
    """One text. Its analysis is computed once, since assessing and planning look at the same text."""

    text: str
    model: ClassModel
    truth: str
    readers: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[Span, ...]:
        return find_names(self.text, self.model.spellings(self.truth))

    @cached_property
    def scores(self) -> Mapping[str, NDArray[np.float64]]:
        if self.readers == (NAIVE_BAYES,):
            return {NAIVE_BAYES: self.model.scores(self.text)}
        every = self.model.all_scores(self.text, self.evidence)
        return {name: every[name] for name in self.readers}

    @cached_property
    def _evidence(self) -> dict[str, tuple[Ints, Ints, Evidence]]:
        return {}

    def evidence(self, reader: TrainedReader, features: Ints, counts: Ints) -> Evidence:
        """What a reader makes of these words. To judge a text and to plan for it takes the same numbers, so the last
        ones of each reader are kept."""
        if reader.name in self._evidence:
            words, times, found = self._evidence[reader.name]
            if np.array_equal(words, features) and np.array_equal(times, counts):
                return found
        found = reader.evidence(features, counts)
        self._evidence[reader.name] = (features, counts, found)
        return found

    @cached_property
    def places(self) -> Mapping[int, Sequence[Place]]:
        return self.model.places(self.text)

    @cached_property
    def disguised(self) -> tuple[DisguisedWord, ...]:
        """Words in which a person reads a word that the readers know, and the readers do not."""
        return self.model.disguised_words(self.text)

    @cached_property
    def _undisguised(self) -> ConfusabilityLook | None:
        """The text with these words undisguised; None where it has none."""
        if not self.disguised:
            return None
        return ConfusabilityLook(
            with_words_undisguised(self.text, self.disguised), self.model, self.truth, self.readers
        )

    @cached_property
    def ahead(self) -> Mapping[str, int]:
        """For each reader, how many classes fit strictly better than the true one: to one who counts the words as they are
        written, and to one who sees through their disguises, the fewer of both."""
        if self._undisguised is None:
            return self.ahead_as_written
        otherwise = self._undisguised.ahead_as_written
        return {name: min(count, otherwise[name]) for name, count in self.ahead_as_written.items()}

    @cached_property
    def ahead_as_written(self) -> Mapping[str, int]:
        """For each reader, how many classes fit strictly better than the true one to one who counts what is written.

        A reader who finds no word of the true class ranks it last, level with the other classes without words. A
        reader to whom all classes are the same ranks none. In both cases all others count. Naive Bayes has the
        frequencies
        of the classes to go by, but nobody is more frequent than others: without a word it knows, it ranks no person.
        """
        truth = self.model.sensitive.index(self.truth)
        return {name: self._ahead(name, scores, truth) for name, scores in self.scores.items()}

    def _ahead(self, name: str, scores: NDArray[np.float64], truth: int) -> int:
        if self.model.of_people and not scores.any():
            return len(scores) - 1
        if name != NAIVE_BAYES and scores[truth] == 0:
            reader = next(one for one in self.model.others if one.name == name)
            if reader.never_negative or not scores.any():
                return len(scores) - 1
        return int((scores > scores[truth]).sum())

    @property
    def least_ahead(self) -> int:
        """For the reader that comes nearest to the truth."""
        return min(self.ahead.values())

    def rare_words(self, most: int, inserted: Sequence[Span]) -> dict[str, list[Span]]:
        """Words that at most so many classes use, with their places, without efface's own words."""
        ours = SpanSet(inserted)
        found: dict[str, list[Span]] = {}
        for word in (*words(self.text), *self._words_in_disguise()):
            if not is_feature(word.key) or word.key in self.model.settings.stop_words:
                continue
            if ours.touches(word.start, word.end) or self.model.users(word.key) > most:
                continue
            found.setdefault(word.key, []).append(Span(word.start, word.end))
        return found

    def _words_in_disguise(self) -> Iterator[Word]:
        for found in self.disguised:
            yield from (Word(key, found.start, found.end) for key in found.keys)

    @cached_property
    def _views(self) -> dict[tuple[tuple[Span, ...], tuple[Span, ...]], CountedText]:
        return {}

    def view(self, fixed: Sequence[Span], gone: Sequence[Span]) -> CountedText:
        """The text as the model counts it. Assessing and planning ask for the same view, so it is kept."""
        key = (tuple(fixed), tuple(gone))
        if key not in self._views:
            places = self.places if self.model.settings.ngrams == 1 else None
            self._views[key] = self.model.view(self.text, fixed, gone, places)
        return self._views[key]


@dataclass(slots=True)
class Looks:
    """The last text looked at. Made when a guarantee is bound to a document, and gone with it."""

    last: list[ConfusabilityLook] = field(default_factory=list)

    def at(self, text: str, model: ClassModel, truth: str, readers: tuple[str, ...]) -> ConfusabilityLook:
        for look in self.last:
            if look.text is text:
                return look
        look = ConfusabilityLook(text, model, truth, readers)
        self.last[:] = [look]
        return look
