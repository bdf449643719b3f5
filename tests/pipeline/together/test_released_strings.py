"""No part of a person who was cut is left in any string of a released file, as a reader sees it who shares no code with us."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from efface import Sanitizer
from efface.core import Verdict
from tests.pipeline.together.released_strings import left_of, released_strings

PARTS = ("leontyne", "fairweather", "vandermolen", "thaddeus", "quillfeather")
STORY = (
    "Leontyne Fairweather met Dr Thaddeus Quillfeather on Monday.",
    "Ms Fairweather's file was sent by Cressida Vandermolen, who knows Thaddeus well.",
    "see C:\\Users\\lfairweather\\notes_quillfeather.txt, and write to c.vandermolen@mail.example",
    "FAIRWEATHER L. - seen again; LF agrees with vandermolen",
)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _word() -> bytes:
    import docx
    from docx.oxml import parse_xml

    document = docx.Document()
    document.core_properties.author = "Cressida Vandermolen"
    document.sections[0].header.paragraphs[0].text = "File Fairweather"
    paragraph = document.add_paragraph(STORY[0])
    document.add_comment(paragraph.runs[0], text="Ask Thaddeus", author="L Fairweather", initials="LF")
    split = document.add_paragraph()
    for piece in ("Dr Quill", "fea", "ther left."):
        split.add_run(piece)
    deleted = f'<w:p {W}><w:del w:id="1" w:author="Vandermolen"><w:r><w:delText>Leontyne</w:delText></w:r></w:del></w:p>'
    document.element.body.insert(0, parse_xml(deleted))
    for line in STORY[1:]:
        document.add_paragraph(line)
    return _saved(document.save)


def _sheet() -> bytes:
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Quillfeather"
    sheet.append(["Patient", "Doctor", "Note"])
    sheet.append(["FAIRWEATHER, Leontyne", "Thaddeus Quillfeather", STORY[1]])
    sheet["D2"] = '=A2&" by Vandermolen"'
    sheet["A2"].comment = Comment("Leontyne rang", "Cressida Vandermolen")
    return _saved(book.save)


def _slides() -> bytes:
    import pptx

    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = STORY[0]
    slide.placeholders[1].text = "\n".join(STORY[1:])
    slide.notes_slide.notes_text_frame.text = "Tell Ms Vandermolen that leontyne came"
    return _saved(deck.save)


def _pdf() -> bytes:
    from reportlab.pdfgen import canvas

    saved = io.BytesIO()
    page = canvas.Canvas(saved)
    page.setAuthor("Cressida Vandermolen")
    for at, line in enumerate(STORY):
        page.drawString(50, 780 - 20 * at, line)
    page.bookmarkPage("here")
    page.addOutlineEntry("Leontyne Fairweather", "here")
    page.acroForm.textfield(name="doctor", value="Thaddeus Quillfeather", x=50, y=600, width=200, height=20)
    page.save()
    return saved.getvalue()


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    saved = io.BytesIO()
    save(saved)
    return saved.getvalue()


def _mail() -> bytes:
    head = "From: Cressida Vandermolen <c.vandermolen@mail.example>\nTo: info@mail.example\nSubject: Leontyne Fairweather\n\n"
    return (
        head + "\n".join(STORY) + "\n\n> On Monday Thaddeus Quillfeather wrote:\n>> Dear Cressida\n"
    ).encode()


def _page() -> bytes:
    title = "<title>Leontyne Fairweather</title><meta name='author' content='Cressida Vandermolen'>"
    split = "<p>Dr Quill<b>feather</b> and <i>Leon</i>tyne</p><img alt='Thaddeus Quillfeather' src='fairweather.jpg'>"
    paragraphs = "".join(f"<p>{line}</p>" for line in STORY)
    return f"<html><head>{title}</head><body>{paragraphs}{split}<!-- vandermolen --></body></html>".encode()


def _data() -> bytes:
    record = {
        "patient": {"first_name": "Leontyne", "surname": "Fairweather"},
        "by": "c.vandermolen",
        "log": list(STORY),
    }
    return json.dumps(record).encode()


def _xml() -> bytes:
    split = "<r><t>Fair</t><t>weather</t></r><r><t>QUILL</t><t>FEATHER</t></r>"
    paragraphs = "".join(f"<p>{line}</p>" for line in STORY)
    return f'<?xml version="1.0"?><d>{split}{paragraphs}</d>'.encode()


def _text() -> bytes:
    return "\n".join(STORY).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "story.docx": _word,
    "story.xlsx": _sheet,
    "story.pptx": _slides,
    "story.pdf": _pdf,
    "story.eml": _mail,
    "story.html": _page,
    "story.json": _data,
    "story.xml": _xml,
    "story.txt": _text,
}


@pytest.mark.parametrize("name", FILES)
def test_no_part_of_a_cut_person_is_in_any_string(name: str) -> None:
    source = FILES[name]()
    assert left_of(PARTS, released_strings(name, source)) == list(PARTS)  # the reader finds what is there
    report = Sanitizer().sanitize(source, name=name)
    assert report.verdict is Verdict.HELD and report.released is not None
    assert not left_of(PARTS, released_strings(name, report.released))
