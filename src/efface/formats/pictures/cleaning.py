"""Picture files: what they carry besides their pixels goes, what they say in letters is shown.

PNG, JPEG and GIF lose their metadata, the words in their colour profiles and anything after their end. Metafiles (EMF, WMF) draw text with records
that hold it; their words are shown. Other pictures are stored again elsewhere, as what they paint. What is no picture is blanked.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from efface.formats.patching.colour_profiles import wordless
from efface.formats.pictures import metafiles

PNG = b"\x89PNG\r\n\x1a\n"
_MAX_PROFILE = 4 << 20  # of a colour profile once it is unpacked
BLANK = (
    PNG
    + b"\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\x06\0\0\0\x1f\x15\xc4\x89"
    + b"\0\0\0\x0bIDATx\xdac`\0\2\0\0\5\0\1\xe9\xfa\xdc\xd8"
    + b"\0\0\0\0IEND\xaeB`\x82"
)

_PNG_KEPT = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST acTL fcTL fdAT".split())
_OPAQUE = (b"BM", b"II*\0", b"MM\0*", b"II\xbc\x01", b"\0\0\1\0", b"RIFF")
_WORDS = re.compile(rb"[A-Za-z][A-Za-z .,@'_-]{5,}|(?:[A-Za-z .,@'_-]\0){6,}")


def cleaned(data: bytes) -> bytes:
    """The picture without its metadata; a blank one when it is damaged or no picture at all."""
    try:
        return _cleaned(data)
    except (struct.error, IndexError, ValueError, zlib.error, OSError, EOFError):
        return BLANK


def _cleaned(data: bytes) -> bytes:
    if data.startswith(PNG):
        return PNG + b"".join(_png_chunks(data))
    if data.startswith(b"\xff\xd8\xff"):
        return b"".join(_jpeg_segments(data))
    if data.startswith((b"GIF87a", b"GIF89a")):
        return b"".join(_gif_blocks(data))
    if data.startswith(_OPAQUE):
        return data
    return metafiles.whole(data)


def is_opaque(data: bytes) -> bool:
    """A picture kept as it came, with whatever it carries."""
    return data.startswith(_OPAQUE)


def _png_chunks(data: bytes) -> Iterator[bytes]:
    position = len(PNG)
    while True:
        (length,) = struct.unpack_from(">I", data, position)
        end = position + 12 + length
        kind = data[position + 4 : position + 8]
        if end > len(data):
            raise ValueError("the picture is cut short")
        if kind == b"iCCP":
            yield _png_profile(data[position + 8 : end - 4])
        elif kind in _PNG_KEPT:
            yield data[position:end]
        if kind == b"IEND":
            return
        position = end


def png_pixels(data: bytes) -> Iterator[bytes]:
    """The compressed pixels of a cleaned PNG, piece by piece."""
    for chunk in _png_chunks(data):
        if chunk[4:8] == b"IDAT":
            yield chunk[8:-4]


def _png_profile(content: bytes) -> bytes:
    """A colour profile without its name and its words."""
    engine = zlib.decompressobj()
    profile = engine.decompress(content.partition(b"\0")[2][1:], _MAX_PROFILE)
    chunk = b"iCCP" + b"icc\0\0" + zlib.compress(wordless(profile))
    return struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))


def _jpeg_segments(data: bytes) -> Iterator[bytes]:
    """Every segment but comments and application data; of these the colour ones stay, as they change the look."""
    yield data[:2]
    position = 2
    while True:
        if data[position] != 0xFF:
            raise ValueError("the picture is damaged")
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
            continue
        if marker == 0xD9:
            yield data[position : position + 2]
            return
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            yield data[position : position + 2]
            position += 2
            continue
        (length,) = struct.unpack_from(">H", data, position + 2)
        end = position + 2 + length
        segment = data[position:end]
        if marker == 0xE1:
            yield _orientation(segment[4:])
        elif segment[4:18] == b"ICC_PROFILE\0\1\1":  # one that spans several segments goes
            yield segment[:18] + wordless(segment[18:])
        elif _jpeg_kept(marker, segment[4:]):
            yield segment
        if marker == 0xDA:
            scan = _scan_end(data, end)
            yield data[end:scan]
            end = scan
        position = end


def _orientation(content: bytes) -> bytes:
    """Keeps only the orientation of what the camera wrote. Without it the picture would be shown sideways."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(content[6:10], "")
    if not content.startswith(b"Exif\0\0") or not order:
        return b""
    (start,) = struct.unpack_from(order + "I", content, 10)
    (count,) = struct.unpack_from(order + "H", content, 6 + start)
    for entry in range(8 + start, min(len(content) - 11, 8 + start + 12 * count), 12):
        tag, kind, _, turn = struct.unpack_from(order + "HHIH", content, entry)
        if (tag, kind) == (0x0112, 3) and 2 <= turn <= 8:
            alone = struct.pack(">4sIHHHIHHI", b"MM\0*", 8, 1, 0x0112, 3, 1, turn, 0, 0)
            return b"\xff\xe1" + struct.pack(">H", 8 + len(alone)) + b"Exif\0\0" + alone
    return b""


def _jpeg_kept(marker: int, content: bytes) -> bool:
    if marker == 0xE0:
        return content.startswith(b"JFIF\0") and content[12:14] == b"\0\0"
    if marker == 0xEE:
        return content.startswith(b"Adobe")
    return not (0xE0 <= marker <= 0xEF or marker == 0xFE)


_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def _scan_end(data: bytes, start: int) -> int:
    match = _SCAN_END.search(data, start)
    if match is None:
        raise ValueError("the picture is cut short")
    return match.start()


def _gif_blocks(data: bytes) -> Iterator[bytes]:
    position = 13 + _gif_colours(data[10])
    yield data[:position]
    while True:
        start, kind = position, data[position]
        if kind == 0x3B:
            yield b";"
            return
        if kind == 0x2C:
            position = start + 11 + _gif_colours(data[start + 9])
            kept = True
        elif kind == 0x21:
            position = start + 2
            kept = data[start + 1] == 0xF9 or data[start + 3 : start + 14] == b"NETSCAPE2.0"
        else:
            raise ValueError("the picture is damaged")
        while data[position]:
            position += data[position] + 1
        position += 1
        if kept:
            yield data[start:position]


def gif_images(data: bytes) -> Iterator[bytes]:
    """Every image of a cleaned GIF as a file of its own."""
    head, *blocks = _gif_blocks(data)
    about = b""
    for block in blocks:
        if block.startswith(b"\x2c"):
            yield head + about + block + b";"
        about = block if block.startswith(b"\x21\xf9") else b""


def _gif_colours(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def words(data: bytes) -> str:
    """What a picture says in letters. A metafile: its records in order and run together as they would be on the
    page, then the strings of its other records, those with pixels excepted. An opaque picture: what looks like
    words in its data. Others were cleaned and say nothing."""
    if metafiles.is_metafile(data):
        return metafiles.words(data)
    if is_opaque(data):
        return "\n".join(metafiles.decoded(match[0]) for match in _WORDS.finditer(data))
    return ""
