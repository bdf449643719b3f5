"""The tables of a text, for every kind of separator between cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from efface.text.spans import Span
from efface.text.tables.aligned import aligned_tables
from efface.text.tables.rows import TextTable, begins_table, cells_of, is_form_row, may_head_text

_MARK = re.compile(r"[\t|]")
_LINE = re.compile(r"[^\s][^\r\n\t]*")
_TOP = 64  # characters, all of them blank, before the first row of a text
_APART = 8  # lines that belong to no row, as the further paragraphs of a cell, before a table has ended


def may_have_tables(text: str) -> bool:
    """Whether anything in the text divides cells: a tab, a bar, or a gap between columns."""
    return any(map(text.__contains__, ("\t", "|", "  ")))


def tables(text: str, wanted: Callable[[str], bool]) -> Iterator[TextTable]:
    """The tables that have at least one column with a `wanted` label."""
    yield from _marked_tables(text, wanted)
    yield from aligned_tables(text, wanted)


def _marked_tables(text: str, wanted: Callable[[str], bool]) -> Iterator[TextTable]:
    """The tables with tabs or bars between their cells."""
    labels: tuple[str, ...] = ()
    rows: list[tuple[Span, ...]] = []
    begun = _BegunRow()
    last = 0
    for line in _rows(text):
        cells = cells_of(text, line.start, line.end)
        values = [text[cell.start : cell.end] for cell in cells]
        is_head = begins_table(values, len(labels)) or (_is_first(text, line) and may_head_text(values))
        starts = is_head and any(map(wanted, values)) and not is_form_row(text, line)
        if labels and (starts or text.count("\n", last, line.start) > _APART):
            yield TextTable(labels, rows)
            labels = ()
        if starts:
            labels, rows, begun = tuple(values), [], _BegunRow()
        elif labels and (len(cells) == len(labels) or _goes_further(text, line, last, cells, labels)):
            rows.append(cells[: len(labels)])
            begun = _BegunRow()
        elif labels and len(cells) < len(labels) and "\t" in text[line.start : line.end]:
            begun = begun.with_line(text, cells, len(labels))
            rows += begun.finished(len(labels))
        else:
            continue
        last = line.end
    if labels:
        yield TextTable(labels, rows)


def _goes_further(text: str, line: Span, last: int, cells: Sequence[Span], labels: Sequence[str]) -> bool:
    """Whether a row right below the table has more cells than there are labels: a sum or a remark beside it."""
    return (
        len(cells) > len(labels) and text[last : line.start] == "\n" and "\t" in text[line.start : line.end]
    )


def _is_first(text: str, line: Span) -> bool:
    """Whether nothing stands before a row, and more than one line after it."""
    is_top = line.start < _TOP and not text[: line.start].strip()
    return is_top and text.find("\n", line.end + 1) >= 0


@dataclass(frozen=True, slots=True)
class _BegunRow:
    """A row whose lines so far have too few cells, because one of its cells spans several lines."""

    columns: tuple[tuple[Span, ...], ...] = ()

    def with_line(self, text: str, cells: Sequence[Span], most: int) -> _BegunRow:
        """The row with the next line, whose first cell goes on with the last one. Else a new row begins."""
        first, *others = ((cell,) for cell in cells)
        goes_on = bool(self.columns) and len(self.columns) + len(others) <= most
        if not goes_on:
            return _BegunRow((first, *others))
        *before, broken = self.columns
        between = _lines(text, broken[-1].end, cells[0].start)
        return _BegunRow((*before, (*broken, *between, *first), *others))

    def finished(self, width: int) -> Iterator[tuple[Span, ...]]:
        """A row for each line of the longest cell, once all cells are there."""
        if len(self.columns) != width:
            return
        nothing = Span(self.columns[-1][-1].end, self.columns[-1][-1].end)
        for at in range(max(map(len, self.columns))):
            yield tuple(column[at] if at < len(column) else nothing for column in self.columns)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """The lines between two cells' lines that say something."""
    for line in _LINE.finditer(text, start, end):
        yield Span(*line.span())


def _rows(text: str) -> Iterator[Span]:
    """The lines that have a tab or two bars."""
    position = 0
    while (mark := _MARK.search(text, position)) is not None:
        start = text.rfind("\n", position, mark.start()) + 1 or position
        found = text.find("\n", mark.start())
        end = found if found >= 0 else len(text)
        if mark.group() == "\t" or text.count("|", start, end) > 1 or text.find("\t", start, end) >= 0:
            yield Span(start, end)
        position = end
