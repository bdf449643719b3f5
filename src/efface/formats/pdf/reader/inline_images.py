"""Images that a content stream holds itself."""

from __future__ import annotations

import pikepdf
from pikepdf import Dictionary, Name, Stream

from efface.formats.pdf.reader.object_walk import members


def from_inline(pdf: pikepdf.Pdf, inline: pikepdf.PdfInlineImage, resources: Dictionary) -> Stream:
    """An inline image as an image of its own."""
    stream = Stream(pdf, inline.read_raw_bytes())
    for key, value in members(inline.obj):
        if isinstance(key, str) and key != "/Length":
            stream[key] = value
    stream["/Type"], stream["/Subtype"] = Name.XObject, Name.Image
    spaces, space = resources.get("/ColorSpace"), stream.get("/ColorSpace")
    if isinstance(space, Name) and isinstance(spaces, Dictionary) and str(space) in spaces:
        stream["/ColorSpace"] = spaces[str(space)]
    return stream
