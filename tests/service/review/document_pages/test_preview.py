"""What a reviewer reads as the text of a document, and what is folded away under it."""

from __future__ import annotations

import io
from email.message import EmailMessage
from typing import Any

import docx
import pptx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from efface.formats import get_format
from efface.service.review.document_pages.preview import preview


def a_letter() -> bytes:
    document: Any = docx.Document()
    document.core_properties.title = "About Ann"
    paragraph = document.add_paragraph("One word ")
    bookmark = OxmlElement("w:bookmarkStart")
    bookmark.set(qn("w:id"), "0")
    bookmark.set(qn("w:name"), "_GoBack")
    paragraph._p.append(bookmark)
    paragraph.add_run("is missing.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def shown_of(format: str, data: bytes) -> tuple[list[str], list[str]]:
    """What is read, and what is folded away."""
    shown = preview(get_format(format).read(data, f"file.{format}"))
    read: list[str] = []
    folded: list[str] = []
    for block in shown["blocks"]:
        words = "".join(shown["text"][start:end] for start, end, _ in block["runs"]).strip()
        (folded if block.get("fold") else read).append(words)
    return [words for words in read if words], folded


def test_a_bookmark_is_none_of_a_paragraphs_words_and_properties_are_no_text() -> None:
    read, folded = shown_of("docx", a_letter())
    assert read == ["One word is missing."]
    assert "_GoBack" in folded and "About Ann" in folded


def test_properties_of_an_attached_file_are_folded_away_too() -> None:
    mail = EmailMessage()
    mail["From"], mail["X-Mailer"] = "ann@example.org", "Pigeon 3"
    mail.set_content("See the letter.")
    mail.add_attachment(a_letter(), maintype="application", subtype="octet-stream", filename="letter.docx")
    read, folded = shown_of("eml", mail.as_bytes())
    assert read[:2] == ["ann@example.org", "See the letter."]
    assert {"About Ann", "Pigeon 3"} <= set(folded)
    assert "About Ann" not in read


def test_files_in_a_mail_look_as_they_do_alone_and_have_their_names() -> None:
    """A letter's table was lines with tabs, and the file was called "attachment 2"."""
    letter: Any = docx.Document()
    letter.add_heading("About the visit", 1)
    letter.add_table(rows=1, cols=2).cell(0, 1).text = "a cell"
    out = io.BytesIO()
    letter.save(out)
    mail = EmailMessage()
    mail["From"] = "ann@example.org"
    mail.set_content("See the letter 🙂.")
    mail.add_attachment(
        out.getvalue(), maintype="application", subtype="octet-stream", filename="letter.docx"
    )
    mail.add_attachment(b"Name,Phone\nAnn,111\n", maintype="text", subtype="csv", filename="list.csv")
    mail.add_attachment(b"Two\nlines", maintype="text", subtype="plain", filename="note.txt")
    shown = preview(get_format("eml").read(mail.as_bytes(), "file.eml"))
    said = [(shown["text"][block["runs"][0][0] : block["runs"][-1][1]].strip(), block) for block in shown["blocks"]]  # fmt: skip
    found = {words: block for words, block in said if words and not block.get("fold")}
    assert found["About the visit"]["kind"] == "h1" and found["a cell"]["column"] == 1
    assert [found[words]["column"] for words in ("Name", "Phone", "Ann", "111")] == [0, 1, 0, 1]
    titles = {words: found[words].get("part") for words in ("About the visit", "Name", "Two", "lines")}
    assert titles == {
        "About the visit": "attachment 2: letter.docx",
        "Name": "attachment 3: list.csv",
        "Two": "attachment 4: note.txt",
        "lines": None,
    }
    drawn = sum(end - start for block in shown["blocks"] for start, end, _ in block["runs"])
    assert drawn >= len("".join(shown["text"].split()))


def test_cells_stand_in_their_columns_beside_empty_and_merged_ones() -> None:
    """An empty cell has no words and a merged one is one of two columns: what follows keeps its column."""
    document: Any = docx.Document()
    table = document.add_table(rows=4, cols=3)
    rows = (("Name", "Nick", "Phone"), ("Ann", "", "111"), ("Bob and Ben", "", "222"), ("Cid", "C", "333"))
    for cells, words in zip(table.rows, rows, strict=True):
        for cell, word in zip(cells.cells, words, strict=True):
            cell.text = word
    table.cell(2, 0).merge(table.cell(2, 1))
    out = io.BytesIO()
    document.save(out)
    shown = preview(get_format("docx").read(out.getvalue(), "file.docx"))
    places = {}
    for block in shown["blocks"]:
        said = "".join(shown["text"][start:end] for start, end, _ in block["runs"]).strip()
        if said and "cell" in block:
            places[said] = (block["column"], block.get("span", 1))
    assert places == {
        "Name": (0, 1), "Nick": (1, 1), "Phone": (2, 1),
        "Ann": (0, 1), "111": (2, 1),
        "Bob and Ben": (0, 2), "222": (2, 1),
        "Cid": (0, 1), "C": (1, 1), "333": (2, 1),
    }  # fmt: skip


PAGE = b"""<html><head><title>Minutes</title></head>
<body class="wide">
  <h2>Who was
      there</h2>
  <p>Ann and <b>Bob</b> Roe.</p>
  <table><thead><tr><th>Name<th>Phone</tr></thead>
    <tr><td><p>Cid</p></td><td></td><td>333</td></tr></table>
  <ul><li>one</li><li>two</li></ul>
  <!-- ask Dan --><script>let e = "Eve";</script>
</body></html>"""


def test_a_web_page_has_its_headings_lists_and_tables() -> None:
    """It was lines, most of them blank, with a comment under the title of an attribute."""
    shown = preview(get_format("html").read(PAGE, "page.html"))
    found = {}
    for block in shown["blocks"]:
        words = " ".join(shown["text"][block["runs"][0][0] : block["runs"][-1][1]].split())
        found[words] = (block["kind"], block.get("part"), block.get("column"), block.get("fold", False))
    assert found == {
        "Minutes": ("p", "title", None, False),
        "Who was there": ("h2", None, None, False),
        "Ann and Bob Roe.": ("p", None, None, False),
        "Name": ("p", None, 0, False),
        "Phone": ("p", None, 1, False),
        "Cid": ("p", None, 0, False),
        "333": ("p", None, 2, False),
        "one": ("li", None, None, False),
        "two": ("li", None, None, False),
        "wide": ("p", "attribute class", None, True),
        "ask Dan": ("p", "comment", None, True),
        'let e = "Eve";': ("p", "script", None, True),
    }


def test_what_slides_are_made_from_is_folded_away() -> None:
    """A deck of one slide began with its words and went on with eleven layouts: "Click to edit Master title style"."""
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "About Ann"
    out = io.BytesIO()
    deck.save(out)
    read, folded = shown_of("pptx", out.getvalue())
    assert read == ["About Ann"]
    assert "Click to edit Master title style" in folded
