"""What a model takes for a name and is none: a legal form, a government without its state, a letter for a date."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.name_false_positives import without_false_names


def _left(text: str, surface: str, type_: str, score: float = 0.99, *, facts: bool = False) -> list[str]:
    start = text.index(surface)
    mention = Mention(start, start + len(surface), type_, surface.lower(), score, "model")
    return [text[one.start : one.end] for one in without_false_names(text, [mention], facts=facts)]


@pytest.mark.parametrize(
    ("text", "surface", "type_", "left"),
    [
        ("Volga Group LLC sold it.", "LLC", "ORGANIZATION", []),
        ("Volga Group LLC sold it.", "Volga Group LLC", "ORGANIZATION", ["Volga Group LLC"]),
        ("the Government of Iraq", "Government", "ORGANIZATION", []),
        ("pursuant to E.O. 13224", "E", "DATE_TIME", []),
        ("on 5 May", "5 May", "DATE_TIME", ["5 May"]),
        ("We met Sue there.", "Sue", "PERSON", ["Sue"]),
        ("Rose rang on Friday.", "Rose rang", "PERSON", ["Rose"]),
        ("Then asked Rose Tyler why.", "asked Rose Tyler", "PERSON", ["Rose Tyler"]),
        ("We met Maria rose.", "Maria rose", "PERSON", ["Maria rose"]),
        ("It was Jan van den Berg.", "Jan van den Berg", "PERSON", ["Jan van den Berg"]),
    ],
)
def test_what_names_nothing_stays(text: str, surface: str, type_: str, left: list[str]) -> None:
    assert _left(text, surface, type_) == left


@pytest.mark.parametrize(
    ("text", "surface", "type_", "score"),
    [
        ("He worked as a primary school teacher.", "primary school teacher", "NRP", 0.8),
        ("He was ten years old.", "ten years old", "NRP", 0.7),
        ("She was a student there.", "student", "NRP", 0.4),
        (
            "He appealed to the national disability tribunal.",
            "national disability tribunal",
            "ORGANIZATION",
            0.4,
        ),
        ("The court sentenced him to two years' imprisonment.", "two years", "DATE_TIME", 0.6),
    ],
)
def test_a_fact_counts_where_the_finder_marks_facts_and_is_no_name_elsewhere(
    text: str, surface: str, type_: str, score: float
) -> None:
    assert _left(text, surface, type_, score) == []
    assert _left(text, surface, type_, score, facts=True) == [surface]


def test_a_deadline_and_a_mistaken_person_are_no_facts() -> None:
    assert _left("Appeal within two weeks.", "two weeks", "DATE_TIME", 0.4, facts=True) == []
    assert _left("The Commissioner agreed.", "Commissioner", "PERSON", 0.9, facts=True) == []


@pytest.mark.parametrize(
    ("text", "surface", "type_", "score", "is_name"),
    [
        ("Write to Houston, TX 77042.", "TX", "LOCATION", 0.5, True),
        ("Dallas TX 48486", "TX", "LOCATION", 0.5, True),
        ("Washington, DC is hot.", "DC", "LOCATION", 0.5, True),
        ("I am moving to PA on Friday.", "PA", "LOCATION", 0.7, True),
        ("The PA typed it.", "PA", "LOCATION", 0.7, False),
        ("DC Hughes came.", "DC", "LOCATION", 0.9, False),
        ("his flat: apt. 336", "apt. 336", "LOCATION", 0.5, True),
        ("a flat in town", "flat", "LOCATION", 0.5, False),
        ("hello , ms. brown .", "ms. brown", "PERSON", 0.75, True),
        ("the brown one", "brown", "PERSON", 0.75, False),
        ("a united states number", "united states", "LOCATION", 0.97, True),
        ("from the state farm", "state farm", "ORGANIZATION", 0.6, False),
        ("he works for state farm insurance", "state farm insurance", "ORGANIZATION", 0.98, True),
    ],
)
def test_a_name_of_ordinary_letters_or_words(
    text: str, surface: str, type_: str, score: float, is_name: bool
) -> None:
    assert _left(text, surface, type_, score) == ([surface] if is_name else [])


def test_an_english_word_is_a_town_in_another_language() -> None:
    portuguese = "Amanhã ele vai a Sines com o irmão. Ontem choveu muito na cidade toda."
    assert _left(portuguese, "Sines", "LOCATION", 0.6) == ["Sines"]
    assert _left("He drew the Sines of the two angles on the board.", "Sines", "LOCATION", 0.6) == []


@pytest.mark.parametrize(
    ("surface", "score", "left"),
    [
        ("Vessel Type", 0.43, []),
        ("Crude", 0.34, []),
        ("Crude", 0.6, ["Crude"]),
        ("Mark Brown", 0.2, ["Mark Brown"]),
        ("Rose", 0.2, ["Rose"]),
    ],
)
def test_a_mere_guess_at_a_person_is_none_if_its_words_are_on_no_list_of_names(
    surface: str, score: float, left: list[str]
) -> None:
    mention = Mention(0, len(surface), "PERSON", surface.lower(), score, "model")
    text = f"{surface}: none"
    assert [text[one.start : one.end] for one in without_false_names(text, [mention])] == left


@pytest.mark.parametrize(
    ("text", "surface", "type_", "left"),
    [
        ("Delmar Lines, S.A. sold it.", "S.A.", "ORGANIZATION", []),
        ("[ORGANIZATION_1] S.A. sold it.", "S.A.", "LOCATION", []),
        ("the applicant, S.A., was born", "S.A.", "ORGANIZATION", ["S.A."]),
        ("Mr S.A. was born", "S.A.", "PERSON", ["S.A."]),
        ("Sambouk Shipping FZC", "FZC", "PERSON", []),
        ("a Specially Designated Global Terrorist, or SDGT.", "SDGT", "PERSON", []),
        ("the port of SDGT", "SDGT", "ORGANIZATION", ["SDGT"]),
        ("weapons of mass destruction (WMD) and WMD aid", "WMD", "ORGANIZATION", []),
        ("the Syria Nonproliferation Act (INKSNA), pursuant to INKSNA", "INKSNA", "ORGANIZATION", []),
        ("the Human Rights Act of 2012 (ITRSHRA) and ITRSHRA", "ITRSHRA", "PERSON", []),
        (
            "anti money laundering and combating the financing of terrorism (AML/CFT) and AML/CFT law",
            "AML/CFT",
            "ORGANIZATION",
            [],
        ),
        ("the Atomic Energy Organization (AEOI) and AEOI", "AEOI", "ORGANIZATION", ["AEOI"]),
        ("transnational criminal organizations (TCOs), the TCO led", "TCO", "ORGANIZATION", []),
        ("the Tengiz Company (TCO)", "TCO", "ORGANIZATION", ["TCO"]),
        ("see Fig. 3", "Fig", "LOCATION", []),
        ("IMO Number: 9569621", "IMO", "ORGANIZATION", []),
        ("Flag: Panama; IMO 9569621", "IMO", "ORGANIZATION", []),
        ("the IMO, in London", "IMO", "ORGANIZATION", ["IMO"]),
        ("the SDN List of Specially-Designated Nationals, the SDN List", "SDN List", "ORGANIZATION", []),
        ("Foreign Terrorist Organizations (FTOs) and an FTO", "FTO", "ORGANIZATION", []),
        ("a Foreign Terrorist Organization", "Foreign Terrorist Organization", "ORGANIZATION", []),
        ("the FTO of Ohio", "FTO", "ORGANIZATION", ["FTO"]),
        ("a bank moved CNY 20", "CNY", "ORGANIZATION", []),
        ("Biograd JSC sold it", "JSC", "PERSON", []),
        ("SUE left", "SUE", "PERSON", ["SUE"]),
        ("a Joint Stock Company", "Joint Stock Company", "ORGANIZATION", []),
        ("under E.O. 13382, as", "13382", "DATE_TIME", []),
        ("since 13382 was", "13382", "DATE_TIME", ["13382"]),
        ("under Fed. R. Evid. 608", "R. Evid", "PERSON", []),
        ("Mr R. P. was born", "R. P.", "PERSON", ["R. P."]),
        ("the town of Fig", "Fig", "LOCATION", ["Fig"]),
    ],
)
def test_what_names_nothing_where_it_stands_stays(
    text: str, surface: str, type_: str, left: list[str]
) -> None:
    start = text.rindex(surface)
    mention = Mention(start, start + len(surface), type_, surface.lower(), 0.99, "model")
    found = [text[one.start : one.end] for one in without_false_names(text, [mention])]
    assert found == left
