"""Deciding by score, and the sheet of keys."""

from __future__ import annotations

from typing import Any

from tests.service.browser import axe as axe_needed
from tests.service.browser import bring, enter, expect, needed, serious
from tests.service.processes import Running

pytestmark = needed
MAIL = "Card 4111 1111 1111 1111. Write to ann@example.org, or to bob@example.org. Born 1970-01-02."


def test_everything_above_a_score_is_one_step(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "score.txt", MAIL.encode())
    page.locator(".term", has_text="bob").click()
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_have_count(1)
    risks = page.locator(".terms .risk").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    sure = sum(int(risk.split()[1]) >= 90 for risk in risks)
    assert 0 < sure < len(risks)
    page.keyboard.press("h")
    page.get_by_label("How sure").fill("90")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("redacted.")
    expect(page.locator(".terms li", has_text="· redact")).to_have_count(sure)
    expect(page.locator(".terms li", has_text="bob")).to_contain_text("keep")
    assert page.troubles == []


def test_less_sure_terms_are_kept_at_once_and_nonsense_decides_nothing(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "less.txt", MAIL.encode())
    page.get_by_role("button", name="By score…").click()
    page.get_by_label("How sure").fill("much")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("0 to 100")
    expect(page.locator(".history li")).to_have_count(0)
    page.keyboard.press("h")
    page.get_by_label("What to do").select_option("keep what is less sure")
    page.get_by_label("How sure").fill("100")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.locator("#status")).to_contain_text("kept.")
    expect(page.locator(".terms li", has_text="· keep").first).to_be_visible()


def test_the_sheet_of_keys_is_one_page_of_paper(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    page.goto(f"{server.url}/app/keys")
    expect(page.locator(".cheat-sheet dt").first).to_be_visible()
    shown = page.locator(".cheat-sheet dt").all_text_contents()
    assert {"r", "e", "z", "P", "?"} <= set(shown)
    import pypdfium2

    assert len(pypdfium2.PdfDocument(page.pdf())) == 1
    assert page.troubles == []


@axe_needed
def test_axe_finds_nothing_serious_on_the_sheet(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    page.goto(f"{server.url}/app/keys")
    page.locator(".cheat-sheet").wait_for()
    assert serious(page) == []


def test_a_part_of_a_longer_term_stands_with_the_whole(browser: Any, server: Running) -> None:
    """Parts that went within a longer place were listed as kept, under several headings of that name."""
    page = enter(browser, server)
    bring(
        page,
        "parts.txt",
        b"IBAN DE89 3704 0044 0532 0130 00. Met on Tue, 4 Mar 2025 10:11:00 +0100. ann@example.org",
    )
    page.get_by_label("Sort the terms").select_option("thing")
    titles = page.locator(".terms .group .name").all_text_contents()
    assert len(titles) == len(set(titles)), titles
    assert not any("stays" in title or "kept" in title for title in titles), titles
