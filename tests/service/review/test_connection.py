"""A slow service and a lost connection: nothing is decided elsewhere, lost, or let out unchecked."""

from __future__ import annotations

from typing import Any

from tests.service.browser import bring, enter, expect, hold_back, needed
from tests.service.processes import Running
from tests.service.review.test_pages_view import pages

pytestmark = needed
MAIL = "Write to ann@example.org or to bob@example.org. Again: ann@example.org."


def test_a_queue_that_is_left_while_it_opens_hears_no_key(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "other.txt", MAIL.encode())
    late = hold_back(page, "**/v1/matters")
    page.keyboard.press("q")
    bring(page, "slow-queue.txt", MAIL.encode())
    here = page.url
    page.keyboard.press("n")
    expect(page.locator(".terms .current .name")).to_have_text("ann@example.org")
    for route in late:
        route.continue_()
    page.keyboard.press("n")
    expect(page.locator(".terms .current .name")).to_have_text("bob@example.org")
    assert page.url == here and late


def test_a_file_of_the_page_that_was_lost_is_asked_for_again(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    lost: list[str] = []

    def lose_once(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    page.route("**/app/review/paper.js", lose_once)
    bring(page, "lost-file.txt", MAIL.encode())
    assert lost and page.troubles == []


def test_a_file_of_the_page_that_is_never_there_is_told(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "no-file.txt", MAIL.encode())
    page.keyboard.press("q")
    gone = [True]
    page.route("**/app/review/paper.js", lambda route: route.abort() if gone else route.continue_())
    page.goto(f"{server.url}/app/", wait_until="commit")
    page.locator("a", has_text="no-file.txt").first.click()
    expect(page.get_by_role("heading", name="This cannot be shown")).to_be_visible()
    gone.clear()
    page.get_by_role("button", name="Try again").click()
    page.locator(".verdict strong", has_text="held").wait_for()


def test_a_review_that_is_left_while_it_opens_takes_no_decision(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "left.txt", MAIL.encode())
    left = page.url.rsplit("/", 1)[1]
    page.keyboard.press("q")
    late = hold_back(page, f"**/v1/reviews/{left}/view")
    with page.expect_request(f"**/v1/reviews/{left}/view"):
        page.locator("a", has_text="left.txt").click()
    expect(page.locator(".verdict")).to_contain_text("is being read")
    page.keyboard.press("q")
    bring(page, "here.txt", MAIL.encode())
    for route in late:
        route.continue_()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_have_text(["reviewer keeps “ann@example.org”"])
    expect(page.locator("h1")).to_have_text("here.txt")
    with server.client("reviewer") as client:
        assert late and client.get(f"/v1/reviews/{left}/decisions").json()["entries"] == []


def test_while_a_slow_service_checks_one_decides_on_and_nothing_leaves(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    bring(page, "slow.txt", MAIL.encode())
    late = hold_back(page, "**/view")
    page.keyboard.press("n")
    with page.expect_request("**/view"):
        page.keyboard.press("e")
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".paper mark.kept")).to_have_count(3)
    expect(page.locator(".history li")).to_have_count(2)
    expect(page.locator(".bar .state")).to_have_text("checking")
    expect(page.get_by_role("button", name="Download file")).to_be_disabled()
    page.route("**/view", lambda route: route.continue_())  # those that come from now on
    for route in late:
        route.continue_()
    expect(page.locator(".bar .state")).to_have_text("held")
    expect(page.get_by_role("button", name="Download file")).to_be_enabled()
    expect(page.locator(".paper mark.kept")).to_have_count(3)
    assert page.troubles == []


def test_a_document_that_no_connection_opens_is_tried_again(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    with server.client("reviewer") as client:
        files = {"file": ("unreached.txt", MAIL.encode())}
        id = client.post("/v1/reviews", files=files, data={"policy": "patterns"}).json()["id"]
    page.goto(f"{server.url}/app/")
    link = page.locator("a", has_text="unreached.txt")
    link.wait_for()
    page.context.set_offline(True)
    link.click()
    expect(page.locator("#main")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    page.wait_for_function("navigator.onLine")  # a page that is loaded before that is the browser's own
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("unreached.txt")
    assert page.url.endswith(id)


def test_a_document_that_is_not_read_yet_is_asked_for_again(browser: Any, server: Running) -> None:
    """The reviewer of a long scan was told to send it as a job, in the place of the page that they were looking at."""
    page = enter(browser, server)
    with server.client("reviewer") as client:
        files = {"file": ("slow.txt", MAIL.encode())}
        id = client.post("/v1/reviews", files=files, data={"policy": "patterns"}).json()["id"]
    late = {"type": "/problems/timeout", "title": "This took too long", "status": 504}
    asked: list[str] = []

    def answer_late(route: Any) -> None:
        """Each address once."""
        if route.request.url in asked:
            route.continue_()
        else:
            asked.append(route.request.url)
            route.fulfill(status=504, json=late)

    page.route(f"**/v1/reviews/{id}", answer_late)
    page.route(f"**/v1/reviews/{id}/view", answer_late)
    page.goto(f"{server.url}/app/review/{id}")
    expect(page.locator(".bar .state")).to_have_text("held")
    expect(page.locator(".paper mark.gone")).to_have_count(3)
    assert len(asked) == 2 and page.troubles == []


def test_undo_takes_back_what_is_not_saved_yet(browser: Any, server: Running) -> None:
    """It took back an earlier decision that was saved, and the last one was sent once the connection was there."""
    page = enter(browser, server)
    bring(page, "order.txt", MAIL.encode())
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_have_count(1)
    expect(page.locator(".bar .state")).to_have_text("held")
    page.context.set_offline(True)
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".paper mark.kept")).to_have_count(3)
    page.keyboard.press("u")
    expect(page.locator(".paper mark.kept")).to_have_count(2)
    page.keyboard.press("y")
    page.keyboard.press("u")
    expect(page.locator(".paper mark.kept")).to_have_count(2)
    page.context.set_offline(False)
    expect(page.locator(".bar")).to_contain_text("All saved")
    expect(page.locator(".bar .state")).to_have_text("held")
    expect(page.locator(".paper mark.kept")).to_have_count(2)
    expect(page.locator(".history li.undone")).to_have_text(["reviewer keeps “bob@example.org”"])
    page.keyboard.press("u")
    expect(page.locator(".history li.undone")).to_have_count(2)
    assert page.troubles == []


def test_a_document_that_is_left_without_a_connection_loses_no_decision(
    browser: Any, server: Running
) -> None:
    """Its decisions were sent only if somebody opened it again in the same tab."""
    page = enter(browser, server)
    bring(page, "left-offline.txt", MAIL.encode())
    id = page.url.rsplit("/", 1)[1]
    page.context.set_offline(True)
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.locator(".bar .problem")).to_contain_text("1 not saved yet")
    page.keyboard.press("q")
    expect(page.locator(".bar")).to_have_count(0)
    with page.expect_response(lambda answer: answer.url.endswith(f"{id}/decisions") and answer.ok):
        page.context.set_offline(False)
    with server.client("reviewer") as client:
        assert len(client.get(f"/v1/reviews/{id}/decisions").json()["entries"]) == 1


def test_a_page_that_a_busy_service_refused_is_asked_for_again(browser: Any, server: Running) -> None:
    """Its words, and with them its marks, never came."""
    page = enter(browser, server)
    refused: list[str] = []

    def refuse_once(route: Any) -> None:
        path = route.request.url.partition("?")[0]
        if path in refused:
            route.continue_()
            return
        refused.append(path)
        route.fulfill(status=429, body="{}", content_type="application/json")

    page.route("**/pages/0", refuse_once)
    page.route("**/pages/0/image", refuse_once)
    bring(page, "busy.pdf", pages(1))
    expect(page.locator(".sheet .word.gone")).to_have_count(1)
    expect(page.locator(".sheet img")).not_to_have_js_property("naturalWidth", 0)
    assert len(refused) == 2 and page.troubles == []


def test_a_check_that_was_lost_is_asked_for_again(browser: Any, server: Running) -> None:
    """Otherwise the page says "checking" for ever, though the decision is saved and the line is there again."""
    page = enter(browser, server)
    bring(page, "lost-check.txt", MAIL.encode())
    page.route("**/view", lambda route: route.abort(), times=1)
    page.locator(".term", has_text="bob").first.click()
    page.keyboard.press("e")
    expect(page.locator(".history li")).to_have_count(1)
    expect(page.locator(".verdict strong")).to_have_text("held", timeout=20_000)


def test_a_late_answer_does_not_overwrite_the_filter_that_was_chosen_after_it(
    browser: Any, server: Running
) -> None:
    page = enter(browser, server)
    late = hold_back(page, "**/v1/reviews?limit=500&state=held")
    page.goto(f"{server.url}/app/")
    page.select_option("#filter", "held")
    with page.expect_response("**/v1/reviews?limit=500&state=unproven"):
        page.select_option("#filter", "unproven")
    expect(page.locator("tbody .state", has_text="held")).to_have_count(0)
    row = {"id": "0" * 24, "name": "late.txt", "state": "held", "approved": [], "created": 0, "risk": 0}
    more = {
        "policy": "",
        "owner": "",
        "matter": "",
        "assignee": "",
        "problem": "",
        "progress": None,
        "due": None,
    }
    with page.expect_response("**/v1/reviews?limit=500&state=held"):
        late[0].fulfill(json={"reviews": [{**row, **more}]})
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(page.get_by_role("link", name="late.txt")).to_have_count(0, timeout=1)
