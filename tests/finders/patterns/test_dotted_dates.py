"""Dates with dots and a two-digit year, which look like sections and versions."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder


def _dates(text: str) -> list[str]:
    found = [mention for mention in PatternFinder().find(text) if mention.type == "DATE_TIME"]
    return [text[mention.start : mention.end] for mention in found]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("5.6.71", ["5.6.71"]),
        ("5.6.71\n\nDear Mr Smith,", ["5.6.71"]),
        ("Seen on 5.6.71 and 12.11.98.", ["5.6.71", "12.11.98"]),
        ("Your letter of 5.6.71 refers", ["5.6.71"]),
        ("from 5.6.71 to 7.6.71", ["5.6.71", "7.6.71"]),
        ("Admitted 5.6.71 - discharged 7.6.71", ["5.6.71", "7.6.71"]),
        ("She (5.6.71) was well.", ["5.6.71"]),
        ("Leeds, 5.6.71", ["5.6.71"]),
        ("b. 5.6.71", ["5.6.71"]),
        ("The year turned on 31.12.99.", ["31.12.99"]),
        ("5.6.71 Seen in clinic", ["5.6.71"]),
    ],
)
def test_found_where_a_date_stands(text: str, dates: list[str]) -> None:
    assert _dates(text) == dates


@pytest.mark.parametrize(
    "text",
    [
        "see section 5.6.71 of the code",
        "version 5.6.12 of the program",
        "Version: 1.2.10",
        "curl 5.6.71 was released",
        "3.2.11 Payment of fees",
        "the address 1.2.10.4 answers",
        "on 5.61.71",
    ],
)
def test_sections_versions_and_addresses_are_no_dates(text: str) -> None:
    assert _dates(text) == []


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("Er hat am 1.3. einen neuen Job.", ["1.3."]),
        ("vom 1.3. bis 5.3. verreist", ["1.3.", "5.3."]),
        ("RDV le 22/05.", ["22/05"]),
        ("du 22/05 au 03/06", ["22/05", "03/06"]),
        ("Haug (f. 1946) fra Voss", ["1946"]),
        ("seit 2019 hier", ["2019"]),
        ("desde 2019 allí", ["2019"]),
        ("née en 1962 à Brest", ["1962"]),
        ("les 3/4 du temps", []),
        ("au 1/10 près", []),
        ("el 3/4 de litro", []),
        ("ab 1.3.4 gilt", []),
        ("en 2000 euros", []),
        ("sold in 2000 kg bags", []),
        ("Rosa | Ede | 25\nJan | Goes | 30\n", []),
    ],
)
def test_days_months_and_years_after_words_of_other_languages(text: str, dates: list[str]) -> None:
    assert _dates(text) == dates


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("Ein 64-jähriger Mann kam.", "64-jähriger"),
        ("Sie ist 64 Jahre alt.", "64"),
        ("varón de 64 años", "64"),
        ("Mme Petit, 78 ans, vient", "78"),
        ("64-vuotias mies", "64-vuotias"),
        ("hace 5 años", ""),
        ("un plan de 5 años", ""),
        ("Das dauerte 64 Jahre.", ""),
    ],
)
def test_ages_in_other_languages(text: str, age: str) -> None:
    found = [mention for mention in PatternFinder().find(text) if mention.type == "AGE"]
    assert "".join(text[mention.start : mention.end] for mention in found) == age


@pytest.mark.parametrize(
    "text", ["portadora do RG 24.678.131-4, declaro", "NHC 4567812, 64 meses", "Lidnummer: 4567812"]
)
def test_numbers_that_a_word_of_another_language_names(text: str) -> None:
    assert [mention.type for mention in PatternFinder().find(text)] == ["ID_NUMBER"]
