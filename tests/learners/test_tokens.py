from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.learners.tokens import MARK, normalize, tokenize

CASES = [
    ("John's book", ["John", "'", "s", "book"]),
    ("O'Brien and D’Angelo", ["O'Brien", "and", "D’Angelo"]),
    ("Anna-Maria", ["Anna", "-", "Maria"]),
    ("a.b@c.org", ["a", ".", "b", "@", "c", ".", "org"]),
    ("[PERSON_12] came", [MARK, "came"]),
    ("[PERSON:#0a1b2c3d] came", [MARK, "came"]),
    ("[[PERSON_1]]", ["[", MARK, "]"]),
    ("[sic] he", ["[", "sic", "]", "he"]),
    ("Jo\u200bhn Jose\u0301", ["John", "José"]),
    ("Ｊｏｈｎ", ["John"]),
    ("snake_case", ["snake", "_", "case"]),
    ("", []),
    (" \n\t", []),
]


@pytest.mark.parametrize(("text", "words"), CASES)
def test_words(text: str, words: list[str]) -> None:
    assert list(tokenize(text).words) == words


# What a token is, as it was first written down; the one in use says the same and is read faster.
HIDDEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u0300-\u036f"
DEFINED = re.compile(
    r"\[[A-Z][A-Z0-9_]{0,63}(?:\]|:[!-\\^-~]{1,400}\])"
    rf"|[^\W_](?:[^\W_]|[{HIDDEN}])*(?:['’](?![sS](?![^\W_]))[^\W\d_](?:[^\W\d_]|[{HIDDEN}])+)?"
    r"|[^\w\s]|_"
)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("aZß9_'’s.[]:# \n\u00ad\u200b\u0301é中²"), max_size=24) | st.text(max_size=24))
def test_tokens_are_those_of_the_definition(text: str) -> None:
    tokens = tokenize(text)
    defined = list(DEFINED.finditer(text))
    assert tokens.starts.tolist() == [match.start() for match in defined]
    assert tokens.ends.tolist() == [match.end() for match in defined]
    assert list(tokens.words) == [normalize(match[0]) for match in defined]


SENTENCES = [
    ("He came. She left.", [0, 3]),
    ("Mr. Smith came.", [0]),
    ("J. Smith came.", [0]),
    ("It cost 3.50 in all.", [0]),
    ("From: Anna\nTo: Bruno\n", [0, 3]),
    ("a line that is long enough to be wrapped at the\nmargin goes on", [0]),
    ("one\n\ntwo", [0, 1]),
    ("Really? yes", [0]),
]


@pytest.mark.parametrize(("text", "firsts"), SENTENCES)
def test_sentences(text: str, firsts: list[int]) -> None:
    assert tokenize(text).firsts.tolist() == firsts


def test_a_list_without_full_stops_is_cut() -> None:
    tokens = tokenize("word " * 1000)
    assert max(b - a for a, b in zip(tokens.firsts, [*tokens.firsts[1:], len(tokens)], strict=True)) <= 120


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(alphabet=st.sampled_from("aZ9é'’.-_[]\n \u200b\u0301PERSON"), max_size=60))
def test_tokens_are_in_order_and_leave_no_letter_out(text: str) -> None:
    tokens = tokenize(text)
    covered: set[int] = set()
    last = 0
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        assert last <= start < end
        last = end
        covered.update(range(start, end))
    assert all(place in covered for place, char in enumerate(text) if char.isalnum())
    assert list(tokens.firsts) == sorted(set(tokens.firsts.tolist()))
