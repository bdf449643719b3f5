"""A text as a model counts it: what can be suppressed, where it is, and what vanishes with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from efface.core import Span, SpanSet
from efface.knowledge.classes.readers import Ints
from efface.knowledge.classes.words import VOID, Word, grams, is_feature, pair_keys, runs, scan, words
from efface.text.spans import Place

FIXED = -1  # the unit of a word that cannot be suppressed


@dataclass(frozen=True, slots=True, eq=False)
class PairEntries:
    """Neighbouring words: the pair's number, its two units (or `FIXED`), and how often it occurs so."""

    features: Ints
    left: Ints
    right: Ints
    counts: Ints


NO_PAIRS = PairEntries(*(np.zeros(0, np.int64) for _ in range(4)))


@dataclass(frozen=True, slots=True, eq=False)
class CountedText:
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
    pairs: PairEntries = NO_PAIRS


def view_of_grams(
    text: str,
    index: Mapping[str, int],
    longest: int,
    stop_words: frozenset[str],
    staying: SpanSet,
    leaving: SpanSet,
) -> CountedText:
    """The text of a model of n-grams: an n-gram vanishes with any of its words."""
    found = list(words(text))
    units: dict[str, int] = {}  # the number of each word that can be suppressed
    entries: Counter[tuple[int, tuple[int, ...]]] = Counter()  # by feature and the units that make it vanish
    for run in runs(_blanked(found, leaving), stop_words):
        for key, part in grams(run, longest):
            feature = index.get(key)
            if feature is not None:
                entries[feature, _units_of(part, units, staying)] += 1
    fixed: dict[int, int] = {}
    features, counts, parts = [], [], []
    for (feature, part_units), count in entries.items():
        if part_units:
            features.append(feature)
            counts.append(count)
            parts.append(part_units)
        else:  # every word of it stays, so the feature does
            fixed[feature] = count
    return CountedText(
        np.array(features, np.int64),
        np.array(counts, np.int64),
        tuple(units),
        _places_of(found, units, staying, leaving),
        tuple(parts),
        fixed,
    )


def _units_of(gram: Iterable[Word], units: dict[str, int], staying: SpanSet) -> tuple[int, ...]:
    """The numbers of the words of an n-gram that can be suppressed. A word that is new gets the next number."""
    numbers = set()
    for word in gram:
        if not staying.touches(word.start, word.end):
            numbers.add(units.setdefault(word.key, len(units)))
    return tuple(sorted(numbers))


def _blanked(found: Sequence[Word], leaving: SpanSet) -> list[Word]:
    """The words with blanks for those that leave, so that no n-gram reaches across them."""
    blanked = []
    for word in found:
        leaves = leaving.touches(word.start, word.end)
        blanked.append(Word(VOID, word.start, word.end) if leaves else word)
    return blanked


def _places_of(
    found: Sequence[Word], units: Mapping[str, int], staying: SpanSet, leaving: SpanSet
) -> tuple[tuple[Place, ...], ...]:
    """Where each unit can be suppressed."""
    places: list[list[Place]] = [[] for _ in units]
    for word in found:
        is_settled = leaving.touches(word.start, word.end) or staying.touches(word.start, word.end)
        if word.key in units and not is_settled:
            places[units[word.key]].append((word.start, word.end))
    return tuple(map(tuple, places))


def pair_entries(
    text: str,
    pair_index: Mapping[str, int],
    index: Mapping[str, int],
    units: Mapping[int, int],
    stop_words: frozenset[str],
    fixed: Sequence[Span],
    gone: Sequence[Span],
) -> PairEntries:
    """The pairs of a text that a reader knows. `units` numbers the words (by feature) that can be suppressed."""
    if fixed or gone:
        sequence = _sequence(text, index, stop_words, SpanSet(gone))
        found = _placed_pairs(sequence, pair_index, index, units, SpanSet(fixed))
    else:
        found = _free_pairs(text, pair_index, index, units, stop_words)
    cells = np.array(list(found), np.int64).reshape(-1, 3)
    counts = np.fromiter(found.values(), np.int64, len(found))
    return PairEntries(cells[:, 0], cells[:, 1], cells[:, 2], counts)


def _free_pairs(
    text: str,
    pair_index: Mapping[str, int],
    index: Mapping[str, int],
    units: Mapping[int, int],
    stop_words: frozenset[str],
) -> Counter[tuple[int, int, int]]:
    """The pairs of which all words can be suppressed. Their places do not matter."""
    counted = Counter(pair_keys(text, stop_words))
    found: Counter[tuple[int, int, int]] = Counter()
    for key, count in counted.items():
        feature = pair_index.get(key)
        if feature is not None:
            one, two = key.split(" ")
            found[feature, units.get(index[one], FIXED), units.get(index[two], FIXED)] = count
    return found


def _placed_pairs(
    sequence: Sequence[tuple[str, int, int]],
    pair_index: Mapping[str, int],
    index: Mapping[str, int],
    units: Mapping[int, int],
    staying: SpanSet,
) -> Counter[tuple[int, int, int]]:
    """The pairs in which some word stays or goes whatever is suppressed."""
    found: Counter[tuple[int, int, int]] = Counter()
    for (one, start, _), (two, _, end) in pairwise(sequence):
        feature = pair_index.get(f"{one} {two}") if one and two else None
        if feature is None:
            continue
        left = FIXED if staying.touches(start, start + 1) else units.get(index[one], FIXED)
        right = FIXED if staying.touches(end - 1, end) else units.get(index[two], FIXED)
        found[feature, left, right] += 1
    return found


def _sequence(
    text: str, index: Mapping[str, int], stop_words: frozenset[str], leaving: SpanSet
) -> list[tuple[str, int, int]]:
    """The words in order without stop words; an empty key marks where no pair may reach across."""
    found: list[tuple[str, int, int]] = []
    ready = scan(text)
    for match in ready.pattern.finditer(ready.text):
        key = match.group()
        if key in stop_words:
            continue
        start, end = ready.place(match)
        if key in index:
            found.append(("" if leaving.touches(start, end) else key, start, end))
        elif key[0] == VOID or is_feature(key):
            found.append(("", start, end))
    return found


def sorted_out(
    places: Mapping[int, Iterable[Place]], fixed: SpanSet, gone: SpanSet
) -> tuple[dict[int, list[Place]], Counter[int]]:
    """What can be suppressed, and how often each feature occurs where it cannot change."""
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
