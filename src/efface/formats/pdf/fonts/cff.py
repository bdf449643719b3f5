"""Compact font programs (CFF, Adobe Technical Note 5176): read into glyphs, and written again with fewer of them.

Private dictionaries and subroutines are carried over as they are. Glyph names keep their numbers: a name that no
glyph has any more becomes an empty string.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

_BLANK = b"\x0e"  # the outline of a glyph that draws nothing: endchar
_CHARSET, _ENCODING, _CHAR_STRINGS, _PRIVATE, _SUBRS = 15, 16, 17, 18, 19
_ROS, _FD_ARRAY, _FD_SELECT = 0x0C1E, 0x0C24, 0x0C25
# The operators of a dictionary whose first operands are names, and how many of these there are.
_NAMING = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 0x0C00: 1, 0x0C15: 1, 0x0C16: 1, 0x0C26: 1, _ROS: 2}
_MAX_FONTS = 256  # dictionaries of one CID font; its glyphs choose with a byte
_REAL = 30  # the operator before a real number (Adobe's Compact Font Format, table 3)
_ISO_ADOBE = 229  # glyphs of the first predefined charset
_EXPERT = (
    "1 229-238 13-15 99 239-248 27-28 249-266 109-110 267-318 158 155 163 319-326 150 164 169 327-378",
    "1 231-232 235-238 13-15 99 239-248 27-28 249-251 253-266 109-110 267-270 272 300-302 305 314-315 "
    "158 155 163 320-326 150 164 169 327-346",
)

DictEntries = dict[int, list[int | bytes]]  # operator to operands; a real number stays as it is written


@dataclass(frozen=True, slots=True)
class Glyph:
    """An outline, and the number of its name or, in a CID font, its CID."""

    outline: bytes
    number: int
    font: int = 0  # which of the font dictionaries it is drawn with


@dataclass(frozen=True, slots=True)
class FontDict:
    """A font dictionary of a CID font, or of a font with names the place of its private dictionary."""

    entries: DictEntries
    private: DictEntries
    subroutines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class CompactFont:
    """A font as its glyphs. An encoding is the number of a predefined one, or a map from codes to name numbers."""

    name: bytes
    top: DictEntries
    strings: tuple[bytes, ...]
    subroutines: tuple[bytes, ...]
    glyphs: tuple[Glyph, ...]
    encoding: int | Mapping[int, int]
    fonts: tuple[FontDict, ...]

    @property
    def keyed_by_cid(self) -> bool:
        return _ROS in self.top

    def glyph_name(self, number: int) -> str:
        """The name with this number; numbers behind the standard names count the font's own strings."""
        standard = standard_names()
        if number < len(standard):
            return standard[number]
        own = number - len(standard)
        return self.strings[own].decode("latin-1") if own < len(self.strings) else ".notdef"


@lru_cache(maxsize=1)
def standard_names() -> tuple[str, ...]:
    """The 391 names that every CFF font knows by number."""
    from pdfminer.pdffont import CFFFont

    return tuple(CFFFont.STANDARD_STRINGS)


def parse(data: bytes) -> CompactFont | None:
    """The first font of the data, or None when it cannot be read."""
    try:
        return _font(data)
    except (ValueError, IndexError, KeyError, struct.error):
        return None


def _font(data: bytes) -> CompactFont:
    names, at = _index(data, data[2])
    tops, at = _index(data, at)
    strings, at = _index(data, at)
    subroutines, _ = _index(data, at)
    top = _entries(tops[0])
    outlines, _ = _index(data, _offset(top, _CHAR_STRINGS))
    numbers = _charset(data, top, len(outlines))
    if _ROS in top:
        dictionaries, _ = _index(data, _offset(top, _FD_ARRAY))
        fonts = tuple(_font_dict(data, _entries(each)) for each in dictionaries[:_MAX_FONTS])
        chosen = _choices(data, _offset(top, _FD_SELECT), len(outlines))
    else:
        fonts, chosen = (_font_dict(data, {_PRIVATE: top.get(_PRIVATE, [0, 0])}),), [0] * len(outlines)
    glyphs = tuple(Glyph(*each) for each in zip(outlines, numbers, chosen, strict=True))
    encoding = 0 if _ROS in top else _encoding(data, _offset(top, _ENCODING, 0), numbers)
    return CompactFont(names[0], top, tuple(strings), tuple(subroutines), glyphs, encoding, fonts)


def _offset(entries: DictEntries, operator: int, default: int | None = None) -> int:
    value = entries[operator][-1] if default is None or operator in entries else default
    if not isinstance(value, int) or value < 0:
        raise ValueError("an offset is no number")
    return value


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """The items of an INDEX, and where it ends."""
    (count,) = struct.unpack_from(">H", data, at)
    if not count:
        return [], at + 2
    size, start = data[at + 2], at + 3
    base = start + (count + 1) * size - 1
    if not 1 <= size <= 4 or base >= len(data):
        raise ValueError("an index runs over the end")
    places = [int.from_bytes(data[start + n * size : start + (n + 1) * size]) for n in range(count + 1)]
    if places[0] != 1 or base + places[-1] > len(data) or any(a > b for a, b in pairwise(places)):
        raise ValueError("the places of an index are out of order")
    return [data[base + a : base + b] for a, b in pairwise(places)], base + places[-1]


def _entries(data: bytes) -> DictEntries:
    found: DictEntries = {}
    operands: list[int | bytes] = []
    at = 0
    while at < len(data):
        first = data[at]
        if first <= 21:
            operator = first if first != 12 else 0x0C00 | data[at + 1]
            found[operator], operands = operands, []
            at += 1 if first != 12 else 2
        else:
            operand, at = _operand(data, at)
            operands.append(operand)
    return found


def _operand(data: bytes, at: int) -> tuple[int | bytes, int]:
    first = data[at]
    if first == _REAL:
        end = at + 1
        while data[end] & 0x0F != 0x0F and data[end] & 0xF0 != 0xF0:
            end += 1
        return data[at : end + 1], end + 1
    if first == 28:
        return struct.unpack_from(">h", data, at + 1)[0], at + 3
    if first == 29:
        return struct.unpack_from(">i", data, at + 1)[0], at + 5
    if 32 <= first <= 246:
        return first - 139, at + 1
    if 247 <= first <= 250:
        return (first - 247) * 256 + data[at + 1] + 108, at + 2
    if 251 <= first <= 254:
        return -(first - 251) * 256 - data[at + 1] - 108, at + 2
    raise ValueError("an operand is not defined")


def _charset(data: bytes, top: DictEntries, count: int) -> list[int]:
    """The number of each glyph's name (or its CID), in order."""
    at = _offset(top, _CHARSET, 0)
    if at == 0:
        return list(range(count if _ROS in top else min(count, _ISO_ADOBE)))
    if at <= 2:
        return [0, *_ranges(_EXPERT[at - 1])][:count]
    kind, at = data[at], at + 1
    if kind == 0:
        return [0, *struct.unpack_from(f">{count - 1}H", data, at)]
    if kind not in (1, 2):
        raise ValueError("a charset is not defined")
    found = [0]
    record = ">HB" if kind == 1 else ">HH"
    while len(found) < count:
        first, more = struct.unpack_from(record, data, at)
        found.extend(range(first, first + more + 1))
        at += struct.calcsize(record)
    return found[:count]


def _ranges(text: str) -> Iterable[int]:
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _choices(data: bytes, at: int, count: int) -> list[int]:
    """The font dictionary of each glyph."""
    if data[at] == 0:
        return list(data[at + 1 : at + 1 + count])
    if data[at] != 3:
        raise ValueError("a choice of fonts is not defined")
    (ranges,) = struct.unpack_from(">H", data, at + 1)
    found: list[int] = []
    for place in range(at + 3, at + 3 + 3 * ranges, 3):
        font, following = struct.unpack_from(">BH", data, place + 2)
        found.extend([font] * (min(following, count) - len(found)))
    return found


def _encoding(data: bytes, at: int, numbers: list[int]) -> int | dict[int, int]:
    if at <= 1:
        return at
    kind, count, place = data[at], data[at + 1], at + 2
    codes: list[int] = []
    if kind & 0x7F == 0:
        codes, place = list(data[place : place + count]), place + count
    elif kind & 0x7F == 1:
        for _ in range(count):
            codes.extend(range(data[place], min(256, data[place] + data[place + 1] + 1)))
            place += 2
    else:
        raise ValueError("an encoding is not defined")
    found = dict(zip(codes, numbers[1:], strict=False))
    if kind & 0x80:
        found.update(struct.unpack_from(">BH", data, place + 1 + 3 * n) for n in range(data[place]))
    return found


def _font_dict(data: bytes, entries: DictEntries) -> FontDict:
    size, start = _offset({0: entries[_PRIVATE][:1]}, 0), _offset(entries, _PRIVATE)
    if start + size > len(data):
        raise ValueError("a private dictionary runs over the end")
    private = _entries(data[start : start + size])
    subroutines = _index(data, start + _offset(private, _SUBRS))[0] if _SUBRS in private else []
    return FontDict(entries, private, tuple(subroutines))


def with_glyphs(font: CompactFont, kept: set[int]) -> CompactFont:
    """The font without the glyphs at other places. Those with a code come first, as an encoding lists them."""
    glyphs = [font.glyphs[at] for at in sorted(kept)]
    if isinstance(font.encoding, int):
        return replace(font, glyphs=tuple(glyphs))
    numbers = {glyph.number for glyph in glyphs}
    encoding = {code: number for code, number in font.encoding.items() if number and number in numbers}
    coded = set(encoding.values())
    rest = sorted(glyphs[1:], key=lambda glyph: glyph.number not in coded)
    return replace(font, glyphs=(glyphs[0], *rest), encoding=encoding)


def with_blanks(font: CompactFont, kept: set[int]) -> CompactFont:
    """The font with the glyphs at all other places emptied. Nobody needs an encoding to find glyphs by place."""
    glyphs = [glyph if at in kept else Glyph(_BLANK, 0, glyph.font) for at, glyph in enumerate(font.glyphs)]
    return replace(font, glyphs=tuple(glyphs), encoding=0)


def write(font: CompactFont) -> bytes:
    """The font as one program. Names that neither a glyph nor a dictionary uses are emptied."""
    known = len(standard_names())
    used = {glyph.number for glyph in font.glyphs} if not font.keyed_by_cid else set()
    for entries in (font.top, *(each.entries for each in font.fonts)):
        for operator, count in _NAMING.items():
            used.update(value for value in entries.get(operator, [])[:count] if isinstance(value, int))
    strings = [text if known + at in used else b"" for at, text in enumerate(font.strings)]
    header, names = b"\x01\x00\x04\x04", _written_index([font.name])
    behind = _written_index(strings) + _written_index(font.subroutines)
    base = len(header) + len(names) + len(_written_index([_written_top(font, {})])) + len(behind)
    body, places = _body(font, base)
    return header + names + _written_index([_written_top(font, places)]) + behind + body


def _body(font: CompactFont, base: int) -> tuple[bytes, dict[int, tuple[int, ...]]]:
    """Everything that the top dictionary points to, with its offset."""
    body = bytearray()
    places: dict[int, tuple[int, ...]] = {}

    def put(operator: int, data: bytes) -> None:
        places[operator] = (base + len(body),)
        body.extend(data)

    put(_CHARSET, struct.pack(f">B{len(font.glyphs) - 1}H", 0, *(g.number for g in font.glyphs[1:])))
    put(_CHAR_STRINGS, _written_index([glyph.outline for glyph in font.glyphs]))
    privates = []
    for each in font.fonts:
        private = _written_private(each)
        privates.append((len(private), base + len(body)))
        body.extend(private + (_written_index(each.subroutines) if each.subroutines else b""))
    if not font.keyed_by_cid:
        places[_PRIVATE] = privates[0]
        if isinstance(font.encoding, int):
            places[_ENCODING] = (font.encoding,)
        else:
            put(_ENCODING, _written_encoding(font.encoding, font.glyphs))
        return bytes(body), places
    put(_FD_SELECT, bytes([0, *(glyph.font for glyph in font.glyphs)]))
    written = [
        _written_entries(each.entries, {_PRIVATE: place})
        for each, place in zip(font.fonts, privates, strict=True)
    ]
    put(_FD_ARRAY, _written_index(written))
    return bytes(body), places


def _written_encoding(encoding: Mapping[int, int], glyphs: Iterable[Glyph]) -> bytes:
    """Codes of the first glyphs in order; a second code of a glyph is a supplement, which tells its name."""
    first: dict[int, int] = {}
    more: list[tuple[int, int]] = []
    for code, number in sorted(encoding.items()):
        if number in first:
            more.append((code, number))
        else:
            first[number] = code
    codes = [first[glyph.number] for glyph in glyphs if glyph.number in first]
    supplements = b"".join(struct.pack(">BH", *each) for each in more)
    return bytes([0x80, len(codes), *codes, len(more)]) + supplements


def _written_top(font: CompactFont, places: Mapping[int, tuple[int, ...]]) -> bytes:
    wanted = (_FD_SELECT, _FD_ARRAY) if font.keyed_by_cid else (_ENCODING, _PRIVATE)
    empty = {each: (0, 0) if each == _PRIVATE else (0,) for each in (_CHARSET, _CHAR_STRINGS, *wanted)}
    kept = {key: value for key, value in font.top.items() if key not in (_ENCODING, _PRIVATE)}
    return _written_entries(kept, {**empty, **places})


def _written_private(font: FontDict) -> bytes:
    if not font.subroutines:
        return _written_entries({key: value for key, value in font.private.items() if key != _SUBRS}, {})
    size = len(_written_entries(font.private, {_SUBRS: (0,)}))
    return _written_entries(font.private, {_SUBRS: (size,)})


def _written_entries(entries: DictEntries, places: Mapping[int, tuple[int, ...]]) -> bytes:
    """A dictionary. The operands in `places` take five bytes each, so that its size does not depend on them."""
    parts: list[bytes] = []
    for operator in (*entries, *(each for each in places if each not in entries)):
        if operator in places:
            parts.extend(b"\x1d" + struct.pack(">i", value) for value in places[operator])
        else:
            parts.extend(map(_written_operand, entries[operator]))
        parts.append(bytes([operator]) if operator < 0x0C00 else operator.to_bytes(2))
    return b"".join(parts)


def _written_operand(value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    if -107 <= value <= 107:
        return bytes([value + 139])
    if -32768 <= value <= 32767:
        return b"\x1c" + struct.pack(">h", value)
    return b"\x1d" + struct.pack(">i", value)


def _written_index(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    if not listed:
        return b"\x00\x00"
    places = [1]
    for item in listed:
        places.append(places[-1] + len(item))
    size = (places[-1].bit_length() + 7) // 8
    offsets = b"".join(place.to_bytes(size) for place in places)
    return struct.pack(">HB", len(listed), size) + offsets + b"".join(listed)
