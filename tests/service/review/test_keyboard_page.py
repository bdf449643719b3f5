"""What a mouse can do, done by keys: pages, areas, columns, the kind of a mark, a count while one types."""

from __future__ import annotations

import re
from typing import Any

from tests.service.browser import PHONE, bring, enter, expect, needed
from tests.service.processes import Running
from tests.service.review.test_marking import pdf_of

pytestmark = needed


def test_how_often_words_stand_in_the_document_is_told_while_one_types(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "cats.txt", b"Grey cat. White cat. Grey dog, 212-555-0142.")
    page.keyboard.press("/")
    page.keyboard.type("gre")
    expect(page.locator("#status")).to_have_text("2 found")
    page.keyboard.type("en")
    expect(page.locator("#status")).to_have_text("Not found.")
    assert page.evaluate("() => getSelection().toString()") == "", "typing selects nothing"
    page.get_by_label("Search in the document").fill("")
    expect(page.locator("#status")).to_have_text("")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator(".released")).to_contain_text("White cat")
    page.get_by_label("Search in the document").fill("212")
    expect(page.locator("#status")).to_have_text("0 found in what will leave · 1 in the original")


def test_a_page_and_an_area_are_taken_out_by_keys(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "zoo.pdf", pdf_of("zebra yak", "lion", "tiger"))
    page.keyboard.press("M")
    page.get_by_role("menuitem", name="Take out an area, in numbers…").press("Enter")
    page.get_by_role("dialog").get_by_label("From the left edge, in % of the page").press("Enter")
    expect(page.locator(".sheet").first.locator(".area")).to_have_count(1)
    page.locator(".sheet").nth(2).evaluate("sheet => sheet.scrollIntoView()")
    page.keyboard.press("M")
    page.get_by_role("menuitem", name="Take out page 3").press("Enter")
    expect(page.locator(".history li")).to_have_text(
        ["reviewer takes out page 3", "reviewer takes an area out of page 1"]
    )
    assert page.troubles == []


def test_a_column_whose_cells_are_marked_is_taken_out(browser: Any, server: Running) -> None:
    """By the keys at the current term, and by a right click on a mark."""
    page = enter(browser, server)
    bring(page, "people.csv", b"mail,town\nann@example.org,Ghent\nbob@example.org,Bruges\n")
    page.keyboard.press("n")
    page.keyboard.press("M")
    page.get_by_role("menuitem", name="Take out this column").press("Enter")
    expect(page.locator(".history li")).to_have_text(["reviewer redacts in 2 places"])
    page.keyboard.press("u")
    page.locator("td mark", has_text="bob@example.org").click(button="right")
    expect(page.get_by_role("menuitem", name="Redact all")).to_be_visible()
    page.get_by_role("menuitem", name="Take out this column").click()
    expect(page.locator(".history li:not(.undone)")).to_have_text(["reviewer redacts in 2 places"])
    assert page.troubles == []


def test_what_a_mark_is_can_be_said_by_keys(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "dogs.txt", b"Grey cat. White cat. Grey dog.")
    page.keyboard.press("/")
    page.keyboard.type("White")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("M")
    page.get_by_role("menuitem", name="Say what it is…").press("Enter")
    expect(page.get_by_label("What it is")).to_be_focused()
    page.keyboard.press("p")  # person
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".history li")).to_have_text(["reviewer redacts “White” as person in one place"])
    expect(page.locator(".terms li")).to_contain_text(["person"], timeout=20_000)
    assert page.troubles == []


def test_the_attackers_view_has_the_focus(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "owls.txt", b"Write to ann@example.org.")
    page.keyboard.press("w")
    expect(page.locator(".attacker")).to_be_focused()


STRIPES_AT = """([there, count]) => {
  const tops = [...document.querySelectorAll('.stripes i')].map((one) => parseFloat(one.style.top));
  return tops.length >= count && tops.every((top) => Math.abs(top - 0.96 * there) < 2);
}"""


def test_stripes_stand_where_the_words_do(browser: Any, server: Running) -> None:
    """All finds stand in the first line of their pages. By their place in the text they would stand at the very top."""
    page = enter(browser, server)
    bring(page, "tall.pdf", pdf_of("ann@example.org", "bob@example.org lion", "tiger", "cat@example.org"))
    word = page.locator(".sheet .word.gone").first
    there = word.evaluate("one => parseFloat(one.style.top)")
    assert there > 4
    page.wait_for_function(STRIPES_AT, arg=[there, 3], timeout=20_000)


def test_a_decision_for_the_matter_is_one_step_back(browser: Any, server: Running) -> None:
    """`b` is in the list of decisions, and undo takes it back in the other documents, too."""
    with server.client("reviewer") as client:
        form = {"policy": "patterns", "matter": "Owls"}
        for name in ("first.txt", "second.txt"):
            client.post("/v1/reviews", files={"file": (name, b"Write to ann@example.org.")}, data=form)
    page = enter(browser, server)
    page.get_by_role("link", name="first.txt").click()
    page.locator(".verdict strong", has_text="held").wait_for()
    page.keyboard.press("n")
    page.keyboard.press("e")
    page.keyboard.press("b")
    expect(page.locator("#status")).to_have_text("Also in 1 other document.")
    expect(page.locator(".history li").first).to_have_text("reviewer keeps “ann@example.org” in the matter")
    page.keyboard.press("u")
    expect(page.locator(".history li").first).to_have_class("undone")
    expect(page.locator("#status")).to_have_text("Also in 1 other document.")
    page.get_by_role("link", name="Queue").click()
    page.get_by_role("link", name="second.txt").click()
    page.locator(".verdict strong", has_text="held").wait_for()
    expect(page.locator(".history li.undone")).to_have_count(1)
    expect(page.locator(".paper mark.gone")).to_have_count(1)
    assert page.troubles == []


def test_a_screen_reader_hears_pages_in_words_and_a_phone_shows_them_whole(
    browser: Any, server: Running
) -> None:
    """A page was called "1 1 go", and the slider's value "0"."""
    page = enter(browser, server)
    bring(page, "spoken.pdf", pdf_of("Write to ann@example.org"))
    expect(page.get_by_role("navigation", name="Small pages").get_by_role("button")).to_have_accessible_name(
        re.compile(r"Page 1\W+1 goes")
    )
    expect(page.get_by_role("slider", name="Strength")).to_have_attribute(
        "aria-valuetext", re.compile("cut everything that was found")
    )
    page.set_viewport_size(PHONE)
    expect(page.locator(".sheet")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []
