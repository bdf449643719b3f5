"""The pages of a PDF as PDFium reads them, and by the place of their letters where annotations are drawn on them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

from efface.files.pdfium_lock import LOCK

_SILENT = (2, 16)  # links and popups draw nothing
_MOST_ANNOTATIONS = 500  # annotations of a page that are looked at
_MOST_LETTERS = 50_000  # letters of a page that are put in order
_LEVEL = 0.3  # em: letters this close are on one line
_GAP = 0.22  # em: a wider gap is a space
# A large first letter on a line of its own, before the word that goes on beside it.
_INITIAL = re.compile(r"^(\W?[^\W\d_])\r?\n(?=[^\W\d_])", re.MULTILINE)

Letter = tuple[float, float, float, float, str]  # baseline, left, right, size, what it is


def pages(data: bytes) -> Iterator[tuple[str, str]]:
    """(page, text) of every page that PDFium can read."""
    import pypdfium2

    found: list[tuple[str, str]] = []
    try:
        with LOCK, pypdfium2.PdfDocument(data) as document:
            for number in range(len(document)):
                found.extend((f"page {number + 1}{how}", text) for how, text in _page(document, number))
    except pypdfium2.PdfiumError:
        pass
    yield from found


def _page(document: Any, number: int) -> Iterator[tuple[str, str]]:
    import pypdfium2
    import pypdfium2.raw as raw

    try:
        page = document[number]
        reading = page.get_textpage()
    except pypdfium2.PdfiumError:
        return
    text = str(reading.get_text_range()).replace("\ufffe", "-\n").replace("\u0002", "-\n")
    reading.close()
    yield "", text
    joined = _INITIAL.sub(r"\1", text)
    if joined != text:
        yield ", first letters joined", joined
    if _is_drawn_on(page) and raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS:
        page.close()
        page = document[number]
        yield ", annotations drawn", _by_place(page)
    page.close()


def _is_drawn_on(page: Any) -> bool:
    """Whether annotations draw something on the page."""
    import pypdfium2.raw as raw

    for number in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MOST_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, number)
        drawn = raw.FPDFAnnot_GetSubtype(annotation) not in _SILENT and raw.FPDFAnnot_HasKey(
            annotation, b"AP"
        )
        raw.FPDFPage_CloseAnnot(annotation)
        if drawn:
            return True
    return False


def _by_place(page: Any) -> str:
    """The letters of a page line by line and from left to right, in whatever order they are drawn."""
    lines: list[list[Letter]] = []
    for letter in sorted(_letters(page), reverse=True):
        if lines and abs(lines[-1][0][0] - letter[0]) <= _LEVEL * min(letter[3], lines[-1][0][3]):
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return "\n".join(map(_line_text, lines))


def _line_text(line: list[Letter]) -> str:
    text, end = "", None
    for _, left, right, size, char in sorted(line, key=lambda letter: letter[1]):
        text += " " + char if end is not None and left - end > _GAP * size else char
        end = right
    return text


def _letters(page: Any) -> Iterator[Letter]:
    import pypdfium2.raw as raw

    reading = page.get_textpage()
    box = raw.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    for index in range(min(reading.count_chars(), _MOST_LETTERS)):
        char = chr(raw.FPDFText_GetUnicode(reading.raw, index))
        if (
            not char.isspace()
            and raw.FPDFText_GetCharOrigin(reading.raw, index, ctypes.byref(x), ctypes.byref(y))
            and raw.FPDFText_GetLooseCharBox(reading.raw, index, ctypes.byref(box))
        ):
            size = max(raw.FPDFText_GetFontSize(reading.raw, index), 1.0)
            yield y.value, box.left, box.right, size, char
    reading.close()
