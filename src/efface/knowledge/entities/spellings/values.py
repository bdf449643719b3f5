"""Values as people write them: how a database value is spelled, and which value a spelling may mean.

A date is kept once, as 2019-03-12. A text that says 12/03/2019 may mean that day or the 3rd of December, so
reading it gives both, each under its own key: two readings are never pooled into one crowd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableSequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Interface, IPv6Interface
from itertools import product
from typing import Any
from uuid import UUID

from efface.knowledge.entities.spellings.answers import answers
from efface.knowledge.entities.spellings.codes import (
    addresses,
    at_home,
    grouped_codes,
    grouped_digits,
    numbers_from_abroad,
)
from efface.knowledge.entities.spellings.durations import durations
from efface.knowledge.entities.spellings.grades import ROMAN, other_grades
from efface.knowledge.entities.spellings.kept_as_text import kept_as_text
from efface.knowledge.entities.spellings.moments import days_of, moments, quarter_of, times_of_day
from efface.knowledge.entities.spellings.number_words import ORDINALS, SMALL, numbers_in_words, year_in_words
from efface.knowledge.entities.spellings.other_scripts import (
    KOREAN_DATE,
    LETTER,
    MONTHS,
    VIETNAMESE_DATE,
    dates_of_eras,
)
from efface.knowledge.entities.spellings.other_scripts import SCALES as OTHER_SCALES
from efface.knowledge.entities.spellings.shares import shares
from efface.knowledge.entities.spellings.signs import negative
from efface.text.calendar_names import MONTH_NUMBERS

BYTES = (bytes, bytearray, memoryview)
# Letters, and the vowels that Hindi writes after them.
_MONTH = r"(?P<month>(?:[^\W\d_]|[\u093e-\u094c]){2,14})\.?"  # any word: a look in the table costs less than sixty alternatives
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.?"
_YEAR = r"(?P<year>\d{4}|'?\d\d)"

# Forms of a date in folded text, and whether they begin with a month. `a` and `b` are day and month in either order.
_DATES = tuple(
    (
        re.compile(rf"(?<!{LETTER}){form}(?!{LETTER}(?!\d\d:\d\d))"),  # a time may follow: 2019-03-12T10:00
        form.startswith(_MONTH),
    )
    for form in (
        rf"{_DAY} ?(?:day )?(?:of |de |di )?{_MONTH},? ?(?:(?:de|of|in) )?{_YEAR}",
        rf"{_MONTH} (?:the )?{_DAY},? (?:(?:of|in) )?{_YEAR}",
        rf"{_DAY}[-/.]{_MONTH}[-/.]{_YEAR}",
        rf"{_MONTH}[-/.]{_DAY}[-/.]{_YEAR}",
        rf"(?P<year>\d{{4}})[-/., ]{{1,2}}{_MONTH}[-/ ]{_DAY}",
        rf"(?P<day>\d{{1,2}})[-/. ]{{1,2}}(?P<roman>{'|'.join(ROMAN)})[-/. ]{{1,2}}{_YEAR}",
        r"(?P<year>\d{4}) ?年 ?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日",
        KOREAN_DATE,
        VIETNAMESE_DATE,
        r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)",
        r"(?P<a>\d{1,2}) ?(?P<mark>[-/.·]) ?(?P<b>\d{1,2}) ?(?P=mark) ?(?P<year>\d{4}|'?\d\d)",
        r"(?P<a>\d{1,2}) (?P<b>\d{1,2}) (?P<year>(?:19|20)\d\d)",
        r"(?P<year>\d\d)-(?P<month>\d\d)-(?P<day>\d\d)",
        r"(?P<a>\d\d)(?P<b>\d\d)(?P<year>(?:19|20)\d\d)",
        r"(?P<a>\d{1,2})/(?P<b>\d{1,2}),? (?P<year>\d{4})",
    )
)
_NUMBER_BEGINS = re.compile(rf"(?<!{LETTER})\d")
_WORD_BEFORE_NUMBER = re.compile(r"(?<!\w)[a-z]{3,12}\.?(?: (?:the )?|[-/.])(?=\d)")
# A number with marks between its thousands (or lakhs), a decimal mark, or both.
_NUMBER = re.compile(
    rf"(?<!{LETTER})(?<![.,'])"
    r"(?:\d{1,3}(?P<mark>[,.' ])\d{3}(?:(?P=mark)\d{3}){0,12}(?:[.,]\d{1,40})?"
    r"|\d{1,2}(?:,\d\d){1,19},\d{3}(?:\.\d{1,40})?|\d{1,40}[.,]\d{1,40})"
    rf"(?!{LETTER}|'|[.,]\d)"
)
# A number with a currency before it, or a unit or a scale after it, and no space between: USD52000, 52k, 64.5kg. A
# scale in words may stand apart: 1.25 million.
_WITH_UNIT = re.compile(
    rf"(?<!{LETTER})(?<![.,])"
    r"(?P<before>us\$|rs\.|[a-z]{2,3}|[$€£¥₹])?"
    r"(?P<number>\d{1,3}(?:[,.']\d{3}){1,12}(?:[.,]\d{1,4})?|\d{1,40}(?:[.,]\d{1,4})?)"
    r"(?P<scale>[ -]?(?:k|mn|mm|mil|m|bn|b|thousand|grand|tsd|tausend|million(?:en|s)?|mio|billion|milliards?|milliarden"
    rf"|mrd|lakhs?|crores?|{'|'.join(OTHER_SCALES)})(?!(?!usd|eur|gbp|inr|chf)[a-z]))?"
    rf"(?P<after>[a-z]{{1,3}}|dollars|pounds|euros?|rupees|%)?(?!{LETTER})"
)
_SCALES = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9, "lakh": 5, "lakhs": 5, "crore": 7,
    "crores": 7, "mm": 6, "mil": 6, "b": 9, "milliard": 9, "milliards": 9, "milliarden": 9, "mio": 6, "mrd": 9, "grand": 3, "tsd": 3, "tausend": 3, "millionen": 6, "millions": 6,
    **OTHER_SCALES,
}  # fmt: skip

# Numbers with a power of ten (1.5e-6), and without their zero (.5).
_POWER = re.compile(r"\de[-+\d]")
_WITH_POWER = re.compile(rf"(?<!{LETTER})(?<![.,])\d{{1,40}}(?:\.\d{{1,40}})?e[-+]?\d{{1,3}}(?!{LETTER})")
_WITHOUT_ZERO = re.compile(rf"\.(?<![\w.,/:]\.)\d{{1,40}}(?!{LETTER}|[.,]\d)")
# 64½, which folds to 641⁄2, and 64 1/2.
_FRACTION = re.compile(
    r"(?<![\w.,/⁄])(?:(?P<whole>\d{1,12}?)[ -]?)?(?P<over>\d)⁄(?P<under>10|[2-9])[a-z]{0,3}(?![\w⁄/])"
    r"|(?<![\w.,/⁄])(?P<apart>\d{1,12})[ -](?P<above>\d)/(?P<below>10|16|[2-9])[a-z]{0,3}(?![\w⁄/])"
)
# Days and years in words, beside a month.
_DAY_WORD = re.compile(
    rf"\b(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True)).replace('-', '[- ]')})\b(?: day\b)?"
)
_YEAR_WORD = re.compile(
    rf"\b(?:nineteen|twenty|two thousand)(?:(?:[ -]|(?<=thousand) and )(?:{'|'.join(SMALL)})\b){{0,2}}"
)
_NEAR = 30  # characters
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u201e": "\u201c", "\u00ab": "\u00bb"}
_POSSESSIVE = re.compile(r"(?<=[^\W\d_])['\u2019](?=s\b)")  # St. Mary's Hospital, which signs leave out
_AMPERSAND = re.compile(r"\s?&\s?")
_AND = re.compile(r"(?<=\S) (?:and|und|et) (?=\S)", re.IGNORECASE)
# The number behind a word for what it numbers: MRN-00123456, of which a text says "MRN: 00123456".
_NUMBERED = re.compile(r"[^\W\d_]{2,8}[ .:#/_-]{1,2}(?P<number>\d{6,24})")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?")
_MOST_PLACES = 1000  # digits before or behind the point, of a number that has a spelling
_LONGEST_PHRASE = 100  # characters: a longer text tells a story


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
        yield from days_of(value)
        if value.time() != time():
            yield value.strftime("%Y-%m-%d %H:%M")
        yield from quarter_of(value)
    elif isinstance(value, date):
        yield value.isoformat()
    elif isinstance(value, time):
        yield from times_of_day(value)
    elif isinstance(value, timedelta):
        yield from durations(value)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, (int, float, Decimal)):
        yield from _number(value)
    elif hasattr(value, "upper_inc"):
        yield from _range_bounds(value)
    elif text := str(value).strip():
        yield text
        yield from other_texts(text)
        if isinstance(value, (IPv4Interface, IPv6Interface)):
            yield str(value.ip)
        if isinstance(value, UUID):
            yield value.hex


def other_texts(text: str) -> Iterator[str]:
    """Texts that say the same as a text of the database. A moment may be kept as a text, in a document for example."""
    if text[4:5] == "-" and _MOMENT.fullmatch(text):
        with suppress(ValueError):  # no such day
            yield from spellings(datetime.fromisoformat(text))
    else:
        yield from kept_as_text(text, dates)
    if _QUOTES.get(text[0]) == text[-1] and len(text) > 2:
        yield text[1:-1]
    if text[0] in "#@" and len(text) > 2:
        yield text[1:]
    if _POSSESSIVE.search(text):
        yield _POSSESSIVE.sub("", text)
    yield from _with_other_and(text)
    yield from other_grades(text)
    if numbered := _NUMBERED.fullmatch(text):
        yield numbered["number"]
    if text.startswith("+"):
        yield from at_home(text)


def _with_other_and(text: str) -> Iterator[str]:
    """The text with "and" for "&", or the other way round: Johnson & Johnson, Müller und Söhne."""
    if len(text) > _LONGEST_PHRASE:
        return
    if "&" in text:
        yield from (_AMPERSAND.sub(f" {word} ", text) for word in ("and", "und", "et"))
    elif _AND.search(text):
        yield _AND.sub(" & ", text)


def _range_bounds(value: Any) -> Iterator[str]:
    """The ends of a range. The last day or whole number inside is a way to write the end, too."""
    yield from spellings(value.lower)
    yield from spellings(value.upper)
    if value.upper is not None and not value.upper_inc:
        step = {date: timedelta(days=1), int: 1}.get(type(value.upper))
        yield from spellings(value.upper - step if step is not None else None)


def _number(value: float | Decimal) -> Iterator[str]:
    """A number with its sign. Without the sign a negative one is found by `perhaps_negative`."""
    text = str(value)
    if not isinstance(value, int):
        number = Decimal(text)
        if not number.is_finite() or abs(number.adjusted()) >= _MOST_PLACES:
            return
        text = _trim(format(number, "f"))
    yield text


def _trim(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def readings(text: str) -> Iterator[tuple[int, int, str]]:
    """Dates and numbers in a folded text: where each is, and every value it may mean."""
    days = list(dates(text))
    yield from days
    yield from moments(text, days)
    numbers = [*_with_marks(text), *_with_units(text), *_otherwise_pointed(text)]
    yield from numbers
    yield from negative(text, numbers)
    yield from _fractions(text)
    yield from shares(text)
    yield from grouped_digits(text)
    yield from numbers_from_abroad(text)
    yield from grouped_codes(text)
    yield from addresses(text)
    yield from numbers_in_words(text)
    yield from answers(text)


def _otherwise_pointed(text: str) -> Iterator[tuple[int, int, str]]:
    """Numbers that are written with a power of ten or without the zero before their point."""
    forms = (_WITH_POWER, _WITHOUT_ZERO) if _POWER.search(text) else (_WITHOUT_ZERO,)
    for form in forms:
        for match in form.finditer(text):
            yield *match.span(), _trim(format(Decimal(match[0]), "f"))


def _with_marks(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _NUMBER.finditer(text):
        for key in _number_keys(match.group()):
            yield match.start(), match.end(), key


def _fractions(text: str) -> Iterator[tuple[int, int, str]]:
    """Mixed numbers. What has no end, as ⅔, is rounded as people do."""
    if "⁄" not in text and "/" not in text:
        return
    for match in _FRACTION.finditer(text):
        whole = int(match["whole"] or match["apart"] or 0)
        over, under = int(match["over"] or match["above"]), int(match["under"] or match["below"])
        if over < under:
            for digits in (2, 3, 4):
                yield match.start(), match.end(), _trim(f"{whole + over / under:.{digits}f}")


def _with_units(text: str) -> Iterator[tuple[int, int, str]]:
    """Numbers glued to a currency, a scale or a unit; the unit goes with the number."""
    for match in _WITH_UNIT.finditer(text):
        if not (match["before"] or match["scale"] or match["after"]):
            continue
        written = (match["scale"] or "").strip(" -")
        scale = _SCALES.get(written, 0)
        for key in _number_keys(match["number"]):
            if scale:
                yield match.start(), match.end(), _trim(format(Decimal(key).scaleb(scale), "f"))
            if written in ("", "m", "b", "mm", "mil"):  # 52m may be metres
                yield match.start(), match.end(), key


def dates(text: str, order: str = "") -> Iterator[tuple[int, int, str]]:
    """Dates in a folded text. `order`, `dmy` or `mdy`, says which of two numbers is the day."""
    yield from _in_digits(text, order)
    yield from dates_of_eras(text)
    figures = _Figures.of(text)
    if figures is not None:
        for start, end, key in _in_digits(figures.text, order):
            if figures.touches(start, end):
                yield figures.origin(start), figures.origin(end), key


def _in_digits(text: str, order: str) -> Iterator[tuple[int, int, str]]:
    """Dates of every form. A form is tried only where a number begins, or a word before one: a search of the whole text
    for each form would take most of the time of a reading."""
    numbers = [match.start() for match in _NUMBER_BEGINS.finditer(text)]
    words = [match.start() for match in _WORD_BEFORE_NUMBER.finditer(text)] if numbers else []
    for form, has_month_first in _DATES:
        end = 0
        for start in words if has_month_first else numbers:
            match = form.match(text, start) if start >= end else None
            if match is None:
                continue
            for key in _date_keys(match.groupdict(), order):
                end = match.end()  # only of a date: "12 bed 10" is none, and 10 may begin one
                yield start, end, key


@dataclass(frozen=True, slots=True)
class _Figures:
    """A text with figures for the words that say a day or a year beside a month, and the way back."""

    text: str
    places: tuple[tuple[int, int, int, int], ...]  # (start, end) here, (start, end) in the text

    @classmethod
    def of(cls, text: str) -> _Figures | None:
        """None for nearly all texts: no such word is near a month."""
        found = [(*match.span(), str(number)) for match, number in _words_for_figures(text)]
        if not found:
            return None
        pieces, places, at, length = [], [], 0, 0
        for start, end, figures in sorted(found):
            if start < at:
                continue
            pieces += [text[at:start], figures]
            length += start - at + len(figures)
            places.append((length - len(figures), length, start, end))
            at = end
        return cls("".join((*pieces, text[at:])), tuple(places))

    def touches(self, start: int, end: int) -> bool:
        return any(start < last and first < end for first, last, _, _ in self.places)

    def origin(self, at: int) -> int:
        """Maps a position of this text to the other one. The position must not lie inside an inserted piece."""
        for first, last, _, end in reversed(self.places):
            if at > first:
                return end + at - last
        return at


def _words_for_figures(text: str) -> Iterator[tuple[re.Match[str], int]]:
    for match in _DAY_WORD.finditer(text):
        if _is_near_month(text, match):
            yield match, ORDINALS[match[0].removesuffix(" day").replace(" ", "-")]
    for match in _YEAR_WORD.finditer(text):
        if _is_near_month(text, match) and (year := year_in_words(match[0])):
            yield match, year


def _is_near_month(text: str, match: re.Match[str]) -> bool:
    around = text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]
    return any(word in MONTH_NUMBERS for word in re.findall(r"[a-z]+", around))


def _date_keys(parts: dict[str, str], order: str) -> Iterator[str]:
    """The dates that a written one may mean: two centuries for a short year, two orders unless one is given."""
    written = parts["year"].lstrip("'")
    years = [int(written)]
    if len(written) == 2:
        years = [1900 + years[0], 2000 + years[0]]
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        orders = {(first, second), (second, first)}
        if order:
            orders = {(first, second) if order == "dmy" else (second, first)}
    elif "roman" in parts:
        orders = {(int(parts["day"]), ROMAN[parts["roman"]])}
    else:
        named = parts["month"]
        months = {int(named)} if named.isdigit() else MONTHS.get(named, frozenset())
        orders = {(int(parts["day"]), month) for month in months}
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
