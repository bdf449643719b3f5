"""A document as it looks: blocks of runs. The pages of PDF files are `pdf_pages`; their blocks also have what stands on no
page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from efface.core import Document, PartKind, Span, SpanSet
from efface.formats.mail.attached import Attached, HasAttached
from efface.service.review.decisions import digest_of_text

_MOST = 2_000_000  # characters that a page shows
_LINE = re.compile(r"[^\n]*\n?")
_HEADING = re.compile(r"(?:heading|titre|überschrift)\s*([1-6])|^(title)$", re.IGNORECASE)
# The headers of a mail that the page shows; it folds the others.
_READ_HEADERS = frozenset("from to cc bcc subject date reply-to sender".split())
_ATTACHED = re.compile(r"^(?:attachment [0-9]+ )+")  # before the name of a part of an attached file
_LABEL = re.compile(r"^(attachment [0-9.]+) ?(.*)$")
_SHAPED = frozenset(
    {"docx", "xlsx", "csv", "tsv", "eml", "html"}
)  # formats that are shown as more than lines
_UNREAD = frozenset({"property", "run together", "string", "between parts"})  # beside the text of a file
_TEMPLATE = re.compile(r"(?:layout|(?:notes |handout )?master)(?: [0-9]+)?")  # what slides are made from
_PAGE_TEXT = frozenset(
    {"body", "title", "textarea", "ruby", "picture"}
)  # parts of a web page that people read
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")  # the name of a cell

_AROUND_CELLS = frozenset({"sdt", "sdtContent", "customXml"})  # what may stand between a row and its cells
_WIDEST = 100  # columns: Word has no more than 63


def preview(document: Document) -> dict[str, Any]:
    """Everything that the page needs to draw the document, without the sizes of pages. Positions are code points of
    `text`."""
    found: dict[str, Any] = {
        "format": document.format,
        "text": document.text[:_MOST],
        "text_digest": digest_of_text(document.text),
        "cut": len(document.text) > _MOST,
    }
    return {**found, "blocks": _blocks(document), "parts": _parts(document)}


def _blocks(document: Document) -> list[dict[str, Any]]:
    if document.format in ("csv", "tsv"):
        return list(_cells(document))
    shaped = {"docx": _docx, "xlsx": _sheet_cells, "eml": _mail, "html": _page}.get(document.format)
    blocks = shaped(document) if shaped is not None else None
    return blocks if blocks is not None else list(_plain_lines(document))


def _parts(document: Document) -> list[list[Any]]:
    return [[part.name, part.start, part.end] for part in document.parts if part.start < _MOST]


def _plain_lines(document: Document) -> Iterator[dict[str, Any]]:
    """Lines; a named part begins with its name."""
    begins = {part.start: part.name for part in document.parts if part.name not in ("body", "text")}
    folded = _folded(document)
    named = document.format in ("html", "eml", "pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp")
    position = 0
    text = document.text[:_MOST]
    while position < len(text):
        match = _LINE.match(text, position)
        end = match.end() if match else len(text)
        block: dict[str, Any] = {"kind": "line", "runs": [[position, end, ""]]}
        if named and position in begins:
            block["part"] = begins[position]
        if folded.covers(position, min(position + 1, end)):
            block["fold"] = True
        yield block
        position = max(end, position + 1)


def _cells(document: Document) -> Iterator[dict[str, Any]]:
    """The cells of a table of text, each as a block, so that the page can show and take out columns."""
    text = document.text[:_MOST]
    delimiter = "\t" if document.format == "tsv" else _delimiter(text)
    cell = re.compile(rf'(?:"(?:[^"]|"")*"|[^{re.escape(delimiter)}\n"]*)(?=[{re.escape(delimiter)}\n]|$)')
    position, row, column = 0, 0, 0
    while position < len(text):
        match = cell.match(text, position)
        end = match.end() if match else text.find("\n", position) % (len(text) + 1)
        yield {
            "kind": "line",
            "runs": [[position, end, ""]],
            "cell": [0, row, (row << 16) + column],
            "column": column,
        }
        is_last = text[end : end + 1] != delimiter
        row, column = (row + 1, 0) if is_last else (row, column + 1)
        position = end + 1


def _delimiter(text: str) -> str:
    """The delimiter of a CSV file: the likeliest one of its first line."""
    first = text.partition("\n")[0]
    return max(",;\t|", key=first.count)


def _folded(document: Document) -> SpanSet:
    """Parts that nobody reads as text: properties, styles and other markup, what is there a second time without its
    spaces, and technical headers of a mail."""
    return SpanSet(
        Span(part.start, part.end)
        for part in document.parts
        if part.kind is not PartKind.PROSE or _is_technical(part.name)
    )


def _is_technical(name: str) -> bool:
    name = _ATTACHED.sub("", name)
    kind, _, header = name.partition("header ")
    is_beside = name in _UNREAD or _TEMPLATE.fullmatch(name) is not None
    return is_beside or (not kind and bool(header) and header.lower() not in _READ_HEADERS)


def _docx(document: Document) -> list[dict[str, Any]] | None:
    """Paragraphs with their headings, lists, tables and emphasis, from the tree that the text was read from."""
    from efface.formats.office.xmltext import HasXmlLayout

    if not isinstance(document.origin, HasXmlLayout):
        return None
    layout = document.origin.layout
    blocks: list[dict[str, Any]] = []
    folded = _folded(document)
    paragraph: Any = None
    written: dict[str, Any] = {}  # the block of the paragraph that is being read
    for start, end, places in zip(layout.starts, layout.ends, layout.places, strict=True):
        if start >= _MOST:
            break
        element = places[0].element
        above = [element, *element.iterancestors()]
        home = next((one for one in above if _local(one) == "p"), None)
        if folded.covers(start, end):  # also within a paragraph: the name of a bookmark is none of its words
            blocks.append({"kind": "p", "runs": [[start, end, ""]], "part": _part_at(document, start), "fold": True})  # fmt: skip
            continue
        if home is None or home is not paragraph or not written:
            part = _part_at(document, start)
            written = {"kind": "p", "runs": [], **(_shape(home, above) if home is not None else {})}
            blocks.append(written)
            if part != "body":
                written["part"] = part
        paragraph = home
        written["runs"].append([start, end, _emphasis(above)])
    return blocks


def _sheet_cells(document: Document) -> list[dict[str, Any]] | None:
    """The cells of a workbook, each as a block with its row and column; other text as lines."""
    from efface.formats.office.xmltext import HasXmlLayout

    if not isinstance(document.origin, HasXmlLayout):
        return None
    layout = document.origin.layout
    folded = _folded(document)
    names = [_cell_name(places[0].element) for places in layout.places]
    parts = [_part_at(document, start) for start in layout.starts]
    columns = _used_columns(zip(parts, names, strict=True))
    blocks: list[dict[str, Any]] = []
    for start, end, part, name in zip(layout.starts, layout.ends, parts, names, strict=True):
        if start >= _MOST:
            break
        place = _sheet_place(part, name, columns)
        if not place or not blocks or blocks[-1].get("cell") != place["cell"]:
            blocks.append({"kind": "line", "runs": [], "part": part, **place})
            if folded.covers(start, end):
                blocks[-1]["fold"] = True
        blocks[-1]["runs"].append([start, end, ""])
    return blocks


def _page(document: Document) -> list[dict[str, Any]] | None:
    """The paragraphs, headings, lists and tables of a web page. Attributes, comments and scripts are folded away."""
    from efface.formats.html.page_layout import HasPageBlocks

    if not isinstance(document.origin, HasPageBlocks):
        return None
    blocks: list[dict[str, Any]] = []
    for start, end, part, kind, cell in document.origin.blocks:
        if start >= _MOST:
            break
        shown = (
            {"kind": "p"} if kind == "pre" else {"kind": kind, "flow": True}
        )  # breaks in the source break no lines
        block: dict[str, Any] = {**shown, "runs": [[start, end, ""]]}
        if part != "body":
            block["part"] = part
        if part not in _PAGE_TEXT:
            block["fold"] = True
        if cell is not None:
            block |= {"cell": [cell.table, f"{cell.table} {cell.row}", str(cell)], "column": cell.column}
        blocks.append(block)
    behind = document.origin.length  # what its pictures show
    return blocks + [line for line in _plain_lines(document) if line["runs"][0][0] >= behind]


def _mail(document: Document) -> list[dict[str, Any]] | None:
    """The lines of a message. Files in it that have headings, tables or columns are shown with them, and each file is
    called by its name."""
    if not isinstance(document.origin, HasAttached):
        return None
    attached = document.origin.attached
    names = (each.called for each in attached)
    titles = {label: f"{label}: {name}" for label, name in names if name}
    shaped = {each.at: each for each in attached if each.document.format in _SHAPED}
    blocks: list[dict[str, Any]] = []
    behind = 0  # where the last file that is shown as itself ends
    for line in _plain_lines(document):
        start = line["runs"][0][0]
        if start in shaped:
            behind = start + len(shaped[start].document.text)
            blocks += _moved(shaped[start], line.get("part", ""))
        elif start >= behind:
            blocks.append(line)
    return [_titled(block, titles) for block in blocks]


def _moved(attached: Attached, part: str) -> Iterator[dict[str, Any]]:
    """The blocks of a file at their places in the message; the first one names the file."""
    for number, block in enumerate(_blocks(attached.document)):
        runs = [[start + attached.at, end + attached.at, style] for start, end, style in block["runs"]]
        named: dict[str, Any] = (
            {"part": f"{attached.called.label} {block['part']}"} if "part" in block else {}
        )
        if number == 0:
            named = {"part": part}
        if "cell" in block:  # tables of different files are different tables
            named["cell"] = [f"{attached.at} {each}" for each in block["cell"]]
        if runs[0][0] < _MOST:
            yield {**block, "runs": runs, **named}


def _titled(block: dict[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    """With the name of the file beside its number. That it is the body of the file goes without saying."""
    match = _LABEL.match(block.get("part", ""))
    if match is None or match[1] not in titles:
        return block
    rest = "" if match[2] in ("body", "text") else f" {match[2]}"
    return {**block, "part": f"{titles[match[1]]}{rest.rstrip()}"}


def _part_at(document: Document, start: int) -> str:
    return next((part.name for part in document.parts if part.start <= start < part.end), "")


def _cell_name(element: Any) -> tuple[str, str] | None:
    """The column and the row of the cell that an element belongs to; None if it belongs to none."""
    names = (one.get("r", "") for one in (element, *element.iterancestors()) if _local(one) == "c")
    found = next((match for name in names if (match := _CELL.fullmatch(name))), None)
    return (found[1], found[2]) if found else None


def _used_columns(cells: Iterable[tuple[str, tuple[str, str] | None]]) -> dict[tuple[str, str], int]:
    """The columns that each sheet uses, numbered from 0: a table leaves out those with nothing in them."""
    used: dict[str, set[str]] = {}
    for part, name in cells:
        if name is not None:
            used.setdefault(part, set()).add(name[0])
    return {
        (part, column): number
        for part, columns in used.items()
        for number, column in enumerate(sorted(columns, key=lambda each: (len(each), each)))
    }


def _sheet_place(
    part: str, name: tuple[str, str] | None, columns: dict[tuple[str, str], int]
) -> dict[str, Any]:
    if name is None:
        return {}
    column, row = name
    return {"cell": [part, f"{part} {row}", f"{part} {column}{row}"], "column": columns[part, column]}


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _child(element: Any, *path: str) -> Any:
    for name in path:
        element = next((one for one in element if _local(one) == name), None) if element is not None else None
    return element


def _value(element: Any) -> str:
    if element is None:
        return ""
    return next((str(value) for key, value in element.items() if key.endswith("}val")), "")


def _shape(paragraph: Any, above: list[Any]) -> dict[str, Any]:
    """How a paragraph is shown: as a heading, an item of a list, or in a cell of a table."""
    shape: dict[str, Any] = {}
    style = _value(_child(paragraph, "pPr", "pStyle"))
    heading = _HEADING.search(style)
    if heading:
        shape["kind"] = f"h{heading[1] or 1}"
    elif _child(paragraph, "pPr", "numPr") is not None or style.startswith("List"):
        shape["kind"] = "li"
        shape["depth"] = _depth(_value(_child(paragraph, "pPr", "numPr", "ilvl")))
    names = [_local(one) for one in above]
    if "tc" in names:
        cell, row, table = (
            above[names.index(name)] if name in names else None for name in ("tc", "tr", "tbl")
        )
        shape["cell"] = [id(table), id(row), id(cell)]
        shape["column"], shape["span"] = _columns_of(cell, row)
    return shape


def _columns_of(cell: Any, row: Any) -> tuple[int, int]:
    """The first column of a cell, from 0, and how many it spans. Cells before it may be empty or merged."""
    column = _count(_value(_child(row, "trPr", "gridBefore")), 0)
    for each in _cells_of(row) if row is not None else ():
        if each is cell:
            break
        column += _span(each)
    return column, _span(cell)


def _cells_of(row: Any) -> Iterator[Any]:
    """The cells of a row, also those in a field of a form."""
    for one in row:
        if _local(one) == "tc":
            yield one
        elif _local(one) in _AROUND_CELLS:
            yield from _cells_of(one)


def _span(cell: Any) -> int:
    return max(1, _count(_value(_child(cell, "tcPr", "gridSpan")), 1))


def _count(value: str, otherwise: int) -> int:
    return min(int(value), _WIDEST) if value.isascii() and value.isdigit() and len(value) < 4 else otherwise


def _depth(value: str) -> int:
    return min(int(value), 8) if value.isascii() and value.isdigit() and len(value) < 4 else 0


def _emphasis(above: list[Any]) -> str:
    run = next((one for one in above if _local(one) == "r"), None)
    properties = _child(run, "rPr") if run is not None else None
    if properties is None:
        return ""
    on = (
        letter
        for letter in ("b", "i", "u")
        if (found := _child(properties, letter)) is not None and _value(found) not in ("0", "false", "none")
    )
    return "".join(on)
