"""Numbers at the end of a line: whether the next line goes on with them.

A number may be broken by a line's end, and a blank in a pattern is also a line break. The first number of the next line
is another one where two rows of a table meet, and where the number is right without it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from efface.finders.patterns.hits import Hit
from efface.finders.patterns.normalized_text import CELL

_SEPARATOR = re.compile(r"[,;](?! )|[|\t]")  # of cells; in prose a space follows a comma
_NUMBERED = re.compile(r"[0-9]{1,9}[,;|](?! )")
_LONGEST_ROW = 2_000


def is_row(text: str, end: int) -> bool:
    """Whether the lines before and after a line break are rows of one table, as in an export."""
    start = text.rfind("\n", max(0, end - _LONGEST_ROW), end) + 1
    after = text.find("\n", end + 1, end + _LONGEST_ROW)
    after = after if after > 0 else min(len(text), end + _LONGEST_ROW)
    cells = text.count(CELL, start, end)
    if cells or text.find(CELL, end + 1, after) >= 0:  # a tab divides cells wherever it stands
        return cells == text.count(CELL, end + 1, after)
    separators = len(_SEPARATOR.findall(text, start, end))
    if separators == 0 or separators != len(_SEPARATOR.findall(text, end + 1, after)):
        return False
    return separators > 1 or _is_divided(text, start, end, after)


def _is_divided(text: str, start: int, end: int, after: int) -> bool:
    """Whether a row of two cells begins with a number in both lines, as rows that are numbered do."""
    return _NUMBERED.match(text, start, end) is not None and _NUMBERED.match(text, end + 1, after) is not None


def within_lines(hits: Sequence[Hit], text: str) -> Sequence[Hit]:
    """The hits without those that go on over a line's end although their check fails, where one of their type that is
    right ends before, or begins after it."""
    broken = {hit for hit in hits if not hit.holds and text.find("\n", hit.start, hit.end) >= 0}
    if not broken:
        return hits
    sure: dict[str, list[tuple[int, int]]] = {}
    for hit in hits:
        if hit.holds and text.find("\n", hit.start, hit.end) < 0:
            sure.setdefault(hit.type, []).append((hit.start, hit.end))
    for places in sure.values():
        places.sort()
    return [hit for hit in hits if hit not in broken or not _has_one(hit, sure.get(hit.type, []))]


def _has_one(hit: Hit, places: Sequence[tuple[int, int]]) -> bool:
    """Whether one of the places, which are in order, lies inside of a hit."""
    for start, end in places[bisect_left(places, (hit.start, 0)) :]:
        if start >= hit.end:
            return False
        if end <= hit.end:
            return True
    return False
