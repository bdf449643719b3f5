"""The page in a real browser: every flow by what one reads, presses and hears, wide and at 360 px."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.processes import Running, running

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = os.environ.get("EFFACE_CHROMIUM") or shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
WIDE, PHONE = {"width": 1400, "height": 850}, {"width": 360, "height": 740}
MAIL = "Write to ann@example.org or to bob@example.org. Again: ann@example.org.\nGrey cat, grey cat."
NASTY = "<img src=x onerror=alert(1)><script>alert(2)</script>"
expect = playwright.expect


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("page"), failures=1000) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


def enter(
    browser: Any, server: Running, who: str = "reviewer", size: dict[str, int] = WIDE, **more: Any
) -> Any:
    """Signed in, in a window of its own. A script error or an alert fails the test that looks at `troubles`."""
    page = browser.new_context(viewport=size, **more).new_page()
    page.set_default_timeout(20_000)
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("dialog", lambda dialog: (page.troubles.append("alert"), dialog.dismiss()))
    page.goto(f"{server.url}/app/")
    page.get_by_label("Your token").fill(server.tokens[who])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    return page


def bring(page: Any, name: str, data: bytes, policy: str = "patterns") -> None:
    page.get_by_label("Policy").select_option(policy)
    page.locator("#files").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )
    page.locator(".verdict strong", has_text="held").wait_for()


def text_of(page: Any, button: str) -> bytes:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return Path(found.value.path()).read_bytes()


def test_a_wrong_token_opens_nothing(browser: Any, server: Running) -> None:
    page = browser.new_page()
    page.goto(f"{server.url}/")
    page.get_by_label("Your token").fill("efface_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("opens nothing")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_review_from_drop_to_download(browser: Any, server: Running, size: dict[str, int]) -> None:
    page = enter(browser, server, size=size)
    bring(page, "mail.txt", MAIL.encode())
    assert page.locator(".paper mark.gone").all_text_contents() == [
        "ann@example.org",
        "bob@example.org",
        "ann@example.org",
    ]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs out sideways"
    page.locator(".paper mark").first.click(button="right")
    expect(page.get_by_role("menuitem")).to_have_count(8)
    page.get_by_role("menuitem", name="Keep all").click()
    expect(page.locator(".paper mark.kept")).to_have_count(2)
    expect(page.locator(".history li")).to_have_text(["reviewer keeps “ann@example.org”"])
    released = text_of(page, "Download file")
    assert released.count(b"ann@example.org") == 2 and b"bob" not in released
    assert b"ann@" not in text_of(page, "Certificate")
    assert page.troubles == []


def test_keys_alone(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "keys.txt", MAIL.encode())
    press = page.keyboard.press
    press("n")
    expect(page.locator(".terms .current .name")).to_have_text("ann@example.org")
    press("j")
    press("i")
    expect(page.locator(".paper mark.kept")).to_have_count(1)
    press("u")
    expect(page.locator(".paper mark.kept")).to_have_count(0)
    press("y")
    expect(page.locator(".paper mark.kept")).to_have_count(1)
    press("t")
    page.get_by_label("What stands in its place").fill("a colleague")
    press("Enter")
    expect(page.locator(".history li").first).to_contain_text("by “a colleague”")
    press("?")
    expect(page.get_by_role("dialog")).to_contain_text("redact the selected text")
    press("Escape")
    press("/")
    page.keyboard.type("grey cat,")
    press("Enter")
    press("Escape")
    press("x")
    expect(page.locator(".paper mark.r-decisions")).to_have_text(["Grey cat,"])
    assert page.troubles == []


def test_two_reviewers_see_each_other(browser: Any, server: Running) -> None:
    one, two = enter(browser, server), enter(browser, server, "admin")
    bring(one, "both.txt", MAIL.encode())
    two.goto(one.url)
    two.locator(".verdict strong", has_text="held").wait_for()
    one.keyboard.press("n")
    one.keyboard.press("e")
    expect(two.locator(".history li")).to_contain_text(["reviewer keeps “ann@example.org”"])
    expect(two.locator(".paper mark.kept")).to_have_count(2)


def test_a_lost_connection_loses_no_decision(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "lost.txt", MAIL.encode())
    page.context.set_offline(True)
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".bar .problem")).to_contain_text("1 not saved yet")
    page.context.set_offline(False)
    expect(page.locator(".paper mark.kept")).to_have_count(2)
    page.reload()
    expect(page.locator(".paper mark.kept")).to_have_count(2)


def test_a_broken_verdict_lets_nothing_leave_but_by_an_override(browser: Any, server: Running) -> None:
    page = enter(browser, server, "admin")
    bring(page, "note.txt", b"Brandt of Oslo came.", "wards")
    for _ in page.locator(".terms li").all():
        page.keyboard.press("n")
        page.keyboard.press("e")
    expect(page.locator(".verdict strong")).to_contain_text("broken")
    expect(page.get_by_role("button", name="Download file")).to_be_disabled()
    page.get_by_role("button", name="Override…").click()
    page.get_by_label("Reason").fill("asked for by the patient")
    assert b"Brandt" in text_of(page, "Release")


def test_the_slider_repaints_without_asking(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(
        page,
        "slide.txt",
        b"Card 4111 1111 1111 1111, mail ann@example.org, born 1970-01-02, call 212-555-0142.",
    )
    slider = page.locator("#strength:not([disabled])")
    before = page.locator(".paper mark.gone").count()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    slider.evaluate("one => { one.value = one.max; one.dispatchEvent(new Event('input')); }")
    after = page.locator(".paper mark.gone").count()
    assert after < before and "POST" not in asked
    slider.evaluate("one => one.dispatchEvent(new Event('change'))")
    expect(page.locator(".history li")).to_have_text(["reviewer sets the strength to 1"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pdf_as_it_looks(browser: Any, server: Running, scheme: str) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="reportlab is not installed")
    data = io.BytesIO()
    file = canvas.Canvas(data, pagesize=(400, 500))
    for number in range(30):
        file.drawString(50, 450, f"Page {number}: write to ann@example.org today")
        file.showPage()
    file.save()
    page = enter(browser, server, color_scheme=scheme)
    bring(page, "pages.pdf", data.getvalue())
    word = page.locator(".sheet").first.locator(".word.gone")
    expect(word).to_have_text("ann@example.org")
    assert page.locator(".sheet img").count() < 10, "only pages in sight are drawn"
    sheet, box = page.locator(".sheet").first.bounding_box(), word.bounding_box()
    assert abs((box["y"] - sheet["y"]) / sheet["height"] - 40 / 500) < 0.03, "over the picture's own word"
    page.locator(".sheet").nth(25).scroll_into_view_if_needed()
    expect(page.locator(".sheet").nth(25).locator(".word.gone")).to_have_count(1)
    assert page.troubles == []


def test_nothing_in_a_document_becomes_markup(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    name = "<img src=x onerror=alert(3)>.txt"
    bring(page, name, f"{NASTY} ann@example.org שלום ann@example.org 山田太郎 😀 bob@example.org".encode())
    assert NASTY in page.locator(".paper").inner_text()
    assert page.locator(".paper mark").all_text_contents() == [
        "ann@example.org",
        "ann@example.org",
        "bob@example.org",
    ]
    page.keyboard.press("/")
    page.keyboard.type("<script>")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator(".paper mark.r-decisions")).to_have_text(["<script>"])
    page.get_by_role("link", name="Queue").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
    assert page.locator("main img, main script").count() == 0
    assert page.troubles == []


def test_five_thousand_findings(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    page.set_default_timeout(60_000)
    bring(page, "many.txt", "\n".join(f"line {n} to user{n}@example.org" for n in range(5000)).encode())
    assert page.locator(".paper mark.gone").count() == 5000
    page.keyboard.press("n")
    expect(page.locator(".paper .current")).to_have_count(1)
    assert page.troubles == []


def test_the_reader_finds_and_reads_and_nothing_else(browser: Any, server: Running) -> None:
    server.add("visit.txt", b"Okonkwo of Oslo has migraine.")
    page = enter(browser, server, "low", PHONE)
    page.get_by_label("Search documents").fill("Okonkwo")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 document", exact=True)).to_be_visible()
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_label("The document")).to_contain_text("Okonkwo of Oslo")
    assert page.get_by_role("navigation").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_administrator_looks_as_two_readers(browser: Any, server: Running) -> None:
    id = server.add("two.txt", b"Brandt of Oslo has asthma.")
    page = enter(browser, server, "admin")
    page.get_by_role("link", name="View as").click()
    page.get_by_label("The document's id").fill(id)
    page.get_by_label("As", exact=True).select_option("high")
    page.get_by_label("and as").select_option("low")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("article", name="As high")).to_contain_text("Brandt of Oslo has asthma.")
    expect(page.get_by_role("article", name="As low")).not_to_contain_text("asthma")
    with server.client("admin") as client:
        assert client.get("/v1/audit").text.count('"view as"') == 2


@pytest.mark.skipif("EFFACE_AXE" not in os.environ, reason="EFFACE_AXE does not name axe-core's script")
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, server: Running, size: dict[str, int], scheme: str) -> None:
    page = enter(browser, server, size=size, color_scheme=scheme)
    script = Path(os.environ["EFFACE_AXE"]).read_text("utf-8")

    def serious() -> list[str]:
        page.evaluate(script)
        found = page.evaluate("axe.run().then(r => r.violations.map(v => [v.impact, v.id]))")
        return [name for impact, name in found if impact in ("serious", "critical")]

    assert serious() == []
    bring(page, "axe.txt", MAIL.encode())
    page.keyboard.press("n")
    expect(page.locator(".why")).to_contain_text("It looks like something that identifies")
    expect(page.locator(".attacker")).not_to_contain_text("null")
    assert serious() == []
    page.keyboard.press("m")
    assert serious() == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert serious() == []


def test_other_sites_can_neither_frame_nor_post(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    answer = page.evaluate(
        "() => fetch('/v1/reviews', {method: 'POST', body: new FormData()}).then(a => a.status)"
    )
    assert answer == 403, "a request without the CSRF token changes nothing"
    outside = browser.new_page()
    outside.set_content(f"<iframe src='{server.url}/app/'></iframe>")
    outside.wait_for_timeout(500)
    assert "Your token" not in (outside.frames[-1].content() if len(outside.frames) > 1 else "")
