"""Numbers that are no dates: amounts of money, versions of software, and what stands alone in a cell of a table.

A names model takes "45.00" in an invoice for a time, and the "4" in a column of quantities for a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.core import Mention

_DATE = "DATE_TIME"
_AMOUNT = re.compile(r"(?P<whole>[0-9]{1,3}(?:[ ,.\u00a0][0-9]{3})+|[0-9]{1,7})[.,](?P<rest>[0-9]{2})")
_ALONE = re.compile(r"[0-9]{1,3}[A-Z]?|[0-9]?[A-Z]")  # a quantity, a ward, a row
_REST = re.compile(r"[.,]?[0-9]+(?:[.,][0-9]+)*")
_HOURS, _MINUTES, _MONTHS, _LAST_DAY = 24, 59, 12, 31
_SIGNS = frozenset("-−+£$€¥")
_ENDS = "\t\r\n|"
_LONGEST_NUMBER = 20  # characters of an amount before the piece that was found
# "version": "4.12.1", Python 3.11, v2.0.14
_VERSION = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,5}){1,4}")
_BEFORE_VERSION = re.compile(
    r"(?i:version|build|sdk|schema|release|firmware|revision|api|ver|driver|kernel)s?[\"']?[ \t]{0,3}[:=]?[ \t]{0,3}[\"']?v?\Z"
)
_DAY_AND_YEAR = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0?[1-9]|[12][0-9]|3[01])\.(?:19|20)[0-9]{2}")
_BEFORE_PROGRAM = re.compile(
    r"(?<!\w)(?:Windows|Chrome|Firefox|Safari|Edge|Office|iOS|iPadOS|macOS|Android|Ubuntu|Java)[ \u00a0]\Z"
)
_VERSION_REACH = 24  # characters before a version in which it is called so
_PRICE = re.compile(r"(?<![0-9.:,])[0-9]{1,7}[.,][0-9]{2}(?=[ ]*(?:[\t\r\n|]|\Z|[ ]{2}))")
_NEIGHBOURS = 200  # characters of the lines above and below
_LONGEST_ROW = 400  # characters on each side of a cell in which the next one stands


def without_amounts(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, without dates that are none."""
    for mention in mentions:
        if mention.type != _DATE or not _is_amount(text, mention):
            yield mention


def _is_amount(text: str, mention: Mention) -> bool:
    """Whether a find of a date is an amount of money, the version of a program or a number alone in a cell."""
    surface = text[mention.start : mention.end].strip()
    amount = _AMOUNT.fullmatch(_whole_number(text, mention))
    if amount is not None:
        whole, rest = int(re.sub(r"\D", "", amount["whole"])), int(amount["rest"])
        is_time = whole <= _HOURS and rest <= _MINUTES
        is_day = whole <= _LAST_DAY and 0 < rest <= _MONTHS
        is_signed = text[max(0, mention.start - 1) : mention.start] in _SIGNS
        return is_signed or not (is_time or is_day) or _is_among_prices(text, mention)
    if _VERSION.fullmatch(surface) and _is_version(text, mention):
        return _DAY_AND_YEAR.fullmatch(surface) is None
    before = text[max(0, mention.start - _VERSION_REACH) : mention.start]
    if _ALONE.fullmatch(surface) and _BEFORE_PROGRAM.search(before):
        return True
    return _ALONE.fullmatch(surface) is not None and _fills_cell(text, mention)


def _is_version(text: str, mention: Mention) -> bool:
    low = max(0, mention.start - _VERSION_REACH)
    return _BEFORE_VERSION.search(text[low : mention.start]) is not None


def _is_among_prices(text: str, mention: Mention) -> bool:
    """Whether a number that may be a time ends its line or fills its cell, as others do near it that can be no time."""
    if _PRICE.match(text, mention.start, mention.end + 2) is None:
        return False
    low, high = max(0, mention.start - _NEIGHBOURS), mention.end + _NEIGHBOURS
    prices = [found.group().replace(",", ".").split(".") for found in _PRICE.finditer(text, low, high)]
    return any(int(whole) > _LAST_DAY or int(rest) > _MINUTES for whole, rest in prices)


def _whole_number(text: str, mention: Mention) -> str:
    """The mention with the rest of the number that it is cut out of: "240." or "00" is found of "1,240.00"."""
    start = mention.start
    least = max(0, start - _LONGEST_NUMBER)
    while start > least and text[start].isdigit() and _is_of_number(text, start - 1):
        start -= 1 if text[start - 1].isdigit() else 2
    rest = _REST.match(text, mention.end)
    return f"{text[start : mention.end]}{rest.group() if rest else ''}".strip()


def _is_of_number(text: str, at: int) -> bool:
    """Whether the character is a digit, or a mark between two digits."""
    return text[at].isdigit() or (text[at] in ".," and at > 0 and text[at - 1].isdigit())


def _fills_cell(text: str, mention: Mention) -> bool:
    """Whether the mention fills its cell in a row with several cells."""
    before = text[max(0, mention.start - _LONGEST_ROW) : mention.start].rpartition("\n")[2]
    after = text[mention.end : mention.end + _LONGEST_ROW].partition("\n")[0]
    if "\t" not in before + after:
        return False
    return before.rstrip(" ")[-1:] in ("", *_ENDS) and after.lstrip(" ")[:1] in ("", *_ENDS)
