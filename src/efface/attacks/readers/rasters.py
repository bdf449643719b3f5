"""Reads the bytes of a raster picture: its texts, and the words that its packed pixels spell by chance.

The second is searched for what was removed, and is judged by nobody: among a hundred thousand bytes chance writes
user names and places.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise

CHANCE = " packed pixels"  # the end of the name of such a part

_APART = b"\0\0"
# Shorter ones are the signatures of a colour profile's tags.
_PROFILE_WORDS = re.compile(rb"[\x20-\x7e]{8,}|(?:[\x20-\x7e]\0){8,}")
# Among colours, tables and packed pixels: only what no chance puts there.
_CHANCE_WORDS = re.compile(rb"[A-Za-z0-9]{6,}(?:[ .@_-][A-Za-z0-9]+)*")
_PIXELS_OF_PNG = (b"IDAT", b"PLTE", b"fdAT")
_PIXELS_OF_WEBP = (b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF")
_PROFILE_TAG = 34675  # of a TIFF
_TEXT_TYPES = (1, 2, 7)  # of the values of a TIFF: bytes, characters, anything
_MOST_DIRECTORIES = 50  # of a TIFF: one for each picture in it
_NO_TEXT = (273, 279, 320, 324, 325)  # of a TIFF: where its pixels are, and its colours


def besides_pixels(data: bytes) -> tuple[bytes, bytes]:
    """Returns the texts of a picture with the data after its end, and the words found among its pixels.

    Data that are no raster picture count as one text.
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith((b"GIF87a", b"GIF89a")):
        comments = re.findall(rb"!\xfe[\x01-\xff](.*?)\0", data, re.DOTALL)
        return _APART.join(comments), _chance(data)
    if data.startswith((b"II*\0", b"MM\0*")):
        return _APART.join(_tiff_texts(data)), _chance(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    if data.startswith(b"BM") and len(data) == struct.unpack_from("<I", data.ljust(6), 2)[0]:
        return b"", _chance(data)
    return data, b""


def _chance(data: bytes) -> bytes:
    return _APART.join(_CHANCE_WORDS.findall(data))


def _png(data: bytes) -> tuple[bytes, bytes]:
    said: list[bytes] = []
    pixels: list[bytes] = []
    position = 8
    while position + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        content = data[position + 8 : position + 8 + length]
        if kind == b"iCCP":
            said += _profile_words(_inflated(content))
        elif kind in _PIXELS_OF_PNG:
            pixels.append(_chance(content))
        else:
            said += (content, _inflated(content))
        position += 12 + length
        if kind == b"IEND":
            break
    return _APART.join((*said, data[position:])), _APART.join(pixels)


def _jpeg(data: bytes) -> tuple[bytes, bytes]:
    said: list[bytes] = []
    tables: list[bytes] = []
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF and data[position + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", data, position + 2)
        segment = data[position + 4 : position + 2 + length]
        if segment.startswith(b"ICC_PROFILE"):
            said += _profile_words(segment)
        elif data[position + 1] >= 0xE0:
            said.append(segment)
        else:
            tables.append(_chance(segment))
        position += 2 + length
    end = data.rfind(b"\xff\xd9")
    return _APART.join((*said, data[end + 2 :] if end >= 0 else b"")), _APART.join(tables)


def _webp(data: bytes) -> tuple[bytes, bytes]:
    said: list[bytes] = []
    pixels: list[bytes] = []
    position, end = 12, 8 + struct.unpack_from("<I", data, 4)[0]
    while position + 8 <= min(end, len(data)):
        (length,) = struct.unpack_from("<I", data, position + 4)
        content = data[position + 8 : position + 8 + length]
        if data[position : position + 4] in _PIXELS_OF_WEBP:
            pixels.append(_chance(content))
        else:
            said.append(content)
        position += 8 + length + length % 2
    return _APART.join((*said, data[end:])), _APART.join(pixels)


def _tiff_texts(data: bytes) -> Iterator[bytes]:
    """The values of a TIFF that may be words, of all its directories."""
    order = "<" if data[:2] == b"II" else ">"
    seen: set[int] = set()
    at = _unpacked(data, order + "I", 4)
    while 0 < at <= len(data) - 2 and at not in seen and len(seen) < _MOST_DIRECTORIES:
        seen.add(at)
        entries = _unpacked(data, order + "H", at)
        for entry in range(at + 2, min(at + 2 + 12 * entries, len(data) - 11), 12):
            tag, kind, count, place = struct.unpack_from(order + "HHII", data, entry)
            if kind in _TEXT_TYPES and tag not in _NO_TEXT:
                value = data[place : place + count] if count > 4 else data[entry + 8 : entry + 12]
                yield from _profile_words(value) if tag == _PROFILE_TAG else (value,)
        at = _unpacked(data, order + "I", at + 2 + 12 * entries)


def _unpacked(data: bytes, form: str, at: int) -> int:
    """A number of the file; 0 where it has ended."""
    is_there = at + struct.calcsize(form) <= len(data)
    return int(struct.unpack_from(form, data, at)[0]) if is_there else 0


def _profile_words(profile: bytes) -> list[bytes]:
    """The texts of a colour profile; where each byte is above the last, it is a curve."""
    return [word for word in _PROFILE_WORDS.findall(profile) if not _is_curve(word)]


def _is_curve(word: bytes) -> bool:
    return all(one < next_one for one, next_one in pairwise(word.replace(b"\0", b"")))


def _inflated(content: bytes) -> bytes:
    """What is compressed in a chunk of text or of a profile."""
    match = re.search(rb"\x78[\x01\x5e\x9c\xda]", content)
    if match is None:
        return b""
    try:
        return zlib.decompressobj().decompress(content[match.start() :], 1 << 22)
    except zlib.error:
        return b""
