"""Names of which several fields hold the parts."""

from __future__ import annotations

import pytest

from efface.finders.split_names import split_names


@pytest.mark.parametrize(
    "text",
    [
        "First name: Aurelio\nAge: 44\nLast name: Brandt\n",
        "Last name: Brandt\nFirst name: Aurelio\n",
        "Surname\tBrandt\nForename\tAurelio\n",
        "Last\tBorn\tFirst\nBrandt\t1980\tAurelio\nHolm\t1981\tIda\n",
        "first\tAurelio\nlast\tBrandt\nillness\tgout\n",
        "First: Aurelio\nWard: north\nLast: Brandt \n",
        '{"first": "Aurelio", "age": 3, "last": "Brandt"}',
        "| last | Brandt |\n| first | Aurelio |\n",
    ],
)
def test_the_parts_in_fields_are_one_name(text: str) -> None:
    told = {text[place.start : place.end]: name for place, name in split_names(text)}
    assert told["Aurelio"] == told["Brandt"] == "aurelio brandt"


@pytest.mark.parametrize(
    "text",
    [
        "He came first, and Brandt came last.",
        "First, Aurelio spoke; last, Brandt did.",
        "First: Aurelio" + " and much more was said of it" * 20 + "\nLast: Brandt",
        "First: Aurelio\nFirst: Brandt",
    ],
)
def test_what_no_two_fields_say_is_no_name(text: str) -> None:
    assert not list(split_names(text))
