"""Shapes that may be letters: small filled outlines in a row, as programs draw text that was turned into curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from efface.formats.pdf.reader.covers import Box, Path, bounds
from efface.formats.pdf.reader.matrix import Matrix

_MOST = 5_000  # shapes of a page that are looked at; a map has more, and its first ones are enough
_LOWEST, _TALLEST = 2.5, 120.0  # points
_WIDEST = 3.0  # times as wide as high
_GAP = 1.5  # heights between two letters of a row, spaces included
_ROW = 4  # shapes of a row that may be a word
_CURVES = frozenset("cvy")


def shapes(path: Path, ctm: Matrix, known: int) -> list[Box]:
    """The outlines of a filled path that may be letters. A path without a curve is a box or a line of a table."""
    if known > _MOST or not any(operator in _CURVES for operator, _ in path.steps):
        return []
    found = []
    for ring in path.outlines(ctm):
        left, bottom, right, top = box = bounds(ring)
        tall = top - bottom
        if len(ring) > 3 and _LOWEST <= tall <= _TALLEST and right - left <= _WIDEST * tall:
            found.append(box)
    return found


def rows(boxes: Iterable[Box]) -> list[Box]:
    """The places in which shapes stand in a row, as letters do. Turned rows are looked for upwards."""
    upright = list(boxes)
    turned = [(bottom, left, top, right) for left, bottom, right, top in upright]
    standing = [(left, bottom, right, top) for bottom, left, top, right in _rows(turned)]
    return [*_rows(upright), *standing]


def _rows(boxes: Sequence[Box]) -> list[Box]:
    """Rows from left to right. A shape joins the row that ends near it at its height."""
    open_rows: list[list[Box]] = []
    closed: list[list[Box]] = []
    for box in sorted(boxes):
        left, bottom, _, top = box
        middle = (bottom + top) / 2
        joined = False
        still_open = []
        for row in open_rows:
            last = row[-1]
            reach = _GAP * max(last[3] - last[1], top - bottom)
            if left > max(one[2] for one in row[-3:]) + reach:
                closed.append(row)
                continue
            still_open.append(row)
            if not joined and last[1] - reach / 3 <= middle <= last[3] + reach / 3:
                row.append(box)
                joined = True
        if not joined:
            still_open.append([box])
        open_rows = still_open
    return [_around(row) for row in (*closed, *open_rows) if len(row) >= _ROW]


def _around(row: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in row),
        min(box[1] for box in row),
        max(box[2] for box in row),
        max(box[3] for box in row),
    )
