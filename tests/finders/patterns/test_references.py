"""Numbers that the word before them tells, and telephone numbers in words."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder

FINDER = PatternFinder()


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in FINDER.find(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Job card 33917", "33917"),
        ("payroll 006621", "006621"),
        ("CAD 4471-071125. Attended", "4471-071125"),
        ("Invoice INV/2291      Tax point", "INV/2291"),
        ("Nkechi (emp 20418) is off", "20418"),
        ("Reply YES. Ref 8841-ZK", "8841-ZK"),
        ("Our ref JD/4471.2  Your ref", "JD/4471.2"),
        ("The custody record is 06CC/4418/25.", "06CC/4418/25"),
        ("ask Shirin, ext:2204", "2204"),
        ("Her number is oh one six one four nine six oh double three.", "oh one six one four nine six oh double three"),
        ("ring Zero seven seven, double-oh nine eight two one four", "Zero seven seven, double-oh nine eight two one four"),
    ],
)  # fmt: skip
def test_numbers(text: str, value: str) -> None:
    assert value in found(text)


def test_a_column_of_tickets() -> None:
    text = "ticket\tsummary\tstatus\nINC004412\tbulb\topen\nINC004413\tmic\topen\n"
    assert found(text) == ["INC004412", "INC004413"]


@pytest.mark.parametrize(
    "text",
    [
        "employee 12 of 40",
        "payroll 2019",
        "oh one two three",
        "Ref 12",
        "zero one two three four five",  # people count
        "a text:2204 words",
        "Mozilla/5.0 Chrome/118.0.0.0",
    ],
)
def test_other_numbers(text: str) -> None:
    assert not found(text)


def test_two_spoken_numbers_are_two() -> None:
    text = "oh one six one four nine six oh, or oh one six one four nine five oh"
    keys = {mention.key for mention in FINDER.find(text)}
    assert keys == {"01614960", "01614950"}
