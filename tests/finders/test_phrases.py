"""Noun phrases: tables of texts and what stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.finders.phrases import PhraseFinder


def phrases(text: str, why: str = "noun phrase") -> list[str]:
    return [text[m.start : m.end] for m in PhraseFinder().find(text) if m.because == why]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "HIV infects vital cells in the human immune system.",
            ["HIV", "vital cells", "human immune system"],
        ),
        ("the virus that causes HIV infection", ["virus", "HIV infection"]),
        ("abortively infected T cells", ["abortively infected T cells"]),
        ("An HIV-positive mother can transmit HIV to her baby", ["HIV-positive mother", "HIV", "baby"]),
        ("CD4+ T cell numbers decline below a level", ["CD4+ T cell numbers", "level"]),
        ("She was given zidovudine.", ["zidovudine"]),
        ("the patient's blood", ["patient's blood"]),
        ("life-threatening infections, and cancers", ["life-threatening infections", "cancers"]),
        ("It is 9 to 11 years.", ["years"]),
        ("We repeat the blood tests in a week.", ["blood tests", "week"]),
        ("the laboratory found Pneumocystis", ["laboratory", "Pneumocystis"]),
        ("The patient eats well.", ["patient"]),
        (
            "a biopsy of the skin\nexcluded sarcoma, and the immune\nsystem",
            ["biopsy", "skin", "sarcoma", "immune\nsystem"],
        ),
        ("One line\nAnother line\n\nand more", ["line", "line"]),
        ("She discussed mifepristone with her doctor.", ["mifepristone", "doctor"]),
        ("The company's stock rose.", ["company's stock"]),
        ("The virus infects T cells.", ["virus", "T cells"]),
        ("We started tenofovir and stopped it.", ["tenofovir"]),
        ("He was told to stop eating white bread.", ["white bread"]),
        ("He works as a cook and keeps two dogs.", ["cook", "dogs"]),
        ("The test confirmed infection.", ["test", "infection"]),
        ("Her mother's death last winter made it worse.", ["mother's death", "last winter"]),
        ("how misoprostol works", ["misoprostol"]),
        ("His mother lives with them.", ["mother"]),
        ("The film showed an infiltrate.", ["film", "infiltrate"]),
        ("", []),
        ("of the and to", []),
    ],
)
def test_noun_phrases(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_other_content_words_are_marked_apart() -> None:
    assert phrases("The virus infects cells.", "content word") == ["infects"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("the human immunodeficiency virus (HIV) and HIV", "HIV|human immunodeficiency virus"),
        ("over time acquired immunodeficiency syndrome (AIDS)", "AIDS|acquired immunodeficiency syndrome"),
        ("sexually transmitted diseases (STDs); an STD", "STD|sexually transmitted disease"),
        ("relies on the tuberculin skin test (TST) or blood", "TST|tuberculin skin test"),
    ],
)
def test_an_acronym_and_its_long_form_are_one_term(text: str, key: str) -> None:
    found = [m for m in PhraseFinder().find(text) if m.key == key]
    assert len(found) >= 2


@pytest.mark.parametrize("text", ["the virus (see Fig)", "blood (XYZ)", "cold. Milk (CM)", "(HIV)"])
def test_what_is_no_acronym_is_left_alone(text: str) -> None:
    assert not any("|" in mention.key for mention in PhraseFinder().find(text))


def test_singular_and_plural_have_one_key() -> None:
    assert (
        len({m.key for m in PhraseFinder().find("vaginal fluid, or vaginal fluids, or Vaginal fluid")}) == 1
    )


@given(st.text(alphabet="aAIs T4+-'’()., \n\u00e9\u4e2d", max_size=80))
def test_mentions_are_disjoint_in_order_and_never_empty(text: str) -> None:
    end = 0
    for mention in PhraseFinder().find(text):
        assert end <= mention.start < mention.end <= len(text)
        assert mention.key and mention.key == mention.key.strip()
        end = mention.end


def test_hostile_text_is_read_in_one_pass() -> None:
    text = "(" * 20_000 + "A" * 50_000 + "- " * 20_000 + "(AB) " * 5_000
    assert len(list(PhraseFinder().find(text))) >= 1


def test_an_acronym_spelled_like_a_stop_word_is_one() -> None:
    text = "Acute lymphoblastic leukemia (ALL) is rare. ALL has a cause, and all know it."
    found = [text[m.start : m.end] for m in PhraseFinder().find(text) if m.key.startswith("ALL|")]
    assert sorted(found) == ["ALL", "ALL", "Acute lymphoblastic leukemia"]


def test_no_phrase_runs_across_a_dash() -> None:
    text = "DISCHARGE LETTER - ward 4 north and part-time work"
    found = [text[m.start : m.end] for m in PhraseFinder().find(text)]
    assert not any(" - " in each for each in found)


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("He is allergic to penicillin and nuts.", {}, []),
        ("She is allergic to penicillin.", {"penicillin": "penicillin"}, ["allergic", "penicillin"]),
        ("She is allergic to nuts.", {"allergy": "allergy"}, ["allergic", "nuts"]),
        (
            "Penicillin helped. He is allergic to penicillin.",
            {},
            ["Penicillin", "helped", "allergic", "penicillin"],
        ),
    ],
)
def test_what_someone_is_allergic_to_is_no_evidence(
    text: str, names: dict[str, str], found: list[str]
) -> None:
    mentions = PhraseFinder(names=names).find(text)
    assert [text[mention.start : mention.end] for mention in mentions] == found


def test_no_phrase_runs_from_one_cell_of_a_table_into_the_next() -> None:
    text = "patient\tproblem\n1\tdiabetes\tmetformin\tblood pressure\n"
    found = [text[m.start : m.end] for m in PhraseFinder().find(text)]
    assert found == ["patient", "problem", "diabetes", "metformin", "blood pressure"]
