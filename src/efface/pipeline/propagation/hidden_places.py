"""Where an unwelcome string hides from a plain search: its letters stand apart, or a decoded token holds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from efface.core import NOTHING, Span, SpanSet
from efface.pipeline.propagation.strings import PropagatedString
from efface.text.disguises.emphasis import is_emphasised, unmarked, with_partner_marks
from efface.text.disguises.encoded_tokens import encoded_tokens
from efface.text.disguises.halved_words import may_be_halved
from efface.text.disguises.letter_signs import LEET, LEET_LETTERS, LEET_SPOT
from efface.text.disguises.neighbouring_fields import NeighbouringFields
from efface.text.disguises.page_ends import PageEnds
from efface.text.disguises.spaced_letters import (
    find_spaced_letters,
    joined,
    twin_readings,
    without_gaps,
)
from efface.text.disguises.stacked_cells import StackedCells
from efface.text.disguises.tags import between_tags, pieces_over_tags, untagged
from efface.text.folding import fold, fold_term
from efface.text.search.string_search import Occurrences, counts, occurrences

Goes = Callable[[str, PropagatedString, Span], bool]
"""Whether a string goes where it stands in a text."""

_StringPlace = tuple[PropagatedString, Span]
_PARAGRAPH_END = r"\n[ \t\r]*\n"
_WORD = re.compile(r"[^\s,;.]+")
_LEAST = 4  # letters of a string that is known in a decoded token


@dataclass(frozen=True, slots=True)
class AlreadyCut:
    """What need not be looked at again: the stretches that go, and how often the strings stand in the text that are
    cut wherever they do."""

    spans: SpanSet
    counts: Mapping[str, int]


NOTHING_CUT = AlreadyCut(NOTHING, {})


def hidden_places(
    text: str, strings: dict[str, PropagatedString], goes: Goes, cut: AlreadyCut = NOTHING_CUT
) -> Iterator[tuple[PropagatedString, Span]]:
    """Each string with the stretch of text that hides it. Places in `cut` are left out."""
    by_letters = _by_letters(strings)
    yield from _set_apart(text, by_letters, cut)
    yield from _with_twins(text, strings)
    yield from _encoded(text, strings, goes, cut)
    yield from _emphasised(text, strings)
    yield from _broken_by_tags(text, by_letters)
    yield from _in_halves(text, by_letters)


def _set_apart(
    text: str, known: Mapping[str, PropagatedString], cut: AlreadyCut
) -> Iterator[tuple[PropagatedString, Span]]:
    for reading in twin_readings(text):
        folded = fold(reading)
        letters = sorted(known if reading != text else _more_than_cut(folded.text, known, cut))
        if not letters:
            continue
        look = occurrences(letters, len(text))
        words = [_as_word(known[joint]) for joint in letters]
        for which, start, end in find_spaced_letters(text, folded, look, words):
            yield known[letters[which]], folded.span(start, end)


def _by_letters(strings: Mapping[str, PropagatedString]) -> dict[str, PropagatedString]:
    """The strings that may stand apart, by their letters and digits alone."""
    known = {joined(one.string): one for one in strings.values() if one.glues and not one.stays}
    known.pop("", None)
    return known


def _broken_by_tags(
    text: str, known: Mapping[str, PropagatedString]
) -> Iterator[tuple[PropagatedString, Span]]:
    """Strings with tags of a data file between their letters. The tags stay, so each piece is a place."""
    for one, span in _over_spaced_tags(text, known):
        pieces = list(between_tags(text, span))
        if len(pieces) > 1:
            yield from ((one, piece) for piece in pieces)
    letters = sorted(joint for joint in known if len(joint) >= _LEAST)
    for which, pieces in pieces_over_tags(text, occurrences(letters, len(text))) if letters else ():
        yield from ((known[letters[which]], piece) for piece in pieces)


def _in_halves(text: str, known: Mapping[str, PropagatedString]) -> Iterator[tuple[PropagatedString, Span]]:
    """Single words that are broken over two cells of a column, two fields or the end of a page. Each half is a place."""
    words = sorted(joint for joint, one in known.items() if not one.exact and _as_word(one) == joint)
    if not any(map(may_be_halved, words)):
        return
    halved = (StackedCells(words), NeighbouringFields(words), PageEnds(words))
    for which, upper, lower in chain.from_iterable(each.find(text) for each in halved):
        yield from ((known[words[which]], half) for half in (upper, lower))


def _over_spaced_tags(text: str, known: Mapping[str, PropagatedString]) -> Iterator[_StringPlace]:
    """What is broken where tags are blanks, as a search of the file's words sees it."""
    reading = untagged(text, " ")
    if reading is None or not known:
        return
    letters, folded = sorted(known), fold(reading.text)
    look = occurrences(letters, len(reading.text))
    words = [_as_word(known[joint]) for joint in letters]
    for which, start, end in find_spaced_letters(reading.text, folded, look, words):
        yield known[letters[which]], reading.span(*folded.bounds(start, end))


def _more_than_cut(folded: str, known: Mapping[str, PropagatedString], cut: AlreadyCut) -> Iterator[str]:
    """The joined strings that occur in the text without its gaps more often than they were cut.

    Each place of a string is one of the joined string, too. If there are no others, none stands apart.
    """
    bare, letters = without_gaps(folded), list(known)
    for joint, count in zip(letters, counts(letters, bare), strict=True):
        if count > cut.counts.get(known[joint].string, 0):
            yield joint


def _as_word(one: PropagatedString) -> str:
    """The string if it may be broken anywhere. The two names of an account ("markbrown") may stand in two cells."""
    is_part = not one.owners or any(one.string in owner.split() for owner in one.owners)
    return one.string if is_part else ""


def _with_twins(text: str, strings: dict[str, PropagatedString]) -> Iterator[tuple[PropagatedString, Span]]:
    """Names with a digit or a sign for the letter that it looks like: "Wh1tcombe" in a scan, "Wh!tc0mb3"."""
    if LEET_SPOT.search(text) is None:
        return
    known = {
        key: one
        for key, one in strings.items()
        if len(key) > _LEAST
        and one.glues
        and not (one.stays or one.exact)
        and not LEET_LETTERS.isdisjoint(key)
    }
    if not known:
        return
    listed = sorted(known)
    look = occurrences(listed, len(text))
    for twins in LEET:
        folded = fold(text.translate(twins))
        for which, start, end in look(folded.text):
            span = folded.span(start, end)
            surface = text[span.start : span.end]
            if folded.stands_alone(start, end) and LEET_SPOT.search(surface):
                yield known[listed[which]], span


def _encoded(
    text: str, strings: dict[str, PropagatedString], goes: Goes, cut: AlreadyCut
) -> Iterator[tuple[PropagatedString, Span]]:
    """Where strings hide in encoded tokens. What stands there in plain letters is found without decoding."""
    listed = sorted(s for s, one in strings.items() if len(s) >= _LEAST and not one.stays)
    look: Occurrences | None = None
    for token in encoded_tokens(text, cut.spans):
        look = look or occurrences(listed, len(text))
        raw = fold_term(text[token.start : token.end])
        folded = fold(token.reading)
        for which, start, end in look(folded.text):
            string = listed[which]
            if folded.text.count(string) <= raw.count(string):  # it stands there in so many letters
                continue
            span = folded.span(start, end)
            if goes(token.reading, strings[string], span):
                yield strings[string], token.place_of(text, span.start, span.end)


def _emphasised(text: str, strings: dict[str, PropagatedString]) -> Iterator[tuple[PropagatedString, Span]]:
    """Strings with marks of emphasis between their words or parts: "**Falcon** Ridge", "Al-`Ali"."""
    reading = unmarked(text)
    listed = sorted(string for string in strings if len(string) >= _LEAST)
    if reading is None or not listed:
        return
    folded = fold(reading.text)
    for which, start, end in occurrences(listed, len(text))(folded.text):
        if not folded.stands_alone(start, end):
            continue
        place = reading.span(*folded.bounds(start, end))
        if is_emphasised(text, place.start, place.end):
            yield strings[listed[which]], with_partner_marks(text, place.start, place.end)


def is_all_cut(text: str, span: Span, done: SpanSet) -> bool:
    """Whether each word of a stretch is cut. Between two people in two lines a line break is left, and that tells
    nothing: "Ng" and below it "Jane" are no account "ngjane"."""
    return all(done.covers(*word.span()) for word in _WORD.finditer(text, span.start, span.end))


def between_walls(span: Span, walls: Sequence[int]) -> Iterator[Span]:
    """The stretch in pieces that cross no wall."""
    inner = [wall for wall in walls if span.start < wall < span.end]
    edges = [span.start, *inner, span.end]
    for start, end in pairwise(edges):
        yield Span(start, end)


def cells_of(text: str, span: Span, breaks: str) -> Iterator[Span]:
    """The stretch in pieces that each lie in one cell of one paragraph and say something."""
    surface = text[span.start : span.end]
    if "\n" not in surface and not any(char in breaks for char in surface):
        yield span
        return
    end = rf"[{re.escape(breaks)}]|{_PARAGRAPH_END}" if breaks else _PARAGRAPH_END
    ends = [(match.start(), match.end()) for match in re.finditer(end, surface)]
    if not ends:
        yield span
        return
    for (_, low), (high, _) in pairwise([(0, 0), *ends, (len(surface), len(surface))]):
        piece = surface[low:high]
        if any(map(str.isalnum, piece)):
            start = span.start + low + len(piece) - len(piece.lstrip())
            yield Span(start, start + len(piece.strip()))


def nothing_follows(*places: Sequence[object]) -> bool:
    """Whether none of the searches found a place. The test of short cuts puts this step out of action."""
    return not any(places)
