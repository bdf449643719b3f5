"""Font programs without the outlines, names and codes that are no longer shown.

A program is left alone when it is not certain which of its glyphs the shown codes mean: the look of the page has
priority, and the maps and widths have already been cut.

The tables are fontTools'. Its subsetter is not used: it opens sfnt files, and a PDF also embeds bare CFF and Type 1.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from efface.formats.pdf.fonts import font_programs as programs
from efface.formats.pdf.fonts.encodings import glyph_text

_ACCENTS = frozenset(
    "acute breve caron cedilla circumflex dieresis dotaccent dotlessi grave hungarumlaut macron ogonek ring "
    "tilde".split()
)
_CHARSTRING = re.compile(rb"/([^\s/]+) (\d{1,5}) (?:RD|-\||\S{1,4}) ")
_ENCODED = re.compile(rb"dup\s+\d{1,3}\s*/([^\s/<>\[\](){}%]+)\s+put[^\S\r\n]*")
_CLOSING = re.compile(rb"\s*(?:ND|\|-|noaccess def|readonly def|def)\s*")
_MAX_PROGRAM = 1 << 22

logging.getLogger("fontTools").addHandler(logging.NullHandler())  # its warnings about fonts are not shown


def needed_texts(texts: Iterable[str]) -> set[str]:
    """The texts of the shown codes, with the letters that accented ones may be built from."""
    found: set[str] = set()
    for text in texts:
        found |= {text, *text, *unicodedata.normalize("NFKD", text)}
    return found


def true_type(data: bytes, gids: set[int]) -> bytes | None:
    """The font with only the given glyphs, or None when it cannot be cut."""
    from fontTools.ttLib import TTFont
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    if len(data) > _MAX_PROGRAM or sum(map(len, programs.character_maps(data).values())) > 150_000:
        return None
    try:
        font = TTFont(BytesIO(data), lazy=True, recalcBBoxes=False, recalcTimestamp=False)
        order = font.getGlyphOrder()
        table = font["glyf"]
        kept = {0} | {gid for gid in gids if gid < len(order)}
        for gid in list(kept):
            kept |= {font.getGlyphID(name) for name in _components(table, order[gid])}
        names = {order[gid] for gid in kept}
        for name in order:
            if name not in names:
                table.glyphs[name] = Glyph()
                font["hmtx"].metrics[name] = (0, 0)
        for subtable in font["cmap"].tables if "cmap" in font else []:
            subtable.cmap = {code: name for code, name in subtable.cmap.items() if name in names}
        if "post" in font:
            del font["post"]
        buffer = BytesIO()
        font.save(buffer, reorderTables=None)
        return buffer.getvalue()
    except Exception:
        return None


def _components(table: Any, name: str, depth: int = 0) -> set[str]:
    glyph = table[name]
    if not glyph.isComposite() or depth > 8:
        return set()
    parts = {component.glyphName for component in glyph.components}
    return parts.union(*(_components(table, part, depth + 1) for part in parts))


def simple_gids(data: bytes, codes: Iterable[int], texts: list[str]) -> set[int] | None:
    """Every glyph that a code of a simple TrueType font may mean; None when a code may mean none."""
    maps = programs.character_maps(data)
    found: set[int] = set()
    for code in codes:
        wanted = (code, 0xF000 + code, 0xF100 + code, *map(ord, texts[code][:1]))
        gids = {table[value] for table in maps.values() for value in wanted if value in table}
        if not gids and texts[code].strip():
            return None
        found |= gids
    return found


def compact(data: bytes, names: set[str], texts: set[str], gids: set[int] | None) -> bytes | None:
    """A bare CFF font with only the glyphs of these names, texts or, for a CID font, CIDs."""
    from fontTools.cffLib import CFFFontSet
    from fontTools.ttLib import TTFont

    if len(data) > _MAX_PROGRAM:
        return None
    try:
        fonts = CFFFontSet()
        fonts.decompile(BytesIO(data), None)
        top = fonts[fonts.fontNames[0]]
        order = list(top.charset)
        keyed = hasattr(top, "ROS")
        if gids is not None:
            keep = {name for at, name in enumerate(order) if (_cid(name) if keyed else at) in gids}
        else:
            keep = {name for name in order if name in names or glyph_text(name) in texts or name in _ACCENTS}
        keep.add(".notdef")
        if keyed or gids is None:
            _drop_glyphs(top, order, keep)
        else:
            _blank_glyphs(top, order, keep)
        buffer = BytesIO()
        fonts.compile(buffer, TTFont(recalcBBoxes=False))
        return buffer.getvalue()
    except Exception:
        return None


def _cid(name: str) -> int:
    return int(name[3:]) if name.startswith("cid") else 0


def _drop_glyphs(top: Any, order: list[str], keep: set[str]) -> None:
    """Takes glyphs out of a CFF font whose glyphs are found by name or CID, not by their places."""
    places = [at for at, name in enumerate(order) if name in keep]
    names = [order[at] for at in places]
    _keep_outlines(top.CharStrings, names)
    if hasattr(top, "FDSelect"):
        top.FDSelect.format = None
        top.FDSelect.gidArray = [top.FDSelect.gidArray[at] for at in places]
    top.charset = names
    top.numGlyphs = len(names)
    if not hasattr(top, "ROS") and not isinstance(top.Encoding, str):
        top.Encoding = [name if name in keep else ".notdef" for name in top.Encoding]


def _keep_outlines(strings: Any, names: list[str]) -> None:
    """Leaves the outlines of these glyphs, in this order. fontTools holds them in an index or in a dict."""
    kept = [strings[name] for name in names]
    if strings.charStringsAreIndexed:
        strings.charStringsIndex.items = kept
        del strings.charStringsIndex.file, strings.charStringsIndex.offsets
        strings.charStrings = {name: number for number, name in enumerate(names)}
    else:
        strings.charStrings = dict(zip(names, kept, strict=True))


def _blank_glyphs(top: Any, order: list[str], keep: set[str]) -> None:
    """Empties and renames glyphs of a CFF font whose glyphs are found by their places."""
    strings = top.CharStrings
    fresh: dict[str, str] = {}
    for at, name in enumerate(order):
        if name not in keep:
            strings[name].bytecode, strings[name].program = b"\x0e", None
            fresh[name] = f"g{at}"
    strings.charStrings = {fresh.get(name, name): value for name, value in strings.charStrings.items()}
    top.charset = [fresh.get(name, name) for name in order]


def type1(
    data: bytes, lengths: tuple[int, int], names: set[str], texts: set[str]
) -> tuple[bytes, bytes, bytes] | None:
    """A Type 1 font with only the glyphs of these names or texts: its three portions."""
    from fontTools.misc import eexec

    header, secret = data[: lengths[0]], data[lengths[0] : sum(lengths)]
    if len(data) > _MAX_PROGRAM or not header.rstrip().endswith(b"eexec") or not secret:
        return None
    private, _ = eexec.decrypt(secret, 55665)
    start = private.find(b"/CharStrings")
    if start < 0:
        return None
    pieces, done, at = [], 0, start + 12
    while match := _CHARSTRING.search(private, at):
        name = match[1].decode("latin-1")
        at = match.end() + int(match[2])
        if name in names or glyph_text(name) in texts or name in _ACCENTS or name == ".notdef":
            continue
        closing = _CLOSING.match(private, at)
        if closing is None:
            return None
        pieces.append(private[done : match.start()])
        done = at = closing.end()
    hidden, _ = eexec.encrypt(b"".join([*pieces, private[done:]]), 55665)

    def cut(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("latin-1")
        return match.group() if name in names or glyph_text(name) in texts else b""

    return _ENCODED.sub(cut, header), hidden, data[sum(lengths) :]
