"""Forms: what is filled in is seen on the page, and text that stands on no page can be read."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from efface.service.review.document_pages.pdf_pages import page_image
from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running


def form(value: str) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 300))
    canvas.drawString(40, 250, "Contact")
    canvas.acroForm.textfield(name="contact", value=value, x=40, y=180, width=300, height=30, fontSize=14)
    canvas.save()
    return out.getvalue()


def _ink(data: bytes) -> int:
    """How many dark points the field has inside."""
    picture = Image.open(io.BytesIO(page_image(data, 0))).convert("L")
    scale = picture.width / 400
    inside = picture.crop((44 * scale, 94 * scale, 330 * scale, 116 * scale))
    return sum(inside.histogram()[:100])


def test_what_is_filled_in_is_drawn() -> None:
    assert _ink(form("")) == 0
    assert _ink(form("ann@example.org")) > 50


@needed
def test_text_on_no_page_is_counted_and_can_be_read_and_marked(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "form.pdf", form("ann@example.org and the grey okapi"))
    expect(page.locator(".legend")).to_contain_text("on no page: look at the text (P)")
    page.keyboard.press("P")
    expect(page.locator(".paper")).to_contain_text("the grey okapi")
    expect(page.locator(".paper mark.gone", has_text="ann@example.org").first).to_be_visible()
    page.keyboard.press("P")
    expect(page.locator(".paper .sheet")).to_be_visible()
    assert page.troubles == []
