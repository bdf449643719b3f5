"""Every picture of a file in one colour, for policies that remove pictures."""

from __future__ import annotations

import io

import pikepdf
from pikepdf import ContentStreamInlineImage, Name, Stream

from efface.formats.pdf.reader.content import page_bytes, parse, serialise, stream_bytes
from efface.formats.pdf.reader.object_walk import walk
from efface.formats.pdf.reader.opening import open_pdf

_GREY = b"\xd9"
_OF_THE_OLD = ("/DecodeParms", "/SMask", "/Mask", "/Decode", "/SMaskInData", "/Alternates", "/Intent")


def without_pictures(data: bytes) -> bytes:
    """The file with a grey pixel in place of each image; inline images and stencils are gone."""
    pdf = open_pdf(data)
    walk(pdf, _visit)
    for page in pdf.pages:
        content = page_bytes(page)
        if b"BI" in content:
            page.obj["/Contents"] = pdf.make_indirect(Stream(pdf, _without_inline(pdf, content)))
    buffer = io.BytesIO()
    pdf.save(buffer, encryption=False, deterministic_id=True)
    return buffer.getvalue()


def _visit(obj: pikepdf.Object, _key: str) -> None:
    if not isinstance(obj, Stream):
        return
    if obj.get("/Subtype") == "/Image":
        _become_grey(obj)
    elif obj.get("/Subtype") == "/Form" or obj.get("/PatternType") == 1:
        content = stream_bytes(obj)
        if b"BI" in content:
            with pikepdf.new() as scratch:
                obj.write(_without_inline(scratch, content))


def _become_grey(image: Stream) -> None:
    for key in _OF_THE_OLD:
        if key in image:
            del image[key]
    stencil = bool(image.get("/ImageMask"))
    image.write(b"\x80" if stencil else _GREY)  # of a stencil, one pixel that is not painted
    image["/Width"], image["/Height"] = 1, 1
    image["/BitsPerComponent"] = 1 if stencil else 8
    if not stencil:
        image["/ColorSpace"] = Name.DeviceGray


def _without_inline(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    return serialise([one for one in parse(pdf, content) if not isinstance(one, ContentStreamInlineImage)])
