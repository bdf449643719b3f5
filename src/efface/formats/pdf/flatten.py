"""Every page as a picture: the last resort that leaves no text at all."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from efface.errors import InputError, Refused
from efface.files.pdfium_lock import LOCK

if TYPE_CHECKING:
    import pikepdf
    from PIL.Image import Image

MAX_PIXELS = 60_000_000  # of one page: about 180 MB as colours in memory
_QUALITY = 85  # the quality of JPEG at which letters stay sharp


def flatten(data: bytes, dpi: int = 150) -> bytes:
    """A PDF whose pages are pictures of the given one's. Nothing but pixels crosses over."""
    import pikepdf

    if not 36 <= dpi <= 1200:
        raise InputError("The resolution must lie between 36 and 1200 dots per inch.")
    with pikepdf.new() as target:
        for picture, width, height in _pictures(data, dpi):
            add_picture_page(target, picture, width, height)
        output = io.BytesIO()
        target.save(output, deterministic_id=True)
    return output.getvalue()


def _pictures(data: bytes, dpi: int) -> Iterator[tuple[Image, float, float]]:
    """The pages, drawn with their annotations and form fields; with their sizes in points."""
    import pypdfium2

    with LOCK:
        try:
            source = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError:
            raise InputError("The PDF cannot be opened.", "Check that it needs no password.") from None
        try:
            source.init_forms()
            for number in range(len(source)):
                page = source[number]
                yield page_picture(page, dpi)
                page.close()
        finally:
            source.close()


def page_picture(page: Any, dpi: int) -> tuple[Image, float, float]:
    """A page as PDFium draws it, and its size in points. The caller holds the lock."""
    width, height = page.get_size()
    if width * height * (dpi / 72) ** 2 > MAX_PIXELS:
        raise Refused("A page is too large to be flattened at this resolution.", "Lower the resolution.")
    return page.render(scale=dpi / 72).to_pil().convert("RGB"), width, height


def add_picture_page(target: pikepdf.Pdf, picture: Image, width: float, height: float) -> None:
    """One more page that holds this picture and nothing else."""
    from pikepdf import Array, Dictionary, Name, Stream

    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=_QUALITY)
    image = Stream(target, buffer.getvalue())
    image["/Type"], image["/Subtype"], image["/Filter"] = Name.XObject, Name.Image, Name.DCTDecode
    image["/Width"], image["/Height"] = picture.size
    image["/BitsPerComponent"], image["/ColorSpace"] = 8, Name.DeviceRGB
    page = target.add_blank_page()
    page.obj["/MediaBox"] = Array([0, 0, round(width, 3), round(height, 3)])
    page.obj["/Resources"] = Dictionary(XObject=Dictionary({"/Page": target.make_indirect(image)}))
    page.obj["/Contents"] = Stream(target, f"q {width:.3f} 0 0 {height:.3f} 0 0 cm /Page Do Q".encode())
