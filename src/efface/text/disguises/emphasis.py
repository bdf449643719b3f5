"""A text without its marks of emphasis, as a page shows it: "**Falcon** Ridge" and "Al-`Ali"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field

from efface.core import Span

_MARKS = re.compile(r"[*_~`]+")
# A mark that touches a word. Marks between spaces, as of a list, emphasise nothing.
_BESIDE_WORD = re.compile(r"[*_~`](?:(?<=[^\W_].)|(?=[^\W_]))")
_PARAGRAPH_END = "\n\n"


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A text without its marks, and the way back."""

    text: str
    starts: list[int] = field(repr=False)  # where each piece between marks begins
    origins: list[int] = field(repr=False)  # the same place in the marked text

    def span(self, start: int, end: int) -> Span:
        """The stretch of the marked text that reads as `[start, end)`. It leaves out marks at its edges."""
        return Span(self._origin(start), self._origin(end - 1) + 1)

    def _origin(self, at: int) -> int:
        piece = bisect_right(self.starts, at) - 1
        return self.origins[piece] + at - self.starts[piece]


def is_emphasised(text: str, start: int, end: int) -> bool:
    """Whether marks of emphasis stand inside a stretch of one paragraph. A plain search would not find its words."""
    if text.find(_PARAGRAPH_END, start, end) >= 0:
        return False
    return _MARKS.search(text, start, end) is not None


def unmarked(text: str) -> Unmarked | None:
    """The text without its marks; None if no word is emphasised."""
    if _BESIDE_WORD.search(text) is None:
        return None
    pieces: list[str] = []
    starts, origins, length, at = [0], [0], 0, 0
    for mark in _MARKS.finditer(text):
        pieces.append(text[at : mark.start()])
        length += mark.start() - at
        at = mark.end()
        if starts[-1] == length:  # an empty piece
            starts.pop()
            origins.pop()
        starts.append(length)
        origins.append(at)
    pieces.append(text[at:])
    return Unmarked("".join(pieces), starts, origins)


def with_partner_marks(text: str, start: int, end: int) -> Span:
    """The stretch, extended over the marks beside it whose partners are inside. Otherwise half of a pair would be
    left."""
    inside = Counter(_MARKS.findall(text, start, end))
    alone = [mark for mark, count in inside.items() if count % 2]
    for mark in alone:
        if text.endswith(mark, 0, start):
            start -= len(mark)
        elif text.startswith(mark, end):
            end += len(mark)
    return Span(start, end)
