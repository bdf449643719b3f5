"""Tables with a delimiter: .csv and .tsv, whatever their dialect.

The text shows the cells without their quotes, a tab between cells (so that no term is glued to the next
cell, and every dialect reads alike) and the file's own line ends. A cell is quoted when its new content
needs it; every other cell keeps its bytes. Stray quotes and ragged rows are read as Python's csv module
reads them.

Reading a release again gives exactly the edited text, except that an edit over several cells leaves the
delimiters between them, and where the edits change which delimiter the table seems to have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from efface.core import Document, Edit, Part
from efface.formats.patching.source_patching import (
    Fits,
    NextEdit,
    SlotStretch,
    SourceOrigin,
    SourcePiece,
    SourceSlot,
    fitted,
    gathered,
    rewrite,
    sparse,
)
from efface.formats.plain.encoding import Decoded, decode

_DELIMITERS = "\t;|,"  # a comma is the likeliest of them to stand in cells of another dialect
_SAMPLE_CHARACTERS = 1 << 16  # of the file, by which the delimiter is told
_SAMPLE_ROWS = 100  # of the sample, by which the delimiter is told
_QUOTED = r'"(?P<inner>(?:[^"]++|"")*+)(?:"|\Z)'


@dataclass(frozen=True, slots=True)
class _Table:
    source: Decoded
    delimiter: str


class Delimited:
    """core.Format for .csv and .tsv."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset)
        delimiter = delimiter_of(source.text)
        text = _table_text(source.text, delimiter)
        return Document(name, "csv", text, (Part("table", 0, len(text)),), _Table(source, delimiter))

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        table = document.origin
        assert isinstance(table, _Table)
        return rewrite(
            table.source, lambda next_edit: _slots(table.source.text, table.delimiter, next_edit), edits
        )


CSV = Delimited()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, quoted or not. One that has its row for itself is never left blank: a blank line is no row."""

    delimiter: str
    alone: bool = False

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        match = _cell(self.delimiter).fullmatch(raw)
        if not match:
            return None
        if not match["quoted"]:
            return (SlotStretch(0, len(raw)),)
        return tuple(_quoted_stretches(raw, match.end("inner"), match.end("quoted")))

    def clean(self, text: str, fits: Fits) -> str:
        return fitted(text, fits)

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        first = pieces[0]
        if first.origin is SourceOrigin.KEPT and first.text.startswith('"'):
            return "".join(map(_inside_quotes, pieces))
        content = "".join(piece.text for piece in pieces)
        is_written_afresh = first.origin is SourceOrigin.WHOLE or (self.alone and not content)
        if is_written_afresh or self._needs_quotes(pieces):
            return f'"{_doubled(content)}"'
        return content

    def _needs_quotes(self, pieces: Sequence[SourcePiece]) -> bool:
        """Whether a new piece holds a character that ends a field. What is kept stood there without quotes."""
        special = ('"', "\r", "\n", self.delimiter)
        fresh = (piece.text for piece in pieces if piece.origin is SourceOrigin.NEW)
        return any(char in text for text in fresh for char in special)


def _inside_quotes(piece: SourcePiece) -> str:
    """What is kept is written already as it is between quotes."""
    return piece.text if piece.origin is SourceOrigin.KEPT else _doubled(piece.text)


def _doubled(text: str) -> str:
    return text.replace('"', '""')


def _quoted_stretches(raw: str, inner_end: int, quoted_end: int) -> Iterator[SlotStretch]:
    yield SlotStretch(0, 1, "", fixed=True)
    position = 1
    while (at := raw.find('""', position, inner_end)) >= 0:
        yield SlotStretch(position, at)
        yield SlotStretch(at, at + 2, '"')
        position = at + 2
    yield SlotStretch(position, inner_end)
    yield SlotStretch(inner_end, quoted_end, "", fixed=True)
    yield SlotStretch(quoted_end, len(raw))  # what is between a closing quote and the delimiter


def _cell_rest(delimiter: str) -> str:
    return rf"[^{re.escape(delimiter)}\r\n]*+"


@lru_cache(maxsize=len(_DELIMITERS))
def _cell(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<quoted>{_QUOTED})?+{_cell_rest(delimiter)}")


@lru_cache(maxsize=len(_DELIMITERS))
def _cell_and_end(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<cell>{_cell(delimiter).pattern})(?P<end>{re.escape(delimiter)}|\r\n|[\r\n]|\Z)")


@lru_cache(maxsize=len(_DELIMITERS))
def _quoted_cell(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\A|[{re.escape(delimiter)}\r\n]){_QUOTED}(?P<rest>{_cell_rest(delimiter)})")


def _slots(source: str, delimiter: str, next_edit: NextEdit) -> Iterator[SourceSlot]:
    cell, alone = Cell(delimiter), Cell(delimiter, alone=True)
    ends = (delimiter, "\r", "\n")
    end_next = re.compile(rf"[{re.escape(delimiter)}\r\n]|\Z")

    def quoted() -> Iterator[SourceSlot]:
        for match in _quoted_cell(delimiter).finditer(source) if '"' in source else ():
            inner, rest = match.groups()
            start = match.start("inner") - 1
            yield SourceSlot(start, match.end(), len(inner) - inner.count('""') + len(rest), cell)

    def around(low: int, at: int) -> SourceSlot:
        if source[at] in ends:
            return SourceSlot(at, at + 1, 1)
        start = max(low - 1, *(source.rfind(end, low, at) for end in ends)) + 1
        found = end_next.search(source, at)
        end = found.start() if found else len(source)
        opens = start == 0 or source[start - 1] != delimiter
        closes = source[end : end + 1] != delimiter
        return SourceSlot(start, end, end - start, alone if opens and closes else cell)

    return sparse(len(source), quoted(), around, next_edit)


def _table_text(source: str, delimiter: str) -> str:
    return gathered(_texts(source, delimiter)) if '"' in source else source.replace(delimiter, "\t")


def _texts(source: str, delimiter: str) -> Iterator[str]:
    position = 0
    for match in _quoted_cell(delimiter).finditer(source):
        yield source[position : match.start("inner") - 1].replace(delimiter, "\t")
        yield match["inner"].replace('""', '"')
        position = match.start("rest")
    yield source[position:].replace(delimiter, "\t")


def delimiter_of(source: str) -> str:
    """The delimiter under which most rows have the same number of cells, and more than one."""
    sample = source[:_SAMPLE_CHARACTERS]
    present = [delimiter for delimiter in _DELIMITERS if delimiter in sample]
    return max(present, key=lambda delimiter: _regularity(sample, delimiter), default=",")


def _regularity(sample: str, delimiter: str) -> float:
    """The share of rows that have the commonest number of cells under a delimiter."""
    rows = [0]
    for match in _cell_and_end(delimiter).finditer(sample):
        if not match.group():
            continue
        rows[-1] += 1
        if match["end"] != delimiter:
            rows.append(0)
        if len(rows) > _SAMPLE_ROWS:
            break
    full = [cells for cells in rows if cells]
    commonest = Counter(cells for cells in full if cells > 1).most_common(1)
    return commonest[0][1] / len(full) if commonest else 0.0
