"""Word documents: what is read, what a replacement looks like, and that the rest is as it was."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import NamedTuple

import docx as python_docx
import pytest
from docx.shared import Pt
from hypothesis import example, given
from hypothesis import strategies as st

from efface.attacks.readers.office import extract
from efface.core import Edit, apply_edits
from efface.files import ocr
from efface.formats.office import DOCX
from efface.formats.office.reading_flow import BEFORE_CHANGES, WITHOUT_HIDDEN
from tests.attacks.leaks.office_packages import complaints, docx, paragraph, word_part
from tests.attacks.leaks.office_redaction import edits_of, redact


def _text_of(data: bytes, part: str) -> str:
    document = DOCX.read(data, "x.docx")
    return "".join(document.text[item.start : item.end] for item in document.parts if item.name == part)


def _saved(document: python_docx.document.Document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


READING = {
    "runs are one text": (paragraph("Jo", "hn", " Smith"), "plain\nJohn Smith\n"),
    "tabs and breaks": (paragraph("a", "<w:r><w:tab/><w:br/></w:r>", "b"), "plain\na\t\nb\n"),
    "tab stops are no text": ("<w:p><w:pPr><w:tabs><w:tab w:pos='1'/></w:tabs></w:pPr></w:p>", "plain\n\n"),
    "hyphens": (paragraph("a", "<w:r><w:noBreakHyphen/></w:r>", "b"), "plain\na\u2011b\n"),
    "cells": (
        f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>",
        "plain\na\tb\n",
    ),
}


@pytest.mark.parametrize("name", READING)
def test_reading_order(name: str) -> None:
    body, expected = READING[name]
    assert _text_of(docx(body), "body") == expected


def test_a_text_box_is_read_after_the_paragraph_it_hangs_in() -> None:
    box = "<w:r><w:pict><v:rect><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:rect></w:pict></w:r>"
    body = paragraph("one ", box.format(paragraph("inside")), "two")
    assert _text_of(docx(body), "body") == "plain\none two\ninside\n"


def test_the_three_views_of_a_paragraph() -> None:
    body = paragraph(
        "kept ",
        "<w:ins w:id='1'><w:r><w:t>new </w:t></w:r></w:ins>",
        "<w:del w:id='2'><w:r><w:delText>old </w:delText></w:r></w:del>",
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden </w:t></w:r>",
        "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>shown</w:t></w:r>",
    )
    data = docx(body)
    assert _text_of(data, "body") == "plain\nkept new hidden shown\n"
    assert _text_of(data, BEFORE_CHANGES) == "kept old hidden shown\n"
    assert _text_of(data, WITHOUT_HIDDEN) == "kept new shown\n"


def test_a_replacement_has_the_formatting_of_the_run_it_starts_in() -> None:
    document = python_docx.Document()
    line = document.add_paragraph()
    for text, bold in (("Dear ", False), ("Jo", True), ("hn Smi", False), ("th, hello", False)):
        run = line.add_run(text)
        run.bold = bold
        run.font.size = Pt(20 if bold else 10)
    released = redact("docx", _saved(document), "John Smith", placeholder="[PERSON]")
    runs = python_docx.Document(io.BytesIO(released)).paragraphs[-1].runs
    assert [(run.text, run.bold) for run in runs] == [
        ("Dear ", False),
        ("[PERSON]", True),
        ("", False),
        (", hello", False),
    ]
    assert runs[1].font.size == Pt(20)


def test_space_at_the_edge_of_a_run_is_kept() -> None:
    released = redact("docx", docx(paragraph("to John")), "John", placeholder="")
    assert b'<w:t xml:space="preserve">to </w:t>' in _part(released, "word/document.xml")


def _part(data: bytes, name: str) -> bytes:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def test_prefixes_and_declaration_stay() -> None:
    released = redact("docx", docx(paragraph("John")), "John")
    content = _part(released, "word/document.xml")
    assert content.startswith(b"<?xml version='1.0' encoding='UTF-8' standalone='yes'?>")
    assert b'mc:Ignorable="w14 w15"' in content
    assert b"xmlns:w14=" in content
    assert b"xmlns:w15=" in content


def test_authors_stay_distinct() -> None:
    body = "".join(
        paragraph(
            f"<w:ins w:id='{number}' w:author='{name}' w:date='2020-01-01T00:00:00Z'><w:r><w:t>x</w:t></w:r></w:ins>"
        )
        for number, name in enumerate(("Ann", "Bob", "Ann"))
    )
    content = _part(redact("docx", docx(body)), "word/document.xml").decode()
    assert [f'w:author="Author {number}"' in content for number in (1, 2, 3)] == [True, True, False]
    assert content.count("Author 1") == 2
    assert "w:date" not in content


def test_a_style_is_renamed_where_it_is_used() -> None:
    data = docx(
        "<w:p><w:pPr><w:pStyle w:val='SmithNote'/></w:pPr></w:p>",
        parts={"word/styles.xml": word_part("styles", "<w:style w:type='paragraph' w:styleId='SmithNote'/>")},
        relations=[("word/document.xml", "styles", "styles.xml")],
    )
    released = redact("docx", data, "SmithNote")
    assert b'w:pStyle w:val="[X]"' in _part(released, "word/document.xml")
    assert b'w:styleId="[X]"' in _part(released, "word/styles.xml")


def test_words_of_the_format_are_not_content() -> None:
    """A document about tables and titles keeps its tables, titles and styles."""
    document = python_docx.Document()
    document.add_heading("Normal title of a table", 1)
    document.add_paragraph("left center Heading", style="List Bullet")
    data = _saved(document)
    released = redact(
        "docx", data, "title", "table", "left", "center", "Heading", "Normal", "List", "heading"
    )
    again = python_docx.Document(io.BytesIO(released))
    assert [item.style and item.style.name for item in again.paragraphs] == ["Heading 1", "List Bullet"]
    assert again.paragraphs[0].text == "[X] [X] of a [X]"


def test_writing_twice_and_writing_nothing() -> None:
    document = DOCX.read(docx(paragraph("John and Ann")), "x.docx")
    first = DOCX.write(document, edits_of(document, ("John",)))
    second = DOCX.write(document, edits_of(document, ("Ann",)))
    third = DOCX.write(document, edits_of(document, ("John",)))
    assert first == third != second
    assert DOCX.read(DOCX.write(document, []), "x.docx").text == document.text


def test_a_document_of_another_format_is_a_mistake_of_the_caller() -> None:
    from efface.core import Document

    with pytest.raises(TypeError):
        DOCX.write(Document("x", "docx", "text"), [])


_WORDS = st.sampled_from(["John ", "Smith", " and ", "x", "é", "\U0001f600", "Sm", "ith "])


@given(st.lists(st.lists(_WORDS, min_size=1, max_size=6), min_size=1, max_size=5), st.integers(0, 3))
def test_reading_again_gives_the_edited_text(paragraphs: list[list[str]], skip: int) -> None:
    data = docx("".join(paragraph(*runs) for runs in paragraphs))
    document = DOCX.read(data, "x.docx")
    edits = edits_of(document, ("Smith", "John"))[skip:]
    released = DOCX.write(document, edits)
    assert DOCX.read(released, "x.docx").text == apply_edits(document.text, edits)
    assert complaints(released) == []


@st.composite
def _tracked(draw: st.DrawFn) -> str:
    """A secret cut into pieces that are kept, inserted, deleted or hidden, with other words between."""
    pieces: list[str] = []
    rest = "Zanzibar"
    while rest:
        cut = draw(st.integers(1, len(rest)))
        kind = draw(st.sampled_from(["keep", "keep", "ins", "del", "hide"]))
        word = rest[:cut]
        rest = rest[cut:]
        pieces.append(_run(kind, word))
        if draw(st.booleans()):
            pieces.append(_run(draw(st.sampled_from(["ins", "del", "hide"])), "qq"))
    return "".join(pieces)


def _run(kind: str, text: str) -> str:
    if kind == "del":
        return f"<w:del w:id='1'><w:r><w:delText>{text}</w:delText></w:r></w:del>"
    if kind == "ins":
        return f"<w:ins w:id='1'><w:r><w:t>{text}</w:t></w:r></w:ins>"
    hidden = "<w:rPr><w:vanish/></w:rPr>" if kind == "hide" else ""
    return f"<w:r>{hidden}<w:t>{text}</w:t></w:r>"


@example(_run("ins", "Zanz") + _run("del", "ibar"))
@given(_tracked())
def test_no_view_of_a_tracked_paragraph_keeps_the_secret(runs: str) -> None:
    released = redact("docx", docx(f"<w:p>{runs}</w:p>"), "Zanzibar")
    assert not any("zanzibar" in text.lower() for _, text in extract(released))


class RealDocument(NamedTuple):
    """A file as it is, what is read in it, and the file that is written without an edit."""

    name: str
    data: bytes
    text: str
    released: bytes


@pytest.fixture(scope="module")
def real_documents(shared_data: Path) -> list[RealDocument]:
    """Read once for all tests, and without OCR: what pictures say is no structure, and takes 20 s to read."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ocr, "available", lambda: False)
        for path in sorted((shared_data / "documents" / "docx").glob("*.docx")):
            data = path.read_bytes()
            document = DOCX.read(data, path.name)
            found.append(RealDocument(path.name, data, document.text, DOCX.write(document, [])))
    return found


def test_real_documents_open_with_the_same_structure(real_documents: list[RealDocument]) -> None:
    """An independent reader sees the same paragraphs, tables, sections and styles before and after."""
    for document in real_documents:
        assert _structure(document.released) == _structure(document.data), document.name
    assert len(real_documents) == 33


def _structure(data: bytes) -> tuple[object, ...]:
    document = python_docx.Document(io.BytesIO(data))
    try:
        styles = [style.style_id for style in document.styles]
    except KeyError:
        styles = []
    return (
        [item.text for item in document.paragraphs],
        [len(table.rows) for table in document.tables],
        len(document.sections),
        len(document.inline_shapes),
        styles,
    )


def test_every_word_the_attacker_reads_in_attributes_is_one_the_writer_shows(
    real_documents: list[RealDocument],
) -> None:
    """The two vocabularies of structure were made apart; on real files they agree."""
    from efface.formats.office.string_codecs import shown

    for document in real_documents:
        for where, text in extract(document.released):
            if where.endswith("attributes"):
                values = {value for value in text.split("\n") if value}  # most are there a thousand times
                unseen = [v for v in values if shown(shown(v, "url"), "moment") not in document.text]
                assert unseen == [], (document.name, where)


def test_pages_look_the_same(tmp_path: Path) -> None:
    """Rendered by LibreOffice where there is one."""
    import shutil
    import subprocess

    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("needs LibreOffice (soffice) to render pages")
    pdfium = pytest.importorskip("pypdfium2")
    document = python_docx.Document()
    for number in range(30):
        document.add_paragraph(f"Line {number} stays where it is.")
    data = _saved(document)
    pages = []
    for name, content in (("before", data), ("after", DOCX.write(DOCX.read(data, "x"), []))):
        path = tmp_path / f"{name}.docx"
        path.write_bytes(content)
        subprocess.run(
            [office, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(path)], check=True
        )
        page = pdfium.PdfDocument(str(path.with_suffix(".pdf")))[0]
        pages.append(page.render(scale=1).to_pil().tobytes())
    assert pages[0] == pages[1]


def test_edit_positions_outside_any_place_do_no_harm() -> None:
    document = DOCX.read(docx(paragraph("ab")), "x.docx")
    newline = document.text.index("\n")
    released = DOCX.write(document, [Edit(newline, newline + 1, "T", "k", "r", "!")])
    assert DOCX.read(released, "x.docx").text.startswith("plain!\nab")


def test_a_style_named_like_a_token_of_the_format_is_content() -> None:
    data = docx(
        "<w:p><w:pPr><w:pStyle w:val='center'/><w:jc w:val='center'/></w:pPr></w:p>",
        parts={
            "word/styles.xml": word_part(
                "styles", "<w:style w:styleId='center'><w:name w:val='center'/></w:style>"
            )
        },
        relations=[("word/document.xml", "styles", "styles.xml")],
    )
    content = _part(redact("docx", data, "center"), "word/document.xml")
    assert b'<w:pStyle w:val="[X]"/>' in content
    assert b'<w:jc w:val="center"/>' in content


@pytest.mark.parametrize(
    ("code", "written"),
    [
        (' XE "Zanzibarov" \\t "100% of it" ', ' XE "[X]" \\t "100% of it" '),
        (' HYPERLINK "http://x.example/a%20b/Zanzibarov" ', ' HYPERLINK "http://x.example/a b/[X]" '),
        (' TC "Zanzibarov %2541" ', ' TC "[X] %2541" '),
    ],
)
def test_a_field_code_stays_one_when_a_word_in_it_goes(code: str, written: str) -> None:
    escaped = code.replace('"', "&quot;")
    mark = "<w:r><w:fldChar w:fldCharType='{}'/></w:r>"
    body = paragraph(
        mark.format("begin"), f"<w:r><w:instrText>{escaped}</w:instrText></w:r>", mark.format("end")
    )
    document = DOCX.read(docx(body), "x.docx")
    start = document.text.index("Zanzibarov")
    released = DOCX.write(document, [Edit(start, start + 10, "X", "x", "test", "[X]")])
    with zipfile.ZipFile(io.BytesIO(released)) as package:
        xml = package.read("word/document.xml").decode()
    assert re.findall("<w:instrText[^>]*>([^<]*)<", xml) == [written]


def test_no_property_goes_on_in_the_next() -> None:
    """ "Nkechi Balogun" and "generated by python-docx" were read as a name, Balogungenerated."""
    made = python_docx.Document()
    made.core_properties.title = "Appraisal of Nkechi Balogun"
    assert made.core_properties.comments == "generated by python-docx"
    data = io.BytesIO()
    made.save(data)
    text = DOCX.read(data.getvalue(), "appraisal.docx").text
    assert "Nkechi Balogun" in text
    assert "Balogungenerated" not in text
