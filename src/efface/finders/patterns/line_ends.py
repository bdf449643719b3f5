"""Numbers at the end of a line: whether the next line goes on with them.

A number may be broken by a line's end, and a blank in a pattern is also a line break. The first number of the next line
is another one where two rows of a table meet, and where the number is right without it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from efface.finders.patterns.hits import Hit
from efface.finders.patterns.normalized_text import CELL

_SEPARATOR = re.compile(r"[,;](?! )|[|\t]")  # what separates cells; in prose a space follows a comma
_NUMBERED = re.compile(r"[0-9]{1,9}[,;|](?! )")
_LONGEST_ROW = 2_000  # characters of a line that is looked at


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
    """The hits without those that go on over a line's end and are two numbers: their check fails, and one of their type
    that is right lies in them; or a number that is right ends at the line's end and begins before them, or begins after
    it and ends behind them."""
    broken = {hit for hit in hits if text.find("\n", hit.start, hit.end) >= 0}
    if not broken:
        return hits
    sure = _Sure(hit for hit in hits if hit.holds and hit not in broken)
    return [hit for hit in hits if hit not in broken or not sure.are_in(hit, text)]


class _Sure:
    """The hits in one line whose check holds, by their places."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._starts: dict[int, int] = {}  # where one ends → where the longest of these begins
        self._ends: dict[int, int] = {}  # where one begins → where the longest of these ends
        for hit in hits:
            self._places.setdefault(hit.type, []).append((hit.start, hit.end))
            self._starts[hit.end] = min(hit.start, self._starts.get(hit.end, hit.start))
            self._ends[hit.start] = max(hit.end, self._ends.get(hit.start, hit.end))
        for places in self._places.values():
            places.sort()

    def are_in(self, broken: Hit, text: str) -> bool:
        """Whether they say that a hit over a line's end is two numbers."""
        first, last = text.find("\n", broken.start, broken.end), text.rfind("\n", broken.start, broken.end)
        if self._starts.get(first, broken.start) < broken.start:
            return True
        if self._ends.get(last + 1, broken.end) > broken.end:
            return True
        return not broken.holds and self._has_one_in(broken)

    def _has_one_in(self, hit: Hit) -> bool:
        places = self._places.get(hit.type, [])
        for at in range(bisect_left(places, (hit.start, 0)), len(places)):
            start, end = places[at]
            if start >= hit.end:
                return False
            if end <= hit.end:
                return True
        return False
