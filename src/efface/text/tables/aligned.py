"""Tables whose columns are aligned by spaces, as reports and terminals print them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from efface.text.spans import Span
from efface.text.tables.fit import Extent, column_of
from efface.text.tables.rows import TextTable, begins_table, is_form

_GAP = re.compile(r"\S {2,}(?=\S)")
_CELL = re.compile(r"\S+(?: \S+)*")
_APART = 8  # lines without a row, before a table has ended
_LONGEST = 2000  # characters of a row. A text may be one line


@dataclass(slots=True)
class _OpenTable:
    """A table whose rows are still being read. `labels` are offsets in their line."""

    header: tuple[str, ...]
    labels: Sequence[Extent]
    rows: list[tuple[Span, ...]] = field(default_factory=list)
    missed: int = 0  # lines since the last row


def aligned_tables(text: str, wanted: Callable[[str], bool]) -> Iterator[TextTable]:
    """The tables that have at least one column with a `wanted` label."""
    if "  " not in text:
        return
    table: _OpenTable | None = None
    position = 0
    while (line := _next_line(text, position, any_line=table is not None)) is not None:
        position = line.end + 1
        cells = _cells(text, line)
        values = [text[cell.start : cell.end] for cell in cells]
        width = len(table.header) if table is not None else 0
        if _labels_columns(values, width) and any(map(wanted, values)):
            yield from _closed(table)
            labels = [(cell.start - line.start, cell.end - line.start) for cell in cells]
            table = _OpenTable(tuple(values), labels)
        elif table is not None:
            row = _row(text, line, cells, table.labels)
            table.missed = 0 if row else table.missed + 1
            if row:
                table.rows.append(row)
            elif table.missed > _APART:
                yield from _closed(table)
                table = None
    yield from _closed(table)


def _labels_columns(cells: Sequence[str], width: int) -> bool:
    """Whether a line has labels alone: no "DOB: 1/2/60", and no values that take turns with them."""
    if not begins_table(cells, width) or any(":" in cell or any(map(str.isdigit, cell)) for cell in cells):
        return False
    return not is_form(cells)


def _closed(table: _OpenTable | None) -> Iterator[TextTable]:
    if table is not None and table.rows:
        yield TextTable(table.header, table.rows)


def _next_line(text: str, position: int, *, any_line: bool) -> Span | None:
    """The next line that may be a row: one with a gap, or any."""
    while position < len(text):
        if not any_line:
            gap = _GAP.search(text, position)
            if gap is None:
                return None
            position = text.rfind("\n", position, gap.start()) + 1 or position
        found = text.find("\n", position)
        end = found if found >= 0 else len(text)
        if end - position <= _LONGEST and text.find("\t", position, end) < 0:
            return Span(position, end)
        position = end + 1
    return None


def _cells(text: str, line: Span) -> list[Span]:
    return [Span(*cell.span()) for cell in _CELL.finditer(text, line.start, line.end)]


def _row(text: str, line: Span, cells: Sequence[Span], labels: Sequence[Extent]) -> tuple[Span, ...] | None:
    """The cells below the labels, empty where nothing stands. None for a line of prose."""
    placed: dict[int, Span] = {}
    for cell in cells:
        for piece in _split(text, line, cell, labels):
            at = column_of((piece.start - line.start, piece.end - line.start), labels)
            if at is None:
                return None
            before = placed.get(at)
            placed[at] = piece if before is None else Span(before.start, piece.end)
    if len(placed) < min(2, len(labels)):
        return None
    nothing = Span(line.end, line.end)
    return tuple(placed.get(at, nothing) for at in range(len(labels)))


def _split(text: str, line: Span, cell: Span, labels: Sequence[Extent]) -> Iterator[Span]:
    """The cell, cut where a column begins within it: a value that fills its column leaves one space to the next."""
    start = cell.start
    for low, _ in labels:
        at = line.start + int(low)
        if start < at < cell.end and text[at - 1] == " " and text[at] != " ":
            yield Span(start, at - 1)
            start = at
    yield Span(start, cell.end)
