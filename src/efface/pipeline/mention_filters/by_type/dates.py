"""Where a date ends, and what a names model takes for one: "45" before "minutes", "48h", "PMH", the number of a telephone."""

from __future__ import annotations

import re

from efface.text.calendar_names import CALENDAR_WORDS

_SMALL = "and|at|between|by|for|from|in|may|of|on|or|the|till|to|until|with"
_SMALL_BEHIND = re.compile(rf"(?:,?[ \u00a0]+(?:{_SMALL}))+\Z")
_NUMBER = (
    r"(?:[0-9]{1,3}(?:[.,][0-9])?|(?i:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|"
    r"seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen))"
)
_TIMES = r"(?:h|hrs?|hours?|mins?|minutes?|secs?|seconds?|days?|weeks?|wks?|months?|mths?|years?|yrs?|fortnights?|decades?)"
_MEASURES = r"(?:mm|cm|km|kg|mg|mcg|ml|litres?|miles?|metres?|stone|lbs?|oz|mmol|mmhg|bpm|units?|pages?|times|per cent|percent)"
_LENGTH = re.compile(
    rf"(?i:about|around|over|almost|nearly|some|for|within|at least|up to|a further)?[ ]?{_NUMBER}(?:[ \u00a0-]?(?:to|or|-)[ \u00a0-]?{_NUMBER})?"
    rf"[ \u00a0-]?(?:{_TIMES}|{_MEASURES})(?:['’]|\.)?"
)
_UNIT_BEHIND = re.compile(
    rf"[ \u00a0-]?(?:(?:working|business|calendar|clear|school|consecutive|full)[ \u00a0])?(?:{_TIMES}|{_MEASURES})(?!\w)"
)
# With these a length of time is a point of time or an age.
_COUNTED_FROM = re.compile(
    r"[ \u00a0-](?:old|of age|ago|earlier|later|before|after|since|previously|prior|from|hence)(?!\w)"
)
_CAPITALS = re.compile(r"[A-Z]{2,5}")
_LABELLED = re.compile(r"[A-Z]{2,4}[ \u00a0](?!(?:1[5-9]|20)[0-9]{2}\Z)[0-9]{4,5}")
_WEEKS = re.compile(r"[0-9]{1,2}(?:\+[0-6])?/(?:40|52)")  # of a pregnancy, and as clinics count them
_PRESSURE = re.compile(r"(?:3[2-9]|[4-9][0-9]|[12][0-9]{2})/[0-9]{2,3}")  # of blood: "104/60"
# The groups of a number too long to be a date: "01273 555 0148".
_GROUPS = re.compile(r"(?<![\w.,/:-])\+?[0-9]{3,6}(?:[ \u00a0][0-9]{2,6}){1,4}(?![\w/:-]|[.,][0-9])")
_YEAR = 4  # digits
_FEWEST_DIGITS = 9  # of a telephone number in groups; a date has eight
_REACH = 30  # characters around a group in which the others stand


def without_small_words(text: str, start: int, end: int) -> int:
    """Where a date ends without the "and", "to" or "may" that goes on with its sentence."""
    small = _SMALL_BEHIND.search(text, start, end)
    return small.start() if small and any(map(str.isalnum, text[start : small.start()])) else end


def long_number(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The place of the long number of which a date is a group, if it is one."""
    if not text[start:end].replace(" ", "").isdecimal():
        return None
    for groups in _GROUPS.finditer(text, max(0, start - _REACH), end + _REACH):
        if (
            groups.start() <= start
            and end <= groups.end()
            and sum(map(str.isdigit, groups.group())) >= _FEWEST_DIGITS
        ):
            return groups.span()
    return None


def is_no_point_of_time(text: str, start: int, end: int) -> bool:
    """Whether a date is a length of time or another measure, a number of something, or letters that name no month or day."""
    surface = text[start:end].strip(" .,")
    if _LENGTH.fullmatch(surface):
        return _COUNTED_FROM.match(text, end) is None
    unit = _UNIT_BEHIND.match(text, end)
    if unit is not None and surface.isdecimal() and len(surface) < _YEAR:
        return _COUNTED_FROM.match(text, unit.end()) is None
    if _CAPITALS.fullmatch(surface):
        return surface.lower() not in CALENDAR_WORDS
    return any(pattern.fullmatch(surface) for pattern in (_LABELLED, _WEEKS, _PRESSURE))
