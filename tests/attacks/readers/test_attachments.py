"""The attackers' reader sees into every attachment that the mail format's own reader sees into."""

from __future__ import annotations

import io
from email.message import EmailMessage

import docx
import openpyxl
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from reportlab.pdfgen.canvas import Canvas

from efface.attacks.readers.extract import READERS, extract
from efface.formats import BY_ENDING, BY_MEDIA_TYPE, FORMATS, get_format

WORD = "Zebulon"


def _docx() -> bytes:
    document, out = docx.Document(), io.BytesIO()
    document.add_paragraph(f"Call {WORD} now")
    document.save(out)
    return out.getvalue()


def _xlsx() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"] = f"Call {WORD} now"
    book.save(out)
    return out.getvalue()


def _picture() -> bytes:
    about, out = PngInfo(), io.BytesIO()
    about.add_text("Comment", f"Call {WORD} now")
    Image.new("L", (1, 1)).save(out, "PNG", pnginfo=about)
    return out.getvalue()


def _pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(100, 700, f"Call {WORD} now")
    canvas.save()
    return out.getvalue()


CONTENT = {
    "text": f"Call {WORD} now".encode(),
    "csv": b'who,when\n"Zeb\'ulon, Zebulon",now\n',
    "json": b'{"who": "\\u005aebulon"}',
    "jsonl": b'{"who": "\\u005aebulon"}\n{"who": "x"}\n',
    "card": b"BEGIN:VCARD\r\nNOTE:Call Zebu\r\n lon now\r\nEND:VCARD\r\n",
    "html": b"<p>Call &#90;ebulon now</p>",
    "xml": b"<a><b>Call &#90;ebulon now</b></a>",
    "eml": b"From: a@b.c\nSubject: =?utf-8?b?WmVidWxvbg==?=\n\nhello\n",
    "docx": _docx(),
    "xlsx": _xlsx(),
    "pdf": _pdf(),
}
ENDINGS = [(ending, kind) for ending, kind in BY_ENDING.items() if kind in CONTENT]
MEDIA_TYPES = [(type_, kind) for type_, kind in BY_MEDIA_TYPE.items() if kind in CONTENT and kind != "eml"]


def _mail(content: bytes, media_type: str, name: str | None) -> bytes:
    message = EmailMessage()
    message.set_content("see the attachment")
    message.add_attachment(content, *media_type.split("/"), filename=name)
    return message.as_bytes()


def _both_see(mail: bytes) -> None:
    assert WORD in get_format("eml").read(mail, "m.eml").text
    assert any(WORD in text for _, text in extract(mail, "eml"))


def test_nothing_is_left_out() -> None:
    told_by_their_first_bytes = {"pptx", "odt", "ods", "odp", "picture"}
    assert set(FORMATS) - set(CONTENT) == told_by_their_first_bytes


@pytest.mark.parametrize("media_type", ["image/png", "application/octet-stream", "text/plain"])
def test_what_a_picture_says_besides_its_pixels(media_type: str) -> None:
    mail = _mail(_picture(), media_type, "scan.png")
    assert any(WORD in text for _, text in extract(mail, "eml"))
    assert (
        WORD not in get_format("eml").read(mail, "m.eml").text
    )  # what stands beside the pixels does not leave


def test_every_format_has_an_attackers_reader() -> None:
    assert set(FORMATS) <= set(READERS)


@pytest.mark.parametrize(("ending", "kind"), ENDINGS)
def test_by_ending(ending: str, kind: str) -> None:
    _both_see(_mail(CONTENT[kind], "application/octet-stream", f"a{ending}"))


@pytest.mark.parametrize(("media_type", "kind"), MEDIA_TYPES)
def test_by_media_type(media_type: str, kind: str) -> None:
    _both_see(_mail(CONTENT[kind], media_type, None))


@pytest.mark.parametrize("kind", ["docx", "pdf"])
def test_by_what_it_is_whatever_is_said(kind: str) -> None:
    _both_see(_mail(CONTENT[kind], "text/plain", f"a.{kind}"))
    _both_see(_mail(CONTENT[kind], FORMATS[kind].media_types[0], "scan"))
