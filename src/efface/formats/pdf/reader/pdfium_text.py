"""PDFium's reading of the pages, with the place of every character: a check on efface's own reading."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from efface.core import Span
from efface.errors import InputError
from efface.files.pdfium_lock import LOCK
from efface.formats.pdf.reader.matrix import Matrix
from efface.text.folding import fold_term, foldings
from efface.text.search.string_search import Strings

if TYPE_CHECKING:
    from PIL.Image import Image

PdfiumBox = tuple[float, float, float, float]  # left, right, bottom, top


class ExpectedText:
    """Removed strings, looked for in any spelling that folds to theirs, standing alone."""

    def __init__(self, strings: Sequence[str]) -> None:
        self.keys = sorted({key for string in strings if (key := fold_term(string))})
        self._strings = Strings(self.keys)

    def find(self, text: str) -> list[tuple[str, Span]]:
        """Every occurrence: the key and where it is."""
        found: dict[tuple[str, Span], None] = {}
        for folded in foldings(text) if self.keys else ():
            for key, start, end in self._strings.find(folded.text):
                found[key, folded.span(start, end)] = None
        return list(found)


class PdfiumPages:
    """The pages of a file as PDFium reads them. If PDFium cannot read the file, the bytes from `otherwise` are read."""

    def __init__(self, data: bytes, otherwise: Callable[[], bytes] | None = None) -> None:
        self._data = data
        self._otherwise = otherwise
        self._document: Any = None

    def __enter__(self) -> PdfiumPages:
        LOCK.acquire()
        try:
            self._document = self._load(self._data)
            if self._document is None and self._otherwise is not None:
                self._document = self._load(self._otherwise())
            if self._document is None:
                raise _unreadable()
        except BaseException:
            LOCK.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._document.close()
        finally:
            LOCK.release()

    def _load(self, data: bytes) -> Any:
        import pypdfium2

        try:
            return pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError:
            return None

    def texts(self) -> Iterator[str]:
        for number in range(len(self._document)):
            yield self.text(number)

    def text(self, number: int) -> str:
        """A page's text; the mark that PDFium sets for a hyphen at a line's end becomes that."""
        page, reading = self._open(number)
        text = str(reading.get_text_range())
        reading.close()
        page.close()
        return text.replace("\ufffe", "-\n").replace("\u0002", "-\n")

    def _open(self, number: int) -> tuple[Any, Any]:
        import pypdfium2

        try:
            page = self._document[number]
            return page, page.get_textpage()
        except pypdfium2.PdfiumError:
            raise _unreadable() from None

    def picture(self, number: int, dpi: int, longest: int) -> tuple[Image, Matrix]:
        """A page without its annotations, and the way from its pixels to the page's own units."""
        import pypdfium2
        import pypdfium2.raw as raw

        try:
            page = self._document[number]
            scale = min(dpi / 72, longest / max(1.0, *page.get_size()))
            bitmap = page.render(scale=scale, may_draw_forms=False, draw_annots=False)
        except pypdfium2.PdfiumError:
            raise _unreadable() from None
        picture: Image = bitmap.to_pil().convert("RGB")
        width, height = picture.size
        x, y = ctypes.c_double(), ctypes.c_double()
        points: list[tuple[float, float]] = []
        for left, top in ((0, 0), (width, 0), (0, height)):
            raw.FPDF_DeviceToPage(
                page.raw, 0, 0, width, height, 0, left, top, ctypes.byref(x), ctypes.byref(y)
            )
            points.append((x.value, y.value))
        page.close()
        (ex, ey), (ax, ay), (cx, cy) = points
        return picture, (
            (ax - ex) / width, (ay - ey) / width, (cx - ex) / height, (cy - ey) / height, ex, ey,
        )  # fmt: skip

    def boxes(self, number: int, spans: Sequence[Span]) -> list[list[PdfiumBox]]:
        """The places of the characters of each span of a page's text, in the page's own units."""
        import pypdfium2.raw as raw

        page, reading = self._open(number)
        text = str(reading.get_text_range())
        places = _utf16_positions(text)
        edges = [ctypes.c_double() for _ in range(4)]
        found: list[list[PdfiumBox]] = []
        for span in spans:
            boxes: list[PdfiumBox] = []
            for at in sorted({places[at] for at in range(span.start, min(span.end, len(places)))}):
                index = raw.FPDFText_GetCharIndexFromTextIndex(reading.raw, at)
                if index >= 0 and raw.FPDFText_GetCharBox(reading.raw, index, *map(ctypes.byref, edges)):
                    left, right, bottom, top = (edge.value for edge in edges)
                    if right > left or top > bottom:
                        boxes.append((left, right, bottom, top))
            found.append(boxes)
        reading.close()
        page.close()
        return found


def _unreadable() -> InputError:
    return InputError(
        "The PDF is damaged: a second reader cannot open it.", "Open it in a viewer and save it again."
    )


def _utf16_positions(text: str) -> list[int]:
    """From the characters of `text()` back to PDFium's UTF-16 text."""
    places: list[int] = []
    at = 0
    for char in text:
        places.extend([at, at] if char in "\ufffe\u0002" else [at])
        at += 2 if ord(char) > 0xFFFF else 1
    return places
