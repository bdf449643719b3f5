"""What the classifier sees of a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.knowledge.classes.words import (
    STOP_WORDS,
    grams,
    is_feature,
    runs,
    with_cut_words_joined,
    word_keys,
    words,
)
from efface.text.folding import fold_term


def features(text: str) -> list[str]:
    return [key for key in word_keys(text) if is_feature(key)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n\t ", []),
        ("Steel Mills, Inc.", ["steel", "mills", "inc"]),
        ("Carrefour's stores", ["carrefour", "stores"]),
        ("Carrefour’s stores", ["carrefour", "stores"]),
        ("don't o'Reilly rock'n'roll", ["don't", "o'reilly", "rock'n'roll"]),
        ("'quoted' ''", ["quoted"]),
        ("s's's", []),
        ("3.14 and 1997 x 42", ["14", "and", "1997", "42"]),
        ("co-operate snake_case a/b", ["co", "operate", "snake", "case"]),
        ("Crédit AGRICOLE", ["credit", "agricole"]),
        ("ﬁnance Ｂａｎｋ", ["finance", "bank"]),
        ("銀行 bank", ["銀", "行", "bank"]),
        ("so\u00adft ware", ["soft", "ware"]),
        ("a [WORD_1] bank [PERSON_12] [US_SSN_3]", ["bank"]),
        ("[word_1] [ACME_1] [WORD_x] [WORD]", ["word", "acme", "word", "word"]),
        ("x" * 65, []),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert features(text) == expected


def test_look_alike_letters_are_the_same_word() -> None:
    assert features("Асме") == features("Acme") == ["acme"]  # the first is Cyrillic


@given(
    st.text(alphabet=st.sampled_from("aB'é銀 _[]WORD1s\u00ad\n-.½ﬁ\x00\ue000"), max_size=40)
    | st.text(max_size=40)
)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_spans_lead_back_to_the_same_words(text: str) -> None:
    found = list(words(text))
    assert [word.key for word in found] == word_keys(text)
    for word in found:
        assert 0 <= word.start < word.end <= len(text)
        if is_feature(word.key):
            assert word.key in fold_term(text[word.start : word.end])


@given(st.text(alphabet=st.characters(min_codepoint=9, max_codepoint=126), max_size=60))
@settings(deadline=None, derandomize=True, max_examples=200)
def test_plain_texts_are_read_as_all_others(text: str) -> None:
    """The short cut for ASCII agrees with the way through folding, which one accent forces."""
    assert word_keys(text + " é") == [*word_keys(text), "e"]


def test_grams_do_not_reach_across_a_placeholder_but_across_stop_words() -> None:
    found = runs(words("bank of steel [WORD_1] rail ship"), STOP_WORDS)
    assert [key for run in found for key, _ in grams(run, 2)] == [
        "bank", "steel", "bank steel", "rail", "ship", "rail ship",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s'" * 200_000, 200_000),
        ("[WORD_" * 100_000, 100_000),
        ("a" * 500_000, 1),
        ("[" * 300_000, 0),
        ("'" * 300_000, 0),
    ],
    ids=["apostrophes", "placeholders", "one word", "brackets", "no word"],
)
def test_hostile_texts_are_read_to_their_end(text: str, found: int) -> None:
    """A search that begins again at every character would not come back."""
    assert len(word_keys(text)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the fur-\nnace", ["the", "furnace"]),
        ("the fur-\r\n   nace, FUR-\nNACE", ["the", "furnace", "furnace"]),
        ("> the fur-\n> nace", ["the", "furnace"]),
        ("fur\u2010\nnace's fur\u00ad\nnace", ["furnace", "furnace"]),
        ("well-\nknown fur-nace fur- nace", ["well", "known", "fur", "nace", "fur", "nace"]),
        ("o'reil-\nly", ["o'reilly"]),
        ("[WORD_1]-\nfurnace", ["furnace"]),
        ("fur-\n\nnace fur-\n", ["fur", "nace", "fur"]),
    ],
)
def test_known_words_that_the_end_of_a_line_cuts_are_read_whole(text: str, expected: list[str]) -> None:
    """They were read as two strange words, so that a text with hyphens at its line ends kept all that tells."""
    joined = with_cut_words_joined(text, {"furnace", "o'reilly"})
    assert len(joined) == len(text)
    assert features(joined) == expected


@given(st.text(alphabet="ab-\n >'\u00ad\u00e9", max_size=30))
@settings(deadline=None)
def test_nothing_but_cut_words_changes(text: str) -> None:
    assert with_cut_words_joined(text, set()) == text
    joined = with_cut_words_joined(text, {"ab", "aab", "abb"})
    assert len(joined) == len(text)
    assert [char for char in joined if char.isalpha()] == [char for char in text if char.isalpha()]
