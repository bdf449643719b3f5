"""Pages beside what will leave, turned pages, and words searched in both."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running

pytestmark = needed
BROAD = {"width": 1700, "height": 900}


def pages(count: int) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 600))
    for number in range(count):
        canvas.drawString(40, 500, f"Page {number}: write to ann{number}@example.org today.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def box_of(page: Any, selector: str) -> dict[str, float]:
    """Where an element is. Marks are painted anew when a check ends, so the element may be another one at any moment."""
    seen = """selector => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box?.width ? {x: box.x, y: box.y, width: box.width, height: box.height} : null;
    }"""
    found: dict[str, float] = page.wait_for_function(seen, arg=selector).json_value()
    return found


def test_what_will_leave_stands_where_the_original_does_and_is_searched(
    browser: Any, server: Running
) -> None:
    page = enter(browser, server, size=BROAD)
    bring(page, "beside.pdf", pages(8))
    page.locator(".thumbnails button").nth(6).click()
    page.keyboard.press("l")
    seventh = page.locator(".released .sheet").nth(6)
    expect(seventh).to_be_in_viewport()
    page.locator(".thumbnails button").nth(0).click()
    expect(seventh).not_to_be_in_viewport()
    expect(page.locator(".released .sheet").nth(0)).to_be_in_viewport()
    page.locator("input[type=search]").fill("example.org")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 of 8 · 0 in what will leave")
    page.locator("input[type=search]").fill("Page 7")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 of 1 · 1 in what will leave")
    expect(page.locator(".released .sheet").nth(7)).to_be_in_viewport()
    assert page.troubles == []


def test_a_page_stands_beside_itself_where_one_before_it_was_taken_out(browser: Any, server: Running) -> None:
    page = enter(browser, server, size=BROAD)
    bring(page, "without.pdf", pages(5))
    expect(page.locator("#strength")).to_be_enabled()
    page.locator(".sheet").first.click(button="right", position={"x": 9, "y": 9})
    page.get_by_role("menuitem", name="Take out page 1").click()
    expect(page.locator(".bar .state")).to_have_text("held")
    page.keyboard.press("l")
    expect(page.locator(".released .sheet")).to_have_count(4)
    page.locator(".thumbnails button").nth(2).click()
    page.wait_for_function("""() => {
        const top = (selector, at) => document.querySelectorAll(selector)[at].getBoundingClientRect().top;
        const [mine, theirs] = [top(".paper:not(.released) .sheet", 2), top(".released .sheet", 1)];
        return mine < innerHeight / 3 && Math.abs(mine - theirs) < 3;
    }""")
    assert page.troubles == []


def test_an_area_on_a_turned_page_is_where_it_was_drawn(browser: Any, server: Running) -> None:
    """The corner of the page that a reviewer sees is not the page's own."""
    page = enter(browser, server)
    bring(page, "turned.pdf", pages(1))
    page.keyboard.press("z")
    for _ in range(3):
        page.keyboard.press("f")
        word = box_of(page, ".sheet .word.gone")
        page.mouse.move(word["x"] - 3, word["y"] - 3)
        page.mouse.down()
        page.mouse.move(word["x"] + word["width"] + 3, word["y"] + word["height"] + 3)
        page.mouse.up()
        expect(page.locator(".sheet .area")).to_have_count(1)
        area = box_of(page, ".sheet .area")
        for side in ("x", "y", "width", "height"):
            assert abs(area[side] - word[side]) < 8, (side, area, word)
        sheet, paper = page.locator(".sheet").bounding_box(), page.locator(".paper").bounding_box()
        assert sheet["x"] >= paper["x"], "a part of the page cannot be scrolled to"
        page.keyboard.press("u")
        expect(page.locator(".sheet .area")).to_have_count(0)
    assert page.troubles == []


def test_the_list_of_keys_begins_with_the_first(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "keys.txt", b"Write to ann@example.org.")
    page.keyboard.press("?")
    expect(page.locator("dialog dt").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#strength")).to_be_enabled()  # nothing else takes the focus from here on
    page.keyboard.press("n")
    expect(page.locator(".terms .current")).to_have_count(1)
    page.keyboard.press("m")
    expect(page.get_by_role("menu", name="What to do with ann@example.org")).to_be_visible()
    assert page.troubles == []


def test_the_left_edge_of_a_large_page_can_be_reached(browser: Any, server: Running) -> None:
    """A page wider than its window was centred, and what stood left of it could not be scrolled to."""
    page = enter(browser, server)
    bring(page, "large.pdf", pages(1))
    for _ in range(4):
        page.keyboard.press("+")
    paper = page.locator(".paper.pages")
    edges = (
        "one => [one.scrollWidth > one.clientWidth, one.querySelector('.sheet').offsetLeft - one.offsetLeft]"
    )
    assert paper.evaluate(edges)[0]
    paper.evaluate("one => { one.scrollLeft = 0; }")
    left = page.locator(".sheet").bounding_box()["x"]
    assert left >= paper.bounding_box()["x"]


def test_a_search_selects_on_a_page_that_was_not_drawn_yet(browser: Any, server: Running) -> None:
    """Only the page came into sight, so that the key for the selection found none."""
    page = enter(browser, server)
    bring(page, "long.pdf", pages(14))
    page.get_by_label("Search in the document").fill("Page 13")
    page.keyboard.press("Enter")
    page.wait_for_function("() => /^Page\\s*13$/.test(getSelection().toString())")
    page.keyboard.press("Escape")
    page.keyboard.press("X")
    expect(page.locator(".history li")).to_have_text(["reviewer redacts “Page 13”"])
    assert page.troubles == []


def test_a_step_of_the_zoom_is_a_quarter_and_a_drag_selects_what_it_passes(
    browser: Any, server: Running
) -> None:
    """A zoomed page widened the column that it is a share of, and letters were narrower than their words."""
    page = enter(browser, server)
    bring(page, "zoom.pdf", pages(1))
    wide = box_of(page, ".sheet")["width"]
    page.keyboard.press("+")
    page.wait_for_function(
        "wide => Math.abs(document.querySelector('.sheet').getBoundingClientRect().width / wide - 1.25) < 0.01",
        arg=wide,
    )
    covered = """() => [...document.querySelectorAll('.word')].map(word => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return range.getBoundingClientRect().width / word.getBoundingClientRect().width;
    })"""
    assert all(0.9 < share < 1.1 for share in page.evaluate(covered))


def test_going_to_a_place_moves_the_paper_and_not_the_window(browser: Any, server: Running) -> None:
    """Words for screen readers beside the small pages made the window as long as the list of them: the bar with the
    verdict went out of sight at the first step to a term."""
    page = enter(browser, server, size=BROAD)
    bring(page, "window.pdf", pages(24))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for _ in range(3):
        page.keyboard.press("p")
    page.locator(".paper .current").first.wait_for()
    assert page.evaluate("scrollY") == 0
    assert page.troubles == []


def test_on_a_page_a_term_is_one_mark_and_what_stays_looks_as_the_legend_says(
    browser: Any, server: Running
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 600))
    canvas.drawString(40, 500, "Card 4111 1111 1111 1111 here.")
    canvas.save()
    page = enter(browser, server)
    bring(page, "card.pdf", out.getvalue())
    marks = page.locator(".sheet .word.gone")
    expect(marks).to_have_text(["4111", "1111", "1111", "1111"])
    boxes = marks.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])"
    )
    assert all(abs(one[1] - other[0]) < 1 for one, other in pairwise(boxes))
    page.keyboard.press("n")
    page.keyboard.press("e")
    page.wait_for_function(  # marks are made anew when a check ends, so the element may be another one at any moment
        """() => {
            const kept = document.querySelector('.sheet .word.kept');
            const look = kept && getComputedStyle(kept);
            return look && look.borderBottomStyle === 'dotted' && look.boxShadow === 'none';
        }"""
    )
    assert page.troubles == []
