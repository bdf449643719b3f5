"""Programs that lost glyphs are read by fontTools, which shares no code with what wrote them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import reportlab
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.misc import eexec
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

from efface.formats.pdf.fonts import cff, outlines
from efface.formats.pdf.fonts import font_programs as programs

NAMES = [".notdef", "A", "aacute", "tail", "b", "acute", "B"]
CODES = {65: 1, 66: 6, 97: 2, 98: 4, 200: 6}  # the last is a second code of B
SYSTEM: cff.DictEntries = {0x0C1E: [391, 392, 0]}  # registry, ordering and supplement of a CID font


def font() -> cff.CompactFont:
    """A font with names of its own and standard ones, codes, and a square of another size for each glyph."""
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(NAMES)
    strings = {}
    for size, name in enumerate(NAMES, 1):
        pen = T2CharStringPen(600, None)
        pen.moveTo((0, 0))
        for corner in ((size * 100, 0), (size * 100, size * 100), (0, size * 100)):
            pen.lineTo(corner)
        pen.closePath()
        strings[name] = pen.getCharString()
    builder.setupCFF("Invented", {"FullName": "Invented Regular"}, strings, {"defaultWidthX": 600})
    builder.setupHorizontalMetrics(dict.fromkeys(NAMES, (600, 0)))
    builder.setupHorizontalHeader()
    buffer = BytesIO()
    builder.font["CFF "].cff.compile(buffer, builder.font)
    parsed = cff.parse(buffer.getvalue())
    assert parsed is not None
    return replace(parsed, encoding={code: parsed.glyphs[at].number for code, at in CODES.items()})


def compact_top(data: bytes) -> Any:
    fonts = CFFFontSet()
    fonts.decompile(BytesIO(data), None)
    return fonts[fonts.fontNames[0]]


def drawn(strings: Iterable[Any]) -> list[Any]:
    pens = []
    for string in strings:
        pen = RecordingPen()
        string.draw(pen)
        pens.append(pen.value)
    return pens


def everything() -> cff.CompactFont:
    return cff.with_glyphs(font(), set(range(len(NAMES))))


def test_a_font_with_names_keeps_the_wanted_glyphs_codes_and_names_and_no_others() -> None:
    before = cff.write(everything())
    after = outlines.compact(before, {"B"}, {"b"}, None)
    assert after is not None
    top, old = compact_top(after), compact_top(before)
    assert set(top.charset) == {".notdef", "B", "b", "acute"}  # accents stay: others are built with them
    for name in top.charset:
        assert drawn([top.CharStrings[name]]) == drawn([old.CharStrings[name]])
    assert {code: name for code, name in enumerate(top.Encoding) if name != ".notdef"} == {
        66: "B",
        98: "b",
        200: "B",
    }
    assert programs.compact_names(after) == {66: "B", 98: "b", 200: "B"}
    assert b"tail" in before
    assert b"tail" not in after
    assert top.FullName == "Invented Regular"


def test_glyphs_that_are_found_by_place_stay_in_theirs_and_the_others_draw_nothing() -> None:
    before = cff.write(everything())
    after = outlines.compact(before, set(), set(), {2, 4})
    assert after is not None
    index, old = (compact_top(each).CharStrings.charStringsIndex for each in (after, before))
    assert [index[at].bytecode for at in (1, 3, 5, 6)] == [b"\x0e"] * 4
    assert drawn([index[at] for at in (0, 2, 4)]) == drawn([old[at] for at in (0, 2, 4)])
    assert b"tail" not in after


def test_a_cid_font_keeps_the_glyphs_of_the_shown_cids() -> None:
    named = everything()
    cids = [0, 7, 300, 301, 40_000, 5, 6]
    glyphs = [
        replace(glyph, number=cid, font=at % 2)
        for at, (glyph, cid) in enumerate(zip(named.glyphs, cids, strict=True))
    ]
    one = replace(named.fonts[0], entries={})
    keyed = replace(
        named,
        top={**SYSTEM, **named.top},
        strings=(b"Adobe", b"Identity"),
        glyphs=tuple(glyphs),
        encoding=0,
        fonts=(one, one),
    )
    after = outlines.compact(cff.write(keyed), set(), set(), {300, 40_000})
    assert after is not None
    top = compact_top(after)
    assert list(top.charset) == [".notdef", "cid00300", "cid40000"]
    assert top.ROS == ("Adobe", "Identity", 0)
    assert list(top.FDSelect.gidArray) == [0, 0, 0]
    old = compact_top(cff.write(keyed))
    assert drawn([top.CharStrings["cid40000"]]) == drawn([old.CharStrings["cid40000"]])


@pytest.mark.parametrize("seed", range(3))
def test_a_true_type_font_keeps_the_wanted_glyphs_with_their_parts_widths_and_codes(seed: int) -> None:
    data = (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    old = TTFont(BytesIO(data))
    order = old.getGlyphOrder()
    wanted = set(random.Random(seed).sample(range(len(order)), 60)) | {old.getGlyphID("eacute")}
    after = outlines.true_type(data, wanted)
    assert after is not None
    new = TTFont(BytesIO(after), checkChecksums=2)
    assert "post" not in new
    parts = {0, *wanted, old.getGlyphID("e"), old.getGlyphID("acute")}
    for gid, name in enumerate(order):
        fresh = new.getGlyphName(gid)
        pens = DecomposingRecordingPen(old.getGlyphSet()), DecomposingRecordingPen(new.getGlyphSet())
        if gid in wanted:
            old.getGlyphSet()[name].draw(pens[0])
            new.getGlyphSet()[fresh].draw(pens[1])
            assert pens[0].value == pens[1].value
            assert new["hmtx"][fresh] == old["hmtx"][name]
        elif gid not in parts and not any(name in components(old, order[each]) for each in wanted):
            assert new["glyf"][fresh].numberOfContours == 0
    for table in old["cmap"].tables:
        codes = new["cmap"].getcmap(table.platformID, table.platEncID).cmap
        kept = {
            code: old.getGlyphID(name) for code, name in table.cmap.items() if old.getGlyphID(name) in wanted
        }
        assert kept.items() <= {code: new.getGlyphID(name) for code, name in codes.items()}.items()
        assert len(codes) < len(table.cmap)


def components(font: TTFont, name: str) -> set[str]:
    glyph = font["glyf"][name]
    return {part.glyphName for part in glyph.components} if glyph.isComposite() else set()


def test_a_type_1_font_loses_outlines_inside_its_secret_portion() -> None:
    private = b"dup 5/CharStrings 3 dict dup begin\n/.notdef 2 RD ab ND\n/A 3 RD xyz ND\n/Q 3 RD uvw ND\nend"
    hidden, _ = eexec.encrypt(b"\0\0\0\0" + private, 55665)
    header = b"%!PS-AdobeFont\ndup 65 /A put\ndup 81 /Q put\ncurrentfile eexec\n"
    portions = outlines.type1(header + hidden + b"0" * 8, (len(header), len(hidden)), {"A"}, set())
    assert portions is not None
    plain, _ = eexec.decrypt(portions[1], 55665)
    assert b"/A 3 RD xyz" in plain
    assert b"/Q" not in plain
    assert b"/Q" not in portions[0]


def test_damaged_programs_are_left_alone_and_never_crash() -> None:
    """Every cut, and a thousand changed bytes: a font comes out, or None."""
    compact = cff.write(everything())
    vera = (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    source = random.Random(1)
    for length in range(0, len(compact), 7):
        assert outlines.compact(compact[:length], {"B"}, set(), None) is None or length > len(compact) - 8
    for _ in range(1000):
        changed = bytearray(compact)
        changed[source.randrange(len(changed))] = source.randrange(256)
        outlines.compact(bytes(changed), {"B"}, set(), source.choice([None, {1, 3}]))
    for _ in range(40):
        changed = bytearray(vera[: source.choice([len(vera), 5000, 400])])
        for _ in range(20):
            changed[source.randrange(min(len(changed), 700))] = source.randrange(256)
        outlines.true_type(bytes(changed), {5, 9})
