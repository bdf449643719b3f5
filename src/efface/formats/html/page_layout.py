"""How the text of a page is shown: its paragraphs, headings, items of lists and cells of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from efface.formats.patching.source_patching import SourceItem

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class PageCell(NamedTuple):
    """Where a cell stands: the number of its table, of its row and of its column, from 0."""

    table: int
    row: int
    column: int


class PageBlock(NamedTuple):
    """A stretch of the text between two tags that break a line. `kind` is p, li, pre or h1 to h6."""

    start: int
    end: int
    part: str
    kind: str
    cell: PageCell | None


@runtime_checkable
class HasPageBlocks(Protocol):
    """An origin of a document that knows how its text is shown. Behind `length` there is the text of its pictures."""

    @property
    def blocks(self) -> Iterator[PageBlock]: ...

    @property
    def length(self) -> int: ...


@dataclass(slots=True)
class _PageTable:
    number: int
    row: int = -1
    column: int = -1
    is_in_cell: bool = False


@dataclass(slots=True)
class _PagePlace:
    """What the tags before a stretch of text say of it."""

    kind: str = "p"
    tables: list[_PageTable] = field(default_factory=list)
    count: int = 0  # tables so far

    def pass_tag(self, name: str, is_end: bool) -> None:
        if name in _HEADINGS or name in ("li", "pre"):
            self.kind = "p" if is_end else name
        elif name == "table" and not is_end:
            self.tables.append(_PageTable(self.count))
            self.count += 1
        elif self.tables:
            self._pass_tag_of_table(self.tables[-1], name, is_end)

    def _pass_tag_of_table(self, table: _PageTable, name: str, is_end: bool) -> None:
        if name == "table":
            self.tables.pop()
        elif name == "tr":
            table.is_in_cell = False
            if not is_end:
                table.row, table.column = table.row + 1, -1
        elif name in ("td", "th"):
            table.is_in_cell = not is_end
            table.column += not is_end
            table.row = max(table.row, 0)

    @property
    def cell(self) -> PageCell | None:
        table = self.tables[-1] if self.tables else None
        return PageCell(table.number, table.row, table.column) if table and table.is_in_cell else None


def blocks_of(source: str, items: Iterable[tuple[SourceItem, str]]) -> Iterator[PageBlock]:
    """The blocks of a page, from what it shows and the text of each. Blank ones are left out."""
    place = _PagePlace()
    open_block: PageBlock | None = None
    position = 0
    for item, text in items:
        start, position = position, position + len(text)
        if item.codec is None:
            if open_block is not None:
                yield open_block
            open_block = None
            tag = _TAG.match(source, item.start)
            if tag is not None and item.part == "body":
                place.pass_tag(tag["name"].lower(), bool(tag["end"]))
        elif open_block is not None and open_block.part == item.part:
            open_block = open_block._replace(end=position)
        elif text.strip():
            if open_block is not None:
                yield open_block
            shape = (place.kind, place.cell) if item.part == "body" else ("pre", None)
            open_block = PageBlock(start, position, item.part, *shape)
    if open_block is not None:
        yield open_block
