"""Bare numbers are no places, labels of forms are no names, and `risk: both` marks what either risk does."""

from __future__ import annotations

import pytest

from efface.finders.names.decoding import DecodedMention
from efface.finders.names.finder import NameFinder
from efface.finders.names.model_false_positives import without_false_alarms


def _kept(words: list[str], found: list[DecodedMention], after: str = " ") -> list[str]:
    def surface(one: DecodedMention) -> str:
        return " ".join(words[one.first : one.last])

    def between(one: DecodedMention, other: DecodedMention) -> str:
        return " ".join(words[one.last : other.first])

    return [surface(one) for one in without_false_alarms(found, surface, lambda _one: after, between)]


def _found(first: int, last: int, kind: str) -> DecodedMention:
    return DecodedMention(first, last, kind, 0.5, 0.0)


def test_a_number_by_itself_is_no_place() -> None:
    words = "It cost 250 in Berlin".split()
    assert _kept(words, [_found(2, 3, "LOCATION"), _found(4, 5, "LOCATION")]) == ["Berlin"]


@pytest.mark.parametrize(
    ("name", "after", "kept"),
    [
        ("Huntington", "'s disease in 2009", False),
        ("Huntington's", " disease.", False),
        ("Down", " syndrome", False),
        ("Guillain-Barré", " syndrome", False),
        ("Apgar", " scores of", False),
        ("Huntington", "'s house", True),
        ("Whitcombe", "'s disease", True),
        ("Murphy", "'s sign neg", False),
        ("Graves", "' disease, on", False),
        ("Thomas", " splint not needed", False),
        ("Thomas", "'s pain is worse", True),
        ("Thomas", " pain 5/10", True),
        ("Jones", " line out today", True),
        ("Hickman", " line out", False),
        ("Bristol", " stool type 6", False),
        ("Bristol", " on Monday", True),
        ("Beck Depression", " Inventory 22", False),
        ("Epstein-Barr", " IgG pos", False),
        ("Duffy", " neg.", True),
        ("Barthel", " 14/20", False),
        ("PHQ-9", " 14", False),
        ("Tegaderm", " dressings", False),
        ("Sara Stedy", ".", False),
        ("Sara", ".", True),
        ("Ruth Waterlow", " said", True),
        ("Macpherson", " came in with his wife", True),
        ("Coombs", " was seen by the nurse", True),
        ("Coombs", " was positive", False),
        ("Coombs", " test neg", False),
        ("Braden", " overnight", True),
        ("Braden", " score: 18", False),
        ("Waterlow", ": 12", False),
        ("Waterlow", " completed", False),
        ("Romberg", " negative", False),
        ("Romberg", " reviewed her", True),
        ("Apgar", ", who lives next door,", True),
        ("Apgar", "s 9 and 10", False),
        ("Holter", " slept well", True),
        ("Holter", " monitor on", False),
        ("Thomas", " scores well in maths", True),
        ("Lewis", " signs for parcels", True),
        ("Wilson", " tests the water", True),
        ("Murphy", " fracture clinic Tuesday", True),
        ("Jones", " index case", True),
        ("Jones", " dementia worse", True),
        ("Turner", " bolts from the room", True),
        ("Wells", " score 2", False),
        ("Wells'", " score 2", False),
        ("Bishop", " score 7", False),
        ("Weber", " test normal", False),
        ("Smith", "'s fracture of the wrist", False),
        ("Baker", "'s cyst", False),
        ("Wilson", "'s disease", False),
        ("Hodgkin", " lymphoma", False),
    ],
)
def test_a_disease_a_score_or_a_product_is_no_person(name: str, after: str, kept: bool) -> None:
    assert bool(_kept([name], [_found(0, 1, "PERSON")], after)) is kept


def test_a_postcode_beside_its_town_stays() -> None:
    words = "in 10115 Berlin , Invalidenstr 12".split()
    found = [
        _found(1, 2, "ADDRESS"),
        _found(2, 3, "LOCATION"),
        _found(4, 5, "ADDRESS"),
        _found(5, 6, "ADDRESS"),
    ]
    assert _kept(words, found) == ["10115", "Berlin", "Invalidenstr", "12"]


def test_numbers_of_other_types_stay() -> None:
    assert _kept(["1984"], [_found(0, 1, "DATE_TIME")]) == ["1984"]


@pytest.mark.parametrize("label", ["DOB", "MRN", "Ward", "Town", "NHS number", "Date of Birth"])
def test_a_label_before_a_colon_is_no_name(label: str) -> None:
    words = label.split()
    found = [_found(0, len(words), "ORGANIZATION")]
    assert _kept(words, found, ": 12") == []
    assert _kept(words, found, " is") == [label]


def test_a_name_before_a_colon_stays() -> None:
    assert _kept(["Mary", "Ward"], [_found(0, 2, "PERSON")], ": yes") == ["Mary Ward"]


def test_both_risks_mark_what_either_does() -> None:
    text = (
        "The applicant, Mr James Livingston, was born in 1960 and lives in Leeds. He worked as a welder for the "
        "Government of Malta until the Supreme Court decided on 3 March 1999."
    )
    marked = {}
    for risk in ("all", "subject", "both"):
        marked[risk] = {at for one in NameFinder(risk=risk).find(text) for at in range(one.start, one.end)}
    assert marked["both"] == marked["all"] | marked["subject"]
