"""A document as it looks: blocks of runs for texts and Word files, pages with placed words for PDF."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from efface.core import Document, PartKind, Span, SpanSet
from efface.errors import InputError
from efface.files.pdfium_lock import LOCK
from efface.formats.pdf.reader.opening import LIMITS
from efface.service.review.decisions import digest_of_text
from efface.service.review.page_alignment import PageBox, SeenWord

_MOST = 2_000_000  # characters that a page shows
_LINE = re.compile(r"[^\n]*\n?")
_WORD = re.compile(r"\S+")
_HEADING = re.compile(r"(?:heading|titre|überschrift)\s*([1-6])|^(title)$", re.IGNORECASE)
_DPI_SCALE = 1.6  # pixels for each point
_READ_HEADERS = frozenset(
    "from to cc bcc subject date reply-to sender".split()
)  # of a mail: others are folded
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")  # the name of a cell
_FINE = 10  # PDFium's device coordinates are whole numbers: tenths of a point are fine enough


def preview(document: Document) -> dict[str, Any]:
    """What the page needs to draw it, but for the sizes of pages. Positions are code points of `text`."""
    found: dict[str, Any] = {
        "format": document.format,
        "text": document.text[:_MOST],
        "text_digest": digest_of_text(document.text),
        "cut": len(document.text) > _MOST,
    }
    if document.format == "pdf":
        return {**found, "parts": _parts(document)}
    return {**found, "blocks": _blocks(document), "parts": _parts(document)}


def _blocks(document: Document) -> list[dict[str, Any]]:
    if document.format in ("csv", "tsv"):
        return list(_cells(document))
    shaped = {"docx": _docx, "xlsx": _sheet_cells}.get(document.format)
    blocks = shaped(document) if shaped is not None else None
    return blocks if blocks is not None else list(_plain(document))


def _parts(document: Document) -> list[list[Any]]:
    return [[part.name, part.start, part.end] for part in document.parts if part.start < _MOST]


def _plain(document: Document) -> Iterator[dict[str, Any]]:
    """Lines; a named part begins with its name."""
    begins = {part.start: part.name for part in document.parts if part.name not in ("body", "text")}
    folded = _folded(document)
    named = document.format in ("html", "eml", "docx", "xlsx", "pptx", "odt", "ods")
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
    """Parts that are no prose: properties, styles and other markup, and technical headers of a mail."""
    return SpanSet(
        Span(part.start, part.end)
        for part in document.parts
        if part.kind is not PartKind.PROSE or _is_technical(part.name)
    )


def _is_technical(name: str) -> bool:
    kind, _, header = name.rpartition("header ")
    return bool(header) and name != header and not kind.strip() and header.lower() not in _READ_HEADERS


def _docx(document: Document) -> list[dict[str, Any]] | None:
    """Paragraphs with their headings, lists, tables and emphasis, from the tree that the text was read from."""
    from efface.formats.office.xmltext import HasXmlLayout

    if not isinstance(document.origin, HasXmlLayout):
        return None
    layout = document.origin.layout
    blocks: list[dict[str, Any]] = []
    folded = _folded(document)
    paragraph: Any = None
    for start, end, places in zip(layout.starts, layout.ends, layout.places, strict=True):
        if start >= _MOST:
            break
        element = places[0].element
        above = [element, *element.iterancestors()]
        home = next((one for one in above if _local(one) == "p"), None)
        if home is None or home is not paragraph or not blocks:
            part = next((p.name for p in document.parts if p.start <= start < p.end), "")
            blocks.append({"kind": "p", "runs": [], **(_shape(home, above) if home is not None else {})})
            if part != "body":
                blocks[-1]["part"] = part
            if folded.covers(start, end):
                blocks[-1]["fold"] = True
        paragraph = home
        blocks[-1]["runs"].append([start, end, _emphasis(above)])
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
    return shape


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


def page_sizes(data: bytes) -> list[list[float]]:
    """Width and height of every page, in points."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            return [[round(w, 1), round(h, 1)] for w, h in (pdf.get_page_size(n) for n in range(len(pdf)))]
        except pdfium.PdfiumError:
            raise _unseen() from None
        finally:
            pdf.close()


def page_image(data: bytes, number: int, across: int = 0) -> bytes:
    """A page as a PNG picture; with `across`, at most so many pixels wide."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            page = pdf[number]
            width, height = page.get_size()
            scale = min(_DPI_SCALE, 2400 / max(width, height, 1))
            scale = min(scale, across / max(width, 1)) if across else scale
            picture = page.render(scale=scale).to_pil()
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def readable_pdf(document: Document, data: bytes) -> bytes:
    """The PDF with the words that were read in its pictures laid over them; without such words the file itself."""
    from efface.formats.pdf.reader.document import PdfOrigin

    return document.origin.data if isinstance(document.origin, PdfOrigin) else data


def page_part(document: Document, number: int) -> tuple[int, str] | None:
    """Where a page begins in the text, and its text; None for a page that there is not."""
    part = next((p for p in document.parts if p.name == f"page {number + 1}"), None)
    return None if part is None else (part.start, document.text[part.start : part.end])


def page_words(data: bytes, number: int, text: str, *, in_parts: bool = False) -> list[list[float]]:
    """Each word of a page: where it is in the page's text, and its box on the page as it is seen, from the top
    left: in points, or with `in_parts` as parts of the page's width and height."""
    ours = [match.span() for match in _WORD.finditer(text)]
    seen, (width, height) = _boxes(data, number)
    across, down = (1 / width, 1 / height) if in_parts else (1.0, 1.0)
    said = [text[start:end] for start, end in ours]
    matcher = difflib.SequenceMatcher(None, said, [word for word, _ in seen], autojunk=False)
    words: list[list[float]] = []
    for mine, theirs, size in matcher.get_matching_blocks():
        for step in range(size):
            left, top, right, bottom = seen[theirs + step][1]
            words.append([*ours[mine + step], left * across, top * down, right * across, bottom * down])
    return words


def all_words(data: bytes) -> list[SeenWord]:
    """The words of every page, with their boxes, in tenths of a point."""
    found: list[SeenWord] = []
    for number in range(len(page_sizes(data))):
        for word, (left, top, right, bottom) in _boxes(data, number)[0]:
            box = (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
            found.append(SeenWord(number, word, box))
    return found


def _boxes(data: bytes, number: int) -> tuple[list[tuple[str, PageBox]], tuple[float, float]]:
    """Words as PDFium sees them, with their boxes; and the size of the page."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            page = pdf[number]
            text = page.get_textpage()
            found = []
            for match in _WORD.finditer(text.get_text_range()):
                boxes = [text.get_charbox(at) for at in range(match.start(), match.end())]
                left, bottom = min(b[0] for b in boxes), min(b[1] for b in boxes)
                right, top = max(b[2] for b in boxes), max(b[3] for b in boxes)
                found.append((match[0], _as_seen(page, (left, bottom, right, top))))
            return found, page.get_size()
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()


def _as_seen(page: Any, box: PageBox) -> PageBox:
    """A box of the page's own coordinates on the page as it is drawn: turned and cropped as the page says."""
    import ctypes

    import pypdfium2.raw as raw

    width, height = page.get_size()
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, down in ((box[0], box[1]), (box[2], box[3])):
        size = (round(width * _FINE), round(height * _FINE))
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, across, down, ctypes.byref(x), ctypes.byref(y))
        corners.append((x.value / _FINE, y.value / _FINE))
    (one, above), (other, below) = corners
    return min(one, other), min(above, below), max(one, other), max(above, below)


def _opened(data: bytes) -> Any:
    """The PDF, unless it has more pages than a person would look through: each costs time and memory. PDFium may count
    others than whoever read the text."""
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise _unseen() from None
    try:
        LIMITS.require(len(pdf))
    except InputError:
        pdf.close()
        raise
    return pdf


def _unseen() -> InputError:
    return InputError("The page cannot be shown.", "Open the file in another program.")
