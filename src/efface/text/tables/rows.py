"""Rows of cells, with tabs or bars between them, and rows that label the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from efface.text.form_labels import is_label, is_weekday, label_words, may_label
from efface.text.ordinary_words import is_ordinary
from efface.text.placeholder_blank import BLANK
from efface.text.spans import Span

_SILENT = f"{BLANK} "  # what a cell holds that is empty, or of which the words were cut
_KNOWN = 3  # one in so many labels is a known one


@dataclass(frozen=True, slots=True)
class TextTable:
    """The labels of the columns, and the cells of the rows below them. A row has as many cells as there are labels."""

    labels: tuple[str, ...]
    rows: Sequence[tuple[Span, ...]]


def cells_of(text: str, start: int, end: int) -> tuple[Span, ...]:
    """The cells of a line, without the blanks around them."""
    mark = "\t" if text.find("\t", start, end) >= 0 else "|"
    cells = []
    while start <= end:
        at = text.find(mark, start, end)
        stop = at if at >= 0 else end
        surface = text[start:stop]
        low = start + len(surface) - len(surface.lstrip())
        cells.append(Span(low, max(low, low + len(surface.strip()))))
        start = stop + 1
    return tuple(cells)


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row labels columns: all cells may be labels, and some are known ones. What was cut says nothing."""
    told = [cell for cell in cells if cell.strip(_SILENT)]
    if len(told) < 2 or not all(map(may_label, told)):
        return False
    return sum(is_label(cell) or is_weekday(cell) for cell in told) * _KNOWN >= len(told)


def begins_table(cells: Sequence[str], width: int) -> bool:
    """Whether a row labels columns, below a table with `width` columns or none.

    In a table of as many columns half of the cells must be labels: a Judge among the surnames begins no table.
    """
    known = [cell.lower() for cell in cells if is_label(cell)]
    if not is_header(cells) or len(known) > len(set(known)) == 1:
        return False  # "Last name" twice in a line of a form: whose names they are stands above
    return len(cells) != width or (len(known) > 1 and 2 * len(known) >= len(cells))


def may_head_text(cells: Sequence[str]) -> bool:
    """Whether the first row of a text holds column labels: one label is known, or all are ordinary words.

    An export has labels of its own, so not all of them are known.
    """
    if len(cells) < 2 or len(set(cells)) < len(cells):
        return False
    labels = [cell for cell in cells if not cell or cell.strip(_SILENT)]
    if not all(map(_may_label_column, labels)):
        return False
    return any(map(is_label, labels)) or all(map(_is_of_ordinary_words, labels))


def _may_label_column(cell: str) -> bool:
    return bool(cell) and may_label(cell) and not any(map(str.isdigit, cell))


def _is_of_ordinary_words(cell: str) -> bool:
    return all(map(is_ordinary, label_words(cell)))


def is_form(cells: Sequence[str]) -> bool:
    """Whether labels and values take turns in a row."""
    return len(cells) % 2 == 0 and all(map(is_label, cells[::2])) and not any(map(is_label, cells[1::2]))


def is_form_row(text: str, line: Span) -> bool:
    """Whether a label and its value take turns in a row ("Surname, King, Forename, Sue"), and the next row has labels
    too or there is none. Else the first of two columns may have a known label, and the second another."""
    told = _filled_cells(text, line)
    if not is_form(told):
        return False
    start = line.end + 1
    end = text.find("\n", start)
    below = _filled_cells(text, Span(start, end if end >= 0 else len(text))) if start < len(text) else ()
    return len(below) != len(told) or any(map(is_label, below))


def _filled_cells(text: str, line: Span) -> list[str]:
    """The cells of a line that say something."""
    cells = (text[cell.start : cell.end] for cell in cells_of(text, line.start, line.end))
    return [cell for cell in cells if cell]
