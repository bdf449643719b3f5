"""Pictures outside of office files and PDFs: by themselves, in mails, and in the addresses of web pages."""

from __future__ import annotations

import base64
import io
from email.message import EmailMessage

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

from efface.core import GapKind, Report, Verdict
from efface.errors import InputError
from efface.files import ocr, picture_text
from efface.formats import get_format
from efface.pipeline.sanitize import sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.formats.office.test_picture_words import word

engine = pytest.mark.skipif(not ocr.available(), reason="needs the `ocr` extra")
SAID = "Patient: Zanzibarov"
POLICY = "find: {patterns: none, names: none, deny: [Zanzibarov]}"


def picture(kind: str = "PNG", text: str = SAID, exif: Image.Exif | None = None, turn: int = 0) -> bytes:
    drawn = Image.new("RGB", (180, 26), "white")
    ImageDraw.Draw(drawn).text((6, 5), text, fill="black", font=ImageFont.load_default(14))
    buffer = io.BytesIO()
    options = {} if exif is None else {"exif": exif}
    drawn.rotate(turn, expand=True).save(buffer, kind, **options)
    return buffer.getvalue()


def coded(data: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def page(data: bytes) -> bytes:
    return f'<p>A letter.</p><img alt="" src="{coded(data)}">'.encode()


def in_style_sheet(data: bytes) -> bytes:
    return f"<style>p {{ background: url('{coded(data)}') }}</style><p>A letter.</p>".encode()


def in_many_lines(data: bytes) -> bytes:
    code = base64.encodebytes(data).decode()
    return f"<p>A letter.</p><img src='data:image/png;charset=x;base64,{code}'>".encode()


def mail(data: bytes, media_type: str = "image/png", name: str | None = "scan.png") -> bytes:
    message = EmailMessage()
    message.set_content("A letter.")
    message.add_attachment(data, *media_type.split("/"), filename=name)
    return message.as_bytes()


def logo_in_mail(data: bytes) -> bytes:
    message = EmailMessage()
    message.set_content("A letter.")
    message.add_alternative('<p>A letter.</p><img src="cid:logo">', subtype="html")
    *_, shown = message.iter_parts()
    assert isinstance(shown, EmailMessage)
    shown.add_related(data, "image", "png", cid="<logo>")
    return message.as_bytes()


def page_in_mail(data: bytes) -> bytes:
    message = EmailMessage()
    message.set_content("A letter.")
    message.add_alternative(page(data).decode(), subtype="html")
    return message.as_bytes()


FILES = {
    "scan.png": picture(),
    "scan.jpg": picture("JPEG"),
    "scan.gif": picture("GIF"),
    "scan.tiff": picture("TIFF"),
    "a.html": page(picture()),
    "b.html": in_style_sheet(picture()),
    "c.html": in_many_lines(picture()),
    "a.eml": mail(picture()),
    "b.eml": logo_in_mail(picture()),
    "c.eml": page_in_mail(picture()),
    "d.eml": mail(picture("JPEG"), "application/octet-stream", "scan.jpg"),
}


def redacted(name: str, data: bytes, policy: str = POLICY) -> Report:
    return sanitize(data, name, bind(parse(policy)))


@engine
@pytest.mark.parametrize("name", FILES)
def test_a_denied_name_in_a_picture_does_not_leave(name: str) -> None:
    report = redacted(name, FILES[name])
    assert report.verdict is Verdict.HELD and report.released is not None
    again = get_format(report.document.format).read(report.released, name).text
    assert "anzi" not in again
    assert "Patient" in again  # the picture is still there
    assert verify(report.released, name, bind(parse(POLICY))).verdict is Verdict.HELD


@pytest.mark.parametrize("name", FILES)
def test_without_the_engine_the_verdict_is_unproven(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    report = redacted(name, FILES[name])
    assert report.verdict is Verdict.UNPROVEN
    assert [gap.kind for gap in report.coverage.unseen] == [GapKind.PICTURE]
    for choice in ("keep", "remove"):
        assert redacted(name, FILES[name], f"{POLICY}\npictures: {choice}").verdict is Verdict.HELD


def test_what_an_attachment_could_not_show_is_a_gap_of_the_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    message = mail(word(picture()), kind, "letter.docx")
    assert redacted("a.eml", message).verdict is Verdict.UNPROVEN
    assert redacted("a.eml", message, f"{POLICY}\npictures: remove").verdict is Verdict.HELD


def test_words_under_a_box_of_an_attached_pdf_go() -> None:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(60, 700, "Name: Gwendolyn Farthingale")
    canvas.rect(92, 696, 170, 16, fill=1)
    canvas.save()
    report = redacted("a.eml", mail(out.getvalue(), "application/pdf", "form.pdf"))
    assert report.verdict is Verdict.HELD and report.released is not None
    assert "Farthingale" not in get_format("eml").read(report.released, "a.eml").text


@pytest.mark.parametrize("name", ["a.html", "b.html", "a.eml"])
def test_a_picture_without_words_keeps_its_bytes(name: str) -> None:
    plain = Image.new("RGB", (40, 40), "navy")
    buffer = io.BytesIO()
    plain.save(buffer, "PNG")
    data = {"a.html": page, "b.html": in_style_sheet, "a.eml": mail}[name](buffer.getvalue())
    assert redacted(name, data).released == data


@pytest.mark.parametrize("code", ["QUJD", "", "iVBORw0KGgo="])
def test_what_is_no_picture_in_an_address_goes(code: str) -> None:
    data = f'<p>A letter.</p><img src="data:image/png;base64,{code}">'.encode()
    report = redacted("a.html", data)
    assert report.verdict is Verdict.HELD and report.released is not None
    assert not code or code.encode() not in report.released.replace(b"iVBORw0KGgoAAA", b"")


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(InputError, match="no picture"):
        redacted("scan.png", b"Zanzibarov")


@engine
def test_a_photograph_is_read_as_it_is_shown() -> None:
    """A camera stores the pixels sideways and says so beside them."""
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    exif[0x010E] = SAID
    report = redacted("scan.jpg", picture("JPEG", exif=exif, turn=90))
    assert "Zanzibarov" in report.document.text
    assert report.verdict is Verdict.HELD and report.released is not None
    (shown,) = picture_text.frames(report.released)
    assert shown.size == (180, 26)
    assert "anzi" not in picture_text.read(shown).text


def test_a_photograph_without_words_stays_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = SAID
    buffer = io.BytesIO()
    Image.new("RGB", (90, 30), "navy").save(buffer, "JPEG", exif=exif)
    released = redacted("scan.jpg", buffer.getvalue()).released
    assert released is not None and b"Zanzibarov" not in released
    assert [shown.size for shown in picture_text.frames(released)] == [(30, 90)]
