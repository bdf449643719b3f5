"""Towns behind streets, and pubs, whatever else their words mean."""

from __future__ import annotations

import pytest

from efface.finders.places_in_context import places_in_context
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in places_in_context(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Copy to 8 Vine Terrace, Frome.", ["Frome"]),
        ("44 Beech Gr., Widnes; PIN", ["Widnes"]),
        ("lives at 3 The Old Mill Lane, Stoke-on-Trent", ["Stoke-on-Trent"]),
        ("1 High Street, Sale\nM33 4AA", ["Sale"]),
        ("outside the Frog and Bucket on Friday", ["Frog and Bucket"]),
        ("behind the bar at the Dog & Partridge.", ["Dog & Partridge"]),
        ("met in the White Hart", ["White Hart"]),
        ("landlord of the King's Head", ["King's Head"]),
        ("to the Carpenters Arms", ["Carpenters Arms"]),
        ("The Old Vicarage next door is to let", ["Old Vicarage"]),
        ("she lives at the Old Post Office", ["Old Post Office"]),
        ("manager at our Daventry site, excluded", ["Daventry"]),
        ("54F, lives w husband Clive in Frome. PMH", ["Frome"]),
        ("living with her aunt in Hebden Bridge", ["Hebden Bridge"]),
        ("lives in January with him; living in Victorian houses", []),
        ("call our Head office or their Main branch", []),
    ],
)
def test_places(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "8 Vine Terrace, Please reply.",
        "8 Vine Terrace, the door is open",
        "In 4 Big Hill, Telephone: 1",
        "at the Research and Development unit",
        "in the Old Testament and the old vicarage",
        "the Red Cross and the White House",
        "by the Horse and Cattle Breeders Association",
        "from the Department of Health and Social Care",
        "He saw a fox and hounds.",
    ],
)
def test_nothing(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize("piece", ["1 Aa Aa ", "at the ", "1 Aa St, ", "at the Aa and ", "Aa-on-"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(places_in_context(text)), piece, 50_000)
