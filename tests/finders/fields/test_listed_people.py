"""A list of capitalised words behind a label of people is a list of names."""

from __future__ import annotations

import pytest

from efface.finders.fields.labelled_fields import LabelledFields
from efface.finders.fields.listed_people import listed_people
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in LabelledFields().find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Staff on shift: Patience, Charity, Mercy, Precious, Blessing.\n",
            ["Patience", "Charity", "Mercy", "Precious", "Blessing"],
        ),
        (
            'WITNESSES: BIG AL, TERRY "THE CAT" NORBURY, MO OLUWASEUN\n',
            ["BIG AL", 'TERRY "THE CAT" NORBURY', "MO OLUWASEUN"],
        ),
        ("Attendees: Long, King, Bishop\n", ["Long", "King", "Bishop"]),
        ("**Present:** Hope, Grace and Comfort\n", ["Hope", "Grace", "Comfort"]),
        ("Apologies: Long (chair), Joy King; Bishop & Gift\n", ["Long", "Joy King", "Bishop", "Gift"]),
        ("Minutes\n\nOn duty: Will, Gift\nAll quiet.\n", ["Will", "Gift"]),
    ],
)
def test_lists_of_people(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Symptoms present: Fever, Cough, Rash\n",
        "Present: Fever, Cough, Vomiting\n",
        "Attendees: Finance, Legal, Operations\n",
        "Staff: eight nurses, two porters\n",
        "Colours: Rose, Amber, Ruby\n",
        "Guests: 12, of whom 4 vegetarian\n",
    ],
)
def test_other_lists(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("piece", ["Staff: A, ", "staff ", "and ", "Staff: a\n", "(", "A (x), "])
def test_the_time_goes_by_the_length(piece: str) -> None:
    assert_linear(lambda text: list(listed_people(text)), piece, 20_000 * len(piece), before="Staff: ")
