"""People whom notes tell by one word, however ordinary it is."""

from __future__ import annotations

import time

import pytest

from efface.finders.people_in_notes import people_in_notes


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in people_in_notes(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("dentures lost, HCA Patience looking", ["Patience"]),
        ("settled. RN Mercy", ["Mercy"]),
        ("seen by SW Hope today", ["Hope"]),
        ("She spoke about her ex Art, and her boss Will.", ["Art", "Will"]),
        ("his younger sister Dawn rang", ["Dawn"]),
        ("my line manager Daz said no", ["Daz"]),
        ("Handover to Gift and Sunday at 8.", ["Gift", "Sunday"]),
        ("handed over to Precious, Fortune and Joy", ["Precious", "Fortune", "Joy"]),
        ("Escorted by Star.", ["Star"]),
        ("SW: Chi 01753 960 005", ["Chi"]),
        ("ring Hope on 0161 496 0722", ["Hope"]),
        ("Direct dial: 0113 496 0512 (Jolyon)", ["Jolyon"]),
        ("07700 900 461 (Summer)", ["Summer"]),
        ("placed by Dr Apgar. Cllr Priest sent apologies, as did Mr. Ensure", ["Apgar", "Priest", "Ensure"]),
        ("Miss French and Ms Chance; Prof Pain", ["French", "Chance", "Pain"]),
        ("rang Teddy's mum, Candy, at home", ["Candy"]),
        ("Mum, Charity, volunteers. Dad (Christian) works", ["Charity", "Christian"]),
        ("Bed 3 Sunny - slept well. Bed 1 Hope: up at 4", ["Sunny", "Hope"]),
    ],
)
def test_people(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "She moved to SW London with TA Instruments.",
        "Call Reception on 0161 496 0722 or Mobile: 07700 900 461.",
        "0113 496 0512 (Office), 0113 496 0513 (Switchboard), Page: 0113 496 0514",
        "Handover to Police at 8.",
        "our colleagues at Her Majesty's Treasury",
        "his manager Resigned",
        "Collected by Courier.",
        "her friend Will Smith",  # the model reads full names
        "Order 12345678901 (Paid)",
        "Mr Speaker, Mr President, Miss World, Dr Who and Mr Mayor drank Dr Pepper.",
        "Mum, Dad, and the children. Dad (Smoker) and Mum (Deceased), Mum (Tel)",
        "the town's manager, Tesco, said",
        "Bed 4 Empty. Room 12 Rose Court",
    ],
)
def test_nobody(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize(
    "piece",
    [
        "my late ",
        "Aa ",
        "0 ",
        "her big big ",
        "handover to Aa, Aa, ",
        "1-1(",
        "HCA A",
        "Mum, ",
        "a's mum, ",
        "Mr A",
    ],
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    start = time.process_time()
    list(people_in_notes(piece * (200_000 // len(piece))))
    assert time.process_time() - start < 2
