"""The slider counts what the page shows, with what was decided by hand, and many keys are one decision."""

from __future__ import annotations

from typing import Any

from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running

pytestmark = needed
MAIL = b"Card 4111 1111 1111 1111, mail ann@example.org and https://example.org/ann, born 1970-01-02."


def opened(browser: Any, server: Running, name: str, data: bytes) -> Any:
    page = enter(browser, server)
    bring(page, name, data)
    expect(page.locator("#strength")).to_be_enabled()
    return page


def keep(page: Any, words: str) -> None:
    page.locator(".term", has_text=words).first.click()
    page.keyboard.press("e")
    expect(page.locator(".terms li", has_text=words).first).to_contain_text("kept by hand")
    expect(page.locator(".bar .state")).to_have_text("held")


def test_the_slider_counts_what_decisions_left(browser: Any, server: Running) -> None:
    """It counted places inside others and kept ones, and painted a kept word as one that goes."""
    page = opened(browser, server, "counted.txt", MAIL)
    said = page.locator(".slider output")
    expect(said).to_contain_text("· 4 places go; to the right: ")
    expect(page.locator(".promise")).to_contain_text("Before: 4 places. Left: nothing.")
    keep(page, "ann@example.org")
    expect(said).to_contain_text("· 3 places go")
    page.locator("#strength").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".paper mark.kept", has_text="ann@example.org")).to_have_count(1)
    expect(said).to_contain_text("· 3 places go; to the left: no change")
    assert page.troubles == []


def test_steps_by_keys_are_one_decision_in_words(browser: Any, server: Running) -> None:
    """Each key was a decision, and a check that ended in between took the slider back."""
    page = opened(browser, server, "keys.txt", MAIL)
    page.locator("#strength").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#strength")).to_have_value("4")
    expect(page.locator(".history li")).to_have_count(1)
    expect(page.locator(".history li")).to_contain_text("reviewer cuts what is at least")
    expect(page.locator(".bar .state")).to_have_text("held")
    expect(page.locator("#strength")).to_have_value("4")
    page.locator("#strength").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".paper").focus()  # whoever goes on has decided
    expect(page.locator(".history li")).to_have_count(2, timeout=5000)
    assert page.troubles == []


def test_a_decision_does_not_turn_the_list_over(browser: Any, server: Running) -> None:
    """Two words more made the list one of groups, under the reviewer's hands."""
    mails = "".join(f"u{number}@example.org, " for number in range(60))
    page = opened(browser, server, "order.txt", f"{mails}grey cat".encode())
    expect(page.get_by_label("Sort the terms")).to_have_value("risk")
    for word in ("grey", "cat"):
        page.get_by_label("Search in the document").fill(word)
        page.keyboard.press("Enter")
        page.wait_for_function("word => getSelection().toString() === word", arg=word)
        page.locator(".paper").focus()
        page.keyboard.press("X")
        expect(page.locator(".terms li", has_text=word)).to_have_count(1)
    expect(page.get_by_label("Sort the terms")).to_have_value("risk")
    assert page.troubles == []
