"""Words in the pictures of office files: read, painted over, or told to be unread."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable

import docx
import openpyxl
import pptx
import pytest
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image, ImageDraw, ImageFont

from efface.core import Edit, Format, GapKind, Pictures, Verdict
from efface.files import ocr, picture_text
from efface.formats import get_format
from efface.pipeline.sanitize import sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.attacks.leaks.office_packages import emf

engine = pytest.mark.skipif(not ocr.available(), reason="needs the `ocr` extra")


def picture(kind: str = "PNG", text: str = "Patient: Zanzibarov") -> bytes:
    drawn = Image.new("RGB", (180, 26), "white")
    ImageDraw.Draw(drawn).text((6, 5), text, fill="black", font=ImageFont.load_default(14))
    buffer = io.BytesIO()
    drawn.save(buffer, kind)
    return buffer.getvalue()


def word(data: bytes) -> bytes:
    document = docx.Document()
    document.add_paragraph("A letter about the weather.")
    document.add_picture(io.BytesIO(data))
    return _saved(document.save)


def slides(data: bytes) -> bytes:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_picture(io.BytesIO(data), 0, 0)
    return _saved(presentation.save)


def sheet(data: bytes) -> bytes:
    book = openpyxl.Workbook()
    book.active.add_image(SheetImage(io.BytesIO(data)), "A1")
    return _saved(book.save)


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


FILES = {"docx": word, "pptx": slides, "xlsx": sheet}


def shown(data: bytes) -> str:
    """What the pictures of a package say to somebody who looks."""
    said = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if "/media/" in name:
                said += [picture_text.read(frame).text for frame in picture_text.frames(archive.read(name))]
    return "\n".join(said)


def removed(format: Format, data: bytes, term: str) -> bytes:
    document = format.read(data, "file")
    start = document.text.index(term)
    return format.write(document, [Edit(start, start + len(term), "X", "x", "test", "[X]")])


@engine
@pytest.mark.parametrize("name", FILES)
def test_words_are_read_and_their_pixels_cleared(name: str) -> None:
    data = FILES[name](picture())
    format = get_format(name)
    document = format.read(data, "file")
    assert "Patient: Zanzibarov" in document.text
    assert "picture" in {part.name for part in document.parts}
    released = removed(format, data, "Zanzibarov")
    assert "anzi" not in shown(released)
    assert "Patient" in shown(released)
    assert "anzi" not in format.read(released, "file").text


@engine
@pytest.mark.parametrize("kind", ["JPEG", "GIF", "BMP", "TIFF"])
def test_every_kind_of_picture(kind: str) -> None:
    released = removed(get_format("docx"), word(picture(kind)), "Zanzibarov")
    assert "anzi" not in shown(released)
    assert "Patient" in shown(released)


DENY = "efface: 1\nfind: {patterns: none, names: none, deny: [Zanzibarov]}\n"


@engine
@pytest.mark.parametrize("name", FILES)
def test_a_denied_name_in_a_picture_does_not_leave(name: str) -> None:
    bound = bind(parse(DENY))
    report = sanitize(FILES[name](picture()), f"file.{name}", bound)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert "anzi" not in shown(report.released)
    assert verify(report.released, f"file.{name}", bound).verdict is Verdict.HELD
    assert verify(FILES[name](picture()), f"file.{name}", bound).verdict is Verdict.BROKEN


def test_without_the_engine_the_verdict_is_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    report = sanitize(word(picture()), "file.docx", bind(parse(DENY)))
    assert report.verdict is Verdict.UNPROVEN
    (gap,) = [gap for gap in report.coverage.gaps if gap.kind is GapKind.PICTURE]
    assert "ocr" in gap.next_step
    assert not gap.allowed


def test_a_picture_without_words_needs_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    assert sanitize(word(picture(text="")), "file.docx", bind(parse(DENY))).verdict is Verdict.HELD


@pytest.mark.parametrize("choice", ["keep", "remove"])
def test_the_policy_may_keep_or_remove_pictures(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    report = sanitize(word(picture()), "file.docx", bind(parse(f"{DENY}pictures: {choice}\n")))
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    monkeypatch.undo()
    if choice == "keep":
        (gap,) = [gap for gap in report.coverage.gaps if gap.kind is GapKind.PICTURE]
        assert gap.allowed
        assert "as the policy says" in gap.reason
    else:
        assert any("removed, as the policy says" in note for note in report.notes)
        with zipfile.ZipFile(io.BytesIO(report.released)) as archive:
            (media,) = [name for name in archive.namelist() if "/media/" in name]
            assert not any(map(picture_text.can_hold_words, picture_text.frames(archive.read(media))))


@engine
def test_an_open_document_shows_its_pictures() -> None:
    data = _open_document(picture())
    released = removed(get_format("odt"), data, "Zanzibarov")
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        (frame,) = picture_text.frames(archive.read("Pictures/image1.png"))
    assert "anzi" not in picture_text.read(frame).text


@engine
def test_a_picture_in_the_markup_of_a_drawing_goes_when_it_shows_words() -> None:
    address = f"data:image/png;base64,{base64.b64encode(picture()).decode()}"
    data = _open_document(picture(text=""), address)
    assert address in _part(data, "content.xml")
    released = get_format("odt").write(get_format("odt").read(data, "file"), [])
    assert address not in _part(released, "content.xml")
    assert "data:image/png" in _part(released, "content.xml")


def _part(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def _open_document(data: bytes, address: str = "#") -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<office:document-content xmlns:office="{names}office:1.0" xmlns:text="{names}text:1.0" '
        f'xmlns:draw="{names}drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2">'
        '<office:body><office:text><text:p>Letter<draw:frame><draw:image xlink:href="Pictures/image1.png"/>'
        f'<draw:image xlink:href="{address}"/></draw:frame></text:p></office:text></office:body>'
        "</office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
        archive.writestr("Pictures/image1.png", data)
    return buffer.getvalue()


def test_a_picture_that_cannot_be_opened_is_unread() -> None:
    data = _replaced(word(picture()), b"II\xbc\x01" + bytes(200))
    format = get_format("docx", Pictures.READ)
    assert [gap.allowed for gap in format.gaps(format.read(data, "file"))] == [False]  # type: ignore[attr-defined]


def test_text_drawn_by_glyph_numbers_is_unread() -> None:
    drawn = bytearray(emf("Zanzibar"))
    at = drawn.index(b"\x54\0\0\0")  # the record that draws text
    drawn[at + 52] |= 0x10
    data = _replaced(word(picture()), bytes(drawn))
    format = get_format("docx")
    assert [gap.allowed for gap in format.gaps(format.read(data, "file"))] == [False]  # type: ignore[attr-defined]


def _replaced(data: bytes, media: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, media if "/media/" in name else old.read(name))
    return buffer.getvalue()


@engine
def test_writing_that_no_look_reads_makes_the_verdict_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "lines", lambda _picture: [])
    report = sanitize(word(picture(text="What nobody reads")), "file.docx", bind(parse(DENY)))
    assert report.verdict is Verdict.UNPROVEN
    (gap,) = [gap for gap in report.coverage.gaps if gap.kind is GapKind.PICTURE]
    assert "looks like writing" in gap.reason
    assert "pictures: remove" in gap.next_step
