"""Unpacks the streams of a PDF with code of its own, whatever filter they declare."""

from __future__ import annotations

import base64
import re
import zlib

MAX_STREAM = 1 << 26  # bytes of a stream once it is unpacked
_FILTER = re.compile(rb"/Filter\s*(\[[^\]]{0,200}\]|/[A-Za-z0-9]+)")
_LENGTH = re.compile(rb"/Length\s+(\d{1,10})(?!\s+\d+\s+R)")


def end_of(data: bytes, start: int, head: bytes) -> int:
    """Where a stream ends: by its length when that holds, else at the next mark."""
    lengths = _LENGTH.findall(head)
    if lengths:
        end = start + int(lengths[-1])
        if data[end : end + 12].lstrip().startswith(b"endstream"):
            return end
    found = data.find(b"endstream", start)
    return found if found >= 0 else len(data)


def unpack(data: bytes, head: bytes, limit: int) -> bytes:
    """The bytes of a stream without its filters, up to a limit; nothing if a filter is not known."""
    filters = _FILTER.findall(head)
    names = re.findall(rb"/([A-Za-z0-9]+)", filters[-1]) if filters else []
    for name in names:
        if name in (b"FlateDecode", b"Fl"):
            data = _inflate(data, limit)
        elif name in (b"ASCII85Decode", b"A85"):
            data = _ascii85(data)
        elif name in (b"ASCIIHexDecode", b"AHx"):
            data = bytes.fromhex(re.sub(rb"[^0-9A-Fa-f]", b"", data)[: len(data) // 2 * 2].decode() or "00")
        elif name in (b"LZWDecode", b"LZW") and len(data) < 1 << 20:
            data = _lzw(data)
        elif name in (b"RunLengthDecode", b"RL"):
            data = _run_length(data, limit)
        else:
            return b""
    return data[:limit]


def _inflate(data: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        unpacked = inflater.decompress(data, limit)
    except zlib.error:
        try:
            return zlib.decompressobj(-15).decompress(data[2:], limit)
        except zlib.error:
            return b""
    return unpacked + b"\n" + inflater.unused_data[:MAX_STREAM]


def _ascii85(data: bytes) -> bytes:
    try:
        return base64.a85decode(data.strip().removeprefix(b"<~").partition(b"~>")[0])
    except ValueError:
        return b""


def _lzw(data: bytes) -> bytes:
    from pdfminer.lzw import lzwdecode

    try:
        return lzwdecode(data)
    except Exception:  # a broken stream has no text that a reader would show
        return b""


def _run_length(data: bytes, limit: int) -> bytes:
    out = bytearray()
    at = 0
    while at < len(data) and data[at] != 128 and len(out) < limit:
        length = data[at]
        if length < 128:
            out += data[at + 1 : at + 2 + length]
            at += length + 2
        else:
            out += data[at + 1 : at + 2] * (257 - length)
            at += 2
    return bytes(out)
