"""A number that is glued to letters or further numbers goes with all of its code."""

from __future__ import annotations

import pytest

from efface.finders.patterns import finder
from efface.finders.patterns.finder import PatternFinder


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in PatternFinder().find(text)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Solicitors for the Claimants (Ref: JRT/M2291-4)", "JRT/M2291-4"),
        ("Home Office reference: R1290447/3 was given", "R1290447/3"),
        ("Port ref LHR/22/118-B of that day", "LHR/22/118-B"),
        ("Insured Pawtect, member id PW-5561-0098.", "PW-5561-0098"),
        ("Kyle Dunmore, CRN X451209, appeared", "X451209"),
        ("Gas meter G4K01928374 reading 04417", "G4K01928374"),
        ("Key fob #00417 missing", "00417"),
        ("Bank for settlement: sort 20-45-77, and so on", "20-45-77"),
        ("Our ref: GMW/kt/BELL0042-3\n", "GMW/kt/BELL0042-3"),
        ("Hospital no: HX 0048812   NHS", "HX 0048812"),
        ("A/C 4466 8888 0130 0077 121\n", "4466 8888 0130 0077 121"),
        ("Booking no: 4471203 12 4, paid", "4471203 12 4"),
    ],
)
def test_the_whole_code_is_found(text: str, code: str) -> None:
    assert code in found(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("his id no. is 44871234 and/or another", "44871234"),
        ("ring Tel/01632 960112 today", "01632 960112"),
        ("passport no 533401372-see copy", "533401372"),
        ("Invoice no: 4471203 12 pieces", "4471203"),
        ("Invoice no: 4471203 12.50", "4471203"),
    ],
)
def test_words_beside_a_number_are_no_part_of_it(text: str, number: str) -> None:
    assert number in found(text)


def test_a_code_over_the_edge_of_a_block_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x" * 60 + " Ref: JRT/M2291-4 came"
    monkeypatch.setattr(finder, "BLOCK", text.index("M2291"))
    assert found(text) == ["JRT/M2291-4"]
