from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.folding import fold_term
from efface.terms import words
from efface.terms.everywhere import everywhere
from efface.terms.words import Listed, WordFinder


def found(text: str, *terms: str | Listed) -> list[str]:
    finder = WordFinder(tuple(Listed(t) if isinstance(t, str) else t for t in terms))
    return [text[m.start : m.end] for m in sorted(finder.find(text), key=lambda m: (m.start, m.end))]


CASES = [
    ("Acme and ACME and acme.", ["Acme"], ["Acme", "ACME", "acme"]),
    ("Acmes, Pacme", ["Acme"], []),
    ("Project\r\nFalcon", ["Project Falcon"], ["Project\r\nFalcon"]),
    ("Project Fal-\ncon", ["Project Falcon"], ["Project Fal-\ncon"]),
    ("the Smith-\nJones case", ["Smith-Jones"], ["Smith-\nJones"]),
    ("the Smith-\nJones case", ["Jones"], ["Jones"]),
    (
        "Ｆａｌｃｏｎ Fаlсon Fal\u200bcon Fal\u00adcon",
        ["falcon"],
        ["Ｆａｌｃｏｎ", "Fаlсon", "Fal\u200bcon", "Fal\u00adcon"],
    ),
    ("FaIcon fa1con", ["Falcon"], ["FaIcon", "fa1con"]),
    ("A1 and Al", ["Al"], ["Al"]),
    ("New York City", ["New York", "York City"], ["New York", "York City"]),
    ("患者李伟来", ["李伟"], ["李伟"]),
    ("falcon_plan.docx", ["Falcon"], ["falcon"]),
    ("", ["x"], []),
    ("x", ["\u200b"], []),
]


@pytest.mark.parametrize(("text", "terms", "expected"), CASES)
def test_listed_terms(text: str, terms: list[str], expected: list[str]) -> None:
    assert found(text, *terms) == expected


def test_case_tells_the_name_from_the_pronoun() -> None:
    assert found("He said he saw He.", Listed("He", case=True)) == ["He", "He"]


@given(
    st.lists(st.text("ab- ", min_size=1, max_size=4).filter(fold_term), min_size=1, max_size=4),
    st.text("ab -\n", max_size=40),
)
def test_blocks_find_what_the_whole_finds(terms: list[str], text: str) -> None:
    finder = WordFinder(tuple(map(Listed, terms)))
    whole = set(finder.find(text))
    old = words._BLOCK
    words._BLOCK = 7
    try:
        assert set(finder.find(text)) == whole
    finally:
        words._BLOCK = old


@given(
    st.text("xyz ,.\n", max_size=30),
    st.text("xyz ,.\n", max_size=30),
    st.sampled_from(["Falcon", "Smith-Jones", "a b"]),
)
def test_a_planted_term_is_found(before: str, after: str, term: str) -> None:
    text = f"{before} {term} {after}"
    at = len(before) + 1
    assert any(m.start <= at and m.end >= at + len(term) for m in WordFinder((Listed(term),)).find(text))


def test_an_identifier_found_by_context_is_found_where_context_is_missing() -> None:
    text = "MRN 4471902 came in. 4471902 left; 44719021 stayed."
    first = next(WordFinder((Listed("MRN 4471902"),)).find(text))
    from dataclasses import replace

    number = replace(first, start=4, end=11)
    assert [m.start for m in everywhere(text, [number])] == [4, 21]
