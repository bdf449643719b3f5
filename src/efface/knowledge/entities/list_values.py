"""Texts that hold several values: `plague; cholera`, `plague|cholera`, lines, bullets, a JSON list, `{plague,cholera}`,
`(plague,cholera)`, `"plague","cholera"`, `code=A20; word=plague`, `<b>plague</b>`.

A column of such lists is common where nobody made a second table, and `string_agg` makes one. Each item is a value of
its own: whoever reads "plague" has read it. Commas, brackets, dashes, colons and words such as "with" part items of
sensitive columns only, because names and addresses have them inside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from efface.knowledge.entities.spellings.values import dates, spellings
from efface.knowledge.entities.spellings.words import NOT_PERSONAL

_MARKS = re.compile(r"[;|,/\n\t\[{(<=•·▪●‣]| (?:[-–—+&]|and|with|und|mit|et|avec|plus) |: ")
_TAG = re.compile(r"\s*<[^<>]*>\s*")
_NAMED = re.compile(r"[\"']?\w[\w -]{0,30}[\"']?\s*(?:=>?|:)\s*[\"']?(?P<value>.*?)[\"']?")
_MARK = r"\s*[;|\n\t•·▪●‣]\s*|(?<=[\"'])\s*,\s*(?=[\"'])"
_COMMA = r",\s+|(?<=[^\W\d]{4})\s*/\s*(?=[^\W\d]{4})"
_WORD = r"\s*[()\[\]]\s*|\s+[-–—+&]\s+|(?<=[^\W\d]{4})\s+(?:and|with|und|mit|et|avec|plus)\s+(?=[^\W\d]{4})"
_PARTED = re.compile(_MARK)
_PARTED_BY_COMMAS = re.compile(f"{_MARK}|{_COMMA}")
_PARTED_BY_WORDS = re.compile(f"{_MARK}|{_COMMA}|{_WORD}")
_BULLET = re.compile(r"(?:[-*]|\d{1,2}[.)])\s+")
_LONGEST_PHRASE = 100  # characters: in a longer text "with" and brackets part no values
_MOST_ITEMS = 50  # of a value that is a list; what has more is a text
_LONGEST_LIST = 2000  # characters: a longer text tells a story
_SHORTEST_ITEM = 3  # letters of an item that is a value by itself


def items(text: str, *, with_commas: bool) -> Iterator[str]:
    """The items of a text that is a list; none of any other text."""
    if _MARKS.search(text) is None or len(text) > _LONGEST_LIST:
        return
    if text[0] in "[{(" and text[-1] in "]})":
        yield from _bracketed(text, with_commas=with_commas)
        return
    if text[0] == "<" and text[-1] == ">":
        yield from filter(_is_item, _TAG.split(text))
        return
    parts = [_BULLET.sub("", part, count=1).strip("\"'") for part in _parted(text, with_commas=with_commas)]
    if 1 < len(parts) <= _MOST_ITEMS or "=" in text or (with_commas and ": " in text):
        yield from filter(_is_item, parts if len(parts) > 1 or "=" in text else ())
        yield from filter(_is_item, _named_values(parts))


def _parted(text: str, *, with_commas: bool) -> list[str]:
    if not with_commas or any(True for _ in dates(text.lower())):  # not of "March 12, 1980"
        return _PARTED.split(text)
    return (_PARTED_BY_WORDS if len(text) <= _LONGEST_PHRASE else _PARTED_BY_COMMAS).split(text)


def _named_values(parts: Iterable[str]) -> Iterator[str]:
    """The values of items that say what they are: `word=plague`."""
    for part in parts:
        if named := _NAMED.fullmatch(part):
            yield named["value"]


def _bracketed(text: str, *, with_commas: bool) -> Iterator[str]:
    try:
        for value in spellings(json.loads(text)):
            yield value
            if value != text:
                yield from items(value, with_commas=with_commas)
    except (ValueError, RecursionError):
        yield from filter(_is_item, (part.strip(" \"'") for part in text[1:-1].split(",")))


def _is_item(part: str) -> bool:
    known = part.lower().strip(" .")
    return len(known) >= _SHORTEST_ITEM and known not in NOT_PERSONAL
