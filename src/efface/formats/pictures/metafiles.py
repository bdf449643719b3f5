"""Metafiles (EMF, WMF): pictures that are lists of records, some of which draw text and some bitmaps."""

from __future__ import annotations

import gzip
import io
import re
import struct
from collections.abc import Iterator

_EMF_SIGNATURE = b" EMF"
_WMF_PLACEABLE = b"\xd7\xcd\xc6\x9a"
_MAX_INFLATED = 32 << 20  # of a packed metafile
_GZIP = b"\x1f\x8b"  # a metafile may be compressed
_STRINGS = re.compile(rb"(?:[\x20-\x7e\xa0-\xff]\0){2,}|[\x20-\x7e]{4,}")
# Records with bitmaps or nothing but numbers in them. EMF kinds are as published, WMF kinds marked by a high bit.
_WMF = 1 << 31
_HEAD = _WMF | 0xFFFF
_PIXELS = frozenset((76, 77, 78, 79, 80, 81, 93, 94, 114, 116, _HEAD)) | {
    _WMF | kind for kind in (0x0940, 0x0B41, 0x0F43, 0x0142)
}
# Kinds of records that draw a bitmap, and where in the record its place is told.
_BITMAPS = {76: 84, 77: 84, 78: 60, 80: 48, 81: 48, 114: 84, 116: 84}
_GLYPH_INDEXES = 0x10  # an option of text records: not characters but numbers of glyphs
_MAX_BITMAPS = 50  # bitmaps that one metafile may draw


def is_metafile(data: bytes) -> bool:
    """Whether a cleaned picture is a metafile, compressed or not."""
    return data.startswith(_GZIP) or _is_plain_metafile(data)


def _is_plain_metafile(data: bytes) -> bool:
    if data[40:44] == _EMF_SIGNATURE and data.startswith(b"\1\0\0\0"):
        return True
    return data.startswith((_WMF_PLACEABLE, b"\1\0\x09\0", b"\2\0\x09\0"))


def _gunzip(data: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        content = stream.read(_MAX_INFLATED + 1)
    if len(content) > _MAX_INFLATED:
        raise ValueError("the metafile unpacks to far more than it should")
    return content


def whole(data: bytes) -> bytes:
    """A metafile cut at its end record. What is no metafile raises a `ValueError`."""
    if data.startswith(_GZIP):
        return gzip.compress(_cut_at_end(_gunzip(data)), mtime=0)
    return _cut_at_end(data)


def _cut_at_end(data: bytes) -> bytes:
    if not _is_plain_metafile(data):
        raise ValueError("not a picture")
    return b"".join(record for _, record in _records(data))


def words(data: bytes) -> str:
    """What a metafile draws as text, run together as on the page, then the strings of its other records."""
    if data.startswith(_GZIP):
        data = _gunzip(data)
    drawn: list[str] = []
    loose: list[str] = []
    for kind, record in _records(data):
        text = _drawn_text(kind, record)
        if text is not None:
            drawn.append(text)
        elif kind not in _PIXELS:
            start = 88 if kind == 1 else 0  # numbers of the header
            loose.extend(decoded(match[0]) for match in _STRINGS.finditer(record, start))
    lines = "\n".join(("".join(drawn), *loose))
    return "".join(char if char.isprintable() or char == "\n" else " " for char in lines).strip()


def bitmaps(data: bytes) -> Iterator[bytes]:
    """The bitmaps that a metafile draws, each as a BMP file."""
    if data.startswith(_GZIP):
        data = _gunzip(data)
    count = 0
    for kind, record in _records(data):
        bitmap = _bitmap(kind, record)
        if bitmap:
            count += 1
            if count > _MAX_BITMAPS:
                raise ValueError("the metafile draws more bitmaps than are looked at")
            yield bitmap


def _bitmap(kind: int, record: bytes) -> bytes:
    if kind in _BITMAPS:
        header, size, pixels, length = struct.unpack_from("<IIII", record, _BITMAPS[kind])
        if not size or not length:
            return b""
        info, bits = record[header : header + size], record[pixels : pixels + length]
    elif kind in (_WMF | 0x0F43, _WMF | 0x0B41, _WMF | 0x0940):
        at = record.find(b"\x28\0\0\0", 6)  # the size of the header that begins every bitmap
        if at < 0:
            return b""
        (depth,) = struct.unpack_from("<H", record, at + 14)
        (used,) = struct.unpack_from("<I", record, at + 32)
        size = 40 + 4 * (used or (1 << depth if depth <= 8 else 0))
        info, bits = record[at : at + size], record[at + size :]
    else:
        return b""
    start = 14 + len(info)
    return b"BM" + struct.pack("<IHHI", start + len(bits), 0, 0, start) + info + bits


def draws_glyphs(data: bytes) -> bool:
    """Whether a metafile draws text by glyph numbers, which only its font can map to characters."""
    if data.startswith(_GZIP):
        data = _gunzip(data)
    for kind, record in _records(data):
        if (
            kind in (83, 84)
            and len(record) >= 56
            and struct.unpack_from("<I", record, 52)[0] & _GLYPH_INDEXES
        ):
            return True
    return False


def decoded(raw: bytes) -> str:
    """A string that was found in bytes, of one byte a character or of two."""
    return raw.decode("utf-16-le") if b"\0" in raw else raw.decode("ascii")


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of a metafile up to its end record, in a file of whichever kind."""
    emf = data[40:44] == _EMF_SIGNATURE
    position = 0
    if not emf:
        position = 40 if data.startswith(_WMF_PLACEABLE) else 18
        yield _HEAD, data[:position]
    while position + (8 if emf else 6) <= len(data):
        if emf:
            kind, size = struct.unpack_from("<II", data, position)
        else:
            half, kind = struct.unpack_from("<IH", data, position)
            size, kind = half * 2, kind | _WMF
        if size < 6 or position + size > len(data):
            raise ValueError("the metafile is damaged")
        yield kind, data[position : position + size]
        if kind in (14, _WMF):
            return
        position += size
    raise ValueError("the metafile is cut short")


def _drawn_text(kind: int, record: bytes) -> str | None:
    """The text that a record draws, when that is what the record does."""
    if kind in (83, 84):
        count, offset = struct.unpack_from("<II", record, 44)
        width = kind - 82
        return record[offset : offset + count * width].decode(
            "utf-16-le" if width == 2 else "latin-1", "replace"
        )
    if kind == _WMF | 0x0521:
        (count,) = struct.unpack_from("<H", record, 6)
        return record[8 : 8 + count].decode("latin-1")
    if kind == _WMF | 0x0A32:
        _, _, count, options = struct.unpack_from("<hhHH", record, 6)
        start = 22 if options & 6 else 14
        return record[start : start + count].decode("latin-1")
    return None


def blanked(data: bytes) -> bytes:
    """A metafile of the same kind and size that draws nothing."""
    if data.startswith(_GZIP):
        return gzip.compress(blanked(_gunzip(data)), mtime=0)
    if data[40:44] == _EMF_SIGNATURE:
        end = struct.pack("<IIIII", 14, 20, 0, 16, 20)
        header = struct.pack("<II", 1, 108) + data[8:40] + _EMF_SIGNATURE
        header += struct.pack("<IIIHHIII", 0x10000, 108 + 20, 2, 1, 0, 0, 0, 0) + data[72:88]
        return header + bytes(108 - len(header)) + end
    placeable = data[:22] if data.startswith(_WMF_PLACEABLE) else b""
    return placeable + struct.pack("<HHHIHIH", 1, 9, 0x300, 12, 0, 3, 0) + struct.pack("<IH", 3, 0)
