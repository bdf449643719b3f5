"""Dates as they are written: read them, move them, and write them back in the same style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from efface.text.calendar_names import MONTH_ALIASES, MONTHS, WEEKDAY_ALIASES, WEEKDAYS

MAX_LENGTH = 64  # nothing longer is one date
_CENTURY_SPLIT = 30  # two-digit years under it are 20xx, as spreadsheets read them

_CalendarTable = Mapping[str, tuple[tuple[str, ...], ...]]

_GAP = r"[\s,/.-]{0,3}"
_WORD = r"[^\W\d_]{3,12}"
_YEAR = r"(?P<year>[0-9]{4}|'?[0-9]{2})"
_DAY = r"(?P<day>[0-9]{1,2})(?P<ordinal>st|nd|rd|th|er|º)?"
_MONTH = rf"(?P<name>{_WORD})"
_CORES = (
    r"(?P<year>[0-9]{4})(?P<sep>[-/.])(?P<month>[0-9]{1,2})(?P=sep)(?P<day>[0-9]{1,2})",
    r"(?P<year>(?:1[89]|2[01])[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})",
    r"(?P<first>[0-9]{1,2})(?P<sep>[-/.] ?)(?P<second>[0-9]{1,2})(?P=sep)(?P<year>[0-9]{4}|[0-9]{2})",
    rf"{_DAY}{_GAP}(?:of\s|del?\s)?{_MONTH}{_GAP}(?:del?\s)?{_YEAR}",
    rf"{_MONTH}{_GAP}{_DAY}[\s,/-]{{1,3}}{_YEAR}",
    rf"(?P<year>[0-9]{{4}}){_GAP}{_MONTH}{_GAP}{_DAY}",
    rf"{_MONTH}{_GAP}(?:of\s|del?\s)?(?P<year>[0-9]{{4}})",
    r"(?P<month>[0-9]{1,2})[-/.](?P<year>[0-9]{4})",
    r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{2})",
    r"(?P<year>(?:1[5-9]|2[01])[0-9]{2})",
)
_CLOCK = (
    r"(?:[0-9]{1,2}[:.h][0-9]{2}(?:[:.][0-9]{2})?(?:[.,][0-9]{1,9})?|[0-9]{6}|[0-9]{4}|[0-9]{1,2}(?=\s?[ap]\.?m))"
    r"(?:\s?[ap]\.?m\.?)?(?:\s?(?:Z|[ECMPB][DS]T|C?EST|EES?T|WES?T|CET|IST|JST|AE[DS]T|UTC|GMT|Uhr|hrs?|(?:UTC|GMT)?[+-][0-9]{2}:?[0-9]{2}))?"
)
_WEEKDAY = r"(?P<weekday>[^\W\d_]{2,12}(?:-feira)?)\.?,?\s(?:the\s)?"
_BEFORE = rf"(?:(?:at\s)?{_CLOCK}(?:,\s?|\s)(?:on\s)?)?(?:{_WEEKDAY})?"
_AFTER = rf"(?:(?:T|,?\s(?:at\s|um\s|à\s)?)\(?{_CLOCK}\)?)?"


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date and where its fields are in its text; `month` or `day` is 0 when it is not written."""

    text: str
    year: int
    month: int
    day: int
    fields: Mapping[str, tuple[int, int]]
    languages: tuple[str, ...]  # to read its names in, likeliest first

    def shifted(self, days: int) -> str | None:
        """The date moved by that many days, in the same form, or None beyond the calendar.

        A bare month moves with its 15th, a bare year with the 2nd of July.
        """
        try:
            moved = date(self.year, self.month or 7, self.day or (15 if self.month else 2)) + timedelta(days)
        except (ValueError, OverflowError):
            return None
        pieces: list[str] = []
        position = 0
        for name, (start, end) in sorted(self.fields.items(), key=lambda item: item[1]):
            pieces += (self.text[position:start], self._field(name, self.text[start:end], moved))
            position = end
        return "".join([*pieces, self.text[position:]])

    def _field(self, name: str, old: str, moved: date) -> str:
        """A field of the shifted date, written in the form of the old one."""
        match name:
            case "year":
                digits = old.lstrip("'")
                year = f"{moved.year:04d}" if len(digits) == 4 else f"{moved.year % 100:02d}"
                return old[: len(old) - len(digits)] + year
            case "month" | "day":
                value = moved.month if name == "month" else moved.day
                return f"{value:02d}" if self._padded() else str(value)
            case "name":
                return self._renamed(old, moved.month - 1, MONTHS, MONTH_ALIASES)
            case "weekday":
                return self._renamed(old, moved.weekday(), WEEKDAYS, WEEKDAY_ALIASES)
            case _:
                return _ordinal(old, moved.day)

    def _renamed(self, old: str, position: int, table: _CalendarTable, aliases: Mapping[str, str]) -> str:
        place = _calendar_position(old, table, aliases, self.languages)
        if place is None:  # `parse` accepts only names of the table
            raise ValueError("not a calendar name")
        language, form, _ = place
        # May is long and short; 1-May-2019 is in the style of 30-Apr-2019.
        if old.lower() in table[language][-1] and " " not in self.text:
            form = len(table[language]) - 1
        return _cased(table[language][form][position], old)

    def _padded(self) -> bool:
        """Whether 3 is written 03 here. Two digits decide nothing beside a month's name unless one is 0."""
        numbers = [
            self.text[start:end] for field, (start, end) in self.fields.items() if field in ("month", "day")
        ]
        if any(len(number) == 1 for number in numbers):
            return False
        return "name" not in self.fields or any(number.startswith("0") for number in numbers)


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_BEFORE + core + _AFTER, re.IGNORECASE) for core in _CORES)


@lru_cache(maxsize=1)
def _numeric() -> re.Pattern[str]:
    return re.compile(r"\b([0-9]{1,2})([-/])([0-9]{1,2})\2[0-9]{2,4}\b")


def day_first(texts: Iterable[str], default: bool | None) -> bool | None:
    """How this document writes 03/04/2019: a day over 12 decides; None when its dates disagree."""
    votes = set()
    for text in texts:
        match = _numeric().search(text) if len(text) <= MAX_LENGTH else None
        first, second = (int(match[1]), int(match[3])) if match else (0, 0)
        if (first > 12) != (second > 12):
            votes.add(first > 12)
    if len(votes) == 2:
        return None
    return votes.pop() if votes else default


def parse(text: str, days_lead: bool | None) -> WrittenDate | None:
    """The one date that the text is, or None. `days_lead` settles 03/04/2019; None leaves it unread."""
    if len(text) > MAX_LENGTH:
        return None
    for form in _forms():
        match = form.fullmatch(text)
        written = _read(match, days_lead) if match else None
        if written is not None:
            return written
    return None


def _read(match: re.Match[str], days_lead: bool | None) -> WrittenDate | None:
    """The date that a match writes; None if there is no such day, or its order of day and month is unknown."""
    fields = {name: match.span(name) for name, value in match.groupdict().items() if value and name != "sep"}
    languages = _languages(match.string)
    if "weekday" in fields:
        weekday = _calendar_position(match["weekday"], WEEKDAYS, WEEKDAY_ALIASES, languages)
        if weekday is None:
            return None
        languages = (weekday[0], *languages)
    # 03/04/2019: which of the two is the day depends on the document.
    if "first" in fields:
        leads = _leads(match, days_lead)
        if leads is None:
            return None
        first, second = fields.pop("first"), fields.pop("second")
        fields["day"], fields["month"] = (first, second) if leads else (second, first)
    month = day = 0
    if "name" in fields:
        place = _calendar_position(match["name"], MONTHS, MONTH_ALIASES, languages)
        if place is None:
            return None
        month = place[2] + 1
    elif "month" in fields:
        month = int(_matched_text(match, fields["month"]))
    if "day" in fields:
        day = int(_matched_text(match, fields["day"]))
    year = _full_year(_matched_text(match, fields["year"]).lstrip("'"))
    valid = _valid(year, month, day, fields)
    return WrittenDate(match.string, year, month, day, fields, languages) if valid else None


def _matched_text(match: re.Match[str], span: tuple[int, int]) -> str:
    return match.string[span[0] : span[1]]


def _leads(match: re.Match[str], days_lead: bool | None) -> bool | None:
    """Whether the first number is the day: a number over 12 says so; points mean yes everywhere."""
    first, second = int(match["first"]), int(match["second"])
    if first > 12 or second > 12:
        return first > 12
    return True if match["sep"].startswith(".") else days_lead


def _valid(year: int, month: int, day: int, fields: Mapping[str, tuple[int, int]]) -> bool:
    if "day" in fields or "month" in fields or "name" in fields:
        try:
            date(year, month, day if "day" in fields else 1)
        except ValueError:
            return False
    return year > 0


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + (2000 if year < _CENTURY_SPLIT else 1900)


def _languages(text: str) -> tuple[str, ...]:
    """In which order to try the languages: they share names, but not the way to write around them."""
    first: tuple[str, ...] = ("en", "fr") if text.islower() else ("en", "de")
    if re.search(r"[0-9]\. ?[^\W\d_]", text):
        first = ("de",)
    elif re.search(r"\bdel? ", text):
        first = ("es", "pt")
    return (*first, *MONTHS)


def _calendar_position(
    word: str, table: _CalendarTable, aliases: Mapping[str, str], languages: Iterable[str]
) -> tuple[str, int, int] | None:
    """Language, form and position of a calendar name."""
    name = aliases.get(word.lower(), word.lower())
    for language in languages:
        for number, form in enumerate(table[language]):
            if name in form:
                return language, number, form.index(name)
    return None


def _cased(name: str, like: str) -> str:
    if like.isupper():
        return name.upper()
    return name if like.islower() else name.capitalize()


def _ordinal(old: str, day: int) -> str:
    if old.lower() == "er":  # French writes it for the first of the month only
        return old if day == 1 else ""
    if old == "º":
        return old
    suffix = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return suffix.upper() if old.isupper() else suffix
