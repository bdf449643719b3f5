"""TrueType programs written again with fewer glyphs. Glyphs keep their numbers; one that goes is empty."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import pairwise

from efface.formats.pdf.fonts.font_programs import character_maps, tables

_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x1, 0x8, 0x20, 0x40, 0x80  # flags of a glyph's components
_UNTOLD = b"post"  # glyph names: no reader of a PDF needs them


def with_glyphs(data: bytes, wanted: set[int]) -> bytes | None:
    """The font with only these glyphs and those that they are made of, or None when it cannot be read."""
    found = {tag: data[start : start + size] for tag, (start, size) in tables(data).items()}
    try:
        outlines = _outlines(found)
        kept = _closure(outlines, {0} | {gid for gid in wanted if gid < len(outlines)})
        found[b"glyf"], found[b"loca"] = _written_outlines(found, outlines, kept)
        found[b"hmtx"] = _metrics(found, len(outlines), kept)
        if b"cmap" in found:
            found[b"cmap"] = _character_maps(data, kept)
        found.pop(_UNTOLD, None)
        return _font_file(data[:4], found)
    except (ValueError, IndexError, KeyError, struct.error):
        return None


def _outlines(found: Mapping[bytes, bytes]) -> list[bytes]:
    (count,) = struct.unpack_from(">H", found[b"maxp"], 4)
    places: list[int]
    if _long_places(found):
        places = list(struct.unpack_from(f">{count + 1}I", found[b"loca"]))
    else:
        places = [2 * place for place in struct.unpack_from(f">{count + 1}H", found[b"loca"])]
    return [found[b"glyf"][a:b] for a, b in pairwise(places)]


def _long_places(found: Mapping[bytes, bytes]) -> bool:
    return bool(struct.unpack_from(">h", found[b"head"], 50)[0])


def _closure(outlines: list[bytes], wanted: set[int]) -> set[int]:
    kept: set[int] = set()
    waiting = list(wanted)
    while waiting:
        gid = waiting.pop()
        if gid not in kept and gid < len(outlines):
            kept.add(gid)
            waiting.extend(_components(outlines[gid]))
    return kept


def _components(outline: bytes) -> list[int]:
    """The glyphs that a glyph is made of; a simple one is made of none."""
    if len(outline) < 10 or struct.unpack_from(">h", outline)[0] >= 0:
        return []
    found, at, flags = [], 10, _MORE
    while flags & _MORE:
        flags, gid = struct.unpack_from(">HH", outline, at)
        found.append(gid)
        at += 8 if flags & _WORDS else 6
        at += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0
    return found


def _written_outlines(
    found: Mapping[bytes, bytes], outlines: list[bytes], kept: set[int]
) -> tuple[bytes, bytes]:
    """The tables glyf and loca."""
    places, parts = [0], []
    for gid, outline in enumerate(outlines):
        part = outline if gid in kept else b""
        parts.append(part + b"\0" * (-len(part) % 4))
        places.append(places[-1] + len(parts[-1]))
    if _long_places(found):
        return b"".join(parts), struct.pack(f">{len(places)}I", *places)
    return b"".join(parts), struct.pack(f">{len(places)}H", *(place // 2 for place in places))


def _metrics(found: Mapping[bytes, bytes], count: int, kept: set[int]) -> bytes:
    """Widths and bearings of the glyphs that stay. The last width also serves every glyph behind it."""
    table = bytearray(found[b"hmtx"])
    (wide,) = struct.unpack_from(">H", found[b"hhea"], 34)
    for gid in range(count):
        if gid in kept:
            continue
        start, size = (4 * gid, 4) if gid < wide else (4 * wide + 2 * (gid - wide), 2)
        if gid == wide - 1 and any(other >= wide for other in kept):
            start, size = start + 2, 2
        table[start : start + size] = b"\0" * len(table[start : start + size])
    return bytes(table)


def _character_maps(data: bytes, kept: set[int]) -> bytes:
    """The table cmap with the codes of the glyphs that stay. Maps in rare forms are left out."""
    written = []
    for (platform, encoding), codes in sorted(character_maps(data).items()):
        left = {code: gid for code, gid in sorted(codes.items()) if gid in kept}
        if platform == 1 and (not left or max(left) < 256):
            table = _trimmed_map(left)
        elif not left or max(left) < 0xFFFF:
            table = _segment_map(left)
        else:
            table = _group_map(left)
        written.append((platform, encoding, table))
    records, at = [], 4 + 8 * len(written)
    for platform, encoding, table in written:
        records.append(struct.pack(">HHI", platform, encoding, at))
        at += len(table)
    return struct.pack(">HH", 0, len(written)) + b"".join(records) + b"".join(each[2] for each in written)


def _trimmed_map(codes: Mapping[int, int]) -> bytes:
    """Format 6: glyphs of consecutive codes."""
    first = min(codes, default=0)
    gids = [codes.get(code, 0) for code in range(first, max(codes, default=-1) + 1)]
    return struct.pack(f">5H{len(gids)}H", 6, 10 + 2 * len(gids), 0, first, len(gids), *gids)


def _runs(codes: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """First code, last code and first glyph of each run in which codes and glyphs go up together."""
    runs: list[tuple[int, int, int]] = []
    for code, gid in codes.items():
        if runs and code == runs[-1][1] + 1 and gid - code == runs[-1][2] - runs[-1][0]:
            runs[-1] = (runs[-1][0], code, runs[-1][2])
        else:
            runs.append((code, code, gid))
    return runs


def _segment_map(codes: Mapping[int, int]) -> bytes:
    """Format 4: a segment for each run, and the one that ends the table."""
    runs = [*_runs(codes), (0xFFFF, 0xFFFF, 0)]
    count = len(runs)
    power = 1 << (count.bit_length() - 1)
    head = (16 + 8 * count, 0, 2 * count, 2 * power, power.bit_length() - 1, 2 * (count - power))
    starts, ends, _ = zip(*runs, strict=True)
    deltas = [(gid - start) & 0xFFFF for start, _, gid in runs[:-1]]
    return struct.pack(f">{8 + 4 * count}H", 4, *head, *ends, 0, *starts, *deltas, 1, *([0] * count))


def _group_map(codes: Mapping[int, int]) -> bytes:
    """Format 12: a group for each run."""
    groups = [struct.pack(">3I", *run) for run in _runs(codes)]
    return struct.pack(">HHIII", 12, 0, 16 + 12 * len(groups), 0, len(groups)) + b"".join(groups)


def _font_file(version: bytes, found: Mapping[bytes, bytes]) -> bytes:
    """The tables behind their directory, with checksums."""
    count = len(found)
    power = 1 << (count.bit_length() - 1)
    head = version + struct.pack(">4H", count, 16 * power, power.bit_length() - 1, 16 * (count - power))
    records, body, at = [], bytearray(), 12 + 16 * count
    for tag in sorted(found):
        table = found[tag]
        if tag == b"head":
            table = table[:8] + b"\0\0\0\0" + table[12:]
        records.append(tag + struct.pack(">III", _checksum(table), at + len(body), len(table)))
        place = len(body)
        body.extend(table + b"\0" * (-len(table) % 4))
        if tag == b"head":
            adjusted = place + 8
    whole = bytearray(head + b"".join(records) + body)
    struct.pack_into(">I", whole, at + adjusted, (0xB1B0AFBA - _checksum(whole)) & 0xFFFFFFFF)
    return bytes(whole)


def _checksum(data: bytes | bytearray) -> int:
    padded = bytes(data) + b"\0" * (-len(data) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(padded) // 4}I", padded)
    return sum(words) & 0xFFFFFFFF
