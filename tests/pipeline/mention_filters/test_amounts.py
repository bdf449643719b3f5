"""Amounts and quantities are no dates."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.amounts import without_amounts


def is_date(text: str, surface: str) -> bool:
    start = text.index(surface)
    mention = Mention(start, start + len(surface), "DATE_TIME", surface, 0.9, "test")
    return bool(list(without_amounts(text, [mention])))


@pytest.mark.parametrize("surface", ["45.00", "180,00", "1,250.00", "60.75"])
def test_an_amount_is_no_time(surface: str) -> None:
    assert not is_date(f"We paid {surface} for it.", surface)


@pytest.mark.parametrize("surface", ["10.30", "12.03", "1999", "31.12", "23:59", "4 May"])
def test_what_may_be_a_time_or_a_day_is_one(surface: str) -> None:
    assert is_date(f"We met at {surface} there.", surface)


def test_a_part_of_an_amount_is_no_time() -> None:
    assert not is_date("Total due\t240.00\n", "240.")
    assert not is_date("We paid GBP 2,450.17 to them", "17")
    assert not is_date("We paid GBP 2,450.17 to them", "450.17")
    assert is_date("We met at 9.17 there, 5, 17 and 18", "17")


def test_a_number_alone_in_its_cell_is_no_day() -> None:
    assert not is_date("Report\t4\t60.00\n", "4")
    assert not is_date("King\tHazel\t7B\n", "7B")
    assert is_date("on the 4 of them", "4")
    assert is_date("Seen\ton the 4\n", "4")


def test_a_price_among_prices_is_no_time() -> None:
    assert not is_date("boiler     90.00  90.00\nscrews box  4.00  12.00\n", "12.00")
    assert not is_date("lamp\t39.00\t3\nvase\t12.00\t9\n", "12.00")
    assert is_date("early  09.00\nlate   12.00\n", "12.00")
    assert is_date("lamp  39.00\nWe met at 12.00 there\n", "12.00")


@pytest.mark.parametrize(
    "text", ['{"version": "4.12.1"}', "Python SDK 4.12.1", "firmware v4.12.1", 'minVersion="4.12.1"']
)
def test_a_version_is_no_date(text: str) -> None:
    assert not is_date(text, "4.12.1")


@pytest.mark.parametrize("text", ["born 4.12.1961", '{"dob": "4.12.1961"}', "on 4.12.1961"])
def test_a_date_is_no_version(text: str) -> None:
    assert is_date(text, "4.12.1961")


@pytest.mark.parametrize("text", ["release 12.03.2024 went out", "Build: 03.12.2019", "Version 31.12.1999"])
def test_a_day_with_its_year_is_a_date_behind_any_word(text: str) -> None:
    surface = next(word for word in text.split() if word[0].isdigit())
    assert is_date(text, surface)


@pytest.mark.parametrize(
    "text", ["It runs Windows 11, Chrome 20", "Office 16 is old", "iOS 17 and Android 14"]
)
def test_the_number_of_a_program_is_no_day(text: str) -> None:
    for surface in (word.strip(",") for word in text.split() if word[0].isdigit()):
        assert not is_date(text, surface)
