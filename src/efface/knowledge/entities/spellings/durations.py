"""Spans of time as people write them: 90 minutes, 1.5 hours, an hour and a half, three days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from efface.knowledge.entities.spellings.number_words import in_words

_DAY_SECONDS = 86_400
_UNITS = {
    "year": 365 * _DAY_SECONDS, "month": 30 * _DAY_SECONDS, "week": 7 * _DAY_SECONDS, "day": _DAY_SECONDS,
    "hour": 3600, "minute": 60, "second": 1,
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


def _whole_units(number: int, unit: str) -> Iterator[str]:
    yield _in_unit(str(number), unit)
    if words := in_words(number):
        yield f"{words} {unit}{'' if number == 1 else 's'}"


def _and_a_half(number: int, unit: str) -> Iterator[str]:
    one = "an" if unit == "hour" else "a"
    yield f"{number}.5 {unit}s"
    if number == 0:
        yield f"half {one} {unit}"
    elif number == 1:
        yield f"{one} {unit} and a half"
    if number and (words := in_words(number)):
        yield f"{words} and a half {unit}s"


def _in_unit(number: str, unit: str) -> str:
    return f"{number} {unit}{'' if number == '1' else 's'}"
