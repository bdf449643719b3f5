"""A person whom the model calls a firm or a place goes with every part of the name."""

from __future__ import annotations

import re

import pytest

from efface.core import Edit, SpanSet
from efface.pipeline.propagation.misread_persons import with_persons
from efface.pipeline.propagation.spread import spread


def _cut(text: str, name: str, type_: str) -> dict[str, str]:
    """What goes when a finder cut the name once: each string with its type."""
    start = text.index(name)
    first = Edit(start, start + len(name), type_, name.lower(), "names model", score=0.7)
    return {text[edit.start : edit.end]: edit.type for edit in spread(text, [first], SpanSet(())).edits}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "For Priya Venkataraghavan. The costs of Venkataraghavan are paid; ask Priya.",
            "Priya Venkataraghavan",
        ),
        ("Mr Okwudili Ezeoke signed. Ezeoke paid; Okwudili left.", "Okwudili Ezeoke"),
        ("Nkechi Umeadi said that she pays. Umeadi paid; Nkechi left.", "Nkechi Umeadi"),
        ("Kwabena Oppong-Mensah and his firm. Oppong-Mensah paid; Kwabena left.", "Kwabena Oppong-Mensah"),
    ],
)
@pytest.mark.parametrize("type_", ["ORGANIZATION", "LOCATION"])
def test_parts_follow(text: str, name: str, type_: str) -> None:
    given, surname = name.split(" ")
    assert _cut(text, name, type_) == {name: "PERSON", given: "PERSON", surname: "PERSON"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("San Lorenzo grew. Lorenzo left.", "San Lorenzo"),
        ("Priya Foods paid. Priya left; Foods stayed.", "Priya Foods"),
        ("Zarqa Petrogas paid its staff. Petrogas grew; Zarqa shrank.", "Zarqa Petrogas"),
        ("NIOC Kharg sailed. Kharg is an island.", "NIOC Kharg"),
    ],
)
def test_firms_and_places_go_as_whole_strings(text: str, name: str) -> None:
    assert _cut(text, name, "ORGANIZATION") == {name: "ORGANIZATION"}


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        ("Seen: J. London. London left.", "J. London", "PERSON"),
        ("Seen: J. London. London left.", "London", "PERSON"),
        ("Re: London, J.\nLondon left.", "London", "PERSON"),
        ("Mr. London left.", "London", "PERSON"),
        ("We met in W. London.", "London", "LOCATION"),
        ("A. London\nB. Paris", "London", "LOCATION"),
        ("From Albany, N.Y. to Boston.", "Albany", "LOCATION"),
        ("The U.S. Treasury paid.", "U.S. Treasury", "LOCATION"),
        ("The U.S. Virgins paid.", "U.S. Virgins", "LOCATION"),
        ("From Hull to Boston.", "Hull", "LOCATION"),
    ],
)
def test_a_place_with_initials_or_a_title_is_a_person(text: str, name: str, type_: str) -> None:
    assert set(_cut(text, name, "LOCATION").values()) == {type_}


def test_a_person_once_is_a_person_in_full() -> None:
    text = "Olu Bradford lives here. O. Bradford works; Bradford left."
    edits = [
        Edit(match.start(), match.end(), "LOCATION", match.group().lower(), "names model", score=0.7)
        for match in re.finditer(r"(?:Olu |O\. )?Bradford", text)
    ]
    told = spread(text, edits, SpanSet(())).edits
    assert [(edit.type, edit.key) for edit in told] == [("PERSON", "olu bradford")] * 3


def test_a_firm_whose_words_are_people_elsewhere_is_a_person() -> None:
    text = "The audit of Kosmo Netherbyx is done. Ask Kosmo. Then Netherbyx left."
    firm = Edit(13, 28, "ORGANIZATION", "kosmo netherbyx", "test")
    people = [
        Edit(text.index(at), text.index(at) + n, "PERSON", "x", "test")
        for at, n in (("Kosmo.", 5), ("Netherbyx left", 9))
    ]
    assert [edit.type for edit in with_persons(text, [firm, *people])] == ["PERSON"] * 3
    assert [edit.type for edit in with_persons(text, [firm, people[0]])] == ["ORGANIZATION", "PERSON"]
