from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.learners.tokens import MARK, tokenize

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
