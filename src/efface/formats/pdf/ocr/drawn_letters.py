"""Shapes that may be letters: small outlines or strokes in a row, as programs draw text that was turned into curves, and
letters that are made of dots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, product

from efface.formats.pdf.reader.covers import Box, Path, Ring, bounds

Shape = tuple[Box, bool]  # its place, and whether it is more than a box or a triangle

EVERYWHERE: Box = (-1e6, -1e6, 1e6, 1e6)
_MOST = 2_000  # shapes of a page that are looked at; of a map, which has more, the whole page is
_MOST_DOTS = 20_000
_DOTS = 40  # dots of a word
_THIN, _LONG = 4.0, 24.0  # points of a dot's sides
_CELL = 12.0  # points within which dots belong together
_STRAIGHT = 0.2  # points by which a straight line may lean
_LOWEST, _TALLEST = 1.0, 120.0  # points
_WIDEST = 3.0  # times as wide as high
_GAP = 1.5  # heights between two letters of a row, spaces included
_ROW = 4  # shapes of a row that may be a word
_LETTERS = 2  # shapes of a row that are no box and no triangle: tables have rows of boxes
_POINTS = 5  # the least number of points of such a shape, if it has no curve
_CURVES = frozenset("cvy")


@dataclass(slots=True)
class DrawnShapes:
    """What a page draws that may be letters. `is_crowded`: more than is looked at one by one."""

    shapes: list[Shape] = field(default_factory=list)
    dots: list[Box] = field(default_factory=list)
    is_crowded: bool = False

    def fill(self, path: Path, rings: Iterable[Ring]) -> None:
        """Takes in a filled path."""
        curved = any(operator in _CURVES for operator, _ in path.steps)
        found = [(bounds(ring), curved or len(ring) > _POINTS) for ring in rings if len(ring) > 2]
        self._take(path, found)

    def stroke(self, path: Path, rings: Iterable[Ring]) -> None:
        """Takes in a path that is drawn with a pen. Lines along the page are those of tables."""
        curved = any(operator in _CURVES for operator, _ in path.steps)
        self._take(path, [(bounds(ring), curved or _is_slanted(ring)) for ring in rings])

    def _take(self, path: Path, found: Sequence[Shape]) -> None:
        if self.is_crowded or not found:
            return
        self.dots += [box for box, _ in found if _is_dot(box)]
        letters = [shape for shape in found if _is_of_letters(shape[0])]
        self.shapes += letters
        is_cut = not path.is_whole and max(len(letters), len(found) - len(letters)) >= _ROW
        self.is_crowded = is_cut or len(self.shapes) > _MOST or len(self.dots) > _MOST_DOTS

    def rows(self) -> list[Box]:
        """The places that may hold words."""
        return [EVERYWHERE] if self.is_crowded else [*rows(self.shapes), *_dotted(self.dots)]


def _is_of_letters(box: Box) -> bool:
    left, bottom, right, top = box
    return _LOWEST <= top - bottom <= _TALLEST and right - left <= _WIDEST * (top - bottom)


def _is_dot(box: Box) -> bool:
    """Whether a box may be a dot of a letter, or a stroke along the page."""
    sides = sorted((box[2] - box[0], box[3] - box[1]))
    return sides[0] <= _THIN and sides[1] <= _LONG


def _is_slanted(ring: Ring) -> bool:
    return any(abs(a[0] - b[0]) > _STRAIGHT and abs(a[1] - b[1]) > _STRAIGHT for a, b in pairwise(ring))


def _dotted(dots: Sequence[Box]) -> list[Box]:
    """The places in which many dots touch one another."""
    if len(dots) < _DOTS:
        return []
    cells: dict[tuple[int, int], list[Box]] = {}
    for dot in dots:
        cells.setdefault((int(dot[0] // _CELL), int(dot[1] // _CELL)), []).append(dot)
    found: list[Box] = []
    while cells:
        together = _taken_together(cells)
        if len(together) >= _DOTS:
            found.append(_row_box([(dot, True) for dot in together]))
    return found


def _taken_together(cells: dict[tuple[int, int], list[Box]]) -> list[Box]:
    """Takes the dots of one cell out, and of all cells that touch it, directly or through others."""
    near = [cells.popitem()]
    for (x, y), _ in near:  # it grows while it is read
        beside = ((x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2))
        near += [(cell, cells.pop(cell)) for cell in beside if cell in cells]
    return list(chain.from_iterable(dots for _, dots in near))


def rows(drawn: Sequence[Shape]) -> list[Box]:
    """The places in which shapes stand in a row, as letters do, and a letter's width around them. Turned rows are
    looked for upwards."""
    if sum(is_letter for _, is_letter in drawn) < _LETTERS:
        return []
    turned = [((bottom, left, top, right), is_letter) for (left, bottom, right, top), is_letter in drawn]
    standing = [(left, bottom, right, top) for bottom, left, top, right in _rows(turned)]
    return [*_rows(drawn), *standing]


def _rows(drawn: Iterable[Shape]) -> list[Box]:
    """Rows from left to right. A shape joins the first row that ends near it at its height."""
    open_rows: list[list[Shape]] = []
    closed: list[list[Shape]] = []
    for shape in sorted(drawn):
        still_open = []
        is_new = True
        for row in open_rows:
            if _is_past(row, shape[0]):
                closed.append(row)
                continue
            still_open.append(row)
            if is_new and _goes_on(row[-1][0], shape[0]):
                row.append(shape)
                is_new = False
        open_rows = [*still_open, [shape]] if is_new else still_open
    return [_row_box(row) for row in (*closed, *open_rows) if _is_written(row)]


def _is_past(row: Sequence[Shape], box: Box) -> bool:
    """Whether a shape, and so all after it, stands too far behind the end of a row."""
    end = max(known[2] for known, _ in row[-3:])
    tall = max(known[3] - known[1] for known, _ in row[-3:])
    return box[0] > end + _GAP * max(tall, box[3] - box[1])


def _goes_on(last: Box, box: Box) -> bool:
    """Whether a shape stands at the height of the last one of a row."""
    reach = max(last[3] - last[1], box[3] - box[1]) / 2
    return last[1] - reach <= (box[1] + box[3]) / 2 <= last[3] + reach


def _is_written(row: Sequence[Shape]) -> bool:
    return len(row) >= _ROW and sum(is_letter for _, is_letter in row) >= _LETTERS


def _row_box(row: Sequence[Shape]) -> Box:
    lefts, bottoms, rights, tops = zip(*(box for box, _ in row), strict=True)
    left, bottom, right, top = min(lefts), min(bottoms), max(rights), max(tops)
    return left - (top - bottom), bottom, right + (top - bottom), top
