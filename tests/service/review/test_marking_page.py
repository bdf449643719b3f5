"""Marking by hand, matters and codes, in a real browser."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pypdfium2
import pytest

from tests.service.browser import axe, bring, enter, expect, needed, serious, text_of
from tests.service.processes import Running
from tests.service.review.test_marking import pdf_of

pytestmark = needed


def select(page: Any, words: str) -> None:
    page.get_by_label("Search in the document").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_function("words => getSelection().toString() === words", arg=words)


def test_what_the_finder_missed_is_marked_as_what_it_is(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "cats.txt", b"Grey cat. White cat. Grey dog: ann@example.org")
    select(page, "Grey")
    bar = page.get_by_role("toolbar", name="Mark the selection")
    bar.get_by_label("What it is").select_option("person")
    bar.get_by_role("button", name="Everywhere").click()
    expect(page.locator(".paper mark.gone")).to_have_count(3)
    expect(page.locator(".bar .state")).to_have_text("held")
    expect(page.locator(".history li")).to_have_text(["reviewer redacts “Grey” as person"])
    assert page.locator(".marking select").first.input_value() == "", "the next mark is not a person as well"
    assert text_of(page, "Download file") == b"[PERSON_1] cat. White cat. [PERSON_1] dog: [EMAIL_ADDRESS_1]"
    move = "(one, most) => { one.value = most ? one.max : 0; one.dispatchEvent(new Event('input')); }"
    page.get_by_role("slider").evaluate(move, True)
    expect(page.locator(".paper mark.gone")).to_have_text(["Grey", "Grey"])  # no score takes a decision back
    page.get_by_role("slider").evaluate(move, False)
    page.keyboard.press("u")
    expect(page.locator(".paper mark.gone")).to_have_text(["ann@example.org"])
    assert page.troubles == []


def drag(page: Any, first: int, last: int) -> None:
    """Select so many characters of the first line, as a drag does."""
    page.evaluate(
        "([from, to]) => { const line = document.querySelector('.paper p').firstChild; "
        "getSelection().setBaseAndExtent(line, from, line, to); }",
        [first, last],
    )
    page.get_by_role("toolbar", name="Mark the selection").wait_for()


@pytest.mark.parametrize(
    ("span", "button", "left"),
    [
        ((5, 13), "Everywhere", b"Grey [REDACTED_1], [REDACTED_1]. Dog"),
        ((6, 14), "Everywhere", b"Grey [REDACTED_1], [REDACTED_1]. Dog"),
        ((6, 11), "Redact here", b"Grey [REDACTED_1], catfish. Dog"),
    ],
)
def test_a_selection_is_of_whole_words(
    browser: Any, server: Running, span: tuple[int, int], button: str, left: bytes
) -> None:
    page = enter(browser, server)
    bring(page, "fish.txt", b"Grey catfish, catfish. Dog")
    drag(page, span[0], span[1])
    bar = page.get_by_role("toolbar", name="Mark the selection")
    bar.get_by_role("button", name=button).click()
    expect(bar).to_be_hidden()
    expect(page.locator(".paper mark.gone")).to_have_count(left.count(b"["))
    expect(page.locator(".bar .state")).to_have_text("held")
    assert text_of(page, "Download file") == left


def test_no_vowel_sign_stays_without_its_letter(browser: Any, server: Running) -> None:
    """Thai has no blanks between words, so a selection is exact, but for the marks of its last letter."""
    page = enter(browser, server)
    bring(page, "thai.txt", "ที่นี่".encode())
    drag(page, 0, 1)
    page.get_by_role("button", name="Redact here").click()
    expect(page.locator(".bar .state")).to_have_text("held")
    assert text_of(page, "Download file").decode() == "[REDACTED_1]นี่"


def test_a_key_redacts_no_selection_of_earlier(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "cats.txt", b"Grey cat. White cat.")
    drag(page, 0, 4)
    page.evaluate("getSelection().removeAllRanges()")
    expect(page.get_by_role("toolbar", name="Mark the selection")).to_be_hidden()
    page.keyboard.press("x")
    expect(page.locator("#status")).to_contain_text("Select some text first")
    expect(page.locator(".history li")).to_have_count(0)


def test_a_column_of_a_table_is_one_decision(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "people.csv", b"name,town\nAnselm,Ghent\nBirgit,Bruges\n")
    page.locator("td", has_text="Anselm").click(button="right")
    page.get_by_role("menuitem", name="Take out this column").click()
    expect(page.locator(".history li")).to_have_text(["reviewer redacts in 2 places"])
    expect(page.locator(".bar .state")).to_have_text("held")
    rows = text_of(page, "Download file").decode().splitlines()
    assert rows[0] == "name,town" and [row.split(",")[1] for row in rows[1:]] == ["Ghent", "Bruges"]
    assert "Anselm" not in str(rows) and "Birgit" not in str(rows)
    assert page.troubles == []


def test_a_column_is_taken_out_from_a_mark_in_it_too(browser: Any, server: Running) -> None:
    """By keyboard: `n` goes to the mark, `m` opens its menu."""
    page = enter(browser, server)
    bring(page, "mails.csv", b"mail,town\nann@example.org,Ghent\nnone,Bruges\n")
    page.keyboard.press("n")
    page.keyboard.press("m")
    page.get_by_role("menuitem", name="Take out this column").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".history li")).to_have_text(["reviewer redacts in 2 places"])
    expect(page.locator(".bar .state")).to_have_text("held")
    assert b"none" not in text_of(page, "Download file")


def test_an_area_is_drawn_and_a_page_taken_out(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "zoo.pdf", pdf_of("zebra yak", "lion", "tiger"))
    page.keyboard.press("z")
    sheet = page.locator(".sheet").first.bounding_box()
    page.mouse.move(sheet["x"] + 2, sheet["y"] + 2)
    page.mouse.down()
    page.mouse.move(sheet["x"] + sheet["width"] - 2, sheet["y"] + sheet["height"] * 0.15, steps=4)
    page.mouse.up()
    expect(page.locator(".sheet").first.locator(".area")).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator(".sheet").nth(1).scroll_into_view_if_needed()
    page.locator(".sheet").nth(1).click(button="right", position={"x": 30, "y": 30})
    page.get_by_role("menuitem", name="Take out page 2").click()
    expect(page.locator(".thumbnails")).to_contain_text("taken out")
    expect(page.locator(".bar .state")).to_have_text("held")
    data = text_of(page, "Download file")
    released = pypdfium2.PdfDocument(data)
    assert len(released) == 2 and b"zebra" not in data
    assert released[1].get_textpage().get_text_range().strip() == "tiger"
    assert page.troubles == []


@axe
def test_a_matter_by_mouse(browser: Any, server: Running) -> None:
    one, two, name_of_matter = (f"{word}-{uuid4().hex[:8]}" for word in ("one", "two", "falcon"))
    with server.client("reviewer") as client:
        for name, text in ((f"{one}.txt", b"Grey cat."), (f"{two}.txt", b"A grey dog.")):
            client.post("/v1/reviews", files={"file": (name, text)}, data={"policy": "patterns"})
    page = enter(browser, server)
    for name in (one, two):
        page.get_by_label(f"Choose {name}.txt").check()
    page.get_by_role("button", name="Matter…").click()
    page.get_by_role("dialog").get_by_label("Matter").fill(name_of_matter)
    page.get_by_role("button", name="Set").click()
    matter = page.locator(".matter", has_text=name_of_matter)
    expect(matter).to_have_count(1)
    assert serious(page) == []
    page.get_by_role("link", name=f"{one}.txt").click()
    page.locator(".verdict strong", has_text="held").wait_for()
    select(page, "Grey")
    page.get_by_role("toolbar", name="Mark the selection").get_by_role("button", name="In the matter").click()
    expect(page.locator("#status")).to_contain_text("Also in 1 other document.")
    assert serious(page) == []
    page.get_by_role("link", name="Queue").click()
    expect(matter).to_contain_text("2 held")
    matter.get_by_role("button", name="What was changed").click()
    expect(page.get_by_role("dialog")).to_contain_text("deny list")
    page.keyboard.press("Escape")
    with page.expect_download() as found:
        matter.get_by_role("button", name="Export all").click()
    archive = zipfile.ZipFile(io.BytesIO(Path(found.value.path()).read_bytes()))
    assert b"rey" not in b"".join(archive.read(name) for name in archive.namelist() if name.endswith(".txt"))
    assert page.troubles == []
