"""Simple fonts' encodings: from a byte to a glyph's name and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_NUMBERED = re.compile(r"(?:G([0-9A-F]{2})|[Cca](\d{2,3}))\Z")  # names that some producers give to codes
_HEX_NAME = re.compile(r"(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))\Z")
_BASE14 = {
    "Arial": "Helvetica",
    "ArialMT": "Helvetica",
    "Arial-BoldMT": "Helvetica-Bold",
    "Arial,Bold": "Helvetica-Bold",
    "TimesNewRoman": "Times-Roman",
    "TimesNewRomanPSMT": "Times-Roman",
    "TimesNewRomanPS-BoldMT": "Times-Bold",
    "TimesNewRoman,Bold": "Times-Bold",
    "CourierNew": "Courier",
    "CourierNewPSMT": "Courier",
}


@cache
def glyph_text(name: str) -> str:
    """The text of a glyph's name by Adobe's list, or ''."""
    from pdfminer.glyphlist import glyphname2unicode

    stem = name.partition(".")[0]
    if stem in glyphname2unicode:
        return glyphname2unicode[stem]
    if "_" in stem:  # a ligature: the names of its letters
        parts = [glyph_text(part) for part in stem.split("_") if part]
        return "".join(parts) if all(parts) else ""
    if match := _NUMBERED.match(stem):
        code = int(match[1], 16) if match[1] else int(match[2])
        return bytes([code]).decode("cp1252", "ignore") if 32 <= code < 256 else ""
    if match := _HEX_NAME.match(stem):
        return "".join(map(_character, _codes_in(match)))
    return ""


def _codes_in(match: re.Match[str]) -> list[int]:
    """The code points that a name such as uni00410042 or u1F600 gives in hexadecimal digits."""
    if match[1]:
        return [int(match[1][at : at + 4], 16) for at in range(0, len(match[1]), 4)]
    return [int(match[2], 16)]


def _character(code: int) -> str:
    """The character of a code point; none for half of a surrogate pair or what is too large."""
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else ""


@cache
def base_encoding(name: str) -> dict[int, str]:
    """Codes to text under one of the named encodings; unknown names mean the standard one."""
    from pdfminer.encodingdb import EncodingDB

    table = dict(EncodingDB.encodings.get(name, EncodingDB.std2unicode))
    if name == "WinAnsiEncoding":
        table[0xA0], table[0xAD] = " ", "-"
        for code in range(0x21, 0x100):
            table.setdefault(code, "•")
    return table


def with_differences(base: dict[int, str], differences: Iterable[object]) -> dict[int, str]:
    """The encoding changed by a Differences array: codes to text."""
    table = dict(base)
    code = 0
    for item in differences:
        if isinstance(item, int):
            code = item
        elif isinstance(item, str):
            table[code] = glyph_text(item)
            code += 1
    return table


@cache
def base14_widths(name: str) -> dict[str, float] | None:
    """Advance widths in em by character for the fonts every viewer has, or None for other fonts."""
    from pdfminer.fontmetrics import FONT_METRICS

    name = _BASE14.get(name, name)
    if name not in FONT_METRICS:
        return None
    return {char: width / 1000 for char, width in FONT_METRICS[name][1].items()}
