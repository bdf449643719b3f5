"""Embedded font programs, read as far as text needs them. All sizes and counts in them are bounded."""

from __future__ import annotations

import re
import struct

from efface.formats.pdf.fonts import cff

_TYPE1_ENCODING = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/<>\[\](){}%]{1,64})\s+put")
_MAX_GLYPHS = 65_536  # a glyph's number has two bytes
_MAX_TABLES = 128  # several times as many as OpenType has

Tables = dict[bytes, tuple[int, int]]  # tag: offset, length


def tables(data: bytes) -> Tables:
    """The table directory of a TrueType or OpenType font."""
    if data[:4] == b"ttcf" and len(data) >= 16:
        start = struct.unpack(">I", data[12:16])[0]
    else:
        start = 0
    if len(data) < start + 12:
        return {}
    found: Tables = {}
    for at in range(min(struct.unpack(">H", data[start + 4 : start + 6])[0], _MAX_TABLES)):
        record = data[start + 12 + 16 * at : start + 28 + 16 * at]
        if len(record) == 16:
            tag, _, offset, length = struct.unpack(">4sIII", record)
            if offset < len(data):
                found[tag] = (offset, min(length, len(data) - offset))
    return found


def character_maps(data: bytes) -> dict[tuple[int, int], dict[int, int]]:
    """The cmap table: (platform, encoding) to a map from character to glyph."""
    place = tables(data).get(b"cmap")
    if place is None or place[1] < 4:
        return {}
    table = data[place[0] : place[0] + place[1]]
    found = {}
    for at in range(min(struct.unpack(">H", table[2:4])[0], 16)):
        record = table[4 + 8 * at : 12 + 8 * at]
        if len(record) == 8:
            platform, encoding, offset = struct.unpack(">HHI", record)
            try:
                found[platform, encoding] = _subtable(table[offset:])
            except struct.error:
                continue
    return found


def _subtable(table: bytes) -> dict[int, int]:
    kind = struct.unpack(">H", table[:2])[0]
    if kind == 0:
        return {code: gid for code, gid in enumerate(table[6:262]) if gid}
    if kind == 4:
        return _segments(table)
    if kind == 6:
        first, count = struct.unpack(">HH", table[6:10])
        gids = struct.unpack(f">{count}H", table[10 : 10 + 2 * count])
        return {first + at: gid for at, gid in enumerate(gids) if gid}
    if kind == 12:
        return _groups(table)
    return {}


def _segments(table: bytes) -> dict[int, int]:
    count = struct.unpack(">H", table[6:8])[0] // 2
    words = struct.unpack(f">{4 * count + 1}H", table[14 : 16 + 8 * count])
    ends, starts = words[:count], words[count + 1 : 2 * count + 1]
    deltas, offsets = words[2 * count + 1 : 3 * count + 1], words[3 * count + 1 :]
    base = 16 + 6 * count
    found: dict[int, int] = {}
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start > end or len(found) > 2 * _MAX_GLYPHS:
            continue
        for code in range(start, min(end, 0xFFFE) + 1):
            gid = code
            if offsets[at]:
                place = base + 2 * at + offsets[at] + 2 * (code - start)
                if place + 2 > len(table):
                    continue
                gid = struct.unpack(">H", table[place : place + 2])[0]
                if not gid:
                    continue
            found[code] = (gid + deltas[at]) & 0xFFFF
    return found


def _groups(table: bytes) -> dict[int, int]:
    found: dict[int, int] = {}
    for at in range(min(struct.unpack(">I", table[12:16])[0], _MAX_GLYPHS)):
        start, end, gid = struct.unpack(">III", table[16 + 12 * at : 28 + 12 * at])
        if end - start > _MAX_GLYPHS or len(found) > 2 * _MAX_GLYPHS:
            continue
        for code in range(start, end + 1):
            found[code] = gid + code - start
    return found


def glyph_unicode(data: bytes) -> dict[int, str]:
    """Glyphs to text, by the font's own Unicode map."""
    found: dict[int, str] = {}
    for (platform, encoding), codes in character_maps(data).items():
        if platform == 0 or (platform, encoding) in ((3, 1), (3, 10)):
            for code, gid in codes.items():
                if code < 0x110000 and not 0xD800 <= code < 0xE000:
                    found.setdefault(gid, chr(code))
    return found


def type1_names(data: bytes) -> dict[int, str]:
    """The encoding built into a Type 1 font: codes to glyph names."""
    return {
        int(code): name.decode("latin-1")
        for code, name in _TYPE1_ENCODING.findall(data[:200_000])
        if int(code) < 256
    }


def compact_names(data: bytes) -> dict[int, str]:
    """The encoding built into a CFF font: codes to glyph names."""
    font = cff.parse(data)
    if font is None or isinstance(font.encoding, int):
        return {}
    return {code: font.glyph_name(number) for code, number in font.encoding.items() if number}


def compact_order(data: bytes) -> list[str]:
    """A CFF font's glyph names in order; of a CID font none."""
    font = cff.parse(data)
    if font is None or font.keyed_by_cid:
        return []
    return [font.glyph_name(glyph.number) for glyph in font.glyphs]
