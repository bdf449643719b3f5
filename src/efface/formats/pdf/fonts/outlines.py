"""Font programs without the outlines, names and codes that are no longer shown.

A program is left alone when it is not certain which of its glyphs the shown codes mean: the look of the page has
priority, and the maps and widths have already been cut.

No library is used: fontTools opens sfnt files, while a PDF also embeds bare CFF and Type 1, and it weighs 29 MB.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from efface.formats.pdf.fonts import cff, truetype
from efface.formats.pdf.fonts import font_programs as programs
from efface.formats.pdf.fonts.encodings import glyph_text

_ACCENTS = frozenset(
    "acute breve caron cedilla circumflex dieresis dotaccent dotlessi grave hungarumlaut macron ogonek ring "
    "tilde".split()
)
_CHARSTRING = re.compile(rb"/([^\s/]+) (\d{1,5}) (?:RD|-\||\S{1,4}) ")
_ENCODED = re.compile(rb"dup\s+\d{1,3}\s*/([^\s/<>\[\](){}%]+)\s+put[^\S\r\n]*")
_CLOSING = re.compile(rb"\s*(?:ND|\|-|noaccess def|readonly def|def)\s*")
_MAX_PROGRAM = 1 << 22  # bytes of a font; larger ones are left out of the comparison
_EEXEC_KEY = 55665  # of Adobe's Type 1 format, the same in all fonts


def needed_texts(texts: Iterable[str]) -> set[str]:
    """The texts of the shown codes, with the letters that accented ones may be built from."""
    found: set[str] = set()
    for text in texts:
        found |= {text, *text, *unicodedata.normalize("NFKD", text)}
    return found


def true_type(data: bytes, gids: set[int]) -> bytes | None:
    """The font with only the given glyphs, or None when it cannot be cut."""
    if len(data) > _MAX_PROGRAM or sum(map(len, programs.character_maps(data).values())) > 150_000:
        return None
    return truetype.with_glyphs(data, gids)


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
    font = cff.parse(data) if len(data) <= _MAX_PROGRAM else None
    if font is None:
        return None
    if gids is None:
        order = [font.glyph_name(glyph.number) for glyph in font.glyphs]
        kept = {at for at, name in enumerate(order) if _is_needed(name, names, texts) or name in _ACCENTS}
        return cff.write(cff.with_glyphs(font, {0} | kept))
    if font.keyed_by_cid:
        kept = {at for at, glyph in enumerate(font.glyphs) if glyph.number in gids}
        return cff.write(cff.with_glyphs(font, {0} | kept))
    return cff.write(cff.with_blanks(font, {0} | gids))


def _is_needed(name: str, names: set[str], texts: set[str]) -> bool:
    return name in names or glyph_text(name) in texts


def type1(
    data: bytes, lengths: tuple[int, int], names: set[str], texts: set[str]
) -> tuple[bytes, bytes, bytes] | None:
    """A Type 1 font with only the glyphs of these names or texts: its three portions."""
    header, secret = data[: lengths[0]], data[lengths[0] : sum(lengths)]
    if len(data) > _MAX_PROGRAM or not header.rstrip().endswith(b"eexec") or not secret:
        return None
    private = _decrypted(secret)
    start = private.find(b"/CharStrings")
    if start < 0:
        return None
    pieces, done, at = [], 0, start + 12
    while match := _CHARSTRING.search(private, at):
        name = match[1].decode("latin-1")
        at = match.end() + int(match[2])
        if _is_needed(name, names, texts) or name in _ACCENTS or name == ".notdef":
            continue
        closing = _CLOSING.match(private, at)
        if closing is None:
            return None
        pieces.append(private[done : match.start()])
        done = at = closing.end()
    hidden = _encrypted(b"".join([*pieces, private[done:]]))

    def cut(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("latin-1")
        return match.group() if _is_needed(name, names, texts) else b""

    return _ENCODED.sub(cut, header), hidden, data[sum(lengths) :]


def _decrypted(secret: bytes) -> bytes:
    """The private portion of a Type 1 font (Adobe Type 1 Font Format, section 7)."""
    plain, key = bytearray(), _EEXEC_KEY
    for byte in secret:
        plain.append(byte ^ (key >> 8))
        key = ((byte + key) * 52845 + 22719) & 0xFFFF
    return bytes(plain)


def _encrypted(plain: bytes) -> bytes:
    secret, key = bytearray(), _EEXEC_KEY
    for byte in plain:
        secret.append(byte ^ (key >> 8))
        key = ((secret[-1] + key) * 52845 + 22719) & 0xFFFF
    return bytes(secret)
