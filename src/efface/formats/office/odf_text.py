"""The reading flow of OpenDocument XML, where text is between the elements of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from lxml import etree

from efface.formats.office.grammar import FreeTextTable, free_text, merged
from efface.formats.office.namespaces import tag, tags
from efface.formats.office.reading_flow import WITHOUT_HIDDEN
from efface.formats.office.xmltext import DROP, TAIL, TEXT, Composer, Element, XmlPiece, XmlPlace

PARAGRAPHS = tags("text:p text:h")
ROWS = tags("table:table-row")
CELLS = tags("table:table-cell table:covered-table-cell")
# Content that is inside a paragraph without being read there, and the stream that shows it.
_ASIDES = {
    name: stream
    for names, stream in (
        ("office:annotation", "comments"),
        ("text:note-body text:note-citation", "notes"),
        ("svg:title svg:desc", "alt text"),
        ("text:ruby-text", "ruby"),
    )
    for name in tags(names)
}
_HIDDEN_TEXT = tag("text:hidden-text")  # a field that shows its words or not
_CHARACTERS = {tag("text:tab"): "\t", tag("text:line-break"): "\n", tag("text:s"): " "}
_COUNT = tag("text:c")
_STYLE, _PROPERTIES, _DISPLAY = tag("style:style"), tag("style:text-properties"), tag("text:display")
_OWN_NAME, _PARENT_NAME, _STYLE_NAME = (
    tag("style:name"),
    tag("style:parent-style-name"),
    tag("text:style-name"),
)
_COLOUR, _SIZE, _TINY = tag("fo:color"), tag("fo:font-size"), re.compile(r"(?:0?\.\d+|[01](?:\.0+)?)pt")
_MOST_SPACES = 1000  # that one element may stand for
_REPEATED = tag("table:number-columns-repeated")
_TABLE = tag("table:table")
_WIDEST_GAP = 64  # empty cells that are shown as such
# Elements inside a paragraph whose text is not of it.
NEUTRAL_TEXT = tags("dc:creator dc:date meta:creator-initials loext:sender-initials")

FREE_TEXT: FreeTextTable = merged(
    free_text(
        (
            (
                "cell value",
                "table:table-cell table:covered-table-cell",
                "office:time-value office:string-value office:currency",
            ),
            (
                "field",
                "text:user-field-decl text:variable-set text:variable-get text:user-defined text:user-field-get "
                "text:expression text:date text:time text:conditional-text text:hidden-text text:text-input "
                "text:database-display text:placeholder text:sequence text:hidden-paragraph",
                "text:name office:string-value office:value text:string-value text:condition "
                "text:description text:string-value-if-true text:string-value-if-false text:formula",
            ),
            (
                "form",
                "form:text form:textarea form:checkbox form:radio form:combobox form:listbox form:option form:item "
                "form:button form:date form:number form:formatted-text form:fixed-text form:file form:hidden "
                "form:value-range form:generic-control form:property",
                "form:name form:label form:value form:current-value form:title office:string-value office:value",
            ),
            ("filter", "table:filter-condition table:filter-set-item", "table:value"),
            ("bookmark", "text:bookmark text:bookmark-start text:bookmark-end text:bookmark-ref", "text:name text:ref-name"),
        ),
        "plain",
    ),
    free_text((("cell value", "table:table-cell table:covered-table-cell", "office:value"),), "number"),
    free_text(
        (
            ("cell value", "table:table-cell table:covered-table-cell", "office:date-value"),
            ("field", "text:user-field-decl text:variable-set text:user-defined text:date text:time", "office:date-value text:date-value"),
        ),
        "moment",
    ),
    free_text((("link", "text:a draw:a", "xlink:href office:title office:name"),), "plain"),
    free_text((("name", "table:table", "table:name"),), "sheet"),
    free_text((("formula", "table:table-cell table:covered-table-cell", "table:formula"),), "discard"),
)  # fmt: skip


class _OdfParagraph:
    """A paragraph being read, with what hangs in it and is read after it."""

    __slots__ = ("after", "pieces", "shown")

    def __init__(self) -> None:
        self.pieces: list[XmlPiece] = []
        self.shown: list[XmlPiece] = []  # those that no style hides
        self.after: list[XmlPiece] = []


def hiding_styles(trees: Iterable[Element]) -> Set[str]:
    """The names of the styles that hide their text, by themselves or by their parents."""
    hiding: set[str] = set()
    parents: dict[str, str] = {}
    for tree in trees:
        for style in tree.iter(_STYLE):
            name = style.get(_OWN_NAME, "")
            parents[name] = style.get(_PARENT_NAME, "")
            if any(map(_hides, style.iterchildren(_PROPERTIES))):
                hiding.add(name)
    while inherited := {name for name, parent in parents.items() if parent in hiding} - hiding:
        hiding |= inherited
    return hiding


def _hides(properties: Element) -> bool:
    """Whether a style hides its text, or makes it white or at most a point high."""
    if properties.get(_DISPLAY) == "none" or properties.get(_COLOUR, "").lower() == "#ffffff":
        return True
    return _TINY.fullmatch(properties.get(_SIZE, "")) is not None


def _times(cell: Element) -> int:
    """How many cells an empty cell stands for; the rest of a row, up to the edge of the sheet, is one."""
    repeated = cell.get(_REPEATED, "1")
    times = int(repeated) if repeated.isdecimal() else 1
    return times if times <= _WIDEST_GAP else 1


class OdfFlow:
    """Reads one part into a stream of the composer. `hiding` are the names of styles that hide text; what is left
    of a paragraph without it is shown once more, in a stream of its own."""

    def __init__(self, composer: Composer, part: str, stream: str, hiding: Set[str]) -> None:
        self._composer = composer
        self._part = part
        self._hiding = hiding
        self._above: tuple[Element | None, int] = (None, 0)  # the table and the cells of the last row
        self._hidden = 0  # how many of the open elements hide their text
        # Where finished paragraphs go (the part, or an aside), and the paragraphs that are open there.
        self._frames: list[tuple[list[XmlPiece], list[_OdfParagraph]]] = [(composer.stream(stream), [])]

    def read(self, root: Element) -> None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                self._start(element)
            else:
                self._end(element)

    def _start(self, element: Element) -> None:
        name = element.tag
        self._hidden += self._hides(element)
        if name in _ASIDES:
            self._frames.append((self._composer.stream(_ASIDES[name]), [_OdfParagraph()]))
        elif name in PARAGRAPHS:
            self._frames[-1][1].append(_OdfParagraph())
        if not self._frames[-1][1]:
            return
        if name in _CHARACTERS:
            count = element.get(_COUNT, "1") if name == tag("text:s") else "1"
            times = min(int(count), _MOST_SPACES) if count.isdecimal() else 1
            self._add(_CHARACTERS[name] * times, element, DROP)
        elif element.text and name not in NEUTRAL_TEXT:
            self._add(element.text, element, TEXT)

    def _end(self, element: Element) -> None:
        """Closes an element: what it holds is now whole and goes to the text around it."""
        name = element.tag
        if name in _ASIDES:
            out, opened = self._frames.pop()
            own = opened.pop()
            if any(not text.isspace() for text, _ in own.pieces):
                out.extend((*own.pieces, ("\n", ())))
            out.extend(own.after)
        elif name in PARAGRAPHS:
            done = self._frames[-1][1].pop()
            self._target().extend((*done.pieces, ("\n", ()), *done.after))
            if done.shown and len(done.shown) < len(done.pieces):
                self._composer.stream(WITHOUT_HIDDEN).extend((*done.shown, ("\n", ())))
        elif name in CELLS:
            self._end_cell(element)
        elif name in ROWS:
            self._end_row(element)
        self._hidden -= self._hides(element)
        if element.tail and self._frames[-1][1]:
            self._add(element.tail, element, TAIL)

    def _target(self) -> list[XmlPiece]:
        """Where what is finished goes: into the stream, or after the paragraph that it hangs in."""
        out, opened = self._frames[-1]
        return opened[-1].after if opened else out

    def _end_cell(self, cell: Element) -> None:
        """A row of a table is a line, with tabs between its cells. An empty cell is shown as such."""
        out = self._target()
        if len(cell):
            if out and out[-1] == ("\n", ()):
                out[-1] = ("\t", ())
            return
        out.extend([("\t", ())] * _times(cell))

    def _end_row(self, row: Element) -> None:
        """A row that ends early has the empty cells that the row above it has, so that its values stand under their labels."""
        out = self._target()
        if out and out[-1] == ("\t", ()):
            out.pop()
        table = next((one for one in row.iterancestors() if one.tag == _TABLE), None)
        above, width = self._above
        cells = [cell for cell in row if cell.tag in CELLS]
        own = sum(1 if len(cell) else _times(cell) for cell in cells)
        missing = width - own if above is table else 0
        is_filled = any(map(len, cells))
        if is_filled and 0 < missing <= _WIDEST_GAP:
            out.extend([("\t", ())] * missing)
        self._above = table, max(own, own + missing) if is_filled else 0
        out.append(("\n", ()))

    def _add(self, text: str, element: Element, slot: str) -> None:
        paragraph, piece = self._frames[-1][1][-1], (text, (XmlPlace(self._part, element, slot),))
        paragraph.pieces.append(piece)
        if not self._hidden:
            paragraph.shown.append(piece)

    def _hides(self, element: Element) -> bool:
        is_styled = bool(self._hiding) and element.get(_STYLE_NAME) in self._hiding
        return is_styled or element.tag == _HIDDEN_TEXT
