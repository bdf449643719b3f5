"""Shapes that may be letters: small filled outlines in a row, as programs draw text that was turned into curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from efface.formats.pdf.reader.covers import Box, Path, Ring, bounds

Shape = tuple[Box, bool]  # its place, and whether it is more than a box or a triangle

_MOST = 2_000  # shapes of a page that are looked at; a map has more, and its first ones are enough
_LOWEST, _TALLEST = 1.0, 120.0  # points
_WIDEST = 3.0  # times as wide as high
_GAP = 1.5  # heights between two letters of a row, spaces included
_ROW = 4  # shapes of a row that may be a word
_LETTERS = 2  # shapes of a row that are no box and no triangle: tables have rows of boxes
_POINTS = 5  # the least number of points of such a shape, if it has no curve
_CURVES = frozenset("cvy")


def shapes(path: Path, rings: Iterable[Ring], known: int) -> list[Shape]:
    """The outlines of a filled path that may be letters, if fewer than enough are known."""
    if known > _MOST:
        return []
    curved = any(operator in _CURVES for operator, _ in path.steps)
    found = []
    for ring in rings:
        left, bottom, right, top = box = bounds(ring)
        tall = top - bottom
        if len(ring) > 2 and _LOWEST <= tall <= _TALLEST and right - left <= _WIDEST * tall:
            found.append((box, curved or len(ring) > _POINTS))
    return found


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
