"""What proves that a search is not worth its time never hides anything from it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings

from efface.attacks import disguises
from efface.core import SpanSet
from efface.finders.lists import Listed, WordFinder
from efface.finders.patterns import finder as patterns
from efface.finders.patterns import normalized_text, trigger_groups
from efface.pipeline.propagation import spread as spreading
from efface.pipeline.propagation.hidden_places import NOTHING_CUT
from efface.text import folding
from efface.text.disguises import encoded_tokens, spaced_letters
from efface.text.disguises.encoded_tokens import EncodedToken
from efface.text.search.search_prefilter import DIGIT, marks_of
from tests.text.hiding import HIDINGS, TEXTS, WORDS, every_search

_EXAMPLES = settings(max_examples=120, deadline=None)
# Expressions that were made faster, as they were defined.
_AS_DEFINED = {
    encoded_tokens._BLOB: r"[A-Za-z0-9+/_-]{7,}+={0,2}",
    r"[0-9](?<![0-9.].)[0-9]{1,2}(?:[,;]? ?[,; \n][0-9]{2,3}){3,2000}(?![0-9.])": (
        r"(?<![0-9.])[0-9]{2,3}(?:[,;]? ?[,; \n][0-9]{2,3}){3,2000}(?![0-9.])"
    ),
    r"[01](?<![0-9].)(?:[01]{7}(?: ?[01]{8}){3,2000}|[01]{6}(?: [01]{7}){3,2000})(?![0-9])": (
        r"(?<![0-9])(?:[01]{8}(?: ?[01]{8}){3,2000}|[01]{7}(?: [01]{7}){3,2000})(?![0-9])"
    ),
}


def _tried_all(text: str, deeper: int = 2) -> Iterator[EncodedToken]:
    """Every code on every text, by the definitions."""
    for code in encoded_tokens._CODES.searches:
        defined = _AS_DEFINED.get(code.pattern.pattern)
        pattern = re.compile(defined) if defined else code.pattern
        for match in pattern.finditer(text):
            for reading in dict.fromkeys(code.decode(match.group())):
                if reading != match.group():
                    yield EncodedToken(*match.span(), reading)
                    for inner in _again(match.group(), reading, deeper):
                        yield EncodedToken(*match.span(), inner)


def _again(written: str, reading: str, deeper: int) -> Iterator[str]:
    is_noise = len(encoded_tokens._NOISE.findall(reading)) * 8 > len(reading)
    if deeper and not is_noise and not (deeper == 2 and re.search("=\r?\n", written)):
        yield from (token.reading for token in _nested(reading, deeper - 1))


def _nested(reading: str, deeper: int) -> Iterator[EncodedToken]:
    for code in encoded_tokens._CODES.searches:
        defined = _AS_DEFINED.get(code.pattern.pattern)
        for match in (re.compile(defined) if defined else code.pattern).finditer(reading):
            for inner in dict.fromkeys(code.decode(match.group())):
                if inner != match.group():
                    yield EncodedToken(0, 0, inner)
                    yield from (EncodedToken(0, 0, more) for more in _again("", inner, deeper))


def test_the_definitions_are_of_codes_that_exist() -> None:
    known = {code.pattern.pattern for code in encoded_tokens._CODES.searches}
    assert _AS_DEFINED.keys() <= known


@given(TEXTS)
@_EXAMPLES
def test_tokens_are_those_of_every_code(text: str) -> None:
    assert list(encoded_tokens.encoded_tokens(text)) == list(_tried_all(text))


@pytest.mark.parametrize("word", WORDS)
def test_no_hiding_is_kept_from_its_code(word: str) -> None:
    for hide in HIDINGS:
        text = f"This is {hide(word)} here."
        assert list(encoded_tokens.encoded_tokens(text)) == list(_tried_all(text))


def _pieces_by_definition(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found = [match.span() for match in re.finditer(r"[\W_]+", text)]
    lost = list(accumulate(end - start for start, end in found))
    starts = [0, *(end - gone for (_, end), gone in zip(found, lost, strict=True))]
    gone = [0, *lost]
    at = bisect_right(starts, start) - 1
    places: list[tuple[int, int]] = []
    if starts[at] != start:
        return places
    while start < end:
        following = starts[at + 1] if at + 1 < len(starts) else len(text) - gone[-1]
        if following > end:
            return []
        places.append((start + gone[at], following + gone[at]))
        start, at = following, at + 1
    return places


@given(TEXTS)
@_EXAMPLES
def test_pieces_of_a_word_are_found_by_counting(text: str) -> None:
    bare = re.sub(r"[\W_]+", "", text)
    assert spaced_letters.without_gaps(text) == bare
    gaps = spaced_letters._Gaps(text)
    for start in range(0, len(bare), 3):
        for end in (start + 1, start + 4, start + 9):
            if end <= len(bare):
                assert list(gaps.pieces(start, end)) == _pieces_by_definition(text, start, end)


@given(TEXTS)
@_EXAMPLES
def test_texts_fold_by_short_cuts_as_by_the_long_way(text: str) -> None:
    long_way = folding._folded(text, folding._APART)
    assert folding.fold(text) == long_way
    assert folding.fold(text[:40]) == folding._folded(text[:40], folding._APART)
    assert folding.fold_text(text) == long_way.text


@given(TEXTS)
@_EXAMPLES
def test_a_list_finds_the_same_without_its_prefilters(text: str) -> None:
    listed = tuple(Listed(word) for word in (*WORDS, "Falcon Kowalska", "Müller | Sons"))
    for glued in (True, False):
        found = list(WordFinder(listed, glued=glued).find(text))
        with every_search():
            assert list(WordFinder(listed, glued=glued).find(text)) == found


@given(TEXTS)
@_EXAMPLES
def test_patterns_are_the_same_without_their_marks(text: str) -> None:
    finder = patterns.PatternFinder()
    found = list(finder.find(text))
    with patch.object(trigger_groups.TriggerGroup, "may_begin", lambda *_: True):
        assert list(finder.find(text)) == found


@given(TEXTS)
@_EXAMPLES
def test_patterns_are_the_same_when_every_row_is_tried_at_a_number(text: str) -> None:
    finder = patterns.PatternFinder()
    found = list(finder.find(text))
    with patch.object(trigger_groups._AtDigits, "fitting", _fitting_anew):
        assert list(finder.find(text)) == found


def _fitting_anew(shapes: Any, text: str, at: int, end: int) -> list[tuple[int, int, str]]:
    """What fits at a place, by every shape."""
    fits = ((which, _match(shape)(text, at, end)) for which, shape in enumerate(shapes._expressions))
    return [(which, match.start(1), match[1]) for which, match in fits if match]


@cache
def _match(shape: str) -> Any:
    return re.compile(shape, re.ASCII).match


@given(TEXTS)
@_EXAMPLES
def test_a_plain_text_is_its_own_view(text: str) -> None:
    for given_text in (text, re.sub(r"[^ -~\n]", "", text)):
        short = normalized_text.view(given_text, 0, len(given_text))
        with patch.object(normalized_text, "_is_plain", lambda _: False):
            assert normalized_text.view(given_text, 0, len(given_text)) == short


@given(TEXTS)
@_EXAMPLES
def test_cuts_spread_the_same_whatever_is_cut_already(text: str) -> None:
    listed = tuple(
        Listed(word, type=kind) for word, kind in zip(WORDS, ("PERSON", "DENIED") * 4, strict=True)
    )
    edits = [mention.edit(mention.because) for mention in WordFinder(listed).find(text)]
    short = spreading.spread(text, edits, SpanSet(()))
    with patch.object(spreading, "AlreadyCut", lambda *_: NOTHING_CUT):
        assert spreading.spread(text, edits, SpanSet(())) == short


@given(TEXTS)
@_EXAMPLES
def test_twins_are_seen_where_they_were(text: str) -> None:
    slow = re.search(r"[a-z]I|I[b-z]|[A-Za-z][01|]|[01|][A-Za-z]", text)
    from efface.finders import lists
    from efface.text.disguises.letter_signs import LEET_SPOT

    assert lists._has_twin(text) == (slow is not None)
    signs = "[0-57-9|@$€]"
    other = re.search(rf"[^\W\d_]{signs}|{signs}[^\W\d_]|[^\W\d_]![^\W\d_]", text)
    assert (LEET_SPOT.search(text) is None) == (other is None)
    readings = 3 if spaced_letters._TWIN.search(text) else 1
    assert len(list(spaced_letters.twin_readings(text))) == readings


@given(TEXTS)
@_EXAMPLES
def test_disguises_are_those_of_every_decoding(text: str) -> None:
    found = list(disguises.disguises(text, frozenset({"[Falcon_1]"})))
    with every_search():
        every = list(disguises.disguises(text, frozenset({"[Falcon_1]"})))
    assert {decoded for _, decoded in every} == {decoded for _, decoded in found}


def test_a_long_text_is_tried_by_its_marks_alone() -> None:
    hidden = f"{'The rest is plain. ' * 15_000}Whitcombe %57hitcombe V2hpdGNvbWJl"
    readings = [token.reading for token in encoded_tokens.encoded_tokens(hidden)]
    assert readings.count("Whitcombe") == 2
    assert marks_of(hidden) == {"%", DIGIT}
