"""One document in two tabs: what is decided in one is seen in the other, before anything leaves from there."""

from __future__ import annotations

from typing import Any

from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running

pytestmark = needed
MAIL = b"Write to ann@example.org, or to bob@example.org."


def test_a_tab_follows_what_the_same_person_decides_in_another(browser: Any, server: Running) -> None:
    first = enter(browser, server)
    bring(first, "tabs.txt", MAIL)
    second = first.context.new_page()
    second.goto(first.url)
    second.locator(".verdict strong", has_text="held").wait_for()
    second.locator(".term", has_text="bob").first.click()
    second.keyboard.press("e")
    expect(second.locator(".terms li", has_text="bob").first).to_contain_text("kept by hand")
    expect(first.locator(".terms li", has_text="bob").first).to_contain_text("kept by hand")
    expect(first.locator("#status")).to_contain_text("You decided elsewhere: keeps “bob@example.org”")
    expect(first.locator(".paper mark.kept", has_text="bob@example.org")).to_be_visible()
    assert first.troubles == []


def test_a_decision_in_a_stale_tab_is_the_later_one_and_can_be_undone(browser: Any, server: Running) -> None:
    """One's own earlier decision is no conflict: the last word counts, in both tabs."""
    first = enter(browser, server)
    bring(first, "stale.txt", MAIL)
    second = first.context.new_page()
    second.goto(first.url)
    second.locator(".verdict strong", has_text="held").wait_for()
    first.route("**/decisions?after=*", lambda route: route.abort())
    second.locator(".term", has_text="bob").first.click()
    second.keyboard.press("e")
    expect(second.locator(".terms li", has_text="bob").first).to_contain_text("kept by hand")
    first.locator(".term", has_text="bob").first.click()
    first.keyboard.press("r")
    expect(first.locator(".terms li", has_text="bob").first).to_contain_text("redacted by hand")
    first.unroute("**/decisions?after=*")
    for tab in (first, second):
        expect(tab.locator(".history li")).to_have_count(2)
        expect(tab.locator(".terms li", has_text="bob").first).to_contain_text("redacted by hand")
    first.keyboard.press("u")
    for tab in (first, second):
        expect(tab.locator(".terms li", has_text="bob").first).to_contain_text("kept by hand")
    assert first.troubles == []
