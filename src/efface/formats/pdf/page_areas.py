"""Areas and whole pages that a person takes out of a PDF.

A page with an area becomes a picture of itself with the area painted black: nothing but pixels crosses over, so
nothing can lie below the paint. So does a page that shows a part of a picture of which another part was taken out.
Other pages are copied as they are. The document is built again, so that outlines,
forms, attachments and earlier versions, which may hold what was taken out, stay behind.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from efface.errors import InputError, Refused
from efface.files.pdfium_lock import LOCK
from efface.formats.pdf.flatten import add_picture_page, page_picture
from efface.formats.pdf.shared_drawings import shared_with, shows_all

if TYPE_CHECKING:
    from PIL.Image import Image

AreaBox = tuple[
    float, float, float, float
]  # left, top, right, bottom: parts of the page as it is seen, 0 to 1

_DPI = 200  # the resolution of a page that becomes a picture
_BLEED = 2  # pixels around an area that are painted too, for what lies on its edge
# Keys of a page that are copied, and those of an annotation that are not: others lead to the rest of the document.
_PAGE_KEYS = frozenset(
    "/Type /Parent /MediaBox /CropBox /Rotate /UserUnit /Resources /Contents /Group /Annots".split()
)
_ANNOTATION_LINKS = frozenset(
    "/Parent /Popup /P /Dest /A /AA /PA /IRT /StructParent /FS /AF /OC /Sound /Movie /RichMediaContent /3DD".split()
)


def take_out(data: bytes, areas: Mapping[int, Sequence[AreaBox]], pages: Collection[int]) -> bytes:
    """The PDF without these pages, and with these areas of the others painted over. Pages count from 0."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as source, pikepdf.new() as target:
        count = len(source.pages)
        left = [number for number in range(count) if number not in pages]
        if not left:
            raise Refused("Every page was taken out.", "Keep at least one page.")
        if any(not 0 <= number < count for number in (*areas, *pages)):
            raise Refused("A page or an area is on a page that is not there.", "Undo it.")
        source.remove_unreferenced_resources()  # a list that pages share names what only one of them draws
        has_layers = "/OCProperties" in source.Root  # a copied page would show layers that are switched off
        shared = shared_with(source, {*areas, *pages})
        hidden = shared.unclear | _partly_seen(data, shared.pictures)
        for number in left:
            page = source.pages[number]
            if number in areas or number in hidden or has_layers or _has_fields(page):
                picture, width, height = _page_picture(data, number)
                _paint(picture, areas.get(number, ()))
                add_picture_page(target, picture, width, height)
            else:
                target.pages.append(page)
                _cut_links(target.pages[-1])
        return _saved(target)


def _partly_seen(data: bytes, numbers: Collection[int]) -> frozenset[int]:
    """The pages among these that draw more than they show: what was taken out elsewhere may be in the rest."""
    import pypdfium2

    if not numbers:
        return frozenset()
    with LOCK:
        source = pypdfium2.PdfDocument(data)
        try:
            return frozenset(number for number in numbers if not shows_all(source[number]))
        except pypdfium2.PdfiumError:
            return frozenset(numbers)
        finally:
            source.close()


def empty_file() -> bytes:
    """A PDF as `take_out` saves it, with nothing in it: what every such file holds."""
    import pikepdf

    with pikepdf.new() as target:
        return _saved(target)


def _saved(target: Any) -> bytes:
    output = io.BytesIO()
    # An identifier that is made from the content would look like an unknown string in the new file.
    target.save(output, static_id=True)
    return output.getvalue()


def _has_fields(page: Any) -> bool:
    """Whether form fields are on the page: what they show belongs to the form, which is not copied."""
    annotations = page.obj.get("/Annots", ())
    return any(str(each.get("/Subtype", "")) == "/Widget" for each in annotations)


def _cut_links(page: Any) -> None:
    """Take off a copied page what leads to the rest of its old document."""
    for key in set(page.obj.keys()) - _PAGE_KEYS:
        del page.obj[key]
    for annotation in page.obj.get("/Annots", ()):
        for key in set(annotation.keys()) & _ANNOTATION_LINKS:
            del annotation[key]


def _page_picture(data: bytes, number: int) -> tuple[Image, float, float]:
    import pypdfium2

    with LOCK:
        source = pypdfium2.PdfDocument(data)
        try:
            source.init_forms()
            return page_picture(source[number], _DPI)
        except pypdfium2.PdfiumError:
            raise InputError("The page cannot be drawn.", "Open the file in another program.") from None
        finally:
            source.close()


def _paint(picture: Image, boxes: Sequence[AreaBox]) -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    width, height = picture.size
    for left, top, right, bottom in boxes:
        corners = (
            left * width - _BLEED,
            top * height - _BLEED,
            right * width + _BLEED,
            bottom * height + _BLEED,
        )
        draw.rectangle(corners, fill="black")
