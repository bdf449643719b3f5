"""Fonts: what the bytes of a string say and how far they advance.

The text comes from ToUnicode by code, then from the encoding, then from the font program. What the latter two
say is kept as `told`, to compare.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pikepdf import Array, Dictionary, Name, Stream

from efface.formats.pdf.fonts import cmaps
from efface.formats.pdf.fonts import font_programs as programs
from efface.formats.pdf.fonts.composite import CidTexts, cid_widths, encoding_map, vertical_advances
from efface.formats.pdf.fonts.encodings import base14_widths, base_encoding, glyph_text, with_differences
from efface.formats.pdf.fonts.symbol_fonts import symbol_encoding
from efface.formats.pdf.object_values import integer, real, stream_bytes
from efface.formats.pdf.reader.object_walk import ObjGen, name_of

_PRIVATE_FIRST, _PRIVATE_LAST = "\ue000", "\uf8ff"  # the private use area of Unicode's first plane
# The soft hyphen, the zero-width non-joiner and the joiner belong to words and are not printable.
_JOINERS = "\u00ad\u200c\u200d"
UNKNOWN = "\ufffd"  # a glyph whose text the file does not give
_SILENT = "\u200b"  # what a font of the reader's own shows for a control character: nothing
_CONTROLS = frozenset(range(32))
LAYER_FONT = "/EffaceOCR"  # the font of text that OCR put over a page

_FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")

GlyphCode = int | bytes  # a byte of a simple font, the code's bytes of a composite one


@dataclass(slots=True)
class Font:
    """One font as the interpreter sees it. Advances are in units of the font size."""

    composite: bool = False
    vertical: bool = False
    height: float = 1.0  # the em, in units of the font size
    texts: list[str] = field(default_factory=list)  # of a simple font, by byte
    widths: list[float] = field(default_factory=list)
    charmap: str = ""  # the texts as one string when each is one character
    cmap: cmaps.CMap = field(default_factory=cmaps.CMap)
    look_up: Callable[[bytes], tuple[str, float]] | None = None
    known: dict[bytes, tuple[str, float]] = field(default_factory=dict)
    procedures: tuple[ObjGen, ...] = ()
    objgen: ObjGen = (0, 0)
    used: Counter[GlyphCode] = field(default_factory=Counter)
    told: Callable[[GlyphCode], str] | None = None  # what encoding and program say of a code, ToUnicode aside
    layer: bool = False  # whether its text was recognised by OCR

    def measure(self, data: bytes) -> tuple[float, int, str]:
        """A string's advance in em, its number of glyphs and its text; the glyphs count as used."""
        if self.composite:
            glyphs = self.decode(data)
            self.used.update([data[start:end] for start, end, _, _ in glyphs])
            width = sum([glyph[3] for glyph in glyphs])
            return width, len(glyphs), "".join([glyph[2] for glyph in glyphs])
        self.used.update(data)
        width = sum(map(self.widths.__getitem__, data))
        if self.charmap:
            return width, len(data), charmap_decode(data, "strict", self.charmap)[0]
        return width, len(data), "".join(map(self.texts.__getitem__, data))

    def decode(self, data: bytes) -> list[tuple[int, int, str, float]]:
        """The glyphs of a string: first byte, end byte, text, advance in em."""
        if not self.composite:
            texts, widths = self.texts, self.widths
            return [(at, at + 1, texts[byte], widths[byte]) for at, byte in enumerate(data)]
        known = self.known
        glyphs = []
        for start, end in self.cmap.split(data):
            code = data[start:end]
            entry = known.get(code)
            if entry is None:
                entry = known[code] = self.look_up(code) if self.look_up else (UNKNOWN, 1.0)
            glyphs.append((start, end, *entry))
        return glyphs


def _simple_font(texts: list[str], widths: list[float]) -> Font:
    single = all(len(text) == 1 for text in texts)
    return Font(texts=texts, widths=widths, charmap="".join(texts) if single else "")


def fallback() -> Font:
    """For text shown without a font, or with one that is missing."""
    widths = base14_widths("Helvetica") or {}
    encoding = base_encoding("WinAnsiEncoding")
    texts = [encoding.get(code) or UNKNOWN for code in range(256)]
    return _simple_font(texts, [widths.get(text, 0.5) for text in texts])


class Fonts:
    """The fonts of one file, each built once."""

    def __init__(self) -> None:
        self._known: dict[ObjGen, Font] = {}
        self._fallback = fallback()

    def get(self, spec: object) -> Font:
        if not isinstance(spec, Dictionary):
            return self._fallback
        objgen = spec.objgen
        if spec.is_indirect and objgen in self._known:
            return self._known[objgen]
        font = _build(spec)
        font.objgen = objgen if spec.is_indirect else (0, 0)
        if spec.is_indirect:
            self._known[objgen] = font
        return font

    def in_use(self) -> dict[ObjGen, Counter[GlyphCode]]:
        return {objgen: font.used for objgen, font in self._known.items()}


def _build(spec: Dictionary) -> Font:
    kind = spec.get("/Subtype")
    to_unicode = _map_of(spec.get("/ToUnicode"))
    if kind == "/Type0":
        font = _composite(spec, to_unicode)
        font.layer = spec.get("/BaseFont") == LAYER_FONT
        return font
    return _simple(spec, kind == "/Type3", to_unicode)


def _map_of(value: object) -> cmaps.CodeMap:
    data = stream_bytes(value)
    return cmaps.parse(data).unicode if data else cmaps.CodeMap()


def _simple(spec: Dictionary, type3: bool, to_unicode: cmaps.CodeMap) -> Font:
    """A font whose codes are single bytes."""
    encoding, told = _simple_encoding(spec)
    widths = _simple_widths(spec, type3, encoding)
    silent = "" if type3 or _is_embedded(spec) else _SILENT
    texts = []
    for code in range(256):
        default = silent if code in _CONTROLS else ""
        texts.append(_choose(to_unicode.get(code), encoding.get(code, default)))
    font = _simple_font(texts, widths)
    if type3:
        font.told = None
        font.height = _type3_height(spec)
        font.procedures = _procedures(spec)
    else:
        font.told = lambda code: told.get(int(code), "") if isinstance(code, int) else ""
    return font


def _procedures(spec: Dictionary) -> tuple[ObjGen, ...]:
    """The streams that draw the glyphs of a Type 3 font."""
    procedures = spec.get("/CharProcs")
    if not isinstance(procedures, Dictionary):
        return ()
    return tuple(sorted(proc.objgen for _, proc in procedures.items() if isinstance(proc, Stream)))


def _is_embedded(spec: Dictionary) -> bool:
    descriptor = spec.get("/FontDescriptor")
    programs_in = ("/FontFile", "/FontFile2", "/FontFile3")
    return isinstance(descriptor, Dictionary) and any(key in descriptor for key in programs_in)


def _choose(mapped: object, encoded: str) -> str:
    """The text of a code: ToUnicode's, unless that says nothing or hides in the private area."""
    text = mapped if isinstance(mapped, str) else ""
    if text.isspace():  # of any width
        return " "
    is_private = any(_PRIVATE_FIRST <= char <= _PRIVATE_LAST for char in text)
    if text and text.isprintable() and not is_private:
        return text
    visible = "".join(char for char in text if char.isprintable() or char in _JOINERS)
    return encoded or visible or text.strip("\0") or UNKNOWN


def _simple_encoding(spec: Dictionary) -> tuple[dict[int, str], dict[int, str]]:
    """The text of each code, and that part of it which is no guess."""
    encoding = spec.get("/Encoding")
    base = _symbols(spec)
    differences: list[object] = []
    if isinstance(encoding, Name) and base is None:
        base = base_encoding(name_of(encoding)[1:])
    elif isinstance(encoding, Dictionary):
        named = encoding.get("/BaseEncoding")
        if isinstance(named, Name) and base is None:
            base = base_encoding(name_of(named)[1:])
        listed = encoding.get("/Differences")
        if isinstance(listed, Array):
            differences = [_as_python(item) for item in listed]
    known = base
    if base is None:
        base, known = _built_in(spec)
    known = known or {}
    if not differences:
        return base, known
    return with_differences(base, differences), with_differences(known, differences)


def _symbols(spec: Dictionary) -> dict[int, str] | None:
    """The signs of a font that the file does not bring along and whose codes are no letters."""
    descriptor = spec.get("/FontDescriptor")
    if isinstance(descriptor, Dictionary) and any(key in descriptor for key in _FONT_FILES):
        return None
    name = _base_name(spec)
    return symbol_encoding(name.partition("+")[2] or name)


def _as_python(item: object) -> object:
    return name_of(item)[1:] if isinstance(item, Name) else item


def _built_in(spec: Dictionary) -> tuple[dict[int, str], dict[int, str]]:
    """The encoding that the font program itself declares, on top of the usual one; and alone."""
    descriptor = spec.get("/FontDescriptor")
    usual = base_encoding("WinAnsiEncoding" if spec.get("/Subtype") == "/TrueType" else "StandardEncoding")
    if not isinstance(descriptor, Dictionary):
        return usual, usual
    if data := stream_bytes(descriptor.get("/FontFile")):
        names = programs.type1_names(data)
    elif data := stream_bytes(descriptor.get("/FontFile3")):
        names = programs.compact_names(data)
    elif data := stream_bytes(descriptor.get("/FontFile2")):
        declared = _true_type(data)
        return usual | declared, declared
    else:
        return usual, usual
    declared = {code: text for code, name in names.items() if (text := glyph_text(name))}
    return usual | declared, declared


def _true_type(data: bytes) -> dict[int, str]:
    maps = programs.character_maps(data)
    texts = programs.glyph_unicode(data)
    found: dict[int, str] = {}
    for code in range(256):
        gid = maps.get((3, 0), {}).get(0xF000 + code) or maps.get((3, 0), {}).get(code)
        gid = gid or maps.get((1, 0), {}).get(code)
        if gid and gid in texts:
            found[code] = texts[gid]
    return found


def _simple_widths(spec: Dictionary, type3: bool, encoding: dict[int, str]) -> list[float]:
    """The width of each code of a simple font in em: as the file lists it, else as the standard font has it."""
    listed = spec.get("/Widths")
    first = integer(spec.get("/FirstChar"))
    scale = 0.001
    if type3:
        matrix = spec.get("/FontMatrix")
        scale = abs(real(matrix[0])) if isinstance(matrix, Array) and len(matrix) == 6 else 0.001
    descriptor = spec.get("/FontDescriptor")
    missing = real(descriptor.get("/MissingWidth")) if isinstance(descriptor, Dictionary) else 0.0
    if isinstance(listed, Array) and len(listed):
        widths = [missing * scale] * 256
        for at, width in enumerate(list(listed)[:256]):
            if 0 <= first + at < 256:
                widths[first + at] = real(width) * scale
        # A list of zeros says nothing: the standard font knows better.
        if type3 or any(widths):
            return widths
    name = _base_name(spec)
    known = base14_widths(name.partition("+")[2] or name)
    known = known or base14_widths("Helvetica") or {}
    return [known.get(encoding.get(code, ""), 0.5) for code in range(256)]


def _base_name(spec: Dictionary) -> str:
    name = spec.get("/BaseFont")
    return name_of(name)[1:] if isinstance(name, Name) else "Helvetica"


def _type3_height(spec: Dictionary) -> float:
    """How tall the glyphs are in units of the font size: Type 3 fonts choose their own scale."""
    matrix, box = spec.get("/FontMatrix"), spec.get("/FontBBox")
    scale = abs(real(matrix[3])) if isinstance(matrix, Array) and len(matrix) == 6 else 0.001
    tall = abs(real(box[3]) - real(box[1])) if isinstance(box, Array) and len(box) == 4 else 0.0
    height = scale * (tall or 1000.0)
    return height if 1e-6 < height < 1e6 else 1.0


def _composite(spec: Dictionary, to_unicode: cmaps.CodeMap) -> Font:
    children = spec.get("/DescendantFonts")
    child = children[0] if isinstance(children, Array) and len(children) else None
    child = child if isinstance(child, Dictionary) else Dictionary()
    cmap = encoding_map(spec.get("/Encoding"))
    widths, default = (
        vertical_advances(child) if cmap.vertical else (cid_widths(child), real(child.get("/DW"), 1000.0))
    )
    texts = CidTexts(child)

    def look_up(code: bytes) -> tuple[str, float]:
        cid = cmap.cid(code)
        mapped = to_unicode.get(int.from_bytes(code))
        text = _choose(mapped, "")
        if text == UNKNOWN or (not isinstance(mapped, str)):
            text = texts.of(cid) or text
        return text, widths.get(cid, default) * 0.001

    def told(code: GlyphCode) -> str:
        return texts.of(cmap.cid(code)) if isinstance(code, bytes) else ""

    return Font(composite=True, vertical=cmap.vertical, cmap=cmap, look_up=look_up, told=told)
