"""A number at the end of a row or a line, and another at the beginning of the next, are two numbers."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.finders.patterns.finder import PatternFinder

SANITIZER = Sanitizer({"find": {"names": "none"}})
FINDER = PatternFinder()
HOME = [
    "+1 202 555 0{}",
    "+44 20 7946 0{}",
    "+49 30 9018 20{}",
    "202-555-0{}",
    "(202) 555-0{}",
    "030 9018 20{}",
]


def _rows(shape: str, before: str = "") -> list[str]:
    return [f"{before}{shape.format(number)}" for number in range(143, 159)]


@pytest.mark.parametrize("shape", HOME)
@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
@pytest.mark.parametrize("before", ["", "call "])
def test_numbers_of_rows_stay_where_a_telephone_ends_each_row(shape: str, ending: str, before: str) -> None:
    """The ids of all rows but the first went with the telephone of the row before, in a table that was told held."""
    by = "\t" if ending == "tsv" else ","
    head = f"id{by}phone\n"
    ids = range(10, 26)
    rows = [f"{number}{by}{value}\n" for number, value in zip(ids, _rows(shape, before), strict=True)]
    report = SANITIZER.sanitize((head + "".join(rows)).encode(), name=f"list.{ending}")
    assert report.released is not None
    lines = report.released.decode().splitlines()[1:]
    assert [line.split(by)[0] for line in lines] == [str(number) for number in ids]
    assert all("PHONE_NUMBER" in line and "555" not in line and "9018" not in line for line in lines)


@pytest.mark.parametrize("shape", ["+1 202 555 0{}", "+44 20 7946 0{}"])
def test_number_in_the_next_line_stays(shape: str) -> None:
    text = f"Her phone is {shape.format(143)}\n11 people came.\nPhone: {shape.format(144)}\n7 did not."
    assert [text[m.start : m.end] for m in FINDER.find(text) if "\n" in text[m.start : m.end]] == []
    released = SANITIZER.redact(text).text
    assert "\n11 people" in released and "\n7 did" in released and "0143" not in released


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Phone: +1 202\n555 0143 today", "+1 202\n555 0143"),
        ("card 4111 1111\n1111 1111 today", "4111 1111\n1111 1111"),
        ("IBAN DE89 3704 0044\n0532 0130 00 today", "DE89 3704 0044\n0532 0130 00"),
    ],
)
def test_number_that_goes_on_in_the_next_line_is_one(text: str, whole: str) -> None:
    assert whole in [text[m.start : m.end] for m in FINDER.find(text)]


def test_ids_stay_below_cells_of_several_lines() -> None:
    """The end of a telephone and the next row's number were a number with a right check digit, in one row of seven."""
    rows = [f'{n},"first line\ncall +1 202 555 {n:04}"\n' for n in range(10, 300)]
    report = SANITIZER.sanitize(("id,note\n" + "".join(rows)).encode(), name="list.csv")
    assert report.released is not None
    lines = report.released.decode().splitlines()[1::2]
    assert [line.split(",")[0] for line in lines] == [str(n) for n in range(10, 300)]
    assert {edit.type for edit in report.edits} == {"PHONE_NUMBER"}
