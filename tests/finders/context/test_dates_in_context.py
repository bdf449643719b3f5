"""A month or a day without a year is a date where the word before it says so."""

from __future__ import annotations

import pytest

from efface.finders.context.dates_in_context import dates_in_context
from tests.growth import assert_linear


def _found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in dates_in_context(text)]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("It was a worry in January, but no more.", "January"),
        ("The hub closed in December.", "December"),
        ("since May she has been well", "May"),
        ("was 64 kg in januari.", "januari"),
        ("Elle va mieux depuis février.", "février"),
        ("Er kam Ende März wieder.", "März"),
        ("He accepts that he said it on the 14th.", "14th"),
        ("She left by the 3rd and came back", "3rd"),
    ],
)
def test_a_month_or_a_day_alone_is_found(text: str, date: str) -> None:
    assert date in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "They march on in march time.",
        "You may go in may be an hour.",
        "It was given by May to April.",
        "He lives on the 14th floor, and won on the 18th hole.",
        "The January sales, and January itself.",
    ],
)
def test_other_months_and_ordinals_are_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("piece", ["in ", "January ", "on the 14th ", "since-"])
def test_dates_are_looked_for_in_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(dates_in_context(text)), piece, 200_000)
