"""What short compressed data say: gzip, zlib, bzip2 and xz, told by their first bytes, and deflated data without any. At most
so much of each is unpacked."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable

_MOST = 1 << 18  # bytes that are unpacked of one run
_ZLIB = re.compile(rb"x[\x01\x5e\x9c\xda]", re.DOTALL)
_BINARY = re.compile(
    rb"%PDF-|PK\x03\x04|[\x00-\x08\x0e-\x1a]{2}", re.DOTALL
)  # what a file of text does not hold
_LEAST_INFLATED = 8  # bytes: fewer may be anything
_PADDING = 4  # bytes behind the last block: padding of the code, or a sum
_GZIP_OR_ZLIB = 47  # the window of zlib that tells the two by their headers


def unpacked(data: bytes) -> bytes:
    """The data unpacked, or nothing if they are not compressed."""
    unpack = _unpacker(data)
    if unpack is None:
        return _inflated(data)
    try:
        return unpack(data)
    except (zlib.error, lzma.LZMAError, OSError, EOFError):
        return b""


def _inflated(data: bytes) -> bytes:
    """Deflated data without a header, as diagrams and tokens of single sign-on have them. Other data do not end where the
    last block says, or hold no text."""
    if len(data) < _LEAST_INFLATED:
        return b""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflater.decompress(data, _MOST)
    except zlib.error:
        return b""
    is_whole = inflater.eof and len(inflater.unused_data) <= _PADDING
    return content if is_whole and _BINARY.search(content) is None else b""


def is_read_whole(data: bytes) -> bool:
    """Whether `unpacked` gives all of the data, as text that can be searched."""
    content = unpacked(data)
    return 0 < len(content) < _MOST and _BINARY.search(content) is None


def _unpacker(data: bytes) -> Callable[[bytes], bytes] | None:
    if data.startswith(b"\x1f\x8b") or _ZLIB.match(data):
        return lambda packed: zlib.decompressobj(_GZIP_OR_ZLIB).decompress(packed, _MOST)
    if data.startswith(b"BZh"):
        return lambda packed: bz2.BZ2Decompressor().decompress(packed, _MOST)
    if data.startswith(b"\xfd7zXZ"):
        return lambda packed: lzma.LZMADecompressor().decompress(packed, _MOST)
    return None
