"""The tables of a text, whatever parts their cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from efface.text.spans import Span
from efface.text.tables.aligned import aligned_tables
from efface.text.tables.rows import TextTable, cells_of, is_form_row, is_header

_MARK = re.compile(r"[\t|]")
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
    last = 0
    for line in _rows(text):
        cells = cells_of(text, line.start, line.end)
        values = [text[cell.start : cell.end] for cell in cells]
        starts = is_header(values) and any(map(wanted, values)) and not is_form_row(text, line)
        if labels and (starts or text.count("\n", last, line.start) > _APART):
            yield TextTable(labels, rows)
            labels = ()
        if starts:
            labels, rows = tuple(values), []
        elif labels and len(cells) == len(labels):
            rows.append(cells)
        else:
            continue
        last = line.end
    if labels:
        yield TextTable(labels, rows)


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
