"""Letters that a PDF draws as outlines, as programs do that turn text into curves."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
import reportlab
from fontTools.pens.qu2cuPen import Qu2CuPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from efface.core import GapKind, Report, Verdict
from efface.files import ocr
from efface.formats.pdf import PDF
from efface.formats.pdf.ocr.drawn_letters import EVERYWHERE, rows
from efface.formats.pdf.reader.covers import Box
from efface.formats.pdf.reader.document import PdfDocumentReader
from efface.pipeline.sanitize import sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.formats.pdf.build import line, new_pdf, pixels, save

POLICY = "find: {patterns: none, names: none, deny: [Zanzibarov]}"
_OPERATORS = {"moveTo": "m", "lineTo": "l", "curveTo": "c", "closePath": "h", "endPath": "h"}


def outlines(text: str, size: float, each: bool) -> str:
    """The letters of a text as filled paths: each its own, or all as one."""
    font = TTFont(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale, across, syntax = size / font["head"].unitsPerEm, 0.0, []
    for char in text:
        glyph = glyphs[names[ord(char)]]
        pen = RecordingPen()
        glyph.draw(Qu2CuPen(pen, 1.0, all_cubic=True))
        for operator, points in pen.value:
            values = (f"{(x + across) * scale:.2f} {y * scale:.2f}" for x, y in points)
            syntax.append(f"{' '.join(values)} {_OPERATORS[operator]}")
        syntax.append("f" if each and pen.value else "")
        across += glyph.width
    return "\n".join([*syntax, "" if each else "f"])


def page(text: str = "Patient: Zanzibarov", turn: str = "1 0 0 1 60 150", each: bool = False) -> bytes:
    drawn = f"q {turn} cm {outlines(text, 16, each)} Q\n".encode()
    return save(new_pdf(line("A letter about the weather.", y=250) + drawn))


def dots(text: str) -> str:
    """The dark pixels of a word, each a filled box of a point."""
    picture = Image.new("1", (260, 40), 1)
    font = ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf", 24)
    ImageDraw.Draw(picture).text((4, 4), text, fill=0, font=font)
    places = ((x, y) for x in range(260) for y in range(40) if not picture.getpixel((x, y)))
    return "".join(f"{40 + x} {150 - y} 1 1 re f\n" for x, y in places)


PAGES = {
    "in dots": save(new_pdf(line("A letter about the weather.", y=250) + dots("Zanzibarov").encode())),
    "one path": page(),
    "a path for each letter": page(each=True),
    "turned": page(turn="0 1 -1 0 150 60"),
    "beside text": page("Zanzibarov", turn="1 0 0 1 250 250", each=True),
}


def redacted(data: bytes, policy: str = POLICY) -> Report:
    return sanitize(data, "x.pdf", bind(parse(policy)))


@pytest.mark.parametrize("name", PAGES)
def test_a_denied_name_in_outlines_does_not_leave(engine: None, name: str) -> None:
    report = redacted(PAGES[name])
    assert report.verdict is Verdict.HELD and report.released is not None
    shown = "\n".join(found.text for found in ocr.lines(pixels(report.released, 0, 2.5)))
    assert "anzi" not in shown
    assert "weather" in shown
    with pikepdf.open(io.BytesIO(report.released)) as pdf:
        assert b" c\n" not in pdf.pages[0].Contents.read_bytes()  # nothing is drawn below the black
    assert verify(report.released, "x.pdf", bind(parse(POLICY))).verdict is Verdict.HELD


def test_a_page_whose_outlines_stay_is_no_picture(engine: None) -> None:
    report = redacted(page("Acme works"))
    assert "Acme" in report.document.text
    assert report.verdict is Verdict.HELD and report.released is not None
    assert "A letter about the weather." in PDF().read(report.released, "x.pdf").text
    with pikepdf.open(io.BytesIO(report.released)) as pdf:
        assert "/XObject" not in pdf.pages[0].Resources


def test_without_the_engine_the_verdict_is_unproven() -> None:
    report = redacted(PAGES["one path"])
    assert report.verdict is Verdict.UNPROVEN
    assert [gap.kind for gap in report.coverage.unseen] == [GapKind.PICTURE]
    assert redacted(PAGES["one path"], f"{POLICY}\npictures: keep").verdict is Verdict.HELD


def test_lines_of_tables_and_single_shapes_are_no_letters() -> None:
    boxes = b"".join(b"%d 100 20 20 re f\n" % x for x in range(50, 250, 30))
    circle = b"100 60 m 110 60 110 70 100 70 c 90 70 90 60 100 60 c f\n"
    assert redacted(save(new_pdf(line("A letter.") + boxes + circle))).verdict is Verdict.HELD


def test_strokes_and_long_paths_are_places_too() -> None:
    zigzag = b"".join(
        b"%d 100 m %d 110 l %d 100 l %d 110 l S\n" % (x, x + 2, x + 4, x + 6) for x in range(50, 150, 10)
    )
    straight = b"".join(b"50 %d m 250 %d l S\n" % (y, y) for y in range(50, 200, 15))
    long = outlines("Nobody here is called by another name than this one", 8, each=False).encode()
    assert _places(zigzag) and not _places(straight)
    assert _places(b"q 1 0 0 1 20 20 cm " + long + b" Q") == [EVERYWHERE]


def _places(content: bytes) -> list[Box]:
    reader = PdfDocumentReader(save(new_pdf(line("A letter.") + content)))
    reader.document("x.pdf")
    return list(reader.drawn.get(0, []))


def test_shapes_in_a_row() -> None:
    letters = [((10.0 * at, 5.0, 10.0 * at + 8, 15.0), True) for at in range(5)]
    assert rows(letters) == [(-10.0, 5.0, 58.0, 15.0)]
    assert rows(letters[:3]) == []
    assert rows([(box, False) for box, _ in letters]) == []
    assert rows([((100.0 * at, 5.0, 100.0 * at + 8, 15.0), True) for at in range(5)]) == []
    assert len(rows([((5.0, 10.0 * at, 13.0, 10.0 * at + 8), True) for at in range(5)])) == 1
