"""PDF: removed means removed, and the rest looks as before.

One interpreter runs all content (pages, forms, patterns, Type 3 glyphs, soft masks, appearances) and keeps
for every glyph the way back to its bytes; the text that the guarantees see is composed from those glyphs by
place. Writing removes glyphs from the operators, draws a box of rounded width, clears pixels beneath,
rewrites the strings around the pages, drops what hides, and saves whole, so that no earlier revision and no
unused object is in the file. PDFium reads the original and the result as a second witness.

Scans, and pages whose text is not what they show, are read by OCR and refused without it.

Limits: what OCR misreads is not found. Letters drawn as outlines, and words in pictures smaller than a good
part of a page, are not looked for. A line drawn under a removed word keeps its length, a justified line with
hardly a gap may tell how long it was, and over a scan nothing can move. Labels are in Helvetica: what its
encoding lacks loses its accents or becomes a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Document, Edit
from efface.formats.pdf.flatten import flatten
from efface.formats.pdf.guard import guarded


class PDF:
    """Reads and writes PDF files."""

    def read(self, data: bytes, name: str) -> Document:
        from efface.formats.pdf.recognition import read

        with guarded():
            return read(data, name)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        from efface.formats.pdf.reader import Origin
        from efface.formats.pdf.writer import Writer

        if not isinstance(document.origin, Origin):
            raise TypeError("the document was not read by this format")
        with guarded():
            return Writer(document, edits, document.origin).run()


__all__ = ["PDF", "flatten"]
