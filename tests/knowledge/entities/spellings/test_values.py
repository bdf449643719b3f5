"""How values are spelled, and what a spelling may mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.knowledge.entities.spellings.values import _DATES, _date_keys, dates, readings, spellings
from efface.text.folding import fold


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, []),
        ("", []),
        ("  ", []),
        (" Ann ", ["Ann"]),
        ("Ann & Son", ["Ann & Son", "Ann and Son", "Ann und Son", "Ann et Son"]),
        ("Ann&Son", ["Ann&Son", "Ann and Son", "Ann und Son", "Ann et Son"]),
        ("Ann And Son", ["Ann And Son", "Ann & Son"]),
        ("Sandy Andrews", ["Sandy Andrews"]),
        (b"bytes", []),
        (7, ["7"]),
        (-7, ["-7"]),
        (-1234.50, ["-1234.5"]),
        (Decimal("-0.10"), ["-0.1"]),
        (True, ["true"]),
        (1234.50, ["1234.5"]),
        (3.0, ["3"]),
        (float("nan"), []),
        (float("inf"), []),
        (Decimal("1200.00"), ["1200"]),
        (Decimal("1E+3"), ["1000"]),
        (Decimal("0.10"), ["0.1"]),
        (date(2019, 3, 12), ["2019-03-12"]),
        (datetime(2019, 3, 12, tzinfo=UTC), ["2019-03-11", "2019-03-12", "20190312z", "20190312z0000"]),
        (datetime(2019, 3, 12, 10, 30), ["2019-03-12", "2019-03-12 10:30"]),
        (
            "2019-03-12T10:30:05Z",
            "2019-03-12T10:30:05Z|2019-03-11|2019-03-12|2019-03-13|2019-03-12 10:30|20190312z|20190312z1030".split(
                "|"
            ),
        ),
        ("2019-02-30 10:30", ["2019-02-30 10:30"]),
        ('"Ann"', ['"Ann"', "Ann"]),
        (time(10, 30, 5), "10:30:05|10:30|10.30|10h30|10:30am|10:30 am|10.30am|10.30 am".split("|")),
        (time(0, 30), "00:30:00|00:30|00.30|00h30|12:30am|12:30 am|12.30am|12.30 am".split("|")),
        (time(14), "14:00:00|14:00|14.00|14h00|2:00pm|2:00 pm|2.00pm|2.00 pm|2pm|2 pm".split("|")),
        (
            timedelta(seconds=3661),
            "3661 seconds|3661 s|3661s|3661 sec|3661sec|3661 secs|3661secs|1 hour 1 minute 1 second|01:01:01".split(
                "|"
            ),
        ),
        (UUID(int=5), ["00000000-0000-0000-0000-000000000005", f"{5:032x}"]),
        (["a", None, "b"], ["a", "b"]),
        ({"x": "a", "y": [1]}, ["a", "1"]),
    ],
)
def test_a_value_is_spelled(value: object, texts: list[str]) -> None:
    assert list(spellings(value)) == texts


def _read(text: str) -> set[tuple[str, str]]:
    folded = fold(text).text
    return {(folded[start:end], key) for start, end, key in readings(folded)}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("on 2019-03-12.", {"2019-03-12"}),
        ("2019/3/12", {"2019-03-12"}),
        ("12/03/2019", {"2019-03-12", "2019-12-03"}),
        ("13/03/2019", {"2019-03-13"}),
        ("12.3.19", {"2019-03-12", "2019-12-03", "1919-03-12", "1919-12-03"}),
        ("12 March 2019", {"2019-03-12"}),
        ("the 12th of March, 2019", {"2019-03-12"}),
        ("MARCH 12, 2019", {"2019-03-12"}),
        ("12-Mar-2019", {"2019-03-12"}),
        ("Sept. 3 2019", {"2019-09-03"}),
        ("1er août 2019", {"2019-08-01"}),
        ("12. März 2019", {"2019-03-12"}),
        ("20190312", {"2019-03-12"}),
        ("31/02/2019", set()),
        ("ward 12 bed 10 May 1980", {"1980-05-10"}),
        ("room 12.4.10 May 1980", {"1980-05-10", "1910-04-12", "1910-12-04", "2010-04-12", "2010-12-04"}),
        ("99/99/2019", set()),
        ("x2019-03-12", set()),
    ],
)
def test_a_date_is_read(text: str, keys: set[str]) -> None:
    assert {key for _, key in _read(text) if key.count("-") == 2} == keys


@pytest.mark.parametrize(
    ("text", "written", "key"),
    [
        ("on 12 March 1980 at 14:35, Ward 3", "12 march 1980 at 14:35", "1980-03-12 14:35"),
        ("seen 1980-03-12T14:35:20.5Z", "1980-03-12t14:35:20.5z", "1980-03-12 14:35"),
        ("12.03.1980, 14.35 Uhr", "12.03.1980, 14.35 uhr", "1980-03-12 14:35"),
        ("March 12, 1980 2:35 p.m.", "march 12, 1980 2:35 p.m.", "1980-03-12 14:35"),
        ("12 Mar 1980 (12am)", "12 mar 1980 (12am", "1980-03-12 00:00"),
        ("At 14h35 on the 12 March 1980", "14h35 on the 12 march 1980", "1980-03-12 14:35"),
        ("2.35pm, 12 March 1980", "2.35pm, 12 march 1980", "1980-03-12 14:35"),
    ],
)
def test_a_time_is_read_with_its_date(text: str, written: str, key: str) -> None:
    assert (written, key) in _read(text)


@pytest.mark.parametrize(
    "text",
    ["at 14:35", "12 March 1980 at 9", "12 March 1980, 13pm", "12 March 1980. The ratio is 14:35", "12 March 1980 14:350"],
)  # fmt: skip
def test_a_time_without_its_date_is_no_moment(text: str) -> None:
    assert not [key for _, key in _read(text) if ":" in key]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("$1,234,567.50", "1234567.5"),
        ("1.234.567,50", "1234567.5"),
        ("1 234 567", "1234567"),
        ("1'234", "1234"),
        ("12,34,567", "1234567"),
        ("50,000", "50000"),
        ("1.5", "1.5"),
        ("2,50", "2.5"),
        ("7.00", "7"),
        ("-4,512", "-4512"),
        ("-4,512", "4512"),
        ("-4512", "-4512"),
        ("minus 4512", "-4512"),
        ("\u22124 512,50", "-4512.5"),
        ("-$4,512.50", "-4512.5"),
        ("(4,512)", "-4512"),
        ("($4512)", "-4512"),
        ("-52k", "-52000"),
    ],
)
def test_a_number_is_read(text: str, key: str) -> None:
    assert key in {found for _, found in _read(text)}


@given(
    st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%d %B %Y", "%b %d, %Y"])
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_date_is_read_back(day: date, form: str) -> None:
    assert (day.strftime(form).lower(), day.isoformat()) in _read(f"born {day.strftime(form)}, say")


@given(st.decimals(min_value=0, max_value=10**12, places=2), st.sampled_from([",", " ", "'"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_number_is_read_back(number: Decimal, mark: str) -> None:
    text = f"{number:,}".replace(",", mark)
    found = {key for _, key in _read(f"paid {text} for it")}
    assert set(spellings(number)) <= found


@pytest.mark.parametrize("unit", ["1,", "1 ", "12/", "1.", "12 march ", "1'234,", "9" * 50])
def test_hostile_text_has_at_most_two_readings_a_unit(unit: str) -> None:
    """A reading of every stretch would be hundreds of millions, and would not come back."""
    assert sum(1 for _ in readings(unit * 20_000)) <= 2 * 20_000


_PIECES = ["12", "3", "1980", "80", "'80", "may", "mar.", "the", "of", "bed", "iv", " ", " ", " ", "-", "/", ".", ",", "年", "月", "日", "t10:00", "x"]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_every_date_of_a_search_of_the_whole_text_is_read(text: str) -> None:
    searched = set()
    for form, _ in _DATES:
        for match in form.finditer(text):
            searched |= {(*match.span(), key) for key in _date_keys(match.groupdict(), "")}
    assert searched <= set(dates(text))
