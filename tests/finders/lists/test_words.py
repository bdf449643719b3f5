from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.finders import lists as words
from efface.finders.lists import Listed, WordFinder
from efface.pipeline.mention_filters.repeated import with_repetitions
from efface.text.folding import fold_term
from tests.growth import assert_linear


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


@pytest.mark.parametrize(
    ("term", "form"),
    [
        ("Zanzibarov", "JZanzibarov1957"),
        ("Zanzibarov", "xzanzibarovx"),
        ("Project Falcon", "ProjectFalcon"),
        ("Project Falcon", "project_falcon2"),
        ("Project Falcon", "project-falcon"),
        ("Project Falcon", "PROJECTFALCON"),
        ("Project Falcon", "MyProjectFalconNotes"),
        ("Oppong-Mensah", "Oppong Mensah"),
        ("Oppong-Mensah", "oppong_mensah"),
        ("Falcon", "falcons"),
        ("Kim", "KimLee"),
        ("Kim", "Kims"),
        ("Kim", "JKim1957"),
        ("Ng", "JNg"),
        ("Ng", "Ngs"),
    ],
)
def test_a_glued_term_is_found_with_its_token(term: str, form: str) -> None:
    text = f"See {form}, there."
    finder = WordFinder((Listed(term),), glued=True)
    assert {text[m.start : m.end] for m in finder.find(text)} == {form}


def test_a_short_term_is_not_seen_in_other_words() -> None:
    finder = WordFinder((Listed("Ng"), Listed("An"), Listed("Art")), glued=True)
    assert not list(finder.find("We sing along; king. Ngata eats mango, party, Ants, cart, artful, ng2."))


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
    assert [m.start for m in with_repetitions(text, [number])] == [4, 21]


@pytest.mark.parametrize(
    ("term", "longer", "goes"),
    [
        ("Marie", "Mariette", True),
        ("Marie", "rosemarie", True),
        ("Baker", "bakery", True),  # too rare a word to be on the list of ordinary ones
        ("Mason", "masons", True),
        ("Mason", "masonry", False),
        ("Chase", "purchase", False),
        ("Grace", "disgraceful", False),
        ("Anna", "savannah", False),
        ("diabetes", "diabetesdiabetes", True),  # an ordinary word, beside others in a word that is none
        ("diabetes", "Diabetesclinic", True),
        ("diabetes", "mydiabetes", True),
        ("north", "Northampton", False),
        ("north", "northern", False),
    ],
)
def test_a_term_inside_another_word_goes_unless_that_is_an_ordinary_one(
    term: str, longer: str, goes: bool
) -> None:
    found = WordFinder((Listed(term),), glued=True).find(f"the {longer} here")
    assert {(mention.start, mention.end) for mention in found} == ({(4, 4 + len(longer))} if goes else set())


def test_a_term_that_is_repeated_without_a_seam_takes_linear_time() -> None:
    finder = WordFinder((Listed("diabetes"),), glued=True)
    assert_linear(lambda text: list(finder.find(text)), "diabetes", 32_000)


@pytest.mark.parametrize(
    ("term", "written"),
    [
        ("Müller", "MUELLER"),
        ("Sørensen", "Soerensen"),
        ("Kjær", "Kjaer"),
        ("1234567", "1,234,567"),
        ("1234567", "123-45-67"),
        ("1234567", "123 4567"),
        ("Project Falcon", 'Project "Falcon"'),
        ("Project Falcon", "Project (Falcon)"),
        ("Project Falcon", "PROJECT: Falcon"),
    ],
)
def test_a_term_goes_however_its_letters_digits_and_words_are_set(term: str, written: str) -> None:
    text = f"the {written} here"
    found = WordFinder((Listed(term),), glued=True).find(text)
    assert (4, 4 + len(written)) in {(mention.start, mention.end) for mention in found}


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("1234567", "the sum of 1,234,567,890"),
        ("1234567", "on 12.3456789"),
        ("Project Falcon", 'a "project", Falcon'),
    ],
)
def test_another_number_or_sentence_is_none(term: str, text: str) -> None:
    assert list(WordFinder((Listed(term),), glued=True).find(text)) == []
