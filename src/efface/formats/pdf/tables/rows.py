"""Rows of tables and forms: what stands side by side below a row of labels, in whatever order it was painted.

The page has no cells. A row of labels tells where the columns are, and each stretch of a later row belongs to the label
that it stands below. Other lines keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from efface.formats.pdf.reader.layout import SPACE, Layout, Piece, TextLine, part_of
from efface.text.tables.fit import Extent, column_of
from efface.text.tables.rows import begins_table, is_form, is_header

_CELL = 0.4  # em: a wider gap may part two cells. What belongs to one column is put together again
_SAME_ROW = 0.35  # heights by which baselines of one row differ
_WRAPPED = 1.6  # heights to the next line of a cell
_NEXT_ROW = 4.0  # heights to the next row
_WIDE = 1.0  # em between the cells of a table without labels
_COLUMNS = 3  # the least number of columns of a table without labels
_CONTINUED = 2  # cells of its rows, at least
_RUNNING = 3  # rows at the head of a page, before its text
_SENTENCE = 4  # words for each label that a stretch runs below: it has more
_STRAY = 3  # rows in a row that fit no column, after which the table has ended

ReadLine = Callable[[TextLine], str]


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of a row, in the order of the columns. A cell has a line for each time that it was wrapped."""

    cells: tuple[tuple[TextLine, ...], ...]


@dataclass(frozen=True, slots=True)
class _PageRow:
    """What stands on one baseline: the lines, and the stretches between wide gaps."""

    lines: tuple[TextLine, ...]
    stretches: tuple[TextLine, ...]

    @property
    def baseline(self) -> float:
        return self.lines[0].v

    @property
    def height(self) -> float:
        return max(line.pieces[0].place.tall for line in self.lines)


@dataclass(slots=True)
class _BegunTable:
    """A table while its rows are read. `rows` hold the stretches by column."""

    labels: Sequence[Extent]
    rows: list[dict[int, list[TextLine]]]
    last: _PageRow
    lines: list[TextLine] = field(default_factory=list)
    strays: int = 0

    def take(self, row: _PageRow, read: ReadLine) -> bool:
        """Whether the row is one of the table, which then has it."""
        placed = self._by_column(row, read)
        if placed is None or (len(placed) == 1 and self.strays):
            self.strays += 1
            return False
        is_wrapped = self.last.baseline - row.baseline <= _WRAPPED * row.height and not self.strays
        if is_wrapped and (0 not in placed or self._goes_on_with_labels(row, read)):
            for column, stretches in placed.items():
                self.rows[-1].setdefault(column, []).extend(stretches)
        else:
            self.rows.append(placed)
        self.last, self.strays = row, 0
        self.lines += row.lines
        return True

    def _by_column(self, row: _PageRow, read: ReadLine) -> dict[int, list[TextLine]] | None:
        placed: dict[int, list[TextLine]] = {}
        for stretch in row.stretches:
            column = column_of(_extent(stretch), self.labels)
            parts = {column: [stretch]} if column is not None else self._cells_of(stretch, read)
            if parts is None:
                return None
            for at, part in parts.items():
                placed.setdefault(at, []).extend(part)
        return placed

    def _cells_of(self, stretch: TextLine, read: ReadLine) -> dict[int, list[TextLine]] | None:
        """The cells that touch each other in a stretch: a number that ends at the right edge of its cell touches the next
        cell, which is painted apart. A sentence that runs below several labels is no row."""
        words = _words(stretch, read)
        cells: dict[int, list[Piece]] = {}
        for word in words:
            column = column_of((word[0].start, word[-1].end), self.labels)
            if column is None:
                return None
            cells.setdefault(column, []).extend(word)
        if len(words) > _SENTENCE * len(cells):
            return None
        return {at: [TextLine(cell, stretch.em, stretch.v)] for at, cell in cells.items()}

    def _goes_on_with_labels(self, row: _PageRow, read: ReadLine) -> bool:
        """Whether the labels are written on two lines."""
        texts = [read(stretch) for stretch in row.stretches]
        return len(self.rows) == 1 and len(texts) < len(self.labels) and is_header([*texts, *texts])

    def finished(self) -> list[TableRow]:
        """The rows, with a cell for every column, empty ones too."""
        finished = []
        for row in self.rows:
            cells = tuple(tuple(row.get(column, ())) for column in range(len(self.labels)))
            finished.append(TableRow(cells))
        return finished


def with_tables(layout: Layout, read: ReadLine) -> list[TextLine | TableRow]:
    """The lines in order, with the rows of tables and forms in place of their lines, where the first of them stood."""
    rows_from: dict[int, list[TableRow]] = {}
    taken: set[int] = set()
    order = {id(line): at for at, line in enumerate(layout.lines)}
    for lines, rows in _tables(layout, read):
        places = {id(line) for line in lines}
        taken |= places
        rows_from[min(order[place] for place in places)] = rows
    if not taken:
        return list(layout.lines)
    found: list[TextLine | TableRow] = []
    for at, line in enumerate(layout.lines):
        found += rows_from.get(at, ())
        if id(line) not in taken:
            found.append(line)
    return found


def _tables(layout: Layout, read: ReadLine) -> Iterator[tuple[list[TextLine], list[TableRow]]]:
    """The lines and the rows of each table. A line of a form is a table by itself."""
    rows = list(_page_rows(layout))
    continued = _continued(rows, read)
    if continued:
        yield [line for row in continued for line in row.lines], list(_grid(continued))
        rows = rows[rows.index(continued[-1]) + 1 :]
    yield from _labelled_tables(rows, read)


def _labelled_tables(
    rows: Iterable[_PageRow], read: ReadLine
) -> Iterator[tuple[list[TextLine], list[TableRow]]]:
    """The tables that begin with a row of labels, and the lines of forms."""
    table: _BegunTable | None = None
    for row in rows:
        texts = [read(stretch) for stretch in row.stretches] if len(row.stretches) > 1 else []
        if table is not None and _is_apart(table, row):
            yield table.lines, table.finished()
            table = None
        if texts and is_form(texts):
            # A row of the table may look like a line of a form: the table is asked first.
            if table is None or not table.take(row, read):
                yield list(row.lines), [TableRow(tuple((stretch,) for stretch in row.stretches))]
        elif begins_table(texts, len(table.labels) if table is not None else 0):
            if table is not None:
                yield table.lines, table.finished()
            table = _table_headed_by(row)
        elif table is not None:
            table.take(row, read)
    if table is not None:
        yield table.lines, table.finished()


def _table_headed_by(row: _PageRow) -> _BegunTable:
    """A table whose labels are in this row."""
    extents = [_extent(stretch) for stretch in row.stretches]
    labels = {column: [stretch] for column, stretch in enumerate(row.stretches)}
    return _BegunTable(extents, [labels], row, list(row.lines))


def _continued(rows: Sequence[_PageRow], read: ReadLine) -> list[_PageRow]:
    """The rows at the head of a page that go on with a table of the page before, whose labels are not repeated.

    Rows of three columns or more, with wide gaps in the same places.
    """
    # Above the first row of the table there may be a running title.
    first = next((at for at, row in enumerate(rows[:_RUNNING]) if len(_cells(row)) >= _COLUMNS), None)
    if first is None:
        return []
    block = _rows_of_values(rows[first:], read)
    if len(block) < 2:  # a row by itself may be anything
        return []
    widest = max(len(_cells(row)) for row in block)
    return block if len(_columns(block)) == widest >= _COLUMNS else []


def _rows_of_values(rows: Iterable[_PageRow], read: ReadLine) -> list[_PageRow]:
    """The rows that stand close one below the other, with several values each, before the next table begins."""
    block: list[_PageRow] = []
    for row in rows:
        is_far = bool(block) and block[-1].baseline - row.baseline > _NEXT_ROW * row.height
        if is_far or len(row.stretches) < _CONTINUED or begins_table(list(map(read, row.stretches)), 0):
            break
        block.append(row)
    return block


def _grid(rows: Sequence[_PageRow]) -> Iterator[TableRow]:
    columns = _columns(rows)
    for row in rows:
        placed: list[list[TextLine]] = [[] for _ in columns]
        for stretch in row.stretches:
            column = column_of(_extent(stretch), columns)
            placed[column or 0].append(stretch)
        yield TableRow(tuple(map(tuple, placed)))


def _columns(rows: Iterable[_PageRow]) -> list[Extent]:
    """Where the cells of the rows stand, one above the other."""
    return _merged(cell for row in rows for cell in _cells(row))


def _cells(row: _PageRow) -> list[Extent]:
    """The stretches of a row with wide gaps between them."""
    em = row.lines[0].em
    return _merged((low, high + _WIDE * em) for low, high in map(_extent, row.stretches))


def _merged(extents: Iterable[Extent]) -> list[Extent]:
    merged: list[Extent] = []
    for low, high in sorted(extents):
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _is_apart(table: _BegunTable, row: _PageRow) -> bool:
    """Whether a row is too far below a table to be one of it, or is written in another direction."""
    if table.last.lines[0].pieces[0].place.key != row.lines[0].pieces[0].place.key or table.strays >= _STRAY:
        return True
    return table.last.baseline - row.baseline > _NEXT_ROW * max(row.height, table.last.height)


def _page_rows(layout: Layout) -> Iterator[_PageRow]:
    """The rows of the page, from top to bottom, for each direction of reading."""
    ordered = sorted(layout.lines, key=lambda line: (line.pieces[0].place.key, -line.v))
    row: list[TextLine] = []
    for line in ordered:
        if row and not _is_level(row[0], line):
            yield _page_row(layout, row)
            row = []
        row.append(line)
    if row:
        yield _page_row(layout, row)


def _is_level(one: TextLine, other: TextLine) -> bool:
    first, second = one.pieces[0].place, other.pieces[0].place
    return first.key == second.key and one.v - other.v <= _SAME_ROW * min(first.tall, second.tall)


def _page_row(layout: Layout, lines: Iterable[TextLine]) -> _PageRow:
    ordered = sorted(lines, key=lambda line: line.pieces[0].start)
    stretches = [stretch for line in ordered for stretch in _cut_at_gaps(layout, line)]
    return _PageRow(tuple(ordered), tuple(stretches))


def _cut_at_gaps(layout: Layout, line: TextLine) -> Iterator[TextLine]:
    """The line, cut at its wide gaps. Spaces that are painted are gaps too."""
    pieces: list[Piece] = []
    for piece in line.pieces:
        pieces += _parts(layout, piece)
    cut: list[Piece] = []
    end: float | None = None
    for piece in pieces:
        if end is not None and piece.start - end > _CELL * line.em and not piece.blank:
            yield TextLine(cut, line.em, line.v)
            cut = []
        cut.append(piece)
        end = end if piece.blank else piece.end
    yield TextLine(cut, line.em, line.v)


def _parts(layout: Layout, piece: Piece) -> Iterator[Piece]:
    """A piece, cut between runs that stand apart."""
    runs = layout.shows[piece.show].runs
    gaps = [
        (at, abs(runs[at][2] - runs[at - 1][3]) * abs(piece.place.unit))
        for at in range(piece.first + 1, piece.last)
    ]
    cuts = [piece.first, *(at for at, gap in gaps if gap > _CELL * piece.place.em), piece.last]
    parts = [part_of(layout, piece, first, last) for first, last in pairwise(cuts)]
    yield from parts if piece.place.unit >= 0 else reversed(parts)


def _words(stretch: TextLine, read: ReadLine) -> list[list[Piece]]:
    """The pieces of a stretch. Letters that are painted one by one are put together to the words that they make."""
    words: list[list[Piece]] = []
    was_letter = False
    for piece in stretch.pieces:
        is_letter = len(read(TextLine([piece], stretch.em, stretch.v)).strip()) == 1
        goes_on = is_letter and was_letter and piece.start - words[-1][-1].end <= SPACE * stretch.em
        if goes_on:
            words[-1].append(piece)
        else:
            words.append([piece])
        was_letter = is_letter
    return words


def _extent(stretch: TextLine) -> Extent:
    return stretch.pieces[0].start, stretch.pieces[-1].end
