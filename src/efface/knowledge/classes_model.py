"""What a trained reader knows of the classes: a multinomial Naive Bayes model for the secret and the useful.

Every log-probability is rounded to a multiple of 2^-18. Sums of them are then exact in double precision, in
whatever order they are taken: two scores are equal or they are not, and "strictly higher" means just that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from efface.core import Span, SpanSet
from efface.errors import InputError, UsageError
from efface.knowledge.classes_names import Spelling, name_parts, part_spelling, spellings
from efface.knowledge.classes_words import (
    STOP_WORDS,
    VOID,
    Word,
    grams,
    is_feature,
    runs,
    scan,
    word_keys,
    words,
)

GRAIN = 2.0**-18

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Place = tuple[int, int]  # start and end of one occurrence: a thousand a document, so no objects


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A text, the class to hide, and the categories that may show."""

    text: str
    sensitive: str
    utility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is learned. `vocabulary` bounds memory: beyond it, words seen once so far are forgotten.

    `sensitive` and `utility` are what the corpus calls the class to hide and the categories that may show.
    """

    features: int = 10_000
    min_count: int = 2
    ngrams: int = 1
    smoothing: float = 1.0
    stop_words: frozenset[str] = STOP_WORDS
    vocabulary: int = 2_000_000
    sensitive: str = "sensitive"
    utility: tuple[str, ...] = ()


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

    def index(self, name: str) -> int:
        try:
            return self.names.index(name)
        except ValueError:
            raise UsageError(
                "The model does not know one of the document's labels.",
                "Check the labels, or name the new class and some of its documents under `learn` in the policy.",
            ) from None

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


def _log_prior(documents: Ints) -> Floats:
    """A label without documents counts as if it had half a one: rare, not impossible."""
    weights = np.maximum(documents, 0.5)
    return to_grain(np.log(weights / weights.sum()))


def to_grain(logarithms: Floats) -> Floats:
    return np.asarray(np.round(logarithms / GRAIN) * GRAIN)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A text as the model counts it. A `unit` is a word that can be suppressed, with all its places.

    An entry is a feature that vanishes when one of its `parts` (units) does. `parts` is None in a model of
    single words: entry i is unit i.
    """

    features: Ints  # of each entry
    counts: Ints
    units: tuple[str, ...]
    places: tuple[tuple[Place, ...], ...]
    parts: tuple[tuple[int, ...], ...] | None
    fixed: Mapping[int, int]  # features that stay whatever is suppressed, and how often


@dataclass(frozen=True, slots=True, eq=False)
class ClassModel:
    """Features and what both label sets say about them."""

    words: tuple[str, ...] = field(repr=False)
    sensitive: Labels
    utility: Labels
    settings: Settings = field(repr=False)
    aliases: Mapping[str, tuple[str, ...]] = field(repr=False)
    seen: NDArray[np.uint64] = field(repr=False)  # hashes of words that were counted and are no features
    index: Mapping[str, int] = field(repr=False)

    @classmethod
    def of(
        cls,
        words: tuple[str, ...],
        sensitive: Labels,
        utility: Labels,
        settings: Settings,
        aliases: Mapping[str, tuple[str, ...]],
        seen: NDArray[np.uint64],
    ) -> ClassModel:
        index = {word: number for number, word in enumerate(words)}
        return cls(words, sensitive, utility, settings, dict(aliases), seen, index)

    def bag(self, text: str) -> tuple[Ints, Ints]:
        """The features in a text and how often each occurs."""
        if self.settings.ngrams > 1:
            return _pair(self._known(count_features(text, self.settings)))
        return _pair(self._known(Counter(word_keys(text))))

    def scores(self, text: str) -> Floats:
        """What each class to hide scores on the text."""
        return self.sensitive.scores(*self.bag(text))

    def best_guess(self, text: str) -> str:
        """The class the model itself would name; the first of equals."""
        return self.sensitive.names[int(np.argmax(self.scores(text)))]

    def spellings(self, name: str) -> tuple[Spelling, ...]:
        """Every way the class is written: its label, its aliases, and what follows from them."""
        label, given = self.sensitive.index(name), self.aliases.get(name, ())
        parts = (part_spelling(part, own=self._is_own(part, label)) for part in name_parts(name, given))
        return (*spellings(name, given), *(part for part in parts if part is not None))

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
    ) -> View:
        """The text as the model counts it, if words in `fixed` cannot change and those in `gone` are out.
        `places` are the text's, where they are known already."""
        if self.settings.ngrams > 1:
            return self._view_of_grams(text, SpanSet(fixed), SpanSet(gone))
        places = self.places(text) if places is None else places
        unmoved: Counter[int] = Counter()
        if fixed or gone:
            places, unmoved = _sorted_out(places, SpanSet(fixed), SpanSet(gone))
        features = np.fromiter(places, np.int64, len(places))
        counts = np.fromiter(map(len, places.values()), np.int64, len(places))
        units = tuple(self.words[feature] for feature in places)
        return View(features, counts, units, tuple(map(tuple, places.values())), None, unmoved)

    def places(self, text: str) -> dict[int, list[Place]]:
        """Where each feature stands; most of the time of a batch is spent here, so the loop is bare."""
        places: dict[int, list[Place]] = {}
        find, add, ready = self.index.get, places.setdefault, scan(text)
        if ready.folded is None:
            for match in ready.pattern.finditer(ready.text):
                feature = find(match.group())
                if feature is not None:
                    add(feature, []).append(match.span())
            return places
        for match in ready.pattern.finditer(ready.text):
            feature = find(match.group())
            if feature is not None:
                add(feature, []).append(ready.place(match))
        return places

    def _view_of_grams(self, text: str, staying: SpanSet, leaving: SpanSet) -> View:
        found = list(words(text))
        blanked = [
            Word(VOID, word.start, word.end) if leaving.touches(word.start, word.end) else word
            for word in found
        ]
        units: dict[str, int] = {}
        entries: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for run in runs(blanked, self.settings.stop_words):
            for key, part in grams(run, self.settings.ngrams):
                feature = self.index.get(key)
                if feature is None:
                    continue
                movable = [word.key for word in part if not staying.touches(word.start, word.end)]
                entries[feature, tuple(sorted({units.setdefault(k, len(units)) for k in movable}))] += 1
        unmoved = {feature: count for (feature, part), count in entries.items() if not part}
        moving = {entry: count for entry, count in entries.items() if entry[1]}
        places: list[list[Place]] = [[] for _ in units]
        for word in found:
            if word.key in units and not (
                leaving.touches(word.start, word.end) or staying.touches(word.start, word.end)
            ):
                places[units[word.key]].append((word.start, word.end))
        return View(
            np.array([feature for feature, _ in moving], np.int64),
            np.fromiter(moving.values(), np.int64, len(moving)),
            tuple(units),
            tuple(map(tuple, places)),
            tuple(part for _, part in moving),
            unmoved,
        )

    def with_class(
        self, name: str, documents: Iterable[str | LabelledDocument], aliases: Iterable[str] = ()
    ) -> ClassModel:
        """The model with a class it did not know, or more documents of one it does, learned from a handful.

        Words that nobody else used become features; words that were counted before and carried little
        stay out. Nothing is trained again.
        """
        labelled = [d if isinstance(d, LabelledDocument) else LabelledDocument(d, name) for d in documents]
        if not labelled:
            raise InputError("A class needs at least one document.", "Give some documents of it.")
        bags = [count_features(document.text, self.settings) for document in labelled]
        grown = self._with_words(sum(bags, Counter()))
        known = [grown._known(bag) for bag in bags]
        utility = grown.utility
        for category in sorted({category for document in labelled for category in document.utility}):
            members = zip(known, labelled, strict=True)
            utility = _add(utility, category, [bag for bag, doc in members if category in doc.utility])
        names = dict(self.aliases)
        names[name] = tuple(dict.fromkeys([*names.get(name, ()), *aliases]))
        sensitive = _add(grown.sensitive, name, known)
        return replace(grown, sensitive=_relearn(sensitive), utility=_relearn(utility), aliases=names)

    def with_aliases(self, aliases: Mapping[str, Iterable[str]]) -> ClassModel:
        """The model with more names for its classes."""
        names = dict(self.aliases)
        for name, others in aliases.items():
            self.sensitive.index(name)
            names[name] = tuple(dict.fromkeys([*names.get(name, ()), *others]))
        return replace(self, aliases=names)

    def without(self, document: LabelledDocument) -> ClassModel:
        """The model as if it had never seen this document: what a reader knows who does not have it."""
        bag = self.bag(document.text)
        utility = self.utility
        for category in document.utility:
            utility = utility.without(category, *bag)
        return replace(self, sensitive=self.sensitive.without(document.sensitive, *bag), utility=utility)

    def _known(self, bag: Mapping[str, int]) -> dict[int, int]:
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
            _pad(self.sensitive, len(new)),
            _pad(self.utility, len(new)),
            self.settings,
            self.aliases,
            self.seen,
        )


def count_features(text: str, settings: Settings) -> Counter[str]:
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


def _sorted_out(
    places: Mapping[int, Iterable[Place]], fixed: SpanSet, gone: SpanSet
) -> tuple[dict[int, list[Place]], Counter[int]]:
    """What can be suppressed, and how often each feature stands where it cannot change."""
    free: dict[int, list[Place]] = {}
    unmoved: Counter[int] = Counter()
    for feature, found in places.items():
        for place in found:
            if gone.touches(*place):
                continue
            if fixed.touches(*place):
                unmoved[feature] += 1
            else:
                free.setdefault(feature, []).append(place)
    return free, unmoved


def _pair(found: Mapping[int, int]) -> tuple[Ints, Ints]:
    return np.fromiter(found, np.int64, len(found)), np.fromiter(found.values(), np.int64, len(found))


def _pad(labels: Labels, rows: int) -> Labels:
    counts = np.vstack([labels.counts, np.zeros((rows, len(labels.names)), np.uint32)])
    return replace(labels, counts=counts)


def _add(labels: Labels, name: str, bags: Sequence[Mapping[int, int]]) -> Labels:
    """More documents of a label; the logarithms follow in `_relearn`."""
    names, documents, counts = labels.names, labels.documents.copy(), labels.counts.copy()
    if name not in names:
        names = (*names, name)
        documents = np.append(documents, 0)
        counts = np.hstack([counts, np.zeros((len(counts), 1), np.uint32)])
    column = names.index(name)
    documents[column] += len(bags)
    for bag in bags:
        features, frequencies = _pair(bag)
        counts[features, column] += frequencies.astype(np.uint32)
    return replace(labels, names=names, documents=documents, counts=counts)


def _relearn(labels: Labels) -> Labels:
    return Labels.of(labels.names, labels.documents, labels.counts, labels.smoothing)
