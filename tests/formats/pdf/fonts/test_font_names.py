"""Font programs lose their names and keep all else."""

from __future__ import annotations

import io

import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

from efface.formats.pdf.fonts.font_names import nameless
from tests.formats.pdf import build


def _opentype() -> bytes:
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "Alpha"])
    builder.setupCharacterMap({65: "Alpha"})
    pen = T2CharStringPen(500, None)
    pen.moveTo((0, 0))
    pen.lineTo((400, 0))
    pen.lineTo((200, 700))
    pen.closePath()
    outline = pen.getCharString()
    described = {"FullName": "Zanzibarov Sans", "Notice": "for Zanzibarov", "FamilyName": "Zanzibarov"}
    builder.setupCFF("Zanzibarov-Regular", described, {".notdef": outline, "Alpha": outline}, {})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "Alpha": (500, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Zanzibarov", "styleName": "Regular"})
    builder.setupPost()
    buffer = io.BytesIO()
    builder.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("data", [build.vera(), _opentype()], ids=["TrueType", "OpenType"])
def test_all_but_the_names_stays(data: bytes) -> None:
    stripped = nameless(data)
    before, after = TTFont(io.BytesIO(data)), TTFont(io.BytesIO(stripped))
    assert len(stripped) == len(data)
    assert before["name"].names
    assert after["name"].names == []
    for tag in set(before.keys()) - {"GlyphOrder", "name", "CFF "}:
        assert before.reader[tag] == after.reader[tag]
    assert before.getGlyphOrder() == after.getGlyphOrder()


def test_a_compact_font_keeps_its_glyphs() -> None:
    data = TTFont(io.BytesIO(_opentype())).reader["CFF "]
    assert b"Zanzibarov" in data
    stripped = nameless(data)
    assert b"Zanzibarov" not in stripped
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(stripped), None)
    assert fonts[0].getGlyphOrder() == [".notdef", "Alpha"]
    assert fonts[0].CharStrings["Alpha"].bytecode


@pytest.mark.parametrize("data", [b"", b"\1\0", b"\1\0\4\4\xff\xff\4", b"OTTO", b"\0\1\0\0\0\xff", b"%!PS"])
def test_damaged_programs_stay(data: bytes) -> None:
    assert nameless(data) == data


def test_names_between_the_tables_go() -> None:
    data = build.vera()
    assert nameless(data + b"Zanzibarov") == nameless(data) + bytes(10)
