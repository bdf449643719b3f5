"""Texts that hold several values: `plague; cholera`, `plague|cholera`, lines, a JSON list, `{plague,cholera}`, `(plague,cholera)`,
`code=A20; word=plague`, `<b>plague</b>`.

A column of such lists is common where nobody made a second table, and `string_agg` makes one. Each item is a value of
its own: whoever reads "plague" has read it. A comma parts items of sensitive columns only, because names and addresses
have commas inside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from efface.knowledge.entities.spellings.values import dates, spellings
from efface.knowledge.entities.spellings.words import NOT_PERSONAL

_MARKS = re.compile(r"[;|,/\n\t\[{(<=]")
_TAG = re.compile(r"\s*<[^<>]*>\s*")
_NAMED = re.compile(r"[\"']?\w[\w -]{0,30}[\"']?\s*(?:=>?|:)\s*[\"']?(?P<value>.*?)[\"']?")
_PARTED = re.compile(r"\s*[;|\n\t]\s*")
_PARTED_BY_COMMAS = re.compile(r"\s*[;|\n\t]\s*|,\s+|(?<=[^\W\d]{4})\s*/\s*(?=[^\W\d]{4})")
_MOST_ITEMS = 50  # of a value that is a list; what has more is a text
_LONGEST_LIST = 2000  # characters: a longer text tells a story
_SHORTEST_ITEM = 3  # letters of an item that is a value by itself


def items(text: str, *, with_commas: bool) -> Iterator[str]:
    """The items of a text that is a list; none of any other text."""
    if _MARKS.search(text) is None or len(text) > _LONGEST_LIST:
        return
    if text[0] in "[{(" and text[-1] in "]})":
        yield from _bracketed(text)
        return
    if text[0] == "<" and text[-1] == ">":
        yield from filter(_is_item, _TAG.split(text))
        return
    if with_commas and not any(True for _ in dates(text.lower())):  # not of "March 12, 1980"
        parts = _PARTED_BY_COMMAS.split(text)
    else:
        parts = _PARTED.split(text)
    if 1 < len(parts) <= _MOST_ITEMS or "=" in text:
        yield from filter(_is_item, parts)
        yield from filter(_is_item, _named_values(parts))


def _named_values(parts: Iterable[str]) -> Iterator[str]:
    """The values of items that say what they are: `word=plague`."""
    for part in parts:
        if named := _NAMED.fullmatch(part):
            yield named["value"]


def _bracketed(text: str) -> Iterator[str]:
    try:
        yield from spellings(json.loads(text))
    except (ValueError, RecursionError):
        yield from filter(_is_item, (part.strip(" \"'") for part in text[1:-1].split(",")))


def _is_item(part: str) -> bool:
    known = part.lower().strip(" .")
    return len(known) >= _SHORTEST_ITEM and known not in NOT_PERSONAL
