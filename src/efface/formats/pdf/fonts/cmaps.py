"""Character maps: from the bytes of a string to codes, CIDs and Unicode.

Embedded maps are parsed here, with ranges kept as ranges so that a map of four billion codes costs nothing;
the predefined ones come with pdfminer.six.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(rb"<([0-9a-fA-F\s]*)>|/([^\s/<>\[\](){}%]+)|(-?\d+)|(\[)|(\])|%[^\r\n]*|([A-Za-z]+)")
_SAFE_NAME = re.compile(r"[A-Za-z0-9]{1,20}(-[A-Za-z0-9]{1,20}){0,5}\Z")
_EXPAND = 512  # a range up to this size becomes single entries
_MAX_ENTRIES = 150_000  # codes that a map gives one by one; a larger one is hostile
_MAX_RANGES = 2_000  # ranges of codes that a map may have
_MAX_TOKENS = 1_000_000  # of a map's program


@dataclass(slots=True)
class CodeMap:
    """Codes to values: single entries first, then ranges."""

    single: dict[int, object] = field(default_factory=dict)
    ranges: list[tuple[int, int, object]] = field(default_factory=list)

    def add(self, low: int, high: int, value: object) -> None:
        if low > high or len(self.single) > _MAX_ENTRIES or len(self.ranges) > _MAX_RANGES:
            return
        if high - low < _EXPAND:
            for code in range(low, high + 1):
                self.single[code] = _advance(value, code - low)
        else:
            self.ranges.append((low, high, value))

    def get(self, code: int) -> object | None:
        if code in self.single:
            return self.single[code]
        for low, high, value in reversed(self.ranges):
            if low <= code <= high:
                return _advance(value, code - low)
        return None


def _advance(value: object, offset: int) -> object:
    if isinstance(value, int):
        return value + offset
    if isinstance(value, str) and value and offset:
        last = ord(value[-1]) + offset
        return value[:-1] + chr(last) if last < 0x110000 and not 0xD800 <= last < 0xE000 else ""
    return value


@dataclass(slots=True)
class CMap:
    """One character map as far as text needs it."""

    vertical: bool = False
    spaces: list[tuple[int, int, int]] = field(default_factory=list)  # bytes, lowest, highest code
    cids: CodeMap = field(default_factory=CodeMap)
    unicode: CodeMap = field(default_factory=CodeMap)
    nested: dict[int, object] | None = None  # a predefined map as pdfminer holds it
    identity: bool = False

    def split(self, data: bytes) -> list[tuple[int, int]]:
        """The byte ranges of the codes in a string."""
        if self.identity or (not self.nested and not self.spaces):
            return [(at, min(at + 2, len(data))) for at in range(0, len(data), 2)]
        pieces = []
        at = 0
        while at < len(data):
            length = min(self._length(data, at), len(data) - at)
            pieces.append((at, at + length))
            at += length
        return pieces

    def _length(self, data: bytes, at: int) -> int:
        """How many bytes the code at a place has."""
        if self.nested is not None:
            node: object = self.nested
            for length in range(1, 5):
                node = node.get(data[at + length - 1]) if isinstance(node, dict) else None
                if not isinstance(node, dict):
                    return length if node is not None else 1
                if at + length >= len(data):
                    break
            return 1
        for length, low, high in self.spaces:
            if _is_in_code_space(data[at : at + length], length, low, high):
                return length
        return min((space[0] for space in self.spaces), default=1)

    def cid(self, code: bytes) -> int:
        value = int.from_bytes(code)
        if self.identity:
            return value
        if self.nested is not None:
            node: object = self.nested
            for byte in code:
                node = node.get(byte) if isinstance(node, dict) else None
            if isinstance(node, int):
                return node
        found = self.cids.get(value)
        return found if isinstance(found, int) else 0


def _is_in_code_space(code: bytes, length: int, low: int, high: int) -> bool:
    """A code space is a box: each byte lies between the bytes of its corners."""
    if len(code) < length:
        return False
    corners = zip(code, low.to_bytes(length), high.to_bytes(length), strict=True)
    return all(first <= byte <= last for byte, first, last in corners)


def predefined(name: str) -> CMap | None:
    """A map known by name, or None."""
    if name in ("Identity-H", "Identity-V", "DLIdent-H", "DLIdent-V"):
        return CMap(vertical=name.endswith("V"), identity=True)
    if not _SAFE_NAME.match(name):
        return None
    from pdfminer.cmapdb import CMap as Known
    from pdfminer.cmapdb import CMapDB

    try:
        known = CMapDB.get_cmap(name)
    except (CMapDB.CMapNotFound, OSError, ValueError):
        return None
    nested = known.code2cid if isinstance(known, Known) else None
    return CMap(vertical=name.endswith("V"), nested=nested)


def cid_to_unicode(registry: str, ordering: str) -> dict[int, str]:
    """The text of the CIDs of one of Adobe's character collections."""
    from pdfminer.cmapdb import CMapDB

    name = f"{registry}-{ordering}"
    if not _SAFE_NAME.match(name) or ordering == "Identity":
        return {}
    try:
        return CMapDB.get_unicode_map(name).cid2unichr
    except (CMapDB.CMapNotFound, OSError, ValueError):
        return {}


def parse(data: bytes) -> CMap:
    """An embedded map; what cannot be understood in it is skipped."""
    cmap = CMap()
    operands: list[object] = []
    for count, match in enumerate(_TOKEN.finditer(data)):
        if count > _MAX_TOKENS:
            break
        hexadecimal, name, integer, opening, closing, word = match.groups()
        if hexadecimal is not None:
            operands.append(_unhex(hexadecimal))
        elif name is not None:
            operands.append(name.decode("latin-1"))
        elif integer is not None:
            operands.append(int(integer[:12]))
        elif opening is not None or closing is not None:
            operands.append("[" if opening else "]")
        elif word is not None:
            _perform(cmap, word, operands)
            if word != b"def" or len(operands) > 64:
                operands.clear()
    cmap.spaces.sort()
    return cmap


def _unhex(digits: bytes) -> bytes:
    digits = b"".join(digits.split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _perform(cmap: CMap, word: bytes, operands: list[object]) -> None:
    """Carry out one operator of a character map."""
    if word == b"endcodespacerange":
        _code_spaces(cmap, operands)
    elif word == b"endcidrange":
        for low, high, cid in _chunks(operands, 3):
            _add_cids(cmap, low, high, cid)
    elif word == b"endcidchar":
        for code, cid in _chunks(operands, 2):
            _add_cids(cmap, code, code, cid)
    elif word == b"endbfchar":
        for code, text in _chunks(operands, 2):
            if isinstance(code, bytes):
                value = int.from_bytes(code)
                cmap.unicode.add(value, value, _target_text(text))
    elif word == b"endbfrange":
        _unicode_ranges(cmap, operands)
    elif word == b"usecmap" and operands and isinstance(operands[-1], str):
        _inherit(cmap, operands[-1])
    elif word == b"def" and "WMode" in operands[-2:-1]:
        cmap.vertical = operands[-1] == 1


def _code_spaces(cmap: CMap, operands: list[object]) -> None:
    """How many bytes a code has, by its first bytes."""
    for low, high in _chunks(operands, 2):
        if isinstance(low, bytes) and isinstance(high, bytes) and 0 < len(low) == len(high) <= 4:
            cmap.spaces.append((len(low), int.from_bytes(low), int.from_bytes(high)))


def _add_cids(cmap: CMap, low: object, high: object, cid: object) -> None:
    if isinstance(low, bytes) and isinstance(high, bytes) and isinstance(cid, int):
        cmap.cids.add(int.from_bytes(low), int.from_bytes(high), cid)


def _inherit(cmap: CMap, name: str) -> None:
    base = predefined(name)
    if base is not None:
        cmap.nested, cmap.identity = base.nested, base.identity


def _unicode_ranges(cmap: CMap, operands: list[object]) -> None:
    at = 0
    while at + 2 < len(operands):
        low, high, target = operands[at : at + 3]
        at += 3
        if not isinstance(low, bytes) or not isinstance(high, bytes):
            continue
        first, last = int.from_bytes(low), int.from_bytes(high)
        if target == "[":
            while at < len(operands) and operands[at] != "]":
                if first <= last:
                    cmap.unicode.add(first, first, _target_text(operands[at]))
                first += 1
                at += 1
            at += 1
        else:
            cmap.unicode.add(first, last, _target_text(target))


def _target_text(value: object) -> str:
    """A target is UTF-16BE, or a glyph's name in old files."""
    if isinstance(value, bytes):
        return (b"\0" + value if len(value) == 1 else value).decode("utf-16-be", "ignore")
    if isinstance(value, str):
        from efface.formats.pdf.fonts.encodings import glyph_text

        return glyph_text(value)
    return ""


def _chunks(items: list[object], size: int) -> list[tuple[object, ...]]:
    return [tuple(items[at : at + size]) for at in range(0, len(items) - size + 1, size)]
