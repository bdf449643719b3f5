"""The font of the invisible text that OCR puts over a page."""

from __future__ import annotations

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.formats.pdf.fonts.font_decoding import LAYER_FONT
from efface.formats.pdf.reader.layout import ASCENT, DESCENT
from efface.formats.pdf.reader.matrix import Point, numbers

_ADVANCE = 0.5  # em of every character of the layer


class LayerFont:
    """A font without glyphs: each character that is used has a code, and all are as wide."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._codes: dict[str, int] = {}
        child = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=Name(LAYER_FONT),
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            DW=round(1000 * _ADVANCE),
            CIDToGIDMap=Name.Identity,
            FontDescriptor=pdf.make_indirect(
                Dictionary(
                    Type=Name.FontDescriptor,
                    FontName=Name(LAYER_FONT),
                    Flags=5,
                    FontBBox=Array([0, -220, 500, 800]),
                    ItalicAngle=0,
                    Ascent=800,
                    Descent=-220,
                    CapHeight=700,
                    StemV=80,
                )
            ),
        )
        self.font = pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=Name(LAYER_FONT),
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([pdf.make_indirect(child)]),
            )
        )

    def show(self, text: str, start: Point, along: Point, up: Point) -> bytes:
        """Text that fills the place from its lower left corner."""
        codes = "".join(f"{self._codes.setdefault(char, len(self._codes) + 1):04x}" for char in text[:500])
        length, tall = _ADVANCE * len(codes) / 4, ASCENT + DESCENT
        base = (start[0] + up[0] * DESCENT / tall, start[1] + up[1] * DESCENT / tall)
        matrix = (along[0] / length, along[1] / length, up[0] / tall, up[1] / tall, *base)
        return f"%FONT% 1 Tf {numbers(*matrix)} Tm <{codes}> Tj".encode()

    def finish(self) -> None:
        """Writes the character of each code into the font. No text can be added after that."""
        entries = [f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for char, code in self._codes.items()]
        blocks = [entries[at : at + 100] for at in range(0, len(entries), 100)]
        body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
        cmap = (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def "
            f"/CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange\n{body}\n"
            "endcmap CMapName currentdict /CMap defineresource pop end end"
        )
        self.font["/ToUnicode"] = self._pdf.make_indirect(Stream(self._pdf, cmap.encode("ascii")))
