"""Fonts freed of the glyphs that nothing shows any more.

A subset font lists the letters of its document: a letter that only the removed text used would reveal it. Maps
and widths keep the codes still in use; subset programs lose the outlines of all others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.formats.pdf.fonts import cmaps, outlines
from efface.formats.pdf.fonts import font_programs as programs
from efface.formats.pdf.fonts.composite import encoding_map
from efface.formats.pdf.fonts.font_decoding import Font, Fonts, GlyphCode
from efface.formats.pdf.object_values import integer, stream_bytes
from efface.formats.pdf.reader.object_walk import ObjGen, copied, members

_SUBSET = re.compile(r"/[A-Z]{6}\+")
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


@dataclass(slots=True)
class _SubsetProgram:
    """A font program with all that the fonts sharing it still show."""

    descriptor: Dictionary
    key: str
    codes: list[tuple[Dictionary, Font, set[int]]] = field(default_factory=list)  # of simple fonts
    cids: set[int] = field(default_factory=set)  # of composite ones
    mapping: bytes = b""
    composite: bool = False
    lost: bool = False


def subset(
    pdf: pikepdf.Pdf, shown: Mapping[ObjGen, Counter[GlyphCode]], gone: Mapping[ObjGen, Counter[GlyphCode]]
) -> None:
    """Cuts the fonts that lost a code for good down to what is left."""
    left: dict[ObjGen, set[GlyphCode]] = {}
    lost: set[ObjGen] = set()
    for objgen, counts in shown.items():
        removed = gone.get(objgen, Counter())
        left[objgen] = {code for code, count in counts.items() if count > removed[code]}
        if len(left[objgen]) < len(counts):
            lost.add(objgen)
    if lost:
        _Subsetter(pdf, left, lost).run()


class _Subsetter:
    def __init__(self, pdf: pikepdf.Pdf, left: dict[ObjGen, set[GlyphCode]], lost: set[ObjGen]) -> None:
        self._pdf = pdf
        self._left = left
        self._lost = lost
        self._fonts = Fonts()
        self._programs: dict[ObjGen, _SubsetProgram] = {}
        self._children: dict[ObjGen, tuple[Dictionary, set[int], bool]] = {}

    def run(self) -> None:
        """Cuts the fonts of which a glyph is no longer used. Fonts that lost nothing keep their bytes."""
        for objgen, used in self._left.items():
            font = self._pdf.get_object(objgen)
            if not isinstance(font, Dictionary):
                continue
            lost = objgen in self._lost
            if font.get("/Subtype") == "/Type0":
                self._composite(font, {code for code in used if isinstance(code, bytes)}, lost=lost)
            else:
                self._simple(font, {code for code in used if isinstance(code, int)}, lost=lost)
        for child, cids, lost in self._children.values():
            if lost:
                for key, size in (("/W", 1), ("/W2", 3)):
                    if isinstance(child.get(key), Array):
                        child[key] = _widths(list(child[key]), cids, size)
        for program in self._programs.values():
            if program.lost:
                _drop_unused(program)

    def _simple(self, font: Dictionary, used: set[int], *, lost: bool) -> None:
        """Notes which codes of a simple font are used, and forgets the others if some were removed."""
        known = self._fonts.get(font)
        descriptor = font.get("/FontDescriptor")
        program = self._program(font, descriptor)
        if program is not None:
            program.codes.append((font, known, used))
            program.lost = program.lost or lost
        if not lost:
            return
        first, widths = integer(font.get("/FirstChar")), font.get("/Widths")
        if isinstance(widths, Array):
            font["/Widths"] = Array([w if first + at in used else 0 for at, w in enumerate(widths)])
        names = _differences(font, used)
        _to_unicode(self._pdf, font, {code: bytes([code]) for code in used})
        procedures = font.get("/CharProcs")
        if isinstance(procedures, Dictionary) and names:
            kept = {str(key): value for key, value in members(procedures) if key in names}
            font["/CharProcs"] = Dictionary(kept)

    def _composite(self, font: Dictionary, used: set[bytes], *, lost: bool) -> None:
        """Notes which characters of a composite font are used, for the font itself and for the child that draws them."""
        children = font.get("/DescendantFonts")
        child = children[0] if isinstance(children, Array) and len(children) else None
        if not isinstance(child, Dictionary):
            return
        cmap = encoding_map(font.get("/Encoding"))
        cids = {cmap.cid(code) for code in used}
        key = child.objgen if child.is_indirect else font.objgen
        _, known, before = self._children.get(key, (child, set(), False))
        self._children[key] = (child, known | cids, before or lost)
        program = self._program(font, child.get("/FontDescriptor"))
        if program is not None:
            program.cids |= cids
            program.mapping = stream_bytes(child.get("/CIDToGIDMap"))
            program.composite = True
            program.lost = program.lost or lost
        if lost:
            _to_unicode(self._pdf, font, {int.from_bytes(code): code for code in used})

    def _program(self, font: Dictionary, descriptor: object) -> _SubsetProgram | None:
        """The program of a subset font. The glyphs of a whole font disclose nothing, so it has none here."""
        if not isinstance(descriptor, Dictionary):
            return None
        names = (str(font.get("/BaseFont", "")), str(descriptor.get("/FontName", "")))
        if not any(_SUBSET.match(name) for name in names):
            return None
        for key in _FILES:
            file = descriptor.get(key)
            if isinstance(file, Stream):
                return self._programs.setdefault(file.objgen, _SubsetProgram(descriptor, key))
        return None


def _drop_unused(program: _SubsetProgram) -> None:
    """Cuts the outlines of unused glyphs out of an embedded font program, in the way of its kind."""
    file: Any = program.descriptor.get(program.key)
    data = stream_bytes(file)
    # A program that simple and composite fonts share is left whole: their codes mean different glyphs.
    if not data or (program.composite and program.codes):
        return
    texts = outlines.needed_texts(known.texts[code] for _, known, codes in program.codes for code in codes)
    new: bytes | None = None
    if program.key == "/FontFile2":
        gids = _gids(program, data)
        new = outlines.true_type(data, gids) if gids is not None else None
        if new:
            file.write(new)
            file["/Length1"] = len(new)
    elif program.key == "/FontFile3" and data[:4] != b"OTTO":
        names = _names(program, programs.compact_names(data))
        new = outlines.compact(data, names, texts, program.cids if program.composite else None)
        if new:
            file.write(new)
    elif program.key == "/FontFile":
        names = _names(program, programs.type1_names(data))
        lengths = integer(file.get("/Length1")), integer(file.get("/Length2"))
        if portions := outlines.type1(data, lengths, names, texts):
            file.write(b"".join(portions))
            file["/Length1"], file["/Length2"], file["/Length3"] = map(len, portions)


def _gids(program: _SubsetProgram, data: bytes) -> set[int] | None:
    if program.composite:
        mapping = program.mapping
        if not mapping:
            return program.cids
        return {int.from_bytes(mapping[2 * cid : 2 * cid + 2]) for cid in program.cids}
    found: set[int] = set()
    for _, known, codes in program.codes:
        gids = outlines.simple_gids(data, codes, known.texts)
        if gids is None:
            return None
        found |= gids
    return found


def _names(program: _SubsetProgram, built_in: Mapping[int, str]) -> set[str]:
    """Glyph names that the shown codes have by the program's encoding or by the font's own."""
    found: set[str] = set()
    for font, _, codes in program.codes:
        found |= {built_in[code] for code in codes if code in built_in}
        found |= {name[1:] for name in _differences(font, codes)}
    return found


def _differences(font: Dictionary, used: set[int]) -> set[str]:
    """The encoding's own glyph names cut down to the used codes; returns those names."""
    encoding = font.get("/Encoding")
    listed = encoding.get("/Differences") if isinstance(encoding, Dictionary) else None
    if not isinstance(listed, Array) or not isinstance(encoding, Dictionary):
        return set()
    kept: list[Any] = []
    names: set[str] = set()
    code, follows = 0, False
    for item in listed:
        if not isinstance(item, Name):
            code, follows = integer(item), False
            continue
        if code in used:
            kept.extend([item] if follows else [code, item])
            names.add(str(item))
        follows = code in used
        code += 1
    fresh = copied(encoding)
    fresh["/Differences"] = Array(kept)
    font["/Encoding"] = fresh
    return names


def _widths(items: list[Any], cids: set[int], size: int) -> Array:
    """A W or W2 array with only the CIDs in use."""
    kept: list[Any] = []
    at = 0
    while at + 1 < len(items):
        first = integer(items[at])
        if isinstance(items[at + 1], Array):
            values = list(items[at + 1])
            for offset in range(0, len(values) - size + 1, size):
                if first + offset // size in cids:
                    kept += [first + offset // size, Array(values[offset : offset + size])]
            at += 2
            continue
        last, values = integer(items[at + 1]), items[at + 2 : at + 2 + size]
        kept += [part for cid in sorted(cids) if first <= cid <= last for part in (cid, Array(values))]
        at += 2 + size
    return Array(kept)


def _to_unicode(pdf: pikepdf.Pdf, font: Dictionary, used: Mapping[int, bytes]) -> None:
    """A ToUnicode map of the used codes only."""
    old = font.get("/ToUnicode")
    if not isinstance(old, Stream):
        return
    parsed = cmaps.parse(stream_bytes(old))
    lengths = sorted({len(code) for code in used.values()} or {1})
    entries = []
    for value, code in sorted(used.items()):
        text = parsed.unicode.get(value)
        if isinstance(text, str) and text:
            entries.append(f"<{code.hex()}> <{text.encode('utf-16-be', 'surrogatepass').hex()}>")
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        f"{len(lengths)} begincodespacerange",
        *(f"<{'00' * length}> <{'ff' * length}>" for length in lengths),
        "endcodespacerange",
    ]
    for at in range(0, len(entries), 100):
        block = entries[at : at + 100]
        lines += [f"{len(block)} beginbfchar", *block, "endbfchar"]
    lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    font["/ToUnicode"] = pdf.make_indirect(Stream(pdf, "\n".join(lines).encode("ascii")))
