"""A document as it looks: blocks of runs for texts and Word files, pages with placed words for PDF."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterator
from typing import Any

from efface.core import Document
from efface.errors import InputError
from efface.pdfium import LOCK

_MOST = 2_000_000  # characters that a page shows
_LINE = re.compile(r"[^\n]*\n?")
_WORD = re.compile(r"\S+")
_HEADING = re.compile(r"(?:heading|titre|überschrift)\s*([1-6])|^(title)$", re.IGNORECASE)
_DPI_SCALE = 1.6  # pixels for each point


def preview(document: Document, data: bytes) -> dict[str, Any]:
    """What the page needs to draw it. Positions are code points of `text`."""
    found: dict[str, Any] = {
        "format": document.format,
        "text": document.text[:_MOST],
        "cut": len(document.text) > _MOST,
    }
    if document.format == "pdf":
        return {**found, "pages": page_sizes(data), "parts": _parts(document)}
    blocks = _docx(document) if document.format == "docx" else None
    return {
        **found,
        "blocks": blocks if blocks is not None else list(_plain(document)),
        "parts": _parts(document),
    }


def _parts(document: Document) -> list[list[Any]]:
    return [[part.name, part.start, part.end] for part in document.parts if part.start < _MOST]


def _plain(document: Document) -> Iterator[dict[str, Any]]:
    """Lines; a named part begins with its name."""
    begins = {part.start: part.name for part in document.parts if part.name not in ("body", "text")}
    named = document.format in ("html", "eml", "docx", "xlsx", "pptx", "odt", "ods")
    position = 0
    text = document.text[:_MOST]
    while position < len(text):
        match = _LINE.match(text, position)
        end = match.end() if match else len(text)
        block: dict[str, Any] = {"kind": "line", "runs": [[position, end, ""]]}
        if named and position in begins:
            block["part"] = begins[position]
        yield block
        position = max(end, position + 1)


def _docx(document: Document) -> list[dict[str, Any]] | None:
    """Paragraphs with their headings, lists, tables and emphasis, from the tree that the text was read from."""
    layout = getattr(document.origin, "layout", None)
    if layout is None:
        return None
    blocks: list[dict[str, Any]] = []
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
        paragraph = home
        blocks[-1]["runs"].append([start, end, _emphasis(above)])
    return blocks


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


def page_image(data: bytes, number: int) -> bytes:
    """A page as a PNG picture."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            page = pdf[number]
            width, height = page.get_size()
            scale = min(_DPI_SCALE, 2400 / max(width, height, 1))
            picture = page.render(scale=scale).to_pil()
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def page_words(data: bytes, number: int, document: Document) -> list[list[float]]:
    """Each word of a page: where it stands in the text, and its box in points from the top left."""
    part = next((p for p in document.parts if p.name == f"page {number + 1}"), None)
    if part is None:
        return []
    ours = [
        (m.start() + part.start, m.end() + part.start)
        for m in _WORD.finditer(document.text[part.start : part.end])
    ]
    seen = _boxes(data, number)
    said = [document.text[start:end] for start, end in ours]
    matcher = difflib.SequenceMatcher(None, said, [word for word, _ in seen], autojunk=False)
    words: list[list[float]] = []
    for mine, theirs, size in matcher.get_matching_blocks():
        for step in range(size):
            words.append([*ours[mine + step], *seen[theirs + step][1]])
    return words


def _boxes(data: bytes, number: int) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Words as PDFium sees them, with their boxes."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = _opened(data)
        try:
            page = pdf[number]
            height = page.get_height()
            text = page.get_textpage()
            found = []
            for match in _WORD.finditer(text.get_text_range()):
                boxes = [text.get_charbox(at) for at in range(match.start(), match.end())]
                left, bottom = min(b[0] for b in boxes), min(b[1] for b in boxes)
                right, top = max(b[2] for b in boxes), max(b[3] for b in boxes)
                box = (round(left, 1), round(height - top, 1), round(right, 1), round(height - bottom, 1))
                found.append((match[0], box))
            return found
        except (pdfium.PdfiumError, IndexError):
            raise _unseen() from None
        finally:
            pdf.close()


def _opened(data: bytes) -> Any:
    import pypdfium2 as pdfium

    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise _unseen() from None


def _unseen() -> InputError:
    return InputError("The page cannot be shown.", "Open the file in another program.")
