"""Moments: a date and the time of day beside it. They are kept as 1980-03-12 14:35, without seconds.

A time by itself names no moment, so a time goes only where the date and the time of one value stand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# 14:35, 14.35, 14h35, 14:35:20.5, 2:35 pm, 9am
_CLOCK = (
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?:[:.]\d\d(?:\.\d{1,9})?)?)?"
    r"(?: ?(?P<half>[ap])\.?m\b\.?)?(?: ?(?:uhr|hrs|hours|h|z)\b)?"
)
_AFTER = re.compile(rf"(?:t|[ ,;(]{{1,3}}(?:(?:at|um|@|a|à) ?)?)(?<!\d){_CLOCK}(?![\w:])")
_BEFORE = re.compile(rf"(?<![\w:.]){_CLOCK}[ ,;(]{{1,3}}(?:(?:on|of|am|le|del) (?:the )?)?$")
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
