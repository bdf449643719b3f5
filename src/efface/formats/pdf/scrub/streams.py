"""Streams that are kept, freed of what their decoders never look at."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pikepdf
from pikepdf import Array, Name, Stream

from efface.errors import Refused
from efface.formats.patching.colour_profiles import wordless
from efface.formats.pdf.fonts.font_names import nameless
from efface.formats.pdf.object_values import integer, stream_bytes
from efface.formats.pdf.reader.object_walk import name_of, walk
from efface.formats.pdf.writer.images import without_metadata

_TEXTUAL = frozenset(["/LZWDecode", "/ASCII85Decode", "/ASCIIHexDecode", "/RunLengthDecode"])
_SAMPLES = _TEXTUAL | {"/FlateDecode"}
_SLACK = 8  # bytes behind the last row that a producer may leave, such as the end of a line
_MOST_COMPONENTS = 4  # colours of a pixel, as in CMYK
_KNOWN_COMPONENTS = {
    **dict.fromkeys(("/DeviceGray", "/G", "/CalGray", "/Indexed", "/I", "/Separation"), 1),
    **dict.fromkeys(("/DeviceRGB", "/RGB", "/CalRGB", "/Lab"), 3),
}
_PICTURES = frozenset(["/DCTDecode", "/JPXDecode"])
_MAPS = frozenset(["/ToUnicode", "/Encoding", "/UseCMap"])
_FONT_PROGRAMS = frozenset(["/FontFile", "/FontFile2", "/FontFile3"])
_COMMENT = re.compile(rb"%[^\r\n]*")
_CHUNK = 1 << 20  # bytes that are unpacked at once
_MAX_TOTAL = 1 << 32  # bytes that all streams of a file may unpack to
MAX_LZW = 1 << 21  # raw bytes; what LZW grows to has no other bound


def clean_streams(pdf: pikepdf.Pdf) -> None:
    """Cuts data behind the end of a compressed stream, undoes odd filters, drops metadata inside images
    and the words inside fonts and colour profiles."""
    total = 0

    def visit(obj: pikepdf.Object, key: str) -> None:
        nonlocal total
        if not isinstance(obj, Stream):
            return
        filters = filters_of(obj)
        total += _clean_encoding(obj, filters)
        _clean_content(obj, key, filters)
        if total > _MAX_TOTAL:
            raise Refused("The PDF unpacks to more than 4 GiB.", "Split it first.")

    walk(pdf, visit)


def _clean_encoding(obj: Stream, filters: list[str]) -> int:
    """Leaves nothing in the raw bytes that no filter gives back. Returns how much a plain compressed stream unpacks to."""
    if filters == ["/FlateDecode"]:
        return _end_at_data(obj)
    if filters and filters[-1] in _PICTURES and _TEXTUAL.issuperset(filters[:-1]):
        _strip_picture(obj, filters)
    elif filters and _TEXTUAL.issuperset(filters) and obj.get("/Subtype") != "/Image":
        guard(obj)
        obj.write(obj.read_bytes(pikepdf.StreamDecodeLevel.generalized))
    return 0


def _clean_content(obj: Stream, key: str, filters: list[str]) -> None:
    """Drops what no viewer shows: rows behind a picture, words inside fonts and profiles, comments of programs."""
    if obj.get("/Subtype") == "/Image" and _SAMPLES.issuperset(filters):
        _cut_rows(obj)
    if key in _FONT_PROGRAMS:
        _rewrite(obj, nameless)
    elif "/N" in obj and "/First" not in obj:  # a colour profile; a stream of objects has both
        _rewrite(obj, _colours_only)
    if obj.get("/FunctionType") == 4 or "/CMapName" in obj or key in _MAPS:
        _uncomment(obj)


def filters_of(stream: Stream) -> list[str]:
    value = stream.get("/Filter")
    names = list(value) if isinstance(value, Array) else [value]
    return [name_of(name) for name in names if isinstance(name, Name)]


def guard(stream: Stream) -> None:
    """Refuses what could unpack without bound."""
    if "/LZWDecode" in filters_of(stream) and len(stream.get_raw_stream_buffer()) > MAX_LZW:
        raise Refused("The PDF holds an LZW stream that is too large.", "Print the document to a new PDF.")


def _end_at_data(stream: Stream) -> int:
    """Ends a compressed stream where its data ends; returns how much it unpacks to."""
    raw = bytes(stream.get_raw_stream_buffer())
    inflater = zlib.decompressobj()
    size = 0
    waiting = raw
    try:
        while not inflater.eof:
            piece = inflater.decompress(waiting, _CHUNK)
            waiting = inflater.unconsumed_tail
            size += len(piece)
            if size > _MAX_TOTAL or not (piece or waiting):
                break
    except zlib.error:
        return size  # damaged: viewers show what they can, and so the pages were read
    if inflater.unused_data.strip(b"\r\n\0 "):
        parameters: Any = stream.get("/DecodeParms")
        kept = raw[: len(raw) - len(inflater.unused_data)]
        stream.write(kept, filter=Name.FlateDecode, decode_parms=parameters)
    return size


def _cut_rows(image: Stream) -> None:
    """An image without samples below its last row."""
    width, height, bits = (integer(image.get(key)) for key in ("/Width", "/Height", "/BitsPerComponent"))
    if image.get("/ImageMask"):
        bits = 1
    row = -(-width * bits * _components(image.get("/ColorSpace")) // 8)
    guard(image)
    try:
        data = image.read_bytes(pikepdf.StreamDecodeLevel.generalized)
    except pikepdf.PdfError:
        return
    if row * height and len(data) > row * height + _SLACK:
        image.write(data[: row * height])


def _components(space: Any) -> int:
    """How many samples make a pixel; the most possible where the picture does not say."""
    name, more = space, None
    if isinstance(space, Array) and len(space) > 1:
        name, more = space[0], space[1]
    if name == "/ICCBased" and isinstance(more, Stream):
        return integer(more.get("/N")) or _MOST_COMPONENTS
    if name == "/DeviceN" and isinstance(more, Array):
        return len(more)
    return _KNOWN_COMPONENTS.get(str(name), _MOST_COMPONENTS) if name is not None else 1


def _uncomment(stream: Stream) -> None:
    """PostScript (functions, character maps) without its comments."""
    data = stream_bytes(stream)
    if b"%" in data:
        stream.write(_COMMENT.sub(b"", data))


def _rewrite(stream: Stream, change: Callable[[bytes], bytes]) -> None:
    data = stream_bytes(stream)
    if (changed := change(data)) != data:
        stream.write(changed)


def _colours_only(data: bytes) -> bytes:
    """A colour profile without its words; a damaged one, or no profile, as it is."""
    try:
        return wordless(data) if data[36:40] == b"acsp" else data
    except struct.error:
        return data


def _strip_picture(stream: Stream, filters: list[str]) -> None:
    guard(stream)
    data = bytes(stream.get_raw_stream_buffer())
    if len(filters) > 1:
        data = stream.read_bytes(pikepdf.StreamDecodeLevel.generalized)
    stripped = without_metadata(data)
    if stripped != data or len(filters) > 1:
        parameters: Any = stream.get("/DecodeParms")
        last: Any = parameters[-1] if isinstance(parameters, Array) and len(parameters) else parameters
        stream.write(
            stripped, filter=Name(filters[-1]), decode_parms=None if isinstance(last, Array) else last
        )
