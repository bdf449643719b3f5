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
