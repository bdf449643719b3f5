"""Where a date ends, and what is none."""

from __future__ import annotations

import pytest

from efface.pipeline.mention_filters.by_type.dates import (
    is_no_point_of_time,
    long_number,
    without_small_words,
)


def test_a_number_of_working_days_is_a_length_of_time() -> None:
    text = "You may appeal within 7 working days."
    start = text.index("7")
    assert is_no_point_of_time(text, start, start + 1)


@pytest.mark.parametrize(
    ("found", "date"),
    [
        ("10.50 to", "10.50"),
        ("February of", "February"),
        ("January 1 may", "January 1"),
        ("7 October and", "7 October"),
        ("5 May", "5 May"),
        ("may", "may"),
    ],
)
def test_small_words_behind_a_date(found: str, date: str) -> None:
    text = f"on {found} it"
    end = without_small_words(text, 3, 3 + len(found))
    assert text[3:end] == date


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seen within 48h.", "48h"),
        ("for sixty-one years.", "sixty-one years"),
        ("an offer within 30 days, we", "30 days"),
        ("and 45 minutes late", "45"),
        ("measured at 3 cm.", "3 cm"),
        ("81F w/ PMH of", "PMH"),
        ("in PR 5512, reviewed", "PR 5512"),
        ("at 28/40 she", "28/40"),
        ("BP 104/60, HR", "104/60"),
    ],
)
def test_no_point_of_time(text: str, found: str) -> None:
    start = text.index(found)
    assert is_no_point_of_time(text, start, start + len(found))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("three years ago he", "three years"),
        ("he is 45 years old", "45"),
        ("on the 45th day", "45"),
        ("in MAY she", "MAY"),
        ("in FY 2019 it", "FY 2019"),
        ("on 22/8 he", "22/8"),
        ("14 days later", "14 days"),
    ],
)
def test_points_of_time(text: str, found: str) -> None:
    start = text.index(found)
    assert not is_no_point_of_time(text, start, start + len(found))


def test_groups_of_a_long_number() -> None:
    text = "Gas (01273 555 0148) will come"
    place = long_number(text, 5, 10)
    assert place is not None
    assert text[slice(*place)] == "01273 555 0148"
    assert long_number("on 12 05 1990 he", 3, 5) is None
    assert long_number("in 2019 and", 3, 7) is None
