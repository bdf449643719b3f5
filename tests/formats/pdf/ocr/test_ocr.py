"""Pages that must be looked at: scans, unreadable fonts, fonts that lie. The result is rendered and read again."""

from __future__ import annotations

import io
import random
import socket
import string
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Stream

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.pdf import extract
from efface.core import Document
from efface.errors import Refused
from efface.files import ocr
from efface.formats import notes
from efface.formats.pdf import PDF, flatten
from tests.formats.pdf.build import (
    coded,
    composite_font,
    deny,
    image,
    line,
    new_pdf,
    pixels,
    save,
)

LINES = [
    "Contract of Acme with Jane Zanzibarov,",
    "signed on 12 March in Lisbon by both.",
    "Small print which nobody reads.",
]


def letter() -> pikepdf.Pdf:
    return new_pdf(b"".join(line(text, y=250 - 40 * at, size=12 - at) for at, text in enumerate(LINES)))


def scan() -> bytes:
    return flatten(save(letter()), 150)


def seen(data: bytes, page: int = 0) -> str:
    """What the rendered page shows."""
    return "\n".join(found.text for found in ocr.lines(pixels(data, page, 2.5)))


def redacted(data: bytes, *terms: str) -> tuple[Document, bytes]:
    document = PDF().read(data, "x.pdf")
    edits = deny(document, *terms)
    assert edits
    return document, PDF().write(document, edits)


def test_a_scan_is_read_and_cleared(engine: None) -> None:
    data = scan()
    document, released = redacted(data, "Zanzibarov", "Lisbon")
    assert [one.strip() for one in document.text.splitlines()] == LINES
    assert any("OCR read page 1" in note for note in notes(document))
    shown = seen(released)
    assert "Zanzi" not in shown
    assert "Lisbon" not in shown
    for kept in (
        "Contract of Acme with Jane",
        "12 March in",
        "by both",
        LINES[2],
    ):
        assert kept in shown
    assert not search(
        [Removed("Zanzibarov", "X"), Removed("Lisbon", "X")], extract(released), Document("", "pdf", "")
    )
    again = PDF().read(released, "x.pdf").text
    assert "Jane [X]," in again
    assert "Zanzi" not in again


def test_only_the_words_change(engine: None) -> None:
    data = scan()
    _, released = redacted(data, "nobody")
    before, after = pixels(data, scale=2), pixels(released, scale=2)
    above = (0, 0, before.width, 2 * (300 - 185))
    from PIL import ImageChops

    difference = ImageChops.difference(before.crop(above), after.crop(above))
    assert difference.point(lambda value: 255 if value > 60 else 0).getbbox() is None
    assert ImageChops.difference(before, after).getbbox() is not None


TURNS = {  # the page's box, and what turns the content within it
    90: ([100, 50, 400, 450], b"0 1 -1 0 400 50 cm"),
    180: ([100, 50, 500, 350], b"-1 0 0 -1 500 350 cm"),
}


@pytest.mark.parametrize("turn", TURNS)
def test_a_page_that_is_turned_and_moved(engine: None, turn: int) -> None:
    box, matrix = TURNS[turn]
    with pikepdf.open(io.BytesIO(scan())) as pdf:
        page = pdf.pages[0].obj
        page["/Rotate"], page["/MediaBox"] = turn, Array(box)
        page["/Contents"] = Stream(pdf, b"q " + matrix + b" " + page["/Contents"].read_bytes() + b" Q Q Q q")
        data = save(pdf)
    document, released = redacted(data, "Lisbon")
    assert LINES[2] in document.text
    shown = seen(released)
    assert "Lisbon" not in shown
    assert "by both" in shown


def test_a_layer_of_another_program_that_misreads(engine: None) -> None:
    pdf = new_pdf(b"q 400 0 0 300 0 0 cm /Im Do Q\n")
    picture = pixels(save(letter()), scale=2)
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(
        Im=image(pdf, picture.width, picture.height, picture.tobytes())
    )
    layer = line(LINES[0].replace("Zanzibarov", "Zanzlbarou"), y=250, size=12, extra="3 Tr")
    pdf.pages[0].obj["/Contents"] = Stream(
        pdf, pdf.pages[0].obj["/Contents"].read_bytes() + layer + line(LINES[1], y=210, size=11, extra="3 Tr")
    )
    document, released = redacted(save(pdf), "Zanzibarov")
    assert document.text.count("Lisbon") == 1  # the layer said so already
    assert "Zanzi" not in seen(released)


def lying_font(pdf: pikepdf.Pdf, *, honest: bool = False, bare: bool) -> tuple[Any, dict[str, int]]:
    """A font whose map says other letters than it shows; `bare` of everything else that would tell."""
    from fontTools.ttLib import TTFont

    font, codes = composite_font(pdf)
    if bare:
        file = font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile2"]
        program = TTFont(io.BytesIO(file.read_bytes()))
        for table in ("cmap", "post", "name", "OS/2", "kern"):
            if table in program:
                del program[table]
        buffer = io.BytesIO()
        program.save(buffer)
        file.write(buffer.getvalue())
    letters = list(string.ascii_lowercase)
    random.Random(1).shuffle(letters)
    said = {} if honest else dict(zip(string.ascii_lowercase, letters, strict=True))
    entries = "\n".join(f"<{code:04x}> <{ord(said.get(char, char)):04x}>" for char, code in codes.items())
    cmap = (
        f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(codes)} beginbfchar {entries} endbfchar"
    )
    font["/ToUnicode"] = pdf.make_indirect(Stream(pdf, cmap.encode()))
    return font, codes


def in_font(pdf: pikepdf.Pdf, font: Any, codes: dict[str, int]) -> bytes:
    pdf.pages[0].obj["/Resources"]["/Font"]["/L1"] = font
    syntax = "".join(
        f"BT /L1 12 Tf 20 {250 - 40 * at} Td <{coded(text, codes)}> Tj ET\n" for at, text in enumerate(LINES)
    )
    pdf.pages[0].obj["/Contents"] = Stream(pdf, syntax.encode())
    return save(pdf)


@pytest.mark.parametrize("bare", [True, False])
def test_a_font_that_lies(engine: None, bare: bool) -> None:
    pdf = new_pdf(b"")
    data = in_font(pdf, *lying_font(pdf, bare=bare))
    document, released = redacted(data, "Zanzibarov")
    assert LINES[1] in document.text
    assert any("Turned into a picture" in note for note in notes(document))
    shown = seen(released)
    assert "Zanzi" not in shown
    assert LINES[1] in shown


@pytest.mark.parametrize("bare", [True, False])
def test_a_font_that_does_not_lie(engine: None, bare: bool) -> None:
    pdf = new_pdf(b"")
    document = PDF().read(in_font(pdf, *lying_font(pdf, honest=True, bare=bare)), "x.pdf")
    assert document.text.splitlines() == LINES
    assert notes(document) == ()


def test_a_font_without_characters(engine: None) -> None:
    pdf = new_pdf(b"")
    font, codes = lying_font(pdf, bare=True)
    del font["/ToUnicode"]
    document, released = redacted(in_font(pdf, font, codes), "Zanzibarov")
    assert LINES[1] in document.text
    assert "Zanzi" not in seen(released)


def test_without_the_engine() -> None:
    with pytest.raises(Refused, match="page 1 is a scan"):
        PDF().read(scan(), "x.pdf")
    pdf = new_pdf(b"")
    with pytest.raises(Refused, match="shows other characters"):
        PDF().read(in_font(pdf, *lying_font(pdf, bare=False)), "x.pdf")
    pdf = new_pdf(b"")
    honest = PDF().read(in_font(pdf, *lying_font(pdf, honest=True, bare=False)), "x.pdf")
    assert honest.text.splitlines() == LINES


def test_pictures_beside_text_are_mentioned() -> None:
    pdf = new_pdf(b"q 400 0 0 200 0 0 cm /Im Do Q " + line("Words enough to be a page of text", y=270))
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=image(pdf, 200, 100, b"\xff" * 20_000))
    document = PDF().read(save(pdf), "x.pdf")
    assert any("pictures of page 1 were not searched" in note for note in notes(document))


def test_nothing_is_downloaded(engine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the engine went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    ocr._engine.cache_clear()
    assert "of Acme" in seen(save(letter()))


def test_edges_of_words_lie_in_the_blank(engine: None) -> None:
    picture = pixels(save(letter()), scale=3).convert("L")
    for found in ocr.lines(picture):
        (left, top), (right, _), (_, bottom), _ = found.corners
        for word in found.words[1:]:
            column = round(left + word.start * (right - left))
            ink = picture.crop((column, int(top) + 4, column + 1, int(bottom) - 4))
            assert ink.getextrema()[0] > 150, word
