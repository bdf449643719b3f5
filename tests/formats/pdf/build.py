"""PDF files from raw objects, for tests."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.core import Document, Edit
from efface.text.folding import fold_term, foldings

WIDTH, HEIGHT = 400, 300


def new_pdf(*contents: bytes, version: str = "1.7") -> pikepdf.Pdf:
    """A file with one page for each content; /F1 is Helvetica, /F2 Courier."""
    pdf = pikepdf.new()
    fonts = Dictionary(
        F1=pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
            )
        ),
        F2=pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier)),
    )
    for content in contents:
        page = pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
        page.obj["/Resources"] = Dictionary(Font=fonts)
        page.obj["/Contents"] = pdf.make_indirect(Stream(pdf, content))
    return pdf


def save(pdf: pikepdf.Pdf, **options: Any) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(action="ignore"):  # the flaws are what the tests are about
        pdf.save(buffer, static_id=True, **options)
    return buffer.getvalue()


def line(
    text: str, y: float = 250, x: float = 40, size: float = 12, font: str = "F1", extra: str = ""
) -> bytes:
    """One line of text."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size} Tf {extra} {x} {y} Td ({escaped}) Tj ET\n".encode("cp1252")


def form(pdf: pikepdf.Pdf, content: bytes, **entries: Any) -> pikepdf.Object:
    """A form XObject that covers the page and knows the page's fonts."""
    stream = Stream(pdf, content)
    stream["/Type"], stream["/Subtype"] = Name.XObject, Name.Form
    stream["/BBox"] = Array([0, 0, WIDTH, HEIGHT])
    stream["/Resources"] = Dictionary(Font=pdf.pages[0].obj["/Resources"]["/Font"])
    for key, value in entries.items():
        stream["/" + key] = value
    return pdf.make_indirect(stream)


def annotate(pdf: pikepdf.Pdf, page: int = 0, **entries: Any) -> pikepdf.Object:
    annotation = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=Array([40, 40, 200, 60]), **entries))
    target = pdf.pages[page].obj
    if "/Annots" not in target:
        target["/Annots"] = Array()
    target["/Annots"].append(annotation)
    return annotation


def image(pdf: pikepdf.Pdf, width: int, height: int, data: bytes, **entries: Any) -> pikepdf.Object:
    stream = Stream(pdf, data)
    stream["/Type"], stream["/Subtype"] = Name.XObject, Name.Image
    stream["/Width"], stream["/Height"] = width, height
    stream["/BitsPerComponent"], stream["/ColorSpace"] = 8, Name.DeviceGray
    for key, value in entries.items():
        stream["/" + key] = value
    return pdf.make_indirect(stream)


def vera() -> bytes:
    """A TrueType font to embed."""
    import reportlab

    return (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()


def composite_font(
    pdf: pikepdf.Pdf, *, name: str = "ABCDEF+Vera", unicode: bool = True
) -> tuple[Any, dict[str, int]]:
    """A Type 0 font over Vera with glyph numbers as codes, and the map from characters to codes."""
    from fontTools.ttLib import TTFont

    data = vera()
    font = TTFont(io.BytesIO(data))
    codes = {chr(code): font.getGlyphID(glyph) for code, glyph in font.getBestCmap().items() if code < 0x250}
    widths = [w * 1000 / font["head"].unitsPerEm for w, _ in (font["hmtx"][g] for g in font.getGlyphOrder())]
    file = Stream(pdf, data)
    file["/Length1"] = len(data)
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/" + name),
        Flags=4,
        FontBBox=Array([-183, -236, 1287, 928]),
        ItalicAngle=0,
        Ascent=928,
        Descent=-236,
        CapHeight=729,
        StemV=80,
        FontFile2=pdf.make_indirect(file),
    )
    child = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name("/" + name),
        CIDToGIDMap=Name.Identity,
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        W=Array([0, Array([round(w) for w in widths])]),
    )
    whole = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name("/" + name),
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(child)]),
    )
    if unicode:
        entries = "\n".join(f"<{code:04x}> <{ord(char):04x}>" for char, code in codes.items())
        cmap = f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(codes)} beginbfchar {entries} endbfchar"
        whole["/ToUnicode"] = pdf.make_indirect(Stream(pdf, cmap.encode()))
    return pdf.make_indirect(whole), codes


def coded(text: str, codes: dict[str, int]) -> str:
    return "".join(f"{codes[char]:04x}" for char in text)


def deny(document: Document, *terms: str, label: str = "[X]") -> list[Edit]:
    """Edits for every occurrence of the terms, as a deny list makes them."""
    found: dict[tuple[int, int], str] = {}
    for term in terms:
        key = fold_term(term)
        for folded in foldings(document.text):
            at = folded.text.find(key)
            while at >= 0:
                if folded.stands_alone(at, at + len(key)):
                    span = folded.span(at, at + len(key))
                    found[span.start, span.end] = key
                at = folded.text.find(key, at + 1)
    edits: list[Edit] = []
    for (start, end), key in sorted(found.items()):
        if not edits or start >= edits[-1].end:
            edits.append(Edit(start, end, "X", key, "deny", label))
    return edits


def pixels(data: bytes, page: int = 0, scale: float = 2.0) -> Any:
    """A page as PDFium draws it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        return document[page].render(scale=scale).to_pil().convert("L")
    finally:
        document.close()


def changed_rows(before: Any, after: Any, tolerance: int = 24) -> list[int]:
    """The pixel rows in which two pictures differ."""
    from PIL import ImageChops

    difference = ImageChops.difference(before, after).point(lambda value: 255 if value > tolerance else 0)
    width, height = difference.size
    data = difference.tobytes()
    return [row for row in range(height) if any(data[row * width : (row + 1) * width])]
