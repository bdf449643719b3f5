"""How lines are aligned, as far as the page shows it: an edge that lines share reveals how long a line was."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from efface.formats.pdf.reader.layout import Layout, Piece, TextLine

_SHARED = 3  # lines that have an edge in common

Edge = tuple[float, float, int]


class LineAlignment(Enum):
    """Which edge of a line is fixed, so that the other edge would reveal its length."""

    LEFT = "left"
    RIGHT = "right"
    CENTRE = "centre"
    JUSTIFIED = "justified"


class Edges:
    """The edges of a layout's lines; `centre` is the middle of the page, where it has one."""

    def __init__(self, layout: Layout, centre: float | None) -> None:
        self._layout = layout
        self._centre = centre
        self._starts: Counter[Edge] = Counter()
        self._middles: Counter[Edge] = Counter()
        self._ends: Counter[Edge] = Counter()
        for line in layout.lines:
            start, end = self._extent(line)
            self._starts[_edge(line, start)] += 1
            self._middles[_edge(line, (start + end) / 2)] += 1
            self._ends[_edge(line, end)] += 1

    def alignment(self, line: TextLine) -> LineAlignment:
        start, end = self._extent(line)
        middle = (start + end) / 2
        left = _shared(self._starts, _edge(line, start))
        if _shared(self._ends, _edge(line, end)):
            if not self._natural(line):
                return LineAlignment.JUSTIFIED
            return LineAlignment.LEFT if left else LineAlignment.RIGHT
        if left:
            return LineAlignment.LEFT
        upright = line.pieces[0].place.key == (1.0, 0.0)
        on_page = self._centre is not None and upright and abs(middle - self._centre) < 0.1 * line.em
        return (
            LineAlignment.CENTRE
            if on_page or _shared(self._middles, _edge(line, middle))
            else LineAlignment.LEFT
        )

    def _extent(self, line: TextLine) -> tuple[float, float]:
        """Where a line's visible text starts and ends; blanks are taken to be a quarter of an em wide."""
        visible = [piece for piece in line.pieces if not piece.blank] or line.pieces
        first, last = visible[0], visible[-1]
        head, tail = self._text(first, first.first), self._text(last, last.last - 1)
        start = first.start + 0.25 * first.place.em * (len(head) - len(head.lstrip()))
        return start, last.end - 0.25 * last.place.em * (len(tail) - len(tail.rstrip()))

    def _text(self, piece: Piece, run: int) -> str:
        return self._layout.shows[piece.show].runs[run][4]

    def _natural(self, line: TextLine) -> bool:
        """Whether words are parted by plain spaces, so that the gaps reveal nothing of the line's length."""
        for piece in line.pieces:
            show = self._layout.shows[piece.show]
            if show.spacing[1] or piece.last - piece.first > 1:
                return False
        return len(line.pieces) == 1


def _edge(line: TextLine, place: float) -> Edge:
    return (*line.pieces[0].place.key, round(10 * place / line.em))


def _shared(edges: Counter[Edge], edge: Edge) -> bool:
    x, y, place = edge
    return edges[edge] + edges[x, y, place - 1] + edges[x, y, place + 1] >= _SHARED
