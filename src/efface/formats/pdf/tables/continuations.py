"""Lines of a page that go on in another line than the next in order.

Some producers paint columns row by row, from the last line to the first or in no order at all. A word or a name that is
broken over two lines of a column, or over two boxes, is then read apart.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise

from efface.formats.pdf.reader.layout import LEVEL, Layout, TextLine
from efface.text.ordinary_words import is_ordinary

WordsOf = Callable[[TextLine], list[str]]

_LEADING = (
    3.5  # heights of a line that the next of its column is below it, at most: with two empty lines between
)
_INDENT = 3.0  # em beside a line in which the next of its column may end or begin
_MOST_CHAINED = 40  # lines of one word each that are read together
_LETTERS = 2  # letters of a piece that may be no word by itself: a word is spelled
_PROSE = 4  # words of a line of prose: labels and most cells have fewer
_HYPHENS = ("-", "\u2010", "\u00ad")
_SIGNS = "\"'“”‘’«»()[].,;:!?"  # what stands before or behind a word


def continuations(layout: Layout, words: WordsOf) -> Iterator[list[TextLine]]:
    """Chains of lines, each of which goes on in the next: below in its column, or to the right on its baseline.

    Only chains that leave the order of the layout are told. A chain goes on through lines of one word.
    """
    following = _Following(layout)
    order = {id(line): at for at, line in enumerate(layout.lines)}

    def is_next(one: TextLine, other: TextLine) -> bool:
        return order[id(other)] == order[id(one)] + 1

    def goes_on(line: TextLine, other: TextLine) -> bool:
        # Most lines go on in the next, with several words each: these cost no second look.
        if is_next(line, other) and not _is_one_word(words, line, other):
            return False
        return _may_be_one(words(line), words(other))

    for find in (following.below, following.beside):
        after: dict[int, TextLine] = {}
        for line in layout.lines:
            other = find(line)
            if other and goes_on(line, other):
                after[id(line)] = other
        inner = {id(other) for other in after.values() if _is_one_word(words, other)}
        for line in layout.lines:
            chain = [] if id(line) in inner else list(_chain(words, line, after))
            if not all(is_next(one, other) for one, other in pairwise(chain)):
                yield chain


def _chain(words: WordsOf, line: TextLine, after: dict[int, TextLine]) -> Iterator[TextLine]:
    """The line, the line that continues it, and so on while the continuation is a single word."""
    yield line
    other = after.get(id(line))
    for _ in range(_MOST_CHAINED):
        if other is None:
            return
        yield other
        other = after.get(id(other)) if _is_one_word(words, other) else None


def _is_one_word(words: WordsOf, *lines: TextLine) -> bool:
    """Whether one of the lines is a single word."""
    return any(len(line.pieces) == 1 and len(words(line)) == 1 for line in lines)


def _may_be_one(line: list[str], other: list[str]) -> bool:
    """Whether the last word of a line and the first of another may be one word, or words of one name. Labels and cells,
    which stand one above the other in forms and tables, are not."""
    if not line or not other:
        return False
    if line[-1].endswith(_HYPHENS):
        return True
    before, after = line[-1].lstrip(_SIGNS), other[0].rstrip(_SIGNS)
    if not (before.isalpha() and after.isalpha()):
        return False
    if max(len(before), len(after)) <= _LETTERS:
        return True
    if before.isupper() and after.isupper():
        return not (is_ordinary(before.lower()) or is_ordinary(after.lower()))
    if after[0].islower():
        return not is_ordinary(after) and not (before.islower() and is_ordinary(before))
    return before[0].isupper() and min(len(line), len(other)) >= _PROSE


class _Following:
    """The lines of each writing direction by their height. It finds the line below a line and the line beside it."""

    def __init__(self, layout: Layout) -> None:
        self._lines: dict[tuple[float, float], list[TextLine]] = {}
        self._heights: dict[tuple[float, float], list[float]] = {}
        for line in sorted(layout.lines, key=lambda line: line.v):
            key = line.pieces[0].place.key
            self._lines.setdefault(key, []).append(line)
            self._heights.setdefault(key, []).append(line.v)

    def below(self, line: TextLine) -> TextLine | None:
        """The nearest line that stands under it; of several the first from the left."""
        place = line.pieces[0].place
        reach = _INDENT * place.em
        start, end = line.pieces[0].start - reach, line.pieces[-1].end + reach
        near = self._between(line, line.v - _LEADING * place.tall, line.v - 0.5 * place.tall)
        under = [other for other in near if other.pieces[0].start < end and start < other.pieces[-1].end]
        return max(under, key=lambda other: (other.v, -other.pieces[0].start), default=None)

    def beside(self, line: TextLine) -> TextLine | None:
        """The nearest line to the right on the same baseline."""
        level = LEVEL * line.pieces[0].place.tall
        end = line.pieces[-1].end
        near = self._between(line, line.v - level, line.v + level)
        right = [other for other in near if other is not line and other.pieces[0].start >= end]
        return min(right, key=lambda other: other.pieces[0].start, default=None)

    def _between(self, line: TextLine, low: float, high: float) -> list[TextLine]:
        key = line.pieces[0].place.key
        heights = self._heights[key]
        return self._lines[key][bisect_left(heights, low) : bisect_right(heights, high)]
