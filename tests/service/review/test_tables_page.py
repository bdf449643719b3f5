"""Tables on the page: every cell is whole, and a place in the last one comes into sight."""

from __future__ import annotations

from typing import Any

from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running

pytestmark = needed
REMARK = "Asked twice in spring whether the shipment that was held at the border would be released before the summer."


def a_table(rows: int) -> bytes:
    lines = [f"{number},Oslo,{REMARK},user{number}@example.org" for number in range(rows)]
    return "\n".join(["id,town,remark,mail", *lines]).encode()


def test_no_cell_is_cut_off_and_long_ones_are_wide(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "wide.csv", a_table(60))
    cut = "all => all.filter(p => p.scrollWidth > p.clientWidth + 1).length"
    assert page.locator(".paper td p").evaluate_all(cut) == 0
    height = page.locator(".paper tr").nth(1).evaluate("row => row.offsetHeight")
    assert height < 140, "a remark of a hundred letters takes a line for each word"


def test_the_last_place_of_a_table_comes_into_sight(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "long.csv", a_table(200))
    page.locator("select[aria-label='Sort the terms']").select_option("place")
    page.keyboard.press("p")
    expect(page.locator(".terms .current .name")).to_have_text("user199@example.org")
    expect(page.locator(".paper mark.current").first).to_be_in_viewport()
    assert page.troubles == []
