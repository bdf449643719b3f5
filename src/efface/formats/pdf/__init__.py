"""PDF: removed means removed, and the rest looks as before.

One interpreter runs all content (pages, forms, patterns, Type 3 glyphs, soft masks, appearances) and keeps
for every glyph the way back to its bytes; the text that the guarantees see is composed from those glyphs by
place. Writing removes glyphs from the operators, draws a box of rounded width, clears pixels beneath,
rewrites the strings around the pages, drops what hides, and saves whole, so that no earlier revision and no
unused object is in the file. PDFium reads the original and the result as a second witness.

Scans, pictures of any size, letters drawn as outlines, and pages whose text is not what they show are read by OCR. Without
it scans are refused and the others are reported as unread.

Limits: what OCR misreads is not found. A line drawn under a removed word
keeps its length, a justified line with hardly a gap may reveal how long it was, and over a scan nothing can move.
Labels are in Helvetica: what its encoding lacks loses its accents or becomes a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from efface.core import Document, Edit, Gap, Pictures
from efface.formats.pdf.flatten import flatten
from efface.formats.pdf.library_errors import guarded


@dataclass(frozen=True, slots=True)
class PDF:
    """Reads and writes PDF files."""

    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> PDF:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def gaps(self, document: Document) -> tuple[Gap, ...]:
        """What of a document was not looked at."""
        from efface.formats.pdf.reader.document import PdfOrigin

        return document.origin.gaps if isinstance(document.origin, PdfOrigin) else ()

    def read(self, data: bytes, name: str) -> Document:
        from efface.formats.pdf.ocr.pages import read

        with guarded():
            return read(data, name, self.pictures)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        from efface.formats.pdf.ocr.drawn_pages import as_pictures, removed_outlines
        from efface.formats.pdf.reader.document import PdfOrigin
        from efface.formats.pdf.writer.document import Writer

        if not isinstance(document.origin, PdfOrigin):
            raise TypeError("the document was not read by this format")
        with guarded():
            written = Writer(document, edits, document.origin).run()
            return as_pictures(written, removed_outlines(document, edits, document.origin))


__all__ = ["PDF", "flatten"]
