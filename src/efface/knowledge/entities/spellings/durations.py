"""Spans of time as people write them: 90 minutes, 1.5 hours, an hour and a half, 1h30, 01:30:00, three days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from efface.knowledge.entities.spellings.number_words import in_words

_DAY_SECONDS = 86_400
_UNITS = {
    "year": 365 * _DAY_SECONDS, "month": 30 * _DAY_SECONDS, "week": 7 * _DAY_SECONDS, "day": _DAY_SECONDS,
    "hour": 3600, "minute": 60, "second": 1,
}  # fmt: skip
_SHORT = {  # other words for a unit: those that the server writes, and those of notes
    "year": ("yr", "yrs"), "month": ("mon", "mons"), "week": ("wk", "wks"), "day": ("d",), "hour": ("h", "hr", "hrs"),
    "minute": ("min", "mins"), "second": ("s", "sec", "secs"),
}  # fmt: skip


def durations(value: timedelta) -> Iterator[str]:
    """In every unit that it is a whole number of, or a number and a half, and in several ("1 year 2 months 3 days"). A
    driver makes a month of 30 days and a year of 365."""
    seconds = abs(round(value.total_seconds()))
    for unit, size in _UNITS.items():
        if seconds and seconds % size == 0:
            yield from _whole_units(seconds // size, unit)
        elif seconds and seconds % size * 2 == size:
            yield from _and_a_half(seconds // size, unit)
    parts, left = [], seconds
    for unit, size in _UNITS.items():
        if unit != "week" and left >= size:
            parts.append(_in_unit(str(left // size), unit))
            left %= size
    if len(parts) > 1:
        yield " ".join(parts)
    yield from _by_the_clock(seconds)


def _by_the_clock(seconds: int) -> Iterator[str]:
    """As the server writes it, days and a clock (3 days 01:30:00), and as people write hours and minutes (1:30, 1h30)."""
    days, rest = divmod(seconds, _DAY_SECONDS)
    hours, minutes, rest = rest // 3600, rest % 3600 // 60, rest % 60
    before = f"{_in_unit(str(days), 'day')} " if days else ""
    if hours or minutes or rest:
        yield f"{before}{hours:02}:{minutes:02}:{rest:02}"
    if rest or not minutes or not hours:
        return
    yield f"{before}{hours}:{minutes:02}"
    for mark, ending in (
        ("h", ""),
        ("h ", "m"),
        ("h", "m"),
        ("h ", "min"),
        (" h ", " min"),
        (" hr ", " min"),
    ):
        yield f"{before}{hours}{mark}{minutes}{ending}"


def _whole_units(number: int, unit: str) -> Iterator[str]:
    yield _in_unit(str(number), unit)
    for short in _SHORT[unit]:
        yield from (f"{number} {short}", f"{number}{short}")
    if words := in_words(number):
        yield f"{words} {unit}{'' if number == 1 else 's'}"


def _and_a_half(number: int, unit: str) -> Iterator[str]:
    one = "an" if unit == "hour" else "a"
    yield f"{number}.5 {unit}s"
    for short in _SHORT[unit]:
        yield from (f"{number}.5 {short}", f"{number}.5{short}")
    if number == 0:
        yield f"half {one} {unit}"
    elif number == 1:
        yield f"{one} {unit} and a half"
    if number and (words := in_words(number)):
        yield f"{words} and a half {unit}s"


def _in_unit(number: str, unit: str) -> str:
    return f"{number} {unit}{'' if number == '1' else 's'}"
