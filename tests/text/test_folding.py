from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.text.folding import fold, fold_term, foldings, words

EQUAL = [
    ("Falcon", "FALCON"),
    ("Falcon", "Ｆａｌｃｏｎ"),  # full width
    ("Falcon", "Fаlсоn"),  # Cyrillic a, es, o
    ("Falcon", "Fal\u200bcon"),  # zero-width space
    ("Falcon", "Fal\u00adcon"),  # soft hyphen
    ("Falcon", "F\u2060a\ufefflcon"),
    ("Falcon", "𝐅𝐚𝐥𝐜𝐨𝐧"),  # mathematical bold
    ("José", "Jose\u0301"),
    ("José", "Jose"),
    ("Straße", "STRASSE"),
    ("Project Falcon", "Project\n   Falcon"),
    ("Project Falcon", "Project\u00a0Falcon"),
    ("O'Brien", "O’Brien"),
    ("Smith-Jones", "Smith‑Jones"),
    ("ﬁle", "file"),
    ("Αcme", "acme"),  # Greek capital alpha
    ("Δοκιμή", "δοκιμη"),
    ("Fal\x00con", "falcon"),
    ("Fal\u3164con", "falcon"),
    ("Fal\u115fcon", "falcon"),
    ("\x1b[31mFalcon\x1b[0m", "falcon"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_spellings_of_one_term_are_equal(one: str, other: str) -> None:
    assert fold_term(one) == fold_term(other)


@pytest.mark.parametrize(("one", "other"), [("Falcon", "Falcons"), ("He", "The"), ("1", "2"), ("a b", "ab")])
def test_different_terms_stay_different(one: str, other: str) -> None:
    assert fold_term(one) != fold_term(other)


texts = st.text(
    st.one_of(
        st.sampled_from("aZé ßﬁ\u0301\u200b\u00ad\n\r\t-\u00a0Ａаı李0\x00😀"),
        st.characters(blacklist_categories=["Cs"]),
    ),
    max_size=40,
)


@given(texts)
def test_every_folded_character_comes_from_the_text(text: str) -> None:
    for folded in foldings(text):
        for at in range(len(folded.text)):
            span = folded.span(at, at + 1)
            assert 0 <= span.start < span.end <= len(text)
            assert folded.text[at] in fold(text[span.start : span.end]).text


@given(texts)
def test_spans_follow_the_order_of_the_text(text: str) -> None:
    folded = fold(text)
    starts = [folded.span(at, at + 1).start for at in range(len(folded.text))]
    assert starts == sorted(starts)


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_ascii_is_lower_case_with_single_spaces(text: str) -> None:
    visible = "".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cc")
    lower = visible.lower()
    words = lower.split()
    assert fold(text).text.split() == words


def test_a_word_hyphenated_over_a_line_break_is_read_joined_too() -> None:
    readings = [folded.text for folded in foldings("the Fal-\n  con flies")]
    assert readings == ["the fal- con flies", "the falcon flies"]


def test_the_accent_after_a_letter_belongs_to_the_letter() -> None:
    folded = fold("Jose\u0301!")
    span = folded.span(0, 4)
    assert "Jose\u0301!"[span.start : span.end] == "Jose\u0301"


@pytest.mark.parametrize(
    ("text", "term", "alone"),
    [
        ("a falcon b", "falcon", True),
        ("falcons", "falcon", False),
        ("project_falcon_2", "falcon", True),
        ("falcon's", "falcon", True),
        ("患者李伟来", "李伟", True),
        ("김민수가", fold_term("김민수"), True),
        ("x3falcon", "falcon", False),
    ],
)
def test_what_stands_alone(text: str, term: str, alone: bool) -> None:
    folded = fold(text)
    at = folded.text.index(term)
    assert folded.stands_alone(at, at + len(term)) is alone


@given(st.text(alphabet="aB é\u0301ßﬁ\u200b -\n\x1bİ漢1", max_size=40), st.booleans())
def test_the_places_of_all_words_are_those_of_each(text: str, join_lines: bool) -> None:
    folded = fold(text, join_lines=join_lines)
    spans = words(folded.text)
    assert folded.all_bounds(spans) == [folded.bounds(*span) for span in spans]
