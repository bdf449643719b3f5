"""The fonts of signs that every viewer has are read as viewers show them."""

from __future__ import annotations

import io
import unicodedata

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from efface.files.pdfium_lock import LOCK
from efface.formats.pdf import PDF
from efface.formats.pdf.fonts.symbol_fonts import symbol_encoding

# Pieces of tall brackets, and signs that viewers write in several ways.
_PIECES = {"Symbol": set("|─‾®©™()[]{}〈〉ΔΩμ−⋅∗∅"), "ZapfDingbats": set[str]()}


def page(font: str, code: int) -> bytes:
    """A page with one sign between two words."""
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=True)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(50, 700, "before")
    canvas.drawString(50, 600, "after")
    canvas.setFont(font, 12)
    canvas._code.append(f"BT 1 0 0 1 50 650 Tm <{code:02X}> Tj ET")  # the code itself, whatever it is called
    canvas.save()
    return stream.getvalue()


def shown(data: bytes) -> str:
    with LOCK, pypdfium2.PdfDocument(data) as document:
        return str(document[0].get_textpage().get_text_bounded())


@pytest.mark.parametrize("font", ["Symbol", "ZapfDingbats"])
def test_signs_are_those_that_a_viewer_shows(font: str) -> None:
    signs = symbol_encoding(font)
    assert signs is not None and len(signs) > 180
    for code in (*range(0x21, 0x7F, 4), 0x6C, 0x6E, *range(0xA1, 0xFF, 5)):
        sign = signs.get(code)
        if sign is None or sign in _PIECES[font]:
            continue
        data = page(font, code)
        assert unicodedata.normalize("NFKC", sign) in unicodedata.normalize("NFKC", shown(data)), hex(code)
        assert sign in PDF().read(data, "a.pdf").text.splitlines(), hex(code)


def test_codes_of_other_fonts_are_letters() -> None:
    assert symbol_encoding("Helvetica") is None
