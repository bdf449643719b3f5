from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import PolicyError
from efface.operators import Operators, Replace, Shift
from efface.operators.dates import day_first, parse
from tests.operators.helpers import KEY, edits_of, filled, one

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def english_ordinal(day: int) -> str:
    if day in (11, 12, 13):
        return f"{day}th"
    return f"{day}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th') }"


GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()

# How each style writes a day: the oracle for writing it back.
STYLES: dict[str, Callable[[date], str]] = {
    "iso": lambda d: d.isoformat(),
    "slashes, year first": lambda d: f"{d.year}/{d.month:02d}/{d.day:02d}",
    "compact": lambda d: f"{d.year}{d.month:02d}{d.day:02d}",
    "timestamp": lambda d: f"{d.isoformat()}T14:30:00Z",
    "zone": lambda d: f"{d.isoformat()} 14:30:00+02:00",
    "month first": lambda d: f"{d.month:02d}/{d.day:02d}/{d.year}",
    "month first, dashes": lambda d: f"{d.month:02d}-{d.day:02d}-{d.year}",
    "points": lambda d: f"{d.day:02d}.{d.month:02d}.{d.year}",
    "points, spaced": lambda d: f"{d.day:02d}. {d.month:02d}. {d.year}",
    "two-digit year": lambda d: f"{d.month:02d}/{d.day:02d}/{d.year % 100:02d}",
    "written": lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    "written, of": lambda d: f"{english_ordinal(d.day)} of {MONTHS[d.month - 1]}, {d.year}",
    "capitals": lambda d: f"{d.day} {MONTHS[d.month - 1].upper()} {d.year}",
    "short": lambda d: f"{d.day}-{MONTHS[d.month - 1][:3]}-{d.year}",
    "american": lambda d: f"{MONTHS[d.month - 1]} {english_ordinal(d.day)}, {d.year}",
    "american, plain": lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    "weekday": lambda d: f"{DAYS[d.weekday()]}, {d.day} {MONTHS[d.month - 1]} {d.year} at 2:30 pm",
    "clock first": lambda d: f"14:30 on {MONTHS[d.month - 1]} {d.day}, {d.year}",
    "german": lambda d: f"{d.day}. {GERMAN[d.month - 1]} {d.year}",
    "spanish": lambda d: f"{d.day} de {SPANISH[d.month - 1]} de {d.year}",
}
A_DAY = st.dates(date(1931, 1, 1), date(2029, 12, 31))
AN_OFFSET = st.integers(-400, 400).filter(bool)


@pytest.mark.parametrize("style", STYLES)
@given(day=A_DAY, offset=AN_OFFSET)
@settings(max_examples=60)
def test_a_date_moves_and_keeps_its_style(style: str, day: date, offset: int) -> None:
    write = STYLES[style]
    text = write(day)
    written = parse(text, days_lead=False)
    moved = day + timedelta(offset)
    assert written is not None, text
    assert written.shifted(offset) == write(moved)
    shortened = style == "two-digit year"
    assert (written.year, written.month, written.day) == (day.year, day.month, day.day) or shortened


@pytest.mark.parametrize(
    ("text", "days", "expected"),
    [
        ("3/4/2019", 30, "4/3/2019"),
        ("12/3/2019", 1, "12/4/2019"),
        ("Feb. 28, 2020", 1, "Feb. 29, 2020"),
        ("Sept 30 2019", 1, "Oct 1 2019"),
        ("May 2019", 31, "June 2019"),
        ("01/2019", -31, "12/2018"),
        ("2019-01", 40, "2019-02"),
        ("2019", 200, "2020"),
        ("Tues 3 Mar '20", 1, "Wed 4 Mar '20"),
        ("1er mars 2019", 1, "2 mars 2019"),
        ("12 MAR 2019 1430 hrs", 1, "13 MAR 2019 1430 hrs"),
        ("mercoledì 13 marzo 2019", 1, "giovedì 14 marzo 2019"),
        ("31/12/99", 1, "01/01/00"),
        ("03Mar2019", 1, "04Mar2019"),
        ("3 mai 2019", -10, "23 avril 2019"),
        ("3. Mai 2019", -10, "23. April 2019"),
        ("Samstag, 6. April 2019", -10, "Mittwoch, 27. März 2019"),
        ("29 February 2020", 366, "1 March 2021"),
    ],
)
def test_shift_table(text: str, days: int, expected: str) -> None:
    written = parse(text, days_lead=False)
    assert written is not None
    assert written.shifted(days) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "next Tuesday", "14:30", "3 March", "March 3", "31/02/2019", "13/13/2019", "30 Smarch 2019",
        "3-5 March 2019", "Friday the 13th", "1990s", "12345", "2019-13-01", "20191345", "00/00/0000",
        "3 March 2019 at Ann's", "Ann 3 March 2019", "3 March 2019 14:30 Matt", "9" * 5000, "1/" * 3000,
    ],
)  # fmt: skip
def test_what_is_not_one_certain_date_is_not_read(text: str) -> None:
    assert parse(text, days_lead=True) is None
    assert parse(text, days_lead=False) is None


@pytest.mark.parametrize(
    ("texts", "default", "expected"),
    [
        (["03/04/2019"], False, False),
        (["03/04/2019"], True, True),
        (["03/04/2019", "25/12/2019"], False, True),
        (["03/04/2019", "12/25/2019"], True, False),
        (["25/12/2019", "12/25/2019"], True, None),
        (["2019-12-25", "31 May 2019"], False, False),
        (["Monday 25-12-19 at 14:30"], False, True),
    ],
)
def test_the_document_decides_what_comes_first(
    texts: list[str], default: bool, expected: bool | None
) -> None:
    assert day_first(texts, default) is expected


def test_ambiguous_dates_fall_back_when_the_document_contradicts_itself() -> None:
    text = "25/12/2019, 12/25/2019, 03/04/2019"
    result = filled(Shift(), text, *(("DATE_TIME", term) for term in text.split(", ")))
    assert result.endswith(", [DATE_TIME_1]")
    assert "2019" not in result.split(", ")[2]


@given(
    st.lists(A_DAY, min_size=2, max_size=6, unique=True),
    st.integers(1, 400),
    st.binary(min_size=16, max_size=16),
    st.text(max_size=8),
)
def test_intervals_are_kept_and_no_date_stays(days: list[date], most: int, key: bytes, subject: str) -> None:
    text = " ".join(day.isoformat() for day in days)
    terms = [("DATE_TIME", day.isoformat()) for day in days]
    moved = [
        date.fromisoformat(word)
        for word in filled(Shift(most), text, *terms, key=key, subject=subject).split()
    ]
    (offset,) = {after - before for before, after in zip(days, moved, strict=True)}
    assert 1 <= abs(offset.days) <= most


def test_one_offset_per_subject() -> None:
    shifted = {one(Shift(), "DATE_TIME", "2019-03-12", subject=f"patient {n}") for n in range(60)}
    assert len(shifted) > 40
    assert one(Shift(), "DATE_TIME", "2019-03-12", subject="x") == one(
        Shift(), "DATE_TIME", "2019-03-12", subject="x"
    )


def test_both_directions_and_the_whole_range_are_used() -> None:
    start = date(2019, 3, 12)
    offsets = {
        (date.fromisoformat(one(Shift(3), "DATE_TIME", "2019-03-12", subject=str(n))) - start).days
        for n in range(90)
    }
    assert offsets == {-3, -2, -1, 1, 2, 3}


@pytest.mark.parametrize("text", ["next Tuesday", "3 March", "9999-12-31", "14:30", "Ann Lee"])
def test_what_cannot_be_shifted_gets_a_placeholder(text: str) -> None:
    subjects = (one(Shift(), "DATE_TIME", text, subject=str(n)) for n in range(6))
    assert "[DATE_TIME_1]" in subjects
    assert all(text not in one(Shift(), "DATE_TIME", text, subject=str(n)) for n in range(6))


def test_a_year_that_would_stay_the_same_gets_a_placeholder() -> None:
    assert one(Shift(days=3), "DATE_TIME", "2019") == "[DATE_TIME_1]"


def test_other_types_keep_their_own_operator() -> None:
    text = "Ann 2019-03-12"
    done = Operators(Replace(), {"DATE_TIME": Shift()}, KEY).fill(
        edits_of(text, ("PERSON", "Ann"), ("DATE_TIME", "2019-03-12")), text
    )
    assert done[0].replacement == "[PERSON_1]"
    assert parse(done[1].replacement or "", None) is not None


def test_shift_needs_a_key() -> None:
    with pytest.raises(PolicyError, match="shift"):
        Operators(Shift()).fill([], "")
