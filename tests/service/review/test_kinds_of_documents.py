"""Documents as a day brings them, in a real browser: a long letter, a mail, a sheet and a scan."""

from __future__ import annotations

import io
from email.message import EmailMessage
from typing import Any

import docx
import openpyxl
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont

from efface.files import ocr
from tests.service.browser import bring, enter, expect, needed, text_of
from tests.service.processes import Running

pytestmark = needed


def a_long_letter(pages: int) -> bytes:
    document: Any = docx.Document()
    for number in range(pages):
        document.add_heading(f"Part {number}", 1)
        document.add_paragraph(f"Write to ann{number}@example.org. " + "The weather was fine that day. " * 3)
        document.add_page_break()
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_a_word_file_of_forty_pages(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "forty.docx", a_long_letter(40))
    expect(page.locator(".paper mark.gone")).to_have_count(40)
    page.keyboard.press("p")  # from the end
    expect(page.locator(".paper mark.current")).to_be_in_viewport()
    page.keyboard.press("e")
    expect(page.locator(".paper mark.kept")).to_have_count(1)
    expect(page.locator(".bar .state")).to_have_text("held")
    released = docx.Document(io.BytesIO(text_of(page, "Download file")))
    text = "\n".join(each.text for each in released.paragraphs)
    assert text.count("@example.org") == 1 and text.count("The weather") == 120
    assert page.troubles == []


def test_a_mail_with_attachments(browser: Any, server: Running) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ann@example.org", "bob@example.org", "Two files"
    mail.set_content("Please see the files. Call 212-555-0142.")
    mail.add_attachment(b"Write to cat@example.org.", maintype="text", subtype="plain", filename="note.txt")
    mail.add_attachment(
        a_long_letter(1),
        maintype="application",
        subtype="vnd.openxmlformats-officedocument.wordprocessingml.document",
        filename="letter.docx",
    )
    page = enter(browser, server)
    bring(page, "two-files.eml", mail.as_bytes())
    expect(page.locator(".paper .fold summary")).to_be_visible()
    assert "Content-Transfer-Encoding" in page.locator(".paper .fold").text_content()
    assert "Subject" not in page.locator(".paper .fold").text_content()
    marked = page.locator(".paper mark.gone")
    for word in ("ann@example.org", "212-555-0142", "cat@example.org", "ann0@example.org"):
        expect(marked.filter(has_text=word).first).to_be_attached()
    released = text_of(page, "Download file")
    assert b"cat@example.org" not in released and b"212-555-0142" not in released
    assert page.troubles == []


def test_a_column_of_a_spreadsheet(browser: Any, server: Running) -> None:
    book = openpyxl.Workbook()
    for row in (
        ["name", "town", "mail"],
        ["Ann", "Ghent", "ann@example.org"],
        ["Bob", None, "bob@example.org"],
    ):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    page = enter(browser, server)
    bring(page, "people.xlsx", out.getvalue())
    expect(page.locator(".paper mark.gone")).to_have_text(["ann@example.org", "bob@example.org"])
    page.get_by_role("cell", name="Ann", exact=True).click(button="right")
    page.get_by_role("menuitem", name="Take out this column").click()
    expect(page.locator(".history li")).to_contain_text(["in 2 places"])
    expect(page.locator(".bar .state")).to_have_text("held")
    left = openpyxl.load_workbook(io.BytesIO(text_of(page, "Download file"))).active
    assert [cell.value for cell in left["B"]] == ["town", "Ghent", None]
    assert not {"Ann", "Bob"} & {cell.value for cell in left["A"]}
    assert page.troubles == []


SCANNED = ImageFont.load_default(size=28)


def a_scan() -> bytes:
    """A page that is a picture of words."""
    picture = Image.new("L", (620, 120), 255)
    ImageDraw.Draw(picture).text((20, 40), "Write to ann@example.org today", fill=0, font=SCANNED)
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=100)
    return out.getvalue()


@pytest.mark.skipif(not ocr.available(), reason="needs the `ocr` extra")
def test_a_scanned_page(browser: Any, server: Running) -> None:
    """Its words are read, listed and gone from the pixels."""
    page = enter(browser, server)
    page.set_default_timeout(60_000)  # two processes load the models
    bring(page, "scan.pdf", a_scan())
    expect(page.locator(".sheet .word.gone")).to_have_text(["ann@example.org"])
    expect(page.locator(".terms .name")).to_have_text(["ann@example.org"])
    word = page.locator(".sheet .word.gone")
    place = word.evaluate("one => [parseFloat(one.style.left), parseFloat(one.style.width)]")
    left, right = (
        (20 + SCANNED.getlength(words)) / 6.2 for words in ("Write to ", "Write to ann@example.org")
    )
    assert place[0] < left and place[0] + place[1] > right, "the mark leaves a letter of the word"
    released = pypdfium2.PdfDocument(text_of(page, "Download file"))
    before = pypdfium2.PdfDocument(a_scan())[0].render(scale=1).to_pil().convert("L")
    after = released[0].render(scale=1).to_pil().convert("L")
    assert after.size == before.size and after.tobytes() != before.tobytes()
    assert page.troubles == []
