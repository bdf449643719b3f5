"""Every decision is painted at once, and the verdict says that it is being checked."""

from __future__ import annotations

import io
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from tests.service.browser import bring, enter, expect, hold_back, needed
from tests.service.processes import Running

pytestmark = needed
MAIL = b"Grey cat. Write to ann@example.org, or to bob@example.org. White cat."


def held_up(browser: Any, server: Running, name: str, data: bytes) -> Any:
    """A document whose next check does not end."""
    page = enter(browser, server)
    bring(page, name, data)
    expect(page.locator("#strength")).to_be_enabled()
    return page


def test_a_decision_that_is_taken_back_is_painted_before_it_is_checked(browser: Any, server: Running) -> None:
    page = held_up(browser, server, "back.txt", MAIL)
    page.locator(".term", has_text="ann").click()
    page.keyboard.press("e")
    expect(page.locator(".bar .state")).to_have_text("held")
    hold_back(page, "**/view")
    page.keyboard.press("u")
    expect(page.locator(".paper mark.gone", has_text="ann")).to_have_count(1)
    expect(page.locator(".verdict strong")).to_have_text("checking")
    assert "holds" not in page.locator(".verdict").inner_text()
    page.keyboard.press("y")
    expect(page.locator(".paper mark.kept", has_text="ann")).to_have_count(1)
    page.unroute_all(behavior="ignoreErrors")
    assert page.troubles == []


def test_a_word_that_no_finder_knew_is_painted_everywhere_at_once(browser: Any, server: Running) -> None:
    page = held_up(browser, server, "cats.txt", MAIL)
    page.get_by_label("Search in the document").fill("cat")
    page.keyboard.press("Enter")
    page.wait_for_function("getSelection().toString() === 'cat'")
    hold_back(page, "**/view")
    page.locator(".paper").focus()
    page.keyboard.press("X")
    expect(page.locator(".paper mark.gone", has_text="cat")).to_have_count(2)
    page.unroute_all(behavior="ignoreErrors")


def test_a_page_that_is_put_back_is_there_at_once(browser: Any, server: Running) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 300))
    for _ in range(2):
        canvas.drawString(40, 200, "Write to ann@example.org")
        canvas.showPage()
    canvas.save()
    page = held_up(browser, server, "out.pdf", out.getvalue())
    page.locator(".sheet").first.click(button="right", position={"x": 20, "y": 250})
    page.get_by_role("menuitem", name="Take out page 1").click()
    expect(page.locator(".sheet.out")).to_have_count(1)
    expect(page.locator(".bar .state")).to_have_text("held")
    hold_back(page, "**/view")
    page.keyboard.press("u")
    expect(page.locator(".sheet.out")).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")


def test_a_thousand_decisions_at_once_do_not_freeze_the_page(browser: Any, server: Running) -> None:
    page = held_up(
        browser, server, "many.txt", "\n".join(f"user{n}@example.org" for n in range(1000)).encode()
    )
    page.get_by_label("Sort the terms").select_option("type")
    page.get_by_role("button", name="Keep all: e-mail address").click()
    expect(page.locator(".paper mark.kept")).to_have_count(1000)
    assert float(page.locator(".review").get_attribute("data-ms")) < 1000
