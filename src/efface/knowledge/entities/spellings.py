"""Values as people write them: how a database value is spelled, and which value a spelling may mean.

A date is kept once, as 2019-03-12. A text that says 12/03/2019 may mean that day or the 3rd of December, so
reading it gives both, each under its own key: two readings are never pooled into one crowd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableSequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Interface, IPv6Interface
from itertools import product
from typing import Any

from efface.knowledge.entities.number_words import numbers_in_words
from efface.text.calendar_names import MONTH_NUMBERS

BYTES = (bytes, bytearray, memoryview)
_DAY_SECONDS = 86_400
_UNITS = {
    "year": 365 * _DAY_SECONDS, "month": 30 * _DAY_SECONDS, "week": 7 * _DAY_SECONDS, "day": _DAY_SECONDS,
    "hour": 3600, "minute": 60, "second": 1,
}  # fmt: skip
_MONTH = r"(?P<month>[a-z]{3,12})\.?"  # any word: a look in the table costs less than sixty alternatives
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.?"
_YEAR = r"(?P<year>\d{4}|'?\d\d)"

# Forms of a date in folded text. `a` and `b` are day and month in either order.
_DATES = tuple(
    re.compile(rf"(?<![\w]){form}(?!\w(?!\d\d:\d\d))")  # a time may follow: 2019-03-12T10:00
    for form in (
        rf"{_DAY} ?(?:of |de |di )?{_MONTH},? ?(?:de )?{_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_DAY}[-/.]{_MONTH}[-/.]{_YEAR}",
        r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)",
        r"(?P<a>\d{1,2}) ?(?P<mark>[-/.]) ?(?P<b>\d{1,2}) ?(?P=mark) ?(?P<year>\d{4}|\d\d)",
    )
)
# A number with marks between its thousands (or lakhs), a decimal mark, or both.
_NUMBER = re.compile(
    r"(?<![\w.,'])(?:\d{1,3}(?P<mark>[,.' ])\d{3}(?:(?P=mark)\d{3}){0,6}(?:[.,]\d{1,12})?"
    r"|\d{1,2}(?:,\d\d){1,6},\d{3}(?:\.\d{1,12})?|\d{1,15}[.,]\d{1,12})(?![\w'])(?![.,]\d)"
)
# A number with a currency before it, or a unit or a scale after it, and no space between: USD52000, 52k, 64.5kg. A
# scale in words may stand apart: 1.25 million.
_WITH_UNIT = re.compile(
    r"(?<![\w.,])(?P<before>us\$|[a-z]{2,3}|[$€£¥₹])?"
    r"(?P<number>\d{1,3}(?:[,.']\d{3}){1,6}(?:[.,]\d{1,4})?|\d{1,15}(?:[.,]\d{1,4})?)"
    r"(?P<scale>(?:k|mn|m|bn|lakh|crore| ?(?:thousand|million|mio|billion|mrd|lakhs?|crores?))(?![a-z]))?(?P<after>[a-z]{1,3}|%)?(?!\w)"
)
_SCALES = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9, "lakh": 5, "lakhs": 5, "crore": 7,
    "crores": 7, "mio": 6, "mrd": 9,
}  # fmt: skip


def spellings(value: object) -> Iterator[str]:
    """The texts under which a value is kept; none for NULL and for what has no spelling."""
    if value is None or isinstance(value, BYTES):
        return
    if isinstance(value, (MutableSequence, tuple, set, frozenset)):
        for item in value:
            yield from spellings(item)
    elif isinstance(value, dict):  # an object may be a set: {"lupus": true}
        yield from spellings([name if item is True else item for name, item in value.items()])
    elif isinstance(value, datetime):
        yield value.date().isoformat()
        if value.time() != time():
            yield value.strftime("%Y-%m-%d %H:%M")
    elif isinstance(value, (date, time)):
        yield value.isoformat()
    elif isinstance(value, timedelta):
        yield from _duration(value)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, (float, Decimal)):
        yield from _plain(value)
    elif hasattr(value, "upper_inc"):
        yield from _ends(value)
    elif text := str(value).strip():
        yield text
        if isinstance(value, (IPv4Interface, IPv6Interface)):
            yield str(value.ip)


def _ends(value: Any) -> Iterator[str]:
    """The ends of a range. Of days or whole numbers the last one is a way to write the end, too."""
    yield from spellings(value.lower)
    yield from spellings(value.upper)
    if value.upper is not None and not value.upper_inc:
        step = {date: timedelta(days=1), int: 1}.get(type(value.upper))
        yield from spellings(value.upper - step if step is not None else None)


def _duration(value: timedelta) -> Iterator[str]:
    """In every unit that it is a whole number of; a driver makes a month of 30 days and a year of 365."""
    seconds = round(value.total_seconds())
    for unit, size in _UNITS.items():
        if seconds and seconds % size == 0:
            yield f"{abs(seconds) // size} {unit}{'' if abs(seconds) == size else 's'}"


def _plain(value: float | Decimal) -> Iterator[str]:
    number = Decimal(str(value))
    if number.is_finite() and abs(number.adjusted()) < 40:
        yield _trim(format(number, "f"))


def _trim(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def readings(text: str) -> Iterator[tuple[int, int, str]]:
    """Dates and numbers in a folded text: where each is, and every value it may mean."""
    yield from dates(text)
    for match in _NUMBER.finditer(text):
        for key in _number_keys(match.group()):
            yield match.start(), match.end(), key
    yield from _with_units(text)
    yield from numbers_in_words(text)


def _with_units(text: str) -> Iterator[tuple[int, int, str]]:
    """Numbers glued to a currency, a scale or a unit; the unit goes with the number."""
    for match in _WITH_UNIT.finditer(text):
        if not (match["before"] or match["scale"] or match["after"]):
            continue
        scale = _SCALES.get((match["scale"] or "").strip(), 0)
        for key in _number_keys(match["number"]):
            if scale:
                yield match.start(), match.end(), _trim(format(Decimal(key).scaleb(scale), "f"))
            if match["scale"] in (None, "m"):  # 52m may be metres
                yield match.start(), match.end(), key


def dates(text: str, order: str = "") -> Iterator[tuple[int, int, str]]:
    """Dates in a folded text. `order`, `dmy` or `mdy`, says which of two numbers is the day."""
    for form in _DATES:
        for match in form.finditer(text):
            for key in _date_keys(match.groupdict(), order):
                yield match.start(), match.end(), key


def _date_keys(parts: dict[str, str], order: str) -> Iterator[str]:
    written = parts["year"].lstrip("'")
    years = [int(written)]
    if len(written) == 2:
        years = [1900 + years[0], 2000 + years[0]]
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        orders = {(first, second), (second, first)}
        if order:
            orders = {(first, second) if order == "dmy" else (second, first)}
    else:
        named = parts["month"]
        orders = {(int(parts["day"]), int(named) if named.isdigit() else MONTH_NUMBERS.get(named, 0))}
    for year, (day, month) in product(years, sorted(orders)):
        try:
            yield date(year, month, day).isoformat()
        except ValueError:  # no such day, or no month
            continue


def _number_keys(text: str) -> set[str]:
    """The number without its marks: the last mark may be decimal or not, the others part thousands."""
    whole = re.sub(r"[,.' ]", "", text)
    keys = {whole}
    marks = [at for at, char in enumerate(text) if char in ",."]
    if marks and text.count(text[marks[-1]]) == 1:
        left, right = re.sub(r"[,.' ]", "", text[: marks[-1]]), text[marks[-1] + 1 :]
        keys |= {f"{left}.{right}", _trim(f"{left}.{right}")}
    return keys
