"""What will leave, seen in a browser: shown as the original is, searched, and never in the way of the keys."""

from __future__ import annotations

from typing import Any

from tests.service.browser import bring, enter, expect, needed
from tests.service.processes import Running

pytestmark = needed
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: The lease\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="==a-boundary=="\r\n\r\n--==a-boundary==\r\n'
    b"Content-Type: text/plain\r\n\r\nThe lease is signed. Write to ann@example.org.\r\n--==a-boundary==--\r\n"
)


def leave(browser: Any, server: Running, width: int = 1400) -> Any:
    """A mail as it will leave; below 1500 pixels it stands in the place of the original."""
    page = enter(browser, server, size={"width": width, "height": 850})
    bring(page, "lease.eml", MAIL)
    page.keyboard.press("l")
    page.locator(".released .copy").wait_for()
    return page


def test_markup_of_what_will_leave_is_folded_away(browser: Any, server: Running) -> None:
    """The page showed the boundary and the version of the mail's markup between its words."""
    page = leave(browser, server)
    copy = page.locator(".released .copy")
    expect(copy).to_contain_text("The lease is signed.")
    expect(copy.locator("details summary")).to_contain_text("other markup")
    assert "a-boundary" not in copy.evaluate("one => one.innerText")
    assert page.troubles == []


def test_escape_leaves_the_search_also_when_the_original_is_out_of_sight(
    browser: Any, server: Running
) -> None:
    """Every further key went into the search box."""
    page = leave(browser, server)
    page.keyboard.press("/")
    page.keyboard.type("lease")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("1 of 2 in what will leave · 2 in the original")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    assert page.troubles == []


def test_no_toolbar_stands_over_a_selection_that_nobody_sees(browser: Any, server: Running) -> None:
    """It hung in the corner of the window, and would have redacted what was out of sight."""
    page = leave(browser, server)
    page.keyboard.press("/")
    page.keyboard.type("signed")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 of 1 in what will leave")
    assert page.evaluate("getSelection().toString()") == "signed"
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#status")).to_contain_text("Select some text first")
    expect(page.locator(".history li")).to_have_count(0)


def test_side_by_side_the_search_steps_through_the_original(browser: Any, server: Running) -> None:
    page = leave(browser, server, width=1700)
    page.keyboard.press("/")
    page.keyboard.type("ann@example.org")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("1 of 2 · 0 in what will leave")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("2 of 2 · 0 in what will leave")


def test_what_was_found_is_selected_and_nothing_more(browser: Any, server: Running) -> None:
    """Headers that are folded away below the text were selected too, and `x` would have redacted all between."""
    page = enter(browser, server)
    bring(page, "found.eml", MAIL)
    page.keyboard.press("/")
    page.keyboard.type("signed")
    page.keyboard.press("Enter")
    assert page.evaluate("getSelection().toString()") == "signed"
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator(".history li")).to_have_text("reviewer redacts “signed” in one place")


def test_side_by_side_both_show_the_same_place(browser: Any, server: Running) -> None:
    """Long addresses become short placeholders and lines break elsewhere: a share of the way led to another page."""
    long = " ".join(f"a.very.long.address.{at}@department.example.org" for at in range(400))
    lines = [long, *(f"Paragraph number {at} is about nothing at all." for at in range(120))]
    page = enter(browser, server, size={"width": 1700, "height": 850})
    bring(page, "long.txt", "\n".join(lines).encode())
    page.keyboard.press("l")
    page.locator(".released .copy").wait_for()
    page.locator(".paper:not(.released) p", has_text="Paragraph number 40 is").evaluate(
        "one => one.scrollIntoView()"
    )
    page.wait_for_function("""() => {
        const top = (root) => [...document.querySelectorAll(root)].find((one) => one.textContent.includes('number 40 is')).getBoundingClientRect().top;
        return Math.abs(top('.paper:not(.released) > p') - top('.released .copy > p')) < 25; // less than a line
    }""")
    assert page.troubles == []


def test_a_printed_review_is_whole_and_says_that_it_is_not_the_file_that_leaves(
    browser: Any, server: Running
) -> None:
    page = enter(browser, server)
    bring(page, "long.txt", b"\n".join(b"Line %d of ann@example.org." % n for n in range(200)))
    page.emulate_media(media="print")
    said = "(element) => getComputedStyle(element, '::before').content"
    paper = page.locator(".paper")
    assert "not the file that leaves" in paper.evaluate(said)
    assert paper.evaluate("(element) => element.scrollHeight === element.clientHeight"), "nothing is cut off"
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="As it will leave").click()
    released = page.locator(".paper.released .copy")
    released.wait_for()
    page.emulate_media(media="print")
    expect(page.locator(".paper:not(.released)")).to_be_hidden()
    assert "as it would leave" in page.locator(".paper.released").evaluate(said)
