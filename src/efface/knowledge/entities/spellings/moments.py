"""Moments: a date and the time of day beside it. They are kept as 1980-03-12 14:35, without seconds.

A time by itself names no moment, so a time goes only where the date and the time of one value stand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone

# 14:35, 14.35, 14h35, 14:35:20.5, 2:35 pm, 9am
_CLOCK = (
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?:[:.]\d\d(?:\.\d{1,9})?)?)?"
    r"(?: ?(?P<half>[ap])\.?m\b\.?)?(?: ?(?:uhr|hrs|hours|h|z)\b)?"
)
_AFTER = re.compile(rf"(?:t|[ ,;(]{{1,3}}(?:(?:at|um|@|a|à) ?)?)(?<!\d){_CLOCK}(?![\w:])")
_BEFORE = re.compile(rf"(?<![\w:.]){_CLOCK}[ ,;(]{{1,3}}(?:(?:on|of|am|le|del) (?:the )?)?$")
_ZONES = (UTC, timezone(timedelta(hours=-12)), timezone(timedelta(hours=14)))  # and the outermost ones
# The quarters of an hour, since every zone of our days is a whole number of them from UTC; and for the days in UTC from the
# day before a written day to the day after it, those of them that are the written day somewhere on Earth.
_QUARTERS = tuple(f"{hour:02}{minute:02}" for hour in range(24) for minute in range(0, 60, 15))
_SOMEWHERE = ((-1, _QUARTERS[10 * 4 :]), (0, _QUARTERS), (1, _QUARTERS[: 12 * 4]))
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LONGEST = 40  # characters of a time and of what stands between it and its date


def moments(text: str, days: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The dates of a folded text that have a time beside them: where both are, and the moment that they may mean."""
    for start, end, day in days:
        if (after := _AFTER.match(text, end)) and (time := _time_of(after)):
            yield start, after.end(), f"{day} {time}"
        before = _BEFORE.search(text[max(start - _LONGEST, 0) : start])
        if before and (time := _time_of(before)):
            yield start - len(before.group()), end, f"{day} {time}"


def _time_of(match: re.Match[str]) -> str:
    """The time as 14:35; empty for a number that is no time of day."""
    hour, minute, half = int(match["hour"]), match["minute"], match["half"]
    if minute is None and half is None:
        return ""
    if half is not None:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute or '00'}"


def days_of(value: datetime) -> Iterator[str]:
    """The day of a moment. One with a time zone is every day that it is somewhere on Earth: a birthday that was kept as
    midnight in Berlin is the day before in UTC."""
    days = {value.date()}
    for zone in _ZONES if value.tzinfo is not None else ():
        with suppress(OverflowError):  # the first day and the last that a program can hold
            days.add(value.astimezone(zone).date())
    yield from (day.isoformat() for day in sorted(days))


def quarter_of(value: datetime) -> Iterator[str]:
    """The quarter of an hour of a moment with a time zone, in UTC: 19800311z2245. Moments of one quarter have the same day
    in every zone, so that they are one crowd for a reader who knows the zone of a text, whichever it is. The day in UTC
    goes before it (19800311z), so that few quarters need to be looked up."""
    if value.tzinfo is None:
        return
    with suppress(OverflowError):
        there = value.astimezone(UTC)
        yield _day_in_utc(there)
        yield f"{_day_in_utc(there)}{_QUARTERS[there.hour * 4 + there.minute // 15]}"


def quarters_on(key: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The days in UTC that are partly this day somewhere on Earth, and the quarters of an hour that are. A day and a quarter
    make what `quarter_of` gives. There are none for a key that is no day."""
    if not _DAY.fullmatch(key):
        return
    with suppress(ValueError):  # no such day
        day = date.fromisoformat(key)
        for apart, quarters in _SOMEWHERE:
            with suppress(OverflowError):  # before the first day or behind the last
                yield _day_in_utc(day + timedelta(days=apart)), quarters


def _day_in_utc(day: date) -> str:
    return f"{day.year:04}{day.month:02}{day.day:02}z"


def times_of_day(value: time) -> Iterator[str]:
    """A time of day: 14:30, 14.30, 14h30, 2:30 pm, 2.30pm. People leave seconds out."""
    yield value.replace(tzinfo=None).isoformat()
    minutes = f"{value.minute:02}"
    yield from (f"{value.hour:02}{mark}{minutes}" for mark in ":.h")
    half = "am" if value.hour < 12 else "pm"
    hour = value.hour % 12 or 12  # noon and midnight are 12
    endings = (half, f" {half}")
    yield from (f"{hour}{mark}{minutes}{ending}" for mark in ":." for ending in endings)
    if not value.minute:
        yield from (f"{hour}{ending}" for ending in endings)
