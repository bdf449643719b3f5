"""Font programs without the names and notices they carry; no viewer needs them, and nothing is moved.

TrueType and OpenType: the table of names, and whatever lies between the tables. CFF: the font's names, its notice
and copyright. Type 1: the same in the readable part, and its comments. What does not look as expected stays as it
is; the search of the release still reads it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import pairwise

from efface.formats.pdf.fonts.font_programs import tables

_SFNT = (b"\0\1\0\0", b"true", b"OTTO")
_EMPTY_NAMES = struct.pack(">HHH", 0, 0, 6)
_TYPE1_STRING = re.compile(
    rb"/(?:version|Notice|Copyright|FullName|FamilyName|Weight)\s*\(((?:[^()\\]|\\.|\([^()]*\))*+)\)"
)
_TYPE1_NAME = re.compile(rb"/FontName\s*/([^\s/<>\[\](){}%]{1,127})\s+def")
_COMMENT = re.compile(rb"(?<=[\r\n])%([^\r\n]*)")
_CFF_STRINGS = frozenset((0, 1, 2, 3, 4, 0x0C00, 0x0C15, 0x0C16, 0x0C26))  # operators whose operand is words
# Strings that every CFF font knows (Adobe Technical Note 5176). The font's own are numbered after them.
_STANDARD_STRINGS = 391
_MAX_STRINGS = 70_000  # an INDEX counts its items in two bytes, so no font has more
_LAST_OPERATOR, _ESCAPE, _REAL = 21, 12, 30  # first bytes in a DICT: operators up to 21, a real number
_OPERAND = {28: 3, 29: 5}  # bytes of an integer that begins with this one
_NO_STRING = -1  # an operand that names no string of the font

ByteSpan = tuple[int, int]


def nameless(data: bytes) -> bytes:
    """The program with its names blanked, byte for byte as long as before."""
    if data[:4] in _SFNT:
        return _nameless_sfnt(data)
    result = bytearray(data)
    for start, end in _compact_spans(data) if data[:2] == b"\1\0" else _type1_spans(data):
        result[start:end] = b"x" * (end - start)
    return bytes(result)


def _nameless_sfnt(data: bytes) -> bytes:
    result = bytearray(len(data))
    head = 12 + 16 * struct.unpack_from(">H", data, 4)[0] if len(data) > 12 else len(data)
    result[:head] = data[:head]
    for tag, (start, length) in tables(data).items():
        if tag == b"name":
            result[start : start + length] = _EMPTY_NAMES[:length].ljust(length, b"\0")
    for tag, (start, length) in tables(data).items():  # where tables overlap, the others win
        if tag == b"CFF ":
            result[start : start + length] = nameless(data[start : start + length])
        elif tag != b"name":
            result[start : start + length] = data[start : start + length]
    return bytes(result)


def _type1_spans(data: bytes) -> Iterator[ByteSpan]:
    readable = data[: max(data.find(b"eexec"), 0)]
    for pattern in (_TYPE1_STRING, _TYPE1_NAME, _COMMENT):
        for match in pattern.finditer(readable):
            yield match.span(1)


def _compact_spans(data: bytes) -> list[ByteSpan]:
    """Where a CFF font says its names, its notice and its copyright."""
    try:
        names, at = _index(data, data[2])
        tops, at = _index(data, at)
        strings, _ = _index(data, at)
    except (IndexError, struct.error):
        return []
    found = list(names)
    for start, end in tops:
        for number in _named_strings(data[start:end]):
            if _STANDARD_STRINGS <= number < _STANDARD_STRINGS + len(strings):
                found.append(strings[number - _STANDARD_STRINGS])
    return [(start, end) for start, end in found if 0 < start <= end <= len(data)]


def _index(data: bytes, at: int) -> tuple[list[ByteSpan], int]:
    """The items of an INDEX, and where it ends."""
    (count,) = struct.unpack_from(">H", data, at)
    if not count:
        return [], at + 2
    size = data[at + 2]
    if not 1 <= size <= 4 or count > _MAX_STRINGS:
        raise IndexError
    first = at + 3
    base = first + size * (count + 1) - 1
    offsets = [int.from_bytes(data[first + size * n : first + size * (n + 1)]) for n in range(count + 1)]
    spans = [(base + one, base + other) for one, other in pairwise(offsets)]
    return spans, base + offsets[-1]


def _named_strings(top: bytes) -> Iterator[int]:
    """The numbers of the strings that a top dictionary names and that are words.

    A DICT of CFF is a row of operands and operators; an operator takes the operands before it (Technical Note 5176,
    Section 4). The operators looked for take one operand, a number in the string index.
    """
    at, operand = 0, _NO_STRING
    while at < len(top):
        if top[at] <= _LAST_OPERATOR:
            operator, at = _operator(top, at)
            if operator in _CFF_STRINGS:
                yield operand
        elif top[at] == _REAL:
            at = _end_of_real(top, at)
        else:
            operand, at = _integer(top, at)


def _operator(top: bytes, at: int) -> tuple[int, int]:
    """The operator here, and where it ends. An escape makes one of two bytes."""
    if top[at] != _ESCAPE:
        return top[at], at + 1
    operator = _ESCAPE << 8 | top[at + 1] if at + 1 < len(top) else _ESCAPE
    return operator, at + 2


def _end_of_real(top: bytes, at: int) -> int:
    """Where a real number ends: after the byte with a nibble of 15. It leaves the operand before it as it is."""
    at += 1
    while at < len(top) and top[at] & 15 != 15 and top[at] >> 4 != 15:
        at += 1
    return at + 1


def _integer(top: bytes, at: int) -> tuple[int, int]:
    """The integer here, and where it ends, by the five ways in which CFF writes one."""
    first = top[at]
    if first in _OPERAND:  # two or four bytes follow
        end = at + _OPERAND[first]
        return int.from_bytes(top[at + 1 : end], signed=True), end
    if first < 247:  # one byte: -107 to 107
        return first - 139, at + 1
    if first >= 251:  # two bytes, below zero: the number of no string
        return _NO_STRING, at + 2
    second = top[at + 1] if at + 1 < len(top) else 0  # two bytes: 108 to 1131
    return (first - 247) * 256 + second + 108, at + 2
