"""Dates and amounts that a database keeps as texts: 12/03/1980, Mar 12 1980 12:00AM, $52,000.00, 52.000,00 EUR.

A text that can be read in one way only counts as the date or the number that it is. 03/04/1980 may be the 3rd of April or
the 4th of March, so it is kept as it is written, under a key of its own (3/4/1980), and a day in a document is looked for
under each key that may mean it: two readings are never pooled into one crowd.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from efface.text.folding import fold_text

Dates = Callable[[str], Iterable[tuple[int, int, str]]]

_LONGEST = 40  # characters of a date with a time, or of an amount
_DIGIT = re.compile(r"\d")
_TIME = re.compile(
    r"[t ,]{1,2}\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?:z| ?[+-]\d\d:?\d\d)?$"
)
_WORD = r"[^\W\d_]{3,10}\.?"
_DATE = re.compile(
    rf"\d{{1,2}}[-/. ]{{1,2}}\d{{1,2}}[-/. ]{{1,2}}'?\d\d(?:\d\d)?|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|(?:19|20)\d{{6}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[-/. ]{{0,2}}(?:of )?{_WORD}[-/., ]{{0,2}}'?\d\d(?:\d\d)?"
    rf"|{_WORD} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{4}}[-/ ]{_WORD}[-/ ]\d{{1,2}}"
)
_THREE = re.compile(r"(\d{1,2})\D+(\d{1,2})\D+(\d{2,4})")
_ISO = re.compile(r"(?P<century>\d\d)(?P<year>\d\d)-(?P<month>\d\d)-(?P<day>\d\d)")

_CURRENCY = r"us\$|[$€£¥₹]|(?:usd|eur|gbp|inr|chf|jpy|cny|cad|aud|sek|nok|dkk|pln|czk|rs|kr)\b\.?"
_GROUPS = r"\d{1,3}(?:(?P<mark>[,.' ])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d{1,2}(?!\d))?|\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d{1,2})?"
_AMOUNT = re.compile(
    rf"(?P<sign>[-\u2212] ?|\()?(?P<before>{_CURRENCY})? ?(?P<number>{_GROUPS}|\d+(?:[.,]\d{{1,4}})?)(?P<scale>k)?"
    rf"(?:[.,]?[-\u2013]{{1,2}}|/-)? ?(?P<after>{_CURRENCY})?\)?"
)
_QUANTITY = re.compile(
    r"(?P<number>\d+(?:[.,]\d{1,4})?) ?(?P<unit>[^\W\d_]{1,5}(?:/[^\W\d_]{1,4})?|%|°[CF]?)"
)
_WITH_POINT = (
    "$",
    "£",
    "₹",
    "us$",
    "usd",
    "gbp",
    "inr",
    "rs",
    "rs.",
)  # currencies whose cents stand behind a point


def kept_as_text(text: str, dates: Dates) -> Iterator[str]:
    """What a text of the database says, if it is a date or an amount as a whole. `dates` reads the dates of a folded text."""
    if len(text) > _LONGEST or _DIGIT.search(text) is None:
        return
    folded = fold_text(text)
    day = _TIME.sub("", folded)
    if _DATE.fullmatch(day):
        days = {key for start, end, key in dates(day) if (start, end) == (0, len(day))}
        said = _date(day, days)
    elif match := _AMOUNT.fullmatch(folded):
        said = _amount(match)
    else:
        yield from _quantities(text)
        return
    if said not in ("", text):
        yield said


def written_days(read: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The days among the readings of a text, under the keys of the texts that may mean them."""
    for start, end, key in read:
        if match := _ISO.fullmatch(key):
            for written in _written(match):
                yield start, end, written


def _date(text: str, days: set[str]) -> str:
    """The day, or the key of a text that may mean several; empty where it means none."""
    if len(days) < 2:
        return min(days, default="")
    if three := _THREE.fullmatch(text):
        return "/".join(part.lstrip("0") or "0" for part in three.groups())
    match = _ISO.fullmatch(min(days))  # a month by its name and a year without its century
    return f"{int(match['day'])}-{int(match['month'])}-{match['year']}" if match else ""


def _written(day: re.Match[str]) -> Iterator[str]:
    """The keys of texts that may mean a day: both orders, with and without the century."""
    date, month, year = int(day["day"]), int(day["month"]), day["year"].lstrip("0") or "0"
    for written in (day["century"] + day["year"], year):
        yield f"{date}/{month}/{written}"
        yield f"{month}/{date}/{written}"
    yield f"{year}/{month}/{date}"
    yield f"{date}-{month}-{day['year']}"


def _quantities(text: str) -> Iterator[str]:
    """A number with a unit, with and without the space and with either mark: 64.5 kg, 64.5kg, 64,5 kg."""
    if match := _QUANTITY.fullmatch(text):
        number, unit = match["number"], match["unit"]
        for mark in dict.fromkeys((number.replace(",", "."), number.replace(".", ","))):
            yield from (way for way in (f"{mark} {unit}", f"{mark}{unit}") if way != text)


def _amount(match: re.Match[str]) -> str:
    """The amount in plain digits; empty where a text without a currency is no more than digits, or could be two numbers."""
    currency = match["before"] or match["after"] or ""
    number = match["number"]
    has_groups = match["mark"] is not None or number.count(",") > 1
    if (
        not currency
        and match["scale"] is None
        and (("," not in number and "'" not in number) or " " in number)
    ):
        return ""
    last = max(number.rfind(","), number.rfind("."))
    cents = number[last + 1 :] if last >= 0 else ""
    is_grouped = has_groups and len(cents) == 3
    if is_grouped and match["mark"] == "." and currency in ("", *_WITH_POINT) and number.count(".") == 1:
        return ""  # 1.234 and $1.234 may be a little more than one
    whole = re.sub(r"\D", "", number if is_grouped or not cents else number[:last])
    decimals = "" if is_grouped else cents.rstrip("0")
    if match["scale"] and decimals:
        whole, decimals = whole + decimals.ljust(3, "0"), ""
    elif match["scale"]:
        whole += "000"
    sign = "-" if match["sign"] else ""
    return f"{sign}{whole.lstrip('0') or '0'}{'.' if decimals else ''}{decimals}"
