"""Images under a removal: the pixels themselves are cleared.

Every image, however it is compressed, is decoded by PDFium, painted over and stored again. Metadata inside
image files (EXIF, comments) is taken out of all images.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, hypot
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.errors import Refused
from efface.files.pdfium_lock import LOCK
from efface.formats.pdf.object_values import integer
from efface.formats.pdf.reader.covers import bounds
from efface.formats.pdf.reader.layout import Quad
from efface.formats.pdf.reader.matrix import Matrix, Point, apply, invert

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 80_000_000  # about 240 MB as colours in memory
_LOSSY = ("/DCTDecode", "/JPXDecode")
_COARSE = 3_000  # pixels to which a coarse image is refined at most
_PAD = 1  # pixels around the cleared region


def under(ctm: Matrix, quads: Iterable[Quad]) -> list[list[Point]]:
    """The quads that touch an image, in the coordinates of its unit square."""
    back = invert(ctm)
    if back is None:
        return []
    found = []
    for quad in quads:
        corners = [apply(back, x, y) for x, y in quad]
        left, bottom, right, top = bounds(corners)
        if left < 1.0 and right > 0.0 and bottom < 1.0 and top > 0.0:
            found.append(corners)
    return found


def cleared(
    pdf: pikepdf.Pdf, image: Stream, ctm: Matrix, polygons: Sequence[Sequence[Point]]
) -> pikepdf.Object:
    """A new image with the polygons blacked out; of a stencil, not painted."""
    from PIL import ImageDraw

    stencil = bool(image.get("/ImageMask"))
    picture = render(image, _fine(image, ctm))
    draw = ImageDraw.Draw(picture)
    for polygon in polygons:
        points = [(x * picture.width, (1.0 - y) * picture.height) for x, y in polygon]
        draw.polygon(points, fill=(0, 0, 0, 0) if stencil else (0, 0, 0, 255), width=_PAD)
        draw.line([*points, points[0]], fill=(0, 0, 0, 0) if stencil else (0, 0, 0, 255), width=2 * _PAD)
    new = _stencil(pdf, picture) if stencil else _store(pdf, picture, lossy=_is_lossy(image))
    for key in ("/Interpolate", "/StructParent", "/OC", "/Intent"):
        if key in image:
            new[key] = image[key]
    return pdf.make_indirect(new)


def _fine(image: Stream, ctm: Matrix) -> tuple[int, int]:
    """A grid at least as fine as the image and its masks, and fine enough to clear a line of text in."""
    width, height = size(image)
    a, b, c, d, _, _ = ctm
    return max(width, min(ceil(hypot(a, b)), _COARSE)), max(height, min(ceil(hypot(c, d)), _COARSE))


def render(image: Stream, grid: tuple[int, int]) -> Image:
    """The image as PDFium paints it on such a grid, on nothing."""
    import pypdfium2

    width, height = grid
    if width * height > MAX_PIXELS or not width or not height:
        raise Refused(
            "An image under a removal is too large to be cleared.",
            "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
        )
    with pikepdf.new() as single:
        page = single.add_blank_page()
        page.obj["/MediaBox"] = Array([0, 0, width, height])
        page.obj["/Resources"] = Dictionary(XObject=Dictionary({"/I": single.copy_foreign(image)}))
        page.obj["/Contents"] = Stream(single, f"q {width} 0 0 {height} 0 0 cm /I Do Q".encode())
        buffer = io.BytesIO()
        single.save(buffer)
    try:
        with LOCK, pypdfium2.PdfDocument(buffer.getvalue()) as document:
            bitmap = document[0].render(
                scale=1, fill_color=(0, 0, 0, 0), maybe_alpha=True, may_draw_forms=False
            )
            picture: Image = bitmap.to_pil().convert("RGBA")
            return picture
    except pypdfium2.PdfiumError:
        raise Refused(
            "An image under a removal cannot be decoded.",
            "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
        ) from None
    finally:
        document.close()


def size(image: Stream) -> tuple[int, int]:
    """The finest grid among the image and its masks."""
    layers = [image, *(mask for key in ("/SMask", "/Mask") if isinstance(mask := image.get(key), Stream))]
    width = max(integer(layer.get("/Width")) for layer in layers)
    height = max(integer(layer.get("/Height")) for layer in layers)
    return width, height


def _is_lossy(image: Stream) -> bool:
    filters = image.get("/Filter")
    names = list(filters) if isinstance(filters, Array) else [filters]
    return any(name in _LOSSY for name in names)


def stored(pdf: pikepdf.Pdf, picture: Image) -> Stream:
    """An image of the file that holds the picture, pixel by pixel."""
    return _store(pdf, picture, lossy=False)


def _store(pdf: pikepdf.Pdf, picture: Image, *, lossy: bool) -> Stream:
    alpha = picture.getchannel("A")
    colour = picture.convert("RGB")
    red, green, blue = colour.split()
    grey = red.tobytes() == green.tobytes() == blue.tobytes()
    plane = red if grey else colour
    if lossy:
        buffer = io.BytesIO()
        plane.save(buffer, "JPEG", quality=92)
        stream = Stream(pdf, buffer.getvalue())
        stream["/Filter"] = Name.DCTDecode
    else:
        stream = Stream(pdf, plane.tobytes())
    _describe(stream, picture.size, Name.DeviceGray if grey else Name.DeviceRGB)
    if alpha.getextrema() != (255, 255):
        mask = Stream(pdf, alpha.tobytes())
        _describe(mask, picture.size, Name.DeviceGray)
        stream["/SMask"] = pdf.make_indirect(mask)
    return stream


def _stencil(pdf: pikepdf.Pdf, picture: Image) -> Stream:
    mask = picture.getchannel("A").point(lambda value: 255 if value > 127 else 0).convert("1")
    stream = Stream(pdf, mask.tobytes())
    _describe(stream, picture.size, None)
    stream["/ImageMask"] = True
    stream["/BitsPerComponent"] = 1
    stream["/Decode"] = Array([1, 0])
    return stream


def _describe(stream: Stream, size: tuple[int, int], space: Name | None) -> None:
    stream["/Type"], stream["/Subtype"] = Name.XObject, Name.Image
    stream["/Width"], stream["/Height"] = size
    stream["/BitsPerComponent"] = 8
    if space is not None:
        stream["/ColorSpace"] = space


def without_metadata(data: bytes) -> bytes:
    """A JPEG or JPEG 2000 file without comments and application data that do not belong to the picture."""
    if data[:2] == b"\xff\xd8":
        return b"".join(_jpeg(data))
    if data[4:8] == b"jP  ":
        return b"".join(_boxes(data))
    return data


_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def _jpeg(data: bytes) -> Iterator[bytes]:
    """The segments of the picture up to its end; what follows may be another picture."""
    yield data[:2]
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xD9:
            break
        length = 2
        if not (0xD0 <= marker <= 0xD8 or marker == 0x01):
            length += struct.unpack(">H", data[at + 2 : at + 4])[0]
        private = marker == 0xFE or (0xE0 <= marker <= 0xEF and marker not in (0xE0, 0xE2, 0xEE))
        end = at + length
        if marker == 0xDA:
            found = _SCAN_END.search(data, end)
            end = found.start() if found is not None else len(data)
        if not private:
            yield data[at:end]
        at = end
    yield b"\xff\xd9"


def _boxes(data: bytes) -> Iterator[bytes]:
    at = 0
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if length == 1 and at + 16 <= len(data):
            length = struct.unpack(">Q", data[at + 8 : at + 16])[0]
        end = len(data) if length == 0 else at + max(length, 8)
        if kind in (b"jP  ", b"ftyp", b"jp2h", b"jp2c"):
            yield data[at:end]
        at = end
