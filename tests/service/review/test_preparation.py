"""The next document is made ready while somebody reads the one before it."""

from __future__ import annotations

import time
from typing import Any

from tests.service.browser import bring, enter, needed
from tests.service.hospital import House
from tests.service.processes import Running
from tests.service.review.test_review import add, decide, view


def _prepared(house: House, id: str) -> Any:
    """What the service has in hand of a document, once it is there."""
    assert house.post("reviewer", f"/v1/reviews/{id}/preparation").status_code == 202
    until = time.monotonic() + 60
    while time.monotonic() < until:
        hand = house.service.review_store._open_reviews.get(id)
        if hand is not None and hand.outcome is not None:
            return hand
        time.sleep(0.05)
    raise AssertionError("the document was not made ready")


def test_a_document_is_made_ready_and_opening_it_uses_that(house: House) -> None:
    id = add(house)
    view(house, id)
    house.service.review_store._open_reviews.clear()  # so many others were opened since
    outcome = _prepared(house, id).outcome
    view(house, id)
    assert house.service.review_store._open_reviews[id].outcome is outcome


def test_making_ready_shows_nothing_and_counts_as_no_look(house: House) -> None:
    id = add(house)
    _prepared(house, id)
    assert [row for row in house.service.trail.records() if row.action == "read original"] == []
    assert not house.get("reviewer", "/v1/reviews").json()["reviews"][0]["approved"]
    assert decide(house, id, {"kind": "approve"}).status_code == 409
    view(house, id)
    assert [row.object for row in house.service.trail.records() if row.action == "read original"] == [id]


def test_only_reviewers_can_ask_for_it(house: House) -> None:
    id = add(house)
    assert house.post("high", f"/v1/reviews/{id}/preparation").status_code == 403
    assert house.post("reviewer", f"/v1/reviews/{'0' * 24}/preparation").status_code == 404


@needed
def test_the_page_asks_for_the_next_document_once_this_one_is_checked(browser: Any, server: Running) -> None:
    page = enter(browser, server, prepares=True)
    bring(page, "looked-at.txt", b"Write to ann@example.org.")
    page.get_by_role("link", name="Queue").click()
    with page.expect_request("**/preparation") as asked:
        bring(page, "made-ready-next.txt", b"Write to bob@example.org.")
    assert asked.value.method == "POST"
    assert page.url.split("/")[-1] not in asked.value.url
    assert page.troubles == []
