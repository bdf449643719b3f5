"""Columns of a table as lines of a form, so that a column's label is near each of its values.

In a table the label of a number stands once, above it: "MRN" says nothing of the tenth row to a finder that looks at the
words beside a value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from efface.text.form_labels import label_words
from efface.text.spans import Span
from efface.text.tables.find import tables
from efface.text.tables.rows import TextTable

_DIGIT = re.compile("[0-9]")
_APART = "." * 64 + "\n"  # more than lies between a value and the words that tell what it is
_LONGEST = 40  # characters of a cell that is a value, and no sentence


@dataclass(frozen=True, slots=True)
class LabelledColumns:
    """A text with a line for each cell, and where the cells are in it and in the original."""

    text: str = ""
    starts: list[int] = field(default_factory=list)
    cells: list[Span] = field(default_factory=list)

    def origin(self, start: int, end: int) -> Span | None:
        """The place in the original of a stretch that lies in one cell."""
        at = bisect_right(self.starts, start) - 1
        if at < 0:
            return None
        cell, offset = self.cells[at], start - self.starts[at]
        low, high = cell.start + offset, cell.start + offset + end - start
        return Span(low, high) if high <= cell.end else None


def labelled_columns(text: str, words: Collection[str]) -> LabelledColumns:
    """The cells with digits below labels that have one of the words."""

    def tells(label: str) -> bool:
        return not frozenset(words).isdisjoint(label_words(label))

    lines: list[str] = []
    columns = LabelledColumns()
    length = 0
    for table in tables(text, tells):
        for at, label in enumerate(table.labels):
            if not tells(label):
                continue
            head = f"{' '.join(label_words(label))}: "
            for cell in _values(text, table, at):
                columns.starts.append(length + len(head))
                columns.cells.append(cell)
                lines.append(f"{head}{text[cell.start : cell.end]}\n")
                length += len(lines[-1])
            lines.append(_APART)  # the label of a column says nothing of the next
            length += len(_APART)
    return LabelledColumns("".join(lines), columns.starts, columns.cells)


def _values(text: str, table: TextTable, at: int) -> Iterator[Span]:
    """The cells of a column that may be numbers."""
    for row in table.rows:
        cell = row[at]
        if cell.end - cell.start <= _LONGEST and _DIGIT.search(text, cell.start, cell.end):
            yield cell
