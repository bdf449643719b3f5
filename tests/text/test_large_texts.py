"""A large text is searched and copied in stretches. What is found and made is what the whole at once gives."""

from __future__ import annotations

from unittest.mock import patch

from ahocorasick_rs import AhoCorasick
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.attacks.leaks import is_short
from efface.core import Span
from efface.pipeline import find
from efface.pipeline.propagation import spread
from efface.pipeline.propagation.strings import PropagatedString
from efface.text.disguises import spaced_letters
from efface.text.folding import foldings
from efface.text.placeholder_blank import BLANK
from efface.text.search import string_search

LETTERS = st.text("abß. -\n1ﬁ李é", max_size=40)
STRINGS = st.lists(st.text("abs1fi李e", min_size=1, max_size=7), min_size=1, max_size=5, unique=True)
STRETCH = st.integers(1, 9)


@given(STRINGS, LETTERS, STRETCH)
@settings(max_examples=400, deadline=None)
def test_stretches_hide_no_place(strings: list[str], text: str, stretch: int) -> None:
    whole = AhoCorasick(strings).find_matches_as_indexes(text, overlapping=True)
    with patch.object(string_search, "_STRETCH", stretch):
        found = list(string_search.occurrences(strings, string_search._SHORT_SEARCH + 1)(text))
    assert found == whole


@given(STRINGS, LETTERS, STRETCH)
@settings(max_examples=400, deadline=None)
def test_words_are_found_whatever_the_stretch(strings: list[str], text: str, stretch: int) -> None:
    many = string_search.Strings([*strings, *(f"z{number}" for number in range(200))])
    whole = list(many.find(text))
    with patch.object(string_search, "_WORDS", stretch):
        assert list(many.find(text)) == whole
    for string, start, end in whole:
        assert text[start:end] == string


@given(st.text("a1 .²٣李", max_size=6))
@settings(max_examples=300, deadline=None)
def test_short_is_what_says_at_most_two_digits(text: str) -> None:
    told = [char for char in text if char.isalnum()]
    assert is_short(text) == (len(text) <= 2 or (len(told) <= 2 and all(map(str.isdigit, told))))


@given(LETTERS, STRETCH)
@settings(max_examples=300, deadline=None)
def test_letters_alone_of_pieces(text: str, stretch: int) -> None:
    whole = spaced_letters.without_gaps(text)
    with patch.object(spaced_letters, "_COPIED", stretch):
        assert spaced_letters.without_gaps(text) == whole


@given(
    st.lists(st.tuples(st.text("ab1", max_size=4), st.text("xy2", min_size=1, max_size=5)), max_size=6),
    STRETCH,
)
@settings(max_examples=300, deadline=None)
def test_placeholders_are_blanked_by_blocks(pieces: list[tuple[str, str]], block: int) -> None:
    text, spans, expected = "", [], ""
    for before, ours in pieces:
        spans.append(Span(len(text) + len(before), len(text) + len(before) + len(ours)))
        text += before + ours
        expected += before + BLANK * len(ours)
    with patch.object(find, "_BLOCK", block):
        assert find.blank(text + "end", spans) == expected + "end"


@given(STRINGS, LETTERS)
@settings(max_examples=400, deadline=None)
def test_places_are_told_once(strings: list[str], text: str) -> None:
    """Also where a letter folds to two, and where a line break in a word gives a second reading."""
    known = {string: PropagatedString(string, "PERSON", "", 1.0) for string in strings}
    expected: dict[tuple[str, Span], None] = {}
    for folded in foldings(text):
        for string in sorted(strings):
            for start in range(len(folded.text)):
                if folded.text.startswith(string, start):
                    expected[string, folded.span(start, start + len(string))] = None
    found = [(one.string, Span(start, end)) for one, start, end in spread._string_places(text, known)]
    assert len(found) == len(expected)
    assert set(found) == set(expected)
