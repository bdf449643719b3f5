"""Opens a PDF whatever is wrong with it, or says in one sentence why not."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from efface.errors import InputError, Refused
from efface.files.pdfium_lock import LOCK

if TYPE_CHECKING:
    import pikepdf

logging.getLogger("pikepdf").addHandler(logging.NullHandler())  # its warnings on a damaged file are not shown

MAX_BYTES = 1 << 30  # of a file
MAX_OBJECTS = 2_000_000  # of a file; a book has some ten thousand
MAX_PAGES = 20_000  # unless the settings of the service say fewer
MAX_DECODED = 1 << 28  # what one compressed stream may grow to


@dataclass
class PdfLimits:
    """What a PDF may be in this process. A worker of the service lowers it once, before its first file: then it holds
    for PDFs within mails too."""

    pages: int = MAX_PAGES

    def require(self, pages: int) -> None:
        if pages > self.pages:
            raise InputError(
                f"The PDF has more than {self.pages} pages.",
                "Split it; in the service whoever runs it can also raise the setting `pages`.",
            )


LIMITS = PdfLimits()


def open_pdf(data: bytes) -> pikepdf.Pdf:
    """The file parsed, its cross-reference table repaired if need be."""
    import pikepdf

    _limit_qpdf()
    if len(data) > MAX_BYTES:
        raise InputError("The PDF is larger than 1 GiB.", "Split it first.")
    if not data:
        raise InputError("The file is empty.", "Copy or save it again and retry.")
    if b"%PDF-" not in data[:2048]:
        raise InputError("The file is not a PDF.", "Give it the extension of what it is.")
    try:
        pdf = _parsed(data)
    except pikepdf.PasswordError:
        raise InputError("The PDF needs a password.", "Save it without a password first.") from None
    except _errors():
        pdf = _recovered(data)
    pages = len(pdf.pages)
    if not pages:
        raise InputError("The PDF has no pages.", "Check that the file is complete.")
    LIMITS.require(pages)
    if len(pdf.objects) > MAX_OBJECTS:
        raise Refused("The PDF has too many objects to be checked.", "Split it first.")
    _number_fonts(pdf)
    return pdf


def _number_fonts(pdf: pikepdf.Pdf) -> None:
    """Makes each font an object of its own: what a font loses with removed text is counted by its number."""
    import pikepdf

    for holder in [*pdf.objects, pdf.Root.get("/AcroForm")]:
        if not isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
            continue
        # Resources belong to a page, a form or a glyph, or to all fields together; or they are an object themselves.
        for resources in (holder, holder.get("/Resources"), holder.get("/DR")):
            fonts = (
                resources.get("/Font") if isinstance(resources, pikepdf.Dictionary | pikepdf.Stream) else None
            )
            if not isinstance(fonts, pikepdf.Dictionary):
                continue
            for name, font in list(fonts.items()):
                if isinstance(font, pikepdf.Dictionary) and not font.is_indirect:
                    fonts[name] = pdf.make_indirect(font)


def _parsed(data: bytes) -> pikepdf.Pdf:
    """The file as it is; one whose pages cannot be counted counts as damaged."""
    import pikepdf

    pdf = pikepdf.open(io.BytesIO(data))
    len(pdf.pages)
    _root(pdf)
    return pdf


def _recovered(data: bytes) -> pikepdf.Pdf:
    """A file that qpdf gives up on, as PDFium reads it and writes it again."""
    import pypdfium2

    try:
        with LOCK, pypdfium2.PdfDocument(data) as document:
            buffer = io.BytesIO()
            document.save(buffer)
        return _parsed(buffer.getvalue())
    except (*_errors(), pypdfium2.PdfiumError):
        raise _damaged() from None


def _errors() -> tuple[type[Exception], ...]:
    import pikepdf

    return (pikepdf.PdfError, RuntimeError, ValueError, TypeError)


def _root(pdf: pikepdf.Pdf) -> None:
    """Makes the root an object of its own: all is found from there. A repaired trailer may lack its size."""
    root = pdf.Root
    pdf.trailer["/Root"] = root if root.is_indirect else pdf.make_indirect(root)
    if "/Size" not in pdf.trailer:
        pdf.trailer["/Size"] = 1  # qpdf writes the true one, but only where it finds one


def _damaged() -> InputError:
    return InputError("The PDF is damaged beyond repair.", "Open it in a viewer and save it again.")


@cache
def _limit_qpdf() -> None:
    """Caps what a stream may unpack to; content streams with errors are read to their end all the same."""
    from pikepdf import settings

    settings.set_qpdf_limits(
        flate_max_memory=MAX_DECODED,
        run_length_max_memory=MAX_DECODED,
        png_max_memory=MAX_DECODED,
        tiff_max_memory=MAX_DECODED,
        dct_max_memory=MAX_DECODED,
        parser_max_errors=0,
    )
