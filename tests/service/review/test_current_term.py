"""The term that a key decides about is the one that is marked as current, whatever the last check changed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from efface.pipeline.bound import unwatched
from efface.service.review import review_tasks, run_with_decisions
from tests.service.browser import bring, enter, expect, first_of, hold_back, needed
from tests.service.hospital import House
from tests.service.processes import Running

MAIL = "Card 4111 1111 1111 1111. Write to ann@example.org, or to bob@example.org. Born 1970-01-02."


def names(page: Any) -> list[str]:
    return list(page.locator(".terms .name").all_text_contents())


def current(page: Any) -> str:
    return str(page.locator(".terms .current .name").inner_text())


@needed
def test_a_check_that_ends_does_not_move_the_current_term(browser: Any, server: Running) -> None:
    """A word that a reviewer adds stands first in the list: every other one moves down by a row."""
    page = enter(browser, server)
    bring(page, "moving.txt", MAIL.encode())
    expect(page.locator("#strength")).to_be_enabled()  # nothing else draws the text anew from here on
    before = names(page)
    page.locator(".term", has_text=before[-1]).click()
    waiting = hold_back(page, "**/view")
    page.evaluate("getSelection().setBaseAndExtent(document.querySelector('.paper p').firstChild, 0, document.querySelector('.paper p').firstChild, 4)")  # fmt: skip
    page.keyboard.press("X")
    expect(page.locator(".bar .state")).to_have_text("checking")
    page.locator(".term", has_text=before[1]).click()
    first_of(page, waiting).continue_()
    page.unroute("**/view")
    expect(page.locator(".terms .name", has_text="Card")).to_have_count(1)
    assert names(page).index(before[1]) != before.index(before[1])
    assert current(page) == before[1]
    page.keyboard.press("e")
    expect(page.locator(".history li").first).to_contain_text(before[1])
    assert page.troubles == []


@needed
def test_redacting_one_term_after_the_other_reaches_them_all(browser: Any, server: Running) -> None:
    """What is redacted stays where it stands in the list: the next one is the next one."""
    page = enter(browser, server)
    bring(page, "each-in-turn.txt", MAIL.encode())
    before = names(page)
    for _ in before:
        page.keyboard.press("n")
        page.keyboard.press("r")
        expect(page.locator(".bar .state")).to_have_text("held")
    assert names(page) == before
    expect(page.locator(".terms li", has_text="· redact")).to_have_count(len(before))


def middle_of_current(page: Any) -> float:
    """How far down the window the current mark stands."""
    box = page.locator(".paper .current").first.bounding_box()
    return float(box["y"] + box["height"] / 2)


@needed
def test_a_decision_moves_nothing_under_the_reader(browser: Any, server: Running) -> None:
    """All lines were made anew after a check. Those out of sight had no height yet, so that another part came into sight."""
    page = enter(browser, server)
    lines = [f"Write to ann{number}@example.org. {'The minutes say no more. ' * 20}" for number in range(60)]
    bring(page, "long.txt", "\n".join(lines).encode())
    expect(page.locator("#strength")).to_be_enabled()
    page.get_by_label("Sort the terms").select_option("place")
    for number in (10, 20, 30, 40):
        page.locator(".term", has_text=f"ann{number}@").click()
    page.get_by_label("Search in the document").focus()
    page.keyboard.press("Escape")
    before = middle_of_current(page)
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_have_text(["reviewer keeps “ann40@example.org”"])
    expect(page.locator(".bar .state")).to_have_text("held")
    assert abs(middle_of_current(page) - before) < 2
    assert page.troubles == []


@needed
def test_a_word_on_a_page_that_was_not_drawn_comes_into_sight(browser: Any, server: Running) -> None:
    """Only the middle of its page did: of a large page the end was below the window."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 1200))
    for number in range(12):
        canvas.drawString(40, 1100, "Nothing to see here.")
        canvas.drawString(40, 40, f"Write to ann{number}@example.org today.")
        canvas.showPage()
    canvas.save()
    page = enter(browser, server)
    bring(page, "tall.pdf", out.getvalue())
    expect(page.locator("#strength")).to_be_enabled()
    page.get_by_label("Sort the terms").select_option("place")
    page.keyboard.press("p")
    mark = page.locator(".paper .current")
    expect(mark).to_have_text("ann11@example.org")
    expect(mark).to_be_in_viewport()
    page.get_by_label("Search in the document").fill("ann6@")
    page.keyboard.press("Enter")
    page.wait_for_function("() => getSelection().toString() === 'ann6@'")
    expect(page.locator(".sheet[data-page='6'] .word", has_text="ann6@")).to_be_in_viewport()
    assert page.troubles == []


def test_a_decision_makes_no_find_surer(house: House) -> None:
    id = house.post("reviewer", "/v1/reviews", files={"file": ("sure.txt", MAIL.encode())}, data={"policy": "patterns"}).json()["id"]  # fmt: skip
    before = {row["key"]: row["risk"] for row in house.get("reviewer", f"/v1/reviews/{id}/view").json()["terms"]}  # fmt: skip
    assert len(set(before.values())) > 1
    made = [{"kind": "redact", "term": term} for term in before]
    assert house.post("reviewer", f"/v1/reviews/{id}/decisions", json={"decisions": made}).status_code == 200
    after = {row["key"]: row["risk"] for row in house.get("reviewer", f"/v1/reviews/{id}/view").json()["terms"]}  # fmt: skip
    assert after == before


def pages(count: int) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    for number in range(count):
        canvas.drawString(50, 790, f"Write to ann{number}@example.org today.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_to_show_a_page_nobody_looks_for_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one worker checks a decision another one shows the next page. It would take seconds to find all anew."""

    def find(*_: object) -> None:
        raise AssertionError("the finders were asked")

    monkeypatch.setattr(run_with_decisions, "find", find)
    known, (_, texts, readable) = review_tasks.document(
        [pages(2)],
        unwatched,
        name="two.pdf",
        viewer="",
        key="shown",
        policy="",
        folder=".",
        document_key="00" * 16,
    )
    start, text = json.loads(texts)[1]
    found, _ = review_tasks.words_of_page([pages(2)], unwatched, number=1, start=start, text=text)
    assert known["text_digest"] and not readable
    assert [start <= word[0] < word[1] <= start + len(text) for word in found["words"]] == [True] * 4


@needed
def test_marks_are_there_again_when_one_scrolls_back(browser: Any, server: Running) -> None:
    """Also when the pages on the way were never drawn: a slow service has not sent their words."""
    page = enter(browser, server)
    bring(page, "back.pdf", pages(30))
    first = page.locator(".sheet[data-page='0'] .word.gone")
    expect(first).to_have_count(1)
    expect(page.locator("#strength")).to_be_enabled()  # nothing else repaints from here on
    hold_back(page, "**/pages/*")
    with page.expect_request("**/pages/29"):
        page.locator(".paper").evaluate("paper => { paper.scrollTop = paper.scrollHeight }")
    expect(first).to_have_count(0)
    page.locator(".paper").evaluate("paper => { paper.scrollTop = 0 }")
    expect(first).to_have_count(1)
    page.unroute_all(behavior="ignoreErrors")
