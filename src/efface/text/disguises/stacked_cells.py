"""Words that are broken over two cells of a column, one below the other: "Zanzi | other" above "barov | more".

The cells of a row stand side by side in a text, so the second half is a line further on. Columns are those of tabs, bars, commas
and semicolons, and those of plain text that two blanks part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Span
from efface.text.disguises.halved_words import HalvedWords

_LONGEST = 4096  # characters of a line on each side of a half
_DELIMITERS = "\t|,;"
_RULE = re.compile(r"[\s|+:=-]{0,400}\n")  # a line that only parts rows
# A word at the end of a cell or of a line, and the word that a cell begins with.
_LAST_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}+(?=[ \"]{0,40}[\t|,;\r\n]|  )")
_FIRST_WORD = re.compile(r"[^\W\d_]{2,}+(?![^\W_])")
_INSIDE = " \"'"  # before the first word of a cell


class StackedCells:
    """The words that are looked for, by their letters."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = HalvedWords(words)

    def find(self, text: str) -> Iterator[tuple[int, Span, Span]]:
        """Which word it is, and where its two halves stand."""
        if not self._words or "\n" not in text:
            return
        for match in _LAST_WORD.finditer(text):
            if not self._words.may_begin(match.group()):
                continue
            below = _cell_below(text, *match.span())
            first = _FIRST_WORD.match(text, below) if below is not None else None
            which = self._words.place_of(match.group(), first.group()) if first else None
            if first and which is not None:
                yield which, Span(*match.span()), Span(*first.span())


def _cell_below(text: str, start: int, end: int) -> int | None:
    """Where the first word of the cell below begins. The word from `start` to `end` is the last of its cell."""
    first = text.rfind("\n", max(0, start - _LONGEST), start) + 1
    last = text.find("\n", end, end + _LONGEST) + 1
    if not last or start - first > _LONGEST:
        return None
    rule = _RULE.match(text, last)
    following = rule.end() if rule else last
    line, head = text[first:last], text[first:start]
    for delimiter in _DELIMITERS:
        if delimiter in line:
            return _delimited(text, following, delimiter, head.count(delimiter))
    return _aligned(text, following, head.rfind("  ") + 2 if "  " in head else 0) if "  " in line else None


def _delimited(text: str, start: int, delimiter: str, column: int) -> int | None:
    """Where the words of a column begin in the line at `start`."""
    end = text.find("\n", start)
    at = start
    for _ in range(column):
        at = text.find(delimiter, at, end if end >= 0 else len(text)) + 1
        if not at:
            return None
    return at + _blanks(text, at)


def _aligned(text: str, start: int, column: int) -> int | None:
    at = start + column
    is_edge = not column or text[at - 1 : at].isspace()
    return at + _blanks(text, at) if is_edge and "\n" not in text[start:at] else None


def _blanks(text: str, at: int) -> int:
    rest = text[at : at + 40]
    return len(rest) - len(rest.lstrip(_INSIDE))
