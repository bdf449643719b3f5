"""Texts that are read alike, whichever of some values stand in the places of what is struck.

"Moss" after a place makes another name of the first name that is put there, "CO" is found where Cleo Oaks is in the text, and two
values side by side may be a third. So the finder itself reads the text with other values. Each place may have its own value
or one of its column's. Not every choice is read: every value is read in every place, all values are read apart in one text, and
neighbouring places are read with every pair. If this holds for a text, it holds for each text that comes of it by such
values, since that one has fewer choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from efface.core import Mention
from efface.guarantees.ksafety.plain_values import BETWEEN, InPlace
from efface.knowledge.entities.signatures import column_and_key

_AROUND = 60  # letters before and after two neighbours
_FAR = 300  # letters between two places that no value bridges
_MOST_LETTERS = 2_000_000  # of all pairs of values in their place; of more nothing is said
_NO_VALUE = "qzvx"


@dataclass(frozen=True, slots=True)
class _ValuePlace:
    """Where a struck term stands, and what may stand there."""

    key: str
    mention: Mention
    values: Sequence[str]


def is_read_alike(in_place: InPlace, struck: Collection[str], values: Mapping[str, Collection[str]]) -> bool:
    """Whether the text is read alike with any of the values, by column, in the places of what is struck."""
    places = []
    for key in struck:
        column, own = column_and_key(key)
        mention, *others = in_place.terms[key].mentions
        if others:
            return False
        places.append(_ValuePlace(key, mention, sorted({own, *values[column]})))
    places.sort(key=lambda place: place.mention.start)
    return (
        not _are_three_in_a_row(in_place.text, places)
        and _each_in_place(in_place, places)
        and _are_found_independently(in_place, places)
        and all(_side_by_side(in_place, places, at) for at in range(len(places) - 1))
    )


def _are_three_in_a_row(text: str, places: Sequence[_ValuePlace]) -> bool:
    """Pairs are read, and three with nothing between them may be one value."""
    ends = pairwise(places)
    is_open = [
        not any(map(str.isalnum, text[left.mention.end : right.mention.start])) for left, right in ends
    ]
    return any(first and second for first, second in pairwise(is_open))


def _each_in_place(in_place: InPlace, places: Sequence[_ValuePlace]) -> bool:
    """Every value in every place, in as many texts as a place has values."""
    most = max((len(place.values) for place in places), default=0)
    for turn in range(most):
        values = {place.key: place.values[turn % len(place.values)] for place in places}
        if not in_place.reads_as(values):
            return False
    return True


def _are_found_independently(in_place: InPlace, places: Sequence[_ValuePlace]) -> bool:
    """One value may be found because another is in the text, as initials are."""
    every = sorted({(value, in_place.kind(place.key)) for place in places for value in place.values})
    return in_place.found(BETWEEN.join(value.title() for value, _ in every)) == Counter(every)


def _side_by_side(in_place: InPlace, places: Sequence[_ValuePlace], at: int) -> bool:
    """Every pair of values in two neighbouring places, without the values around them."""
    text, left, right = in_place.text, places[at], places[at + 1]
    between = text[left.mention.end : right.mention.start]
    if len(between) > _FAR:
        return True
    first = places[at - 1].mention.end if at else 0
    last = places[at + 2].mention.start if at + 2 < len(places) else len(text)
    before = text[max(first, left.mention.start - _AROUND) : left.mention.start]
    after = text[right.mention.end : min(last, right.mention.end + _AROUND)]
    pairs = list(product(left.values, right.values))
    letters = len(pairs) * (len(before) + len(between) + len(after) + 2 * len(BETWEEN))
    if letters > _MOST_LETTERS:
        return False
    expected: Counter[tuple[str, str]] = Counter()
    for key, count in in_place.found(f"{before}{_NO_VALUE}{between}{_NO_VALUE}{after}").items():
        expected[key] = count * len(pairs)
    for mine, theirs in pairs:
        expected.update(((mine, in_place.kind(left.key)), (theirs, in_place.kind(right.key))))
    written = (f"{before}{mine.title()}{between}{theirs.title()}{after}" for mine, theirs in pairs)
    return in_place.found(BETWEEN.join(written)) == expected
