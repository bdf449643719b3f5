"""The trained readers' knowledge of the classes: the words, naive Bayes for the secret and the useful, other readers.

Every log-probability is rounded to a multiple of 2^-18. Sums of them are then exact in double precision, in
whatever order they are taken: two scores are equal or they are not, and "strictly higher" means just that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from efface.core import Span, SpanSet
from efface.errors import InputError, UsageError
from efface.knowledge.classes.disguised_words import (
    DisguisedWord,
    disguised_words,
    with_words_undisguised,
)
from efface.knowledge.classes.labels import (
    LabelledDocument,
    Labels,
    TrainingSettings,
    padded,
    pair,
    relearned,
    with_documents,
)
from efface.knowledge.classes.names import (
    Spelling,
    name_parts,
    part_spelling,
    person_part,
    short_person_parts,
    spellings,
)
from efface.knowledge.classes.readers import (
    GRAIN,
    NAIVE_BAYES,
    EvidenceOf,
    Floats,
    Ints,
    TrainedReader,
    evidence_of,
    to_grain,
)
from efface.knowledge.classes.text_view import (
    NO_PAIRS,
    CountedText,
    PairEntries,
    pair_entries,
    sorted_out,
    view_of_grams,
)
from efface.knowledge.classes.words import (
    grams,
    is_feature,
    pair_keys,
    runs,
    scan,
    word_keys,
    words,
)
from efface.text.spans import Place

__all__ = [
    "GRAIN",
    "ClassModel",
    "CountedText",
    "LabelledDocument",
    "Labels",
    "TrainingSettings",
    "to_grain",
]


@dataclass(frozen=True, slots=True, eq=False)
class ClassModel:
    """Features and what both label sets say about them."""

    words: tuple[str, ...] = field(repr=False)
    sensitive: Labels
    utility: Labels
    settings: TrainingSettings = field(repr=False)
    aliases: Mapping[str, tuple[str, ...]] = field(repr=False)
    seen: NDArray[np.uint64] = field(repr=False)  # hashes of words that were counted and are no features
    index: Mapping[str, int] = field(repr=False)
    others: tuple[TrainedReader, ...] = field(default=(), repr=False)  # readers beside naive Bayes
    pairs: tuple[str, ...] = field(default=(), repr=False)  # of neighbouring words, for the reader of pairs
    pair_index: Mapping[str, int] = field(default_factory=dict, repr=False)
    categories: Ints | None = field(default=None, repr=False)  # of each class, its main category; -1: none
    # Readers of the categories that should stay visible, in addition to naive Bayes.
    category_readers: tuple[TrainedReader, ...] = field(default=(), repr=False)
    # How many classes use each word, counted over more classes than the model has.
    users_of: Mapping[str, int] | None = field(default=None, repr=False)
    of_people: bool = False  # every part of a person's name names the person
    others_dropped: bool = False  # a class was learned at run time, which only naive Bayes can do

    @classmethod
    def of(
        cls,
        words: tuple[str, ...],
        sensitive: Labels,
        utility: Labels,
        settings: TrainingSettings,
        aliases: Mapping[str, tuple[str, ...]],
        seen: NDArray[np.uint64],
    ) -> ClassModel:
        index = {word: number for number, word in enumerate(words)}
        return cls(words, sensitive, utility, settings, dict(aliases), seen, index)

    def with_readers(
        self, others: tuple[TrainedReader, ...], pairs: tuple[str, ...], categories: Ints | None = None
    ) -> ClassModel:
        pair_index = {key: number for number, key in enumerate(pairs)}
        return replace(self, others=others, pairs=pairs, pair_index=pair_index, categories=categories)

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of all readers, naive Bayes first."""
        return (NAIVE_BAYES, *(reader.name for reader in self.others))

    def all_scores(self, text: str, evidence: EvidenceOf = evidence_of) -> dict[str, Floats]:
        """What each class to hide scores on the text, for every reader."""
        bag = self.bag(text)
        found = {NAIVE_BAYES: self.sensitive.scores(*bag)}
        pairs = pair(self._known_pairs(text))  # none where none was learned, never the words
        for reader in self.others:
            found[reader.name] = evidence(reader, *(pairs if reader.reads_pairs else bag)).scores
        return found

    def disguised_words(self, text: str) -> tuple[DisguisedWord, ...]:
        """Words that the model does not know and that a person reads as words that it knows."""
        return disguised_words(text, self.index, self.settings.stop_words)

    def undisguised(self, text: str) -> str:
        """The text as a person reads it, with such words as the model knows them."""
        return with_words_undisguised(text, self.disguised_words(text))

    def _known_pairs(self, text: str) -> dict[int, int]:
        counted = Counter(pair_keys(text, self.settings.stop_words))
        return {self.pair_index[key]: n for key, n in counted.items() if key in self.pair_index}

    def bag(self, text: str) -> tuple[Ints, Ints]:
        """The features in a text and how often each occurs."""
        if self.settings.ngrams > 1:
            return pair(self._known_counts(count_features(text, self.settings)))
        return pair(self._known_counts(Counter(word_keys(text))))

    def scores(self, text: str) -> Floats:
        """What each class to hide scores on the text."""
        return self.sensitive.scores(*self.bag(text))

    def users(self, word: str) -> int:
        """How many classes use a word; none for one that is no feature."""
        if self.users_of is not None:
            return self.users_of.get(word, 0)
        feature = self.index.get(word)
        return 0 if feature is None else int((self.sensitive.counts[feature] > 0).sum())

    def best_guess(self, text: str) -> str:
        """The class the model itself would name; the first of equals."""
        return self.sensitive.names[int(np.argmax(self.scores(self.undisguised(text))))]

    def spellings(self, name: str) -> tuple[Spelling, ...]:
        """Every way the class is written: its label, its aliases, and what follows from them."""
        label = self.sensitive.index(name)
        name = self.sensitive.names[label]
        given = self.aliases.get(name, ())
        found = name_parts(name, given)
        spelled = person_part if self.of_people else part_spelling
        parts = (spelled(part, own=self._is_own(part, label)) for part in found)
        short = short_person_parts(name, given) if self.of_people else ()
        return (*spellings(name, given), *short, *(part for part in parts if part is not None))

    def _is_own(self, part: str, label: int) -> bool:
        """Whether a word of a class's name is mostly used of the class, or was never used at all."""
        keys = word_keys(part)
        missing = [key for key in keys if key not in self.index]
        if missing:
            return not self._were_seen(missing).any()
        rows = (self.sensitive.counts[self.index[key]] for key in keys)
        return any(2 * int(row[label]) >= int(row.sum(dtype=np.int64)) for row in rows)

    def view(
        self,
        text: str,
        fixed: Sequence[Span] = (),
        gone: Sequence[Span] = (),
        places: Mapping[int, Sequence[Place]] | None = None,
    ) -> CountedText:
        """The text as the model counts it, if words in `fixed` cannot change and those in `gone` are out.
        `places` are the text's, where they are known already."""
        if self.settings.ngrams > 1:
            return view_of_grams(
                text,
                self.index,
                self.settings.ngrams,
                self.settings.stop_words,
                SpanSet(fixed),
                SpanSet(gone),
            )
        places = self.places(text) if places is None else places
        unmoved: Counter[int] = Counter()
        if fixed or gone:
            places, unmoved = sorted_out(places, SpanSet(fixed), SpanSet(gone))
        features = np.fromiter(places, np.int64, len(places))
        counts = np.fromiter(map(len, places.values()), np.int64, len(places))
        units = tuple(self.words[feature] for feature in places)
        pairs = self._pair_entries(text, features, fixed, gone)
        return CountedText(features, counts, units, tuple(map(tuple, places.values())), None, unmoved, pairs)

    def _pair_entries(
        self, text: str, features: Ints, fixed: Sequence[Span], gone: Sequence[Span]
    ) -> PairEntries:
        if not self.pair_index:
            return NO_PAIRS
        units = {int(feature): unit for unit, feature in enumerate(features)}
        return pair_entries(text, self.pair_index, self.index, units, self.settings.stop_words, fixed, gone)

    def places(self, text: str) -> dict[int, list[Place]]:
        """The places of each feature. Most of the time of a batch is spent here, so the loop is bare."""
        places: dict[int, list[Place]] = {}
        find, add, ready = self.index.get, places.setdefault, scan(text)
        place = re.Match.span if ready.folded is None else ready.place
        for match in ready.pattern.finditer(ready.text):
            feature = find(match.group())
            if feature is not None:
                add(feature, []).append(place(match))
        return places

    def with_class(
        self, name: str, documents: Iterable[str | LabelledDocument], aliases: Iterable[str] = ()
    ) -> ClassModel:
        """The model with a class it did not know, or more documents of one it does, learned from a handful.

        Words that no other class used become features; words that were counted before and carried little
        stay out. Nothing is trained again.
        """
        known = self.sensitive.find(name)
        name = name if known is None else self.sensitive.names[known]
        labelled = [d if isinstance(d, LabelledDocument) else LabelledDocument(d, name) for d in documents]
        if not labelled:
            raise InputError("A class needs at least one document.", "Give some documents of it.")
        bags = [count_features(document.text, self.settings) for document in labelled]
        grown = self._with_words(sum(bags, Counter()))
        counted = [grown._known_counts(bag) for bag in bags]
        # A document counts for each category that it has.
        bags_of: dict[str, list[Mapping[int, int]]] = {}
        for bag, document in zip(counted, labelled, strict=True):
            for category in dict.fromkeys(document.utility):
                bags_of.setdefault(category, []).append(bag)
        utility = grown.utility
        for category in sorted(bags_of):
            utility = with_documents(utility, category, bags_of[category])
        names = dict(self.aliases)
        names[name] = tuple(dict.fromkeys([*names.get(name, ()), *aliases]))
        sensitive = with_documents(grown.sensitive, name, counted)
        return replace(
            grown,
            sensitive=relearned(sensitive),
            utility=relearned(utility),
            aliases=names,
            others_dropped=bool(self.others) or self.others_dropped,
        )

    def with_aliases(self, aliases: Mapping[str, Iterable[str]]) -> ClassModel:
        """The model with more names for its classes."""
        names = dict(self.aliases)
        for given, others in aliases.items():
            label = self.sensitive.find(given)
            if label is None:
                raise UsageError(
                    "Other names are given for a class that the model does not know.",
                    "Check how the class is spelled there: its other names would stay in the text.",
                )
            name = self.sensitive.names[label]
            names[name] = tuple(dict.fromkeys([*names.get(name, ()), *others]))
        return replace(self, aliases=names)

    def without(self, document: LabelledDocument) -> ClassModel:
        """The model as if it had never seen this document: what a reader knows who does not have it."""
        bag = self.bag(document.text)
        utility = self.utility
        for category in document.utility:
            utility = utility.without(category, *bag)
        return replace(self, sensitive=self.sensitive.without(document.sensitive, *bag), utility=utility)

    def _known_counts(self, bag: Mapping[str, int]) -> dict[int, int]:
        index = self.index
        return {index[key]: count for key, count in bag.items() if key in index}

    def _were_seen(self, keys: Sequence[str]) -> NDArray[np.bool_]:
        """Which of some words that are no features were counted in training."""
        hashes = word_hashes(keys)
        if not len(self.seen):
            return np.zeros(len(hashes), bool)
        at = np.searchsorted(self.seen, hashes)
        return np.asarray(self.seen[np.minimum(at, len(self.seen) - 1)] == hashes)

    def _with_words(self, bag: Mapping[str, int]) -> ClassModel:
        """The features, and with them the words of `bag` that were never seen."""
        candidates = sorted(
            key for key, count in bag.items() if count >= self.settings.min_count and key not in self.index
        )
        old = self._were_seen(candidates)
        new = tuple(key for key, known in zip(candidates, old, strict=True) if not known)
        return ClassModel.of(
            self.words + new,
            padded(self.sensitive, len(new)),
            padded(self.utility, len(new)),
            self.settings,
            self.aliases,
            self.seen,
        )


def count_features(text: str, settings: TrainingSettings) -> Counter[str]:
    """Every word (and n-gram) of the text that could be a feature, and how often it occurs."""
    if settings.ngrams == 1:
        return Counter(
            {
                key: count
                for key, count in Counter(word_keys(text)).items()
                if is_feature(key) and key not in settings.stop_words
            }
        )
    found = runs(words(text), settings.stop_words)
    return Counter(key for run in found for key, _ in grams(run, settings.ngrams))


def word_hashes(keys: Iterable[str]) -> NDArray[np.uint64]:
    """64-bit hashes, by which a word is known again without keeping it."""
    digests = b"".join(blake2b(key.encode(), digest_size=8).digest() for key in keys)
    return np.frombuffer(digests, np.dtype("<u8"))
