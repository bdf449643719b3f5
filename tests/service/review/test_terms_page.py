"""Deciding by score, and the sheet of keys."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from efface.text.entity_types import NAME_TYPES, TYPES
from tests.service.browser import axe as axe_needed
from tests.service.browser import bring, enter, expect, hold_back, needed, serious
from tests.service.processes import Running

pytestmark = needed


def test_every_type_has_a_name_for_people() -> None:
    """ "JP MY NUMBER" is no name."""
    words = files("efface.service.page").joinpath("kinds.js").read_text("utf-8")
    named = dict(re.findall(r'([A-Z][A-Z_]+): "([^"]+)"', words))
    assert {*TYPES, *NAME_TYPES} == named.keys()
    assert not [name for name in named.values() if "_" in name or (name.isupper() and len(name) > 4)]


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
    expect(page.locator(".terms li", has_text="bob")).to_contain_text("kept by hand")
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
    expect(page.locator(".terms li", has_text="· kept by hand").first).to_be_visible()


def test_what_stands_only_inside_another_term_is_not_a_row_of_its_own(browser: Any, server: Running) -> None:
    """Keeping the card's number that a bank's number has in it read "goes · keep": nobody can decide about it alone."""
    page = enter(browser, server)
    bring(page, "inside.txt", b"Pay to DE89 3704 0044 0532 0130 00 or write to ann@example.org.")
    names = page.locator(".terms .name")
    expect(names).to_have_count(2)
    expect(names.filter(has_text="DE89 3704 0044 0532 0130 00")).to_have_count(1)
    page.locator(".paper mark", has_text="3704").first.click()
    expect(page.locator(".terms .current .name")).to_have_text("DE89 3704 0044 0532 0130 00")
    page.get_by_role("button", name="inside others").click()
    expect(names.filter(has_not_text="DE89").filter(has_text="3704").first).to_be_visible()
    assert page.troubles == []


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


def test_a_long_list_is_in_groups_and_the_order_that_somebody_chose_stays(
    browser: Any, server: Running
) -> None:
    """120 telephone numbers are one row and one step of a key, which decides about all of them or opens them."""
    page = enter(browser, server)
    text = "\n".join(f"Write to user{number}@example.org." for number in range(70))
    bring(page, "long.txt", text.encode())
    expect(page.locator(".terms li")).to_have_count(1)
    expect(page.locator(".terms .group")).to_contain_text("70 terms")
    page.keyboard.press("n")
    expect(page.locator(".terms .group.current")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("70 terms. Enter opens them")
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_contain_text(["and 69 others"])
    expect(page.locator(".paper mark.kept")).to_have_count(70)
    page.keyboard.press("u")
    expect(page.locator(".paper mark.gone")).to_have_count(70)
    page.keyboard.press("Enter")
    expect(page.locator(".paper .current")).to_have_text("user0@example.org")
    expect(page.locator(".terms li")).to_have_count(71)
    page.get_by_label("Sort the terms").select_option("place")
    expect(page.locator(".terms li")).to_have_count(70)
    page.reload()
    expect(page.locator(".terms li")).to_have_count(70)
    assert page.troubles == []


def test_before_the_verdict_marks_are_shown_as_going_not_as_staying(browser: Any, server: Running) -> None:
    """What the finders found is known before the file is checked. It looked as if it would stay."""
    page = enter(browser, server)
    held = hold_back(page, "**/view")
    page.get_by_label("Policy").select_option("patterns")
    page.locator("#files").set_input_files(
        {"name": "early.txt", "mimeType": "text/plain", "buffer": MAIL.encode()}
    )
    expect(page.locator(".paper mark.gone", has_text="ann@example.org")).to_be_visible()
    expect(page.locator(".terms")).to_contain_text("Being looked for")
    expect(page.locator(".right .progress")).to_have_text(
        re.compile(r"(Step \d of 6: .+|Waiting for its turn) · \d+ s")
    )
    for route in held:
        route.continue_()
    page.unroute("**/view")
    expect(page.locator(".terms li .term").first).to_be_visible()
    expect(page.locator(".terms")).not_to_contain_text("Being looked for")
    expect(page.locator(".right .progress")).to_be_hidden()
    assert page.troubles == []
