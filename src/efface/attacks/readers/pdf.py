"""Every text in a PDF, independent of the format's reader: PDFium's reading of the pages, and the raw bytes.

The raw bytes are not parsed as a document at all: every stream that can be unpacked is, whether or not
anything refers to it, and every string and name in it is decoded. So text in old revisions, in orphaned
objects and in odd places is seen. Fonts, colour profiles and pictures count only by the words beside them.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from efface.attacks.readers.pdf_pages import pages
from efface.attacks.readers.pdf_streams import MAX_STREAM, end_of, unpack
from efface.attacks.readers.pdf_syntax import (
    COMMENT,
    Parts,
    content,
    decoded,
    is_content,
    is_printable,
    objects,
)

_MAX_TOTAL = 1 << 30  # bytes of all streams once they are unpacked
_MAX_MEMBERS = 200  # of an attached archive
_MAX_MARKS = 2_000  # marked content within marked content: PDFium takes quadratic memory over it
_MAX_CONTENT = 1 << 24  # bytes of a page's drawing commands
_TOO_MUCH = "content too large or too deep for PDFium"
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_OPERATORS = re.compile(rb"\b(?:BT|Tj|TJ|Tf|BDC|BMC|Do|cm|re|rg)\b")
# The types of a colour profile's tables, which hold numbers alone.
_CURVES = (b"curv", b"para", b"mft1", b"mft2", b"mAB ", b"mBA ", b"XYZ ", b"sf32")
_MARKS = re.compile(rb"\b(?:BMC|BDC|EMC)\b")
_NOT_TEXT = (
    b"\x00\x01\x00\x00",
    b"OTTO",
    b"true",
    b"ttcf",
    b"%!",
    b"\x01\x00\x04",
    b"\xff\xd8",
    b"\x00\x00\x00\x0cjP",
)
_FONTS = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"%!")
_TYPE1_WORDS = re.compile(rb"\(([^()]{3,})\)|%[^\r\n]{3,}")  # strings and comments
_MAX_TABLES, _MAX_NAMES, _MAX_TAGS = 100, 1000, 200  # more than real fonts and colour profiles have
_SCAN, _JFIF = 0xDA, 0xE0  # markers of a JPEG: the pixels begin; its header
_COLOURS = (0xE2, 0xEE)  # a colour profile, which is read apart; Adobe's colour transform


def extract(data: bytes) -> Parts:
    """Every text in the bytes, part by part."""
    parts = list(_raw(data, ""))
    if not any(part == _TOO_MUCH for part, _ in parts):
        yield from pages(data)
    yield from parts


def _raw(data: bytes, where: str) -> Parts:
    """The bytes between streams, and each stream unpacked."""
    budget = _MAX_TOTAL
    position = 0
    outside: list[bytes] = []
    for match in _STREAM.finditer(data):
        if match.start() < position:
            continue
        head = data[max(position, match.start() - 4000) : match.start()]
        outside.append(data[position : match.start()])
        end = end_of(data, match.end(), head)
        yield from _picture(data[match.end() : end], where)
        unpacked = unpack(data[match.end() : end], head, min(budget, MAX_STREAM))
        budget -= len(unpacked)
        position = end
        yield from _stream(unpacked, head, where)
        if budget <= 0:
            break
    outside.append(data[position:])
    yield from objects(b"\n".join(outside), f"{where}objects")


def _stream(data: bytes, head: bytes, where: str) -> Parts:
    """The text of one unpacked stream, read by its kind."""
    if data.startswith(_FONTS):
        yield f"{where}font", "\n".join(_font_names(data))
    elif data[36:40] == b"acsp":
        yield f"{where}profile", "\n".join(_profile_words(data))
    if not data or data.startswith(_NOT_TEXT) or data[36:40] == b"acsp":
        return
    if data.startswith(b"PK\x03\x04"):
        yield from _archive(data, where)
    elif data.startswith(b"%PDF-") and not where:
        yield from _raw(data, "attached ")
    elif b"/ObjStm" in head[-400:]:
        yield from objects(data, f"{where}object stream")
    elif b"begincmap" in data[:2000]:
        yield f"{where}map", "\n".join(comment.decode("latin-1") for comment in COMMENT.findall(data))
    else:
        yield from _shown_or_read(data, head, where)


def _shown_or_read(data: bytes, head: bytes, where: str) -> Parts:
    """Reads content streams by what they draw and texts by their characters. What may be either is read both ways,
    such as a note on 5 cm."""
    clear = is_content(data)
    if clear or (_OPERATORS.search(data[:20_000]) and b"/Subtype/XML" not in head.replace(b" ", b"")):
        if len(data) > _MAX_CONTENT or _depth(data) > _MAX_MARKS:
            yield _TOO_MUCH, ""
        yield from content(data[:_MAX_CONTENT], f"{where}content")
    if not clear and is_printable(data):
        yield f"{where}stream", decoded(data)


def _depth(data: bytes) -> int:
    """How deep marked content is nested, roughly."""
    if data.count(b"BMC") + data.count(b"BDC") <= _MAX_MARKS:
        return 0
    depth = deepest = 0
    for mark in _MARKS.findall(data):
        depth += -1 if mark == b"EMC" else 1
        deepest = max(deepest, depth)
    return deepest


def _picture(data: bytes, where: str) -> Parts:
    """The text that a JPEG holds beside its pixels: comments, EXIF and the like."""
    if not data.startswith(b"\xff\xd8"):
        return
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and (marker := data[at + 1]) != _SCAN:
        length = _number(data, at + 2, 2)
        if marker > _JFIF and marker not in _COLOURS:
            yield f"{where}picture", data[at + 4 : at + 2 + length].decode("latin-1")
        at += 2 + max(length, 2)


def _number(data: bytes | bytearray, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size])


def _font_names(data: bytes) -> Iterator[str]:
    """The words in a font program: names, notices and comments, not outlines."""
    if data.startswith(b"%!"):
        clear_text = data.partition(b"eexec")[0]
        for match in _TYPE1_WORDS.finditer(clear_text):
            yield (match[1] or match[0]).decode("latin-1")
        return
    tables = min(_number(data, 4, 2), _MAX_TABLES)
    for entry in range(12, 12 + 16 * tables, 16):  # the directory of tables
        if data[entry : entry + 4] == b"name":
            start, length = _number(data, entry + 8, 4), _number(data, entry + 12, 4)
            for raw in _name_records(data[start : start + length]):
                yield from (raw.decode("latin-1"), raw.decode("utf-16-be", "replace"))


def _name_records(table: bytes) -> Iterator[bytes]:
    """The strings of a font's name table."""
    strings = _number(table, 4, 2)
    for record in range(6, 6 + 12 * min(_number(table, 2, 2), _MAX_NAMES), 12):
        size, start = _number(table, record + 8, 2), strings + _number(table, record + 10, 2)
        yield table[start : start + size]


def _profile_words(data: bytes) -> Iterator[str]:
    """The words in a colour profile. Its curves are numbers and are not read; short runs are signatures of tables."""
    raw = bytearray(data)
    tags = min(_number(raw, 128, 4), _MAX_TAGS)
    for entry in range(132, 132 + 12 * tags, 12):  # the tags follow a header of 128 bytes and their count
        start = _number(raw, entry + 4, 4)
        end = min(start + _number(raw, entry + 8, 4), len(raw))
        if bytes(raw[start : start + 4]) in _CURVES:
            raw[start:end] = bytes(end - start)
    yield from (match.decode("ascii") for match in re.findall(rb"[\x20-\x7e]{8,}", raw))
    yield from (match.decode("utf-16-be") for match in re.findall(rb"(?:\0[\x20-\xff]){5,}", raw))


def _archive(data: bytes, where: str) -> Parts:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist()[:_MAX_MEMBERS]:
                yield f"{where}attached name", info.filename
                if info.file_size < 1 << 22:
                    yield f"{where}attached file", archive.read(info).decode("utf-8", "replace")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error):
        return
