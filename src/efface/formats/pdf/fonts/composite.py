"""Composite fonts: how codes become CIDs, and what is said of a CID: its text and how far it advances."""

from __future__ import annotations

from typing import Any

from pikepdf import Array, Dictionary, Name, Stream, String

from efface.formats.pdf.fonts import cmaps
from efface.formats.pdf.fonts import font_programs as programs
from efface.formats.pdf.fonts.encodings import glyph_text
from efface.formats.pdf.object_values import integer, real, stream_bytes
from efface.formats.pdf.reader.object_walk import name_of


def encoding_map(value: object) -> cmaps.CMap:
    if isinstance(value, Name):
        return cmaps.predefined(name_of(value)[1:]) or cmaps.CMap(identity=True)
    if isinstance(value, Stream):
        cmap = cmaps.parse(stream_bytes(value))
        base = value.get("/UseCMap")
        if isinstance(base, Name) and cmap.nested is None:
            known = cmaps.predefined(name_of(base)[1:])
            cmap.nested = known.nested if known else None
        cmap.vertical = cmap.vertical or value.get("/WMode") == 1
        return cmap
    return cmaps.CMap(identity=True)


class CidTexts:
    """What a composite font's CIDs say when ToUnicode does not: by collection, or by the font program."""

    def __init__(self, child: Dictionary) -> None:
        self._child = child
        self._by_cid: dict[int, str] | None = None

    def of(self, cid: int) -> str:
        if self._by_cid is None:
            self._by_cid = self._collection() or self._program()
        return self._by_cid.get(cid, "")

    def _collection(self) -> dict[int, str]:
        info = self._child.get("/CIDSystemInfo")
        if not isinstance(info, Dictionary):
            return {}
        registry, ordering = info.get("/Registry"), info.get("/Ordering")
        if not isinstance(registry, String) or not isinstance(ordering, String):
            return {}
        return cmaps.cid_to_unicode(
            bytes(registry).decode("latin-1").strip(), bytes(ordering).decode("latin-1").strip()
        )

    def _program(self) -> dict[int, str]:
        """The text of each glyph by the embedded font program."""
        descriptor = self._child.get("/FontDescriptor")
        if not isinstance(descriptor, Dictionary):
            return {}
        if data := stream_bytes(descriptor.get("/FontFile2")):
            texts = programs.glyph_unicode(data)
            mapping = stream_bytes(self._child.get("/CIDToGIDMap"))
            if not mapping:
                return texts
            gids = [int.from_bytes(mapping[at : at + 2]) for at in range(0, len(mapping) - 1, 2)]
            return {cid: texts[gid] for cid, gid in enumerate(gids) if gid in texts}
        if data := stream_bytes(descriptor.get("/FontFile3")):
            if data[:4] == b"OTTO":
                return programs.glyph_unicode(data)
            names = programs.compact_order(data)
            return {gid: text for gid, name in enumerate(names) if (text := glyph_text(name))}
        return {}


def cid_widths(child: Dictionary) -> dict[int, float]:
    """The W array: `first [w …]` and `first last w`, mixed."""
    widths: dict[int, float] = {}
    items: list[Any] = list(child.get("/W") or []) if isinstance(child.get("/W"), Array) else []
    at = 0
    while at + 1 < len(items):
        first = integer(items[at])
        if isinstance(items[at + 1], Array):
            for offset, width in enumerate(items[at + 1]):
                widths[first + offset] = real(width)
            at += 2
        elif at + 2 < len(items):
            last = min(integer(items[at + 1]), first + 0xFFFF)
            width = real(items[at + 2])
            if len(widths) <= 0x20000:
                widths.update(dict.fromkeys(range(first, last + 1), width))
            at += 3
        else:
            break
    return widths


def vertical_advances(child: Dictionary) -> tuple[dict[int, float], float]:
    """Downward advances: the W2 array, and the default of DW2."""
    standard = child.get("/DW2")
    default = real(standard[1], -1000.0) if isinstance(standard, Array) and len(standard) == 2 else -1000.0
    advances: dict[int, float] = {}
    items: list[Any] = list(child.get("/W2") or []) if isinstance(child.get("/W2"), Array) else []
    at = 0
    while at + 1 < len(items):
        first = integer(items[at])
        if isinstance(items[at + 1], Array):
            for offset, advance in enumerate(list(items[at + 1])[::3]):
                advances[first + offset] = real(advance)
            at += 2
        elif at + 4 < len(items):
            last = min(integer(items[at + 1]), first + 0xFFFF)
            if len(advances) <= 0x20000:
                advances.update(dict.fromkeys(range(first, last + 1), real(items[at + 2])))
            at += 5
        else:
            break
    return advances, default
