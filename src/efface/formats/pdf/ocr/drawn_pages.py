"""Pages that become pictures, and the words of a page that are drawn as outlines.

Such words are read by OCR where outlines stand in a row, and put over the page as invisible text. Nothing can take a
word out of a drawing, so a page becomes a picture of itself once one of its drawn words is covered.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Dictionary, Name, Stream

from efface.core import Document, Edit
from efface.files import ocr
from efface.formats.pdf.reader.covers import Box
from efface.formats.pdf.reader.document import PdfOrigin
from efface.formats.pdf.reader.matrix import Matrix, apply, invert, numbers
from efface.formats.pdf.reader.object_walk import members
from efface.formats.pdf.reader.pdfium_text import PdfiumPages

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 180  # at which letters are large enough for OCR
_AROUND = 2.0  # points around a row of outlines that are looked at


def only_rows(picture: Image, places: Iterable[Box], to_page: Matrix) -> Image:
    """The picture of a page with nothing but the places in which outlines stand in a row."""
    from PIL import Image as PillowImage

    shown = PillowImage.new("RGB", picture.size, "white")
    for place in places:
        box = _pixels(picture, place, to_page)
        if box[0] < box[2] and box[1] < box[3]:
            shown.paste(picture.crop(box), box)
    return shown


def _pixels(picture: Image, place: Box, to_page: Matrix) -> tuple[int, int, int, int]:
    """The pixels around a place of the page."""
    from_page = invert(to_page)
    if from_page is None:
        return 0, 0, *picture.size
    left, bottom, right, top = place
    low = apply(from_page, left - _AROUND, bottom - _AROUND)
    high = apply(from_page, right + _AROUND, top + _AROUND)
    (x0, x1), (y0, y1) = sorted((low[0], high[0])), sorted((low[1], high[1]))
    width, height = picture.size
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1) + 1), min(height, int(y1) + 1)


def removed_outlines(document: Document, edits: Sequence[Edit], origin: PdfOrigin) -> dict[int, list[Box]]:
    """By page, the places of the words drawn as outlines that edits take out."""
    found: dict[int, list[Box]] = {}
    for block in origin.blocks:
        words = origin.drawn.get(block.root.page, ()) if block.root.kind == "page" else ()
        gone: set[str] = set()
        for edit in edits if words else ():
            start, end = max(edit.start, block.start), min(edit.end, block.end)
            gone.update(map(bare, document.text[start:end].split()))
        places = [word.box for word in words if word.letters in gone]
        if places:
            found[block.root.page] = places
    return found


def bare(text: str) -> str:
    """A word as it is compared: its letters and digits."""
    return "".join(filter(str.isalnum, text)).casefold()


def as_pictures(data: bytes, removed: Mapping[int, Sequence[Box]]) -> bytes:
    """The file with some of its pages as pictures of what they show, and places of these pages black."""
    if not removed:
        return data
    from PIL import ImageDraw

    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf, PdfiumPages(data) as witness:
        for number, places in sorted(removed.items()):
            picture, to_page = witness.picture(number, DPI, ocr.LONGEST)
            for place in places:
                ImageDraw.Draw(picture).rectangle(_pixels(picture, place, to_page), fill="black")
            become_picture(pdf, pdf.pages[number], picture, to_page)
        pdf.remove_unreferenced_resources()
        pdf.save(buffer, encryption=False, deterministic_id=True)
    return buffer.getvalue()


def become_picture(pdf: pikepdf.Pdf, page: pikepdf.Page, picture: Image, to_page: Matrix) -> None:
    """A page that shows its picture and nothing else; annotations stay."""
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=90)
    image = Stream(pdf, buffer.getvalue())
    image["/Type"], image["/Subtype"], image["/Filter"] = Name.XObject, Name.Image, Name.DCTDecode
    image["/Width"], image["/Height"] = picture.size
    image["/BitsPerComponent"], image["/ColorSpace"] = 8, Name.DeviceRGB
    a, b, c, d, _, _ = to_page
    width, height = picture.size
    origin = apply(to_page, 0.0, float(height))
    matrix = numbers(a * width, b * width, -c * height, -d * height, *origin)
    for key, _value in members(page.obj):
        if key in ("/StructParents", "/Group"):
            del page.obj[str(key)]
    page.obj["/Resources"] = Dictionary(XObject=Dictionary({"/Page": pdf.make_indirect(image)}))
    page.obj["/Contents"] = pdf.make_indirect(Stream(pdf, f"q {matrix} cm /Page Do Q\n".encode()))
