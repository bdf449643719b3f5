"""Names stop where a cell, a field or a form line stops: "Jonathan", "Whitcombe" and a town are three cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.text.calendar_names import MONTH_NUMBERS, WEEKDAYS
from efface.text.folding import fold_term
from efface.text.ordinary_words import is_ordinary

_PERSON, _DATE = "PERSON", "DATE_TIME"
_WORD = re.compile(r"[^\W\d_]{2,}")
_CALENDAR = frozenset(MONTH_NUMBERS) | {
    name.lower() for days in WEEKDAYS.values() for day in days for name in day
}


def within_cells(text: str, mentions: Iterable[Mention], breaks: str) -> Iterator[Mention]:
    """The mentions, each within one cell. One that reaches over several is a mention in each that has letters."""
    pattern = re.compile(f"[^{re.escape(breaks)}]+")
    for mention in mentions:
        if not any(char in breaks for char in text[mention.start : mention.end]):
            yield mention
            continue
        for match in pattern.finditer(text, mention.start, mention.end):
            piece = match.group()
            start = match.start() + len(piece) - len(piece.lstrip())
            end = match.end() - len(piece) + len(piece.rstrip())
            if sum(map(str.isalpha, piece)) > 1:
                yield in_one_cell(text, mention, start, end)


def in_one_cell(text: str, mention: Mention, start: int, end: int) -> Mention:
    """A mention's part in one cell. A name that was taken for a part of the date in the next cell is a person's:
    the "T. Brandt" of "T. Brandt | 5.6.71" goes everywhere."""
    piece = text[start:end]
    type_ = _PERSON if mention.type == _DATE and _is_name(piece) else mention.type
    return replace(mention, start=start, end=end, type=type_, key=fold_term(piece))


def _is_name(piece: str) -> bool:
    words = _WORD.findall(piece)
    if any(map(str.isdigit, piece)) or any(word.lower() in _CALENDAR for word in words):
        return False
    return any(word[0].isupper() and not is_ordinary(word.lower()) for word in words)
