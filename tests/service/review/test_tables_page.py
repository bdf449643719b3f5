"""Tables on the page: every cell is whole, and a place in the last one comes into sight."""

from __future__ import annotations

import io
from typing import Any

import docx

from tests.service.browser import bring, enter, expect, needed, text_of
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


def test_a_column_of_a_word_table_goes_beside_empty_and_merged_cells(browser: Any, server: Running) -> None:
    document: Any = docx.Document()
    table = document.add_table(rows=4, cols=3)
    rows = (
        ("name", "nick", "phone"),
        ("ann", "", "one"),
        ("ben and bea", "", "two"),
        ("cid", "owl", "three"),
    )
    for cells, words in zip(table.rows, rows, strict=True):
        for cell, word in zip(cells.cells, words, strict=True):
            cell.text = word
    table.cell(2, 0).merge(table.cell(2, 1))
    out = io.BytesIO()
    document.save(out)
    page = enter(browser, server)
    bring(page, "merged.docx", out.getvalue())
    page.locator("td", has_text="three").click(button="right")
    page.get_by_role("menuitem", name="Take out this column").click()
    expect(page.locator("#status")).to_have_text(
        "3 cells of the column go. The first row stays, as its heading."
    )
    expect(page.locator(".marking")).to_be_hidden()  # it stayed over the cells
    expect(page.locator(".paper mark.gone")).to_have_text(["one", "two", "three"])
    expect(page.locator(".bar .state")).to_have_text("held")
    left = docx.Document(io.BytesIO(text_of(page, "Download file"))).tables[0]
    assert [row.cells[0].text.strip() for row in left.rows] == ["name", "ann", "ben and bea", "cid"]
    assert [row.cells[1].text.strip() for row in left.rows] == ["nick", "", "ben and bea", "owl"]
    page.locator("td", has_text="owl").click(button="right")
    page.get_by_role("menuitem", name="Take out this column").click()  # a cell of two columns is in both
    expect(page.locator(".paper mark.gone")).to_have_text(["one", "ben and bea", "two", "owl", "three"])
    assert page.troubles == []
