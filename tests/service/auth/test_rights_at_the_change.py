"""A change is made with rights that hold when it is made, not only when its request was let in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from efface.service.app import build
from efface.service.auth.credentials import WHO
from efface.service.auth.identity import Identity
from tests.service.hospital import NOTE, House
from tests.service.test_operation import CHANGES, finished_job, rows


def let_in(house: House, who: Identity) -> TestClient:
    """A client whose requests were let in a moment ago."""
    framework = build(house.service)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        scope[WHO] = who
        await framework(scope, receive, send)

    return TestClient(application, raise_server_exceptions=False)


def by_token(house: House) -> Identity:
    who = house.service.people.identify(house.service.people.issue("chief")[1])
    assert who is not None
    return who


def by_session(house: House) -> Identity:
    who = house.service.sessions.identify(house.service.sessions.begin(by_token(house))[0])
    assert who is not None
    return who


@pytest.mark.parametrize("credentials", [by_token, by_session])
@pytest.mark.parametrize(("method", "path", "more"), CHANGES, ids=[f"{row[0]} {row[1]}" for row in CHANGES])
def test_nothing_is_changed_with_rights_that_were_just_taken(
    house: House, credentials: Callable[[House], Identity], method: str, path: str, more: dict[str, Any]
) -> None:
    """An administrator who sends one request after the other had one under way when their role was taken: it made them
    an administrator again, or gave them somebody's token."""
    known = {"document": house.add("n.txt", NOTE), "token": house.service.people.issue("low")[0]}
    house.service.repository.put_folder("empty", "patterns")
    house.service.people.put("chief", "admin")
    who = credentials(house)
    known["review"] = house.service.review_store.add(who, "patterns", "a.txt", b"mail ann@example.org")
    house.service.review_store.look(known["review"])
    known["job"] = finished_job(house, "chief")
    house.service.people.put("chief", "reader")
    if "json" in more:
        more = {"json": json.loads(json.dumps(more["json"]).replace("{review}", known["review"]))}
    before = rows(house)
    answer = let_in(house, who).request(method, path.format(**known), **more)
    assert answer.status_code in (401, 403, 404, 409), answer.text
    assert rows(house) == before


def test_nobody_makes_themselves_an_administrator_again(house: House) -> None:
    house.service.people.put("chief", "admin")
    who = by_token(house)
    house.service.people.put("chief", "reader")
    let_in(house, who).put("/v1/users/chief", json={"role": "admin"})
    found = house.service.people.get("chief")
    assert found is not None and found.role == "reader"


@pytest.mark.parametrize("path", ["/v1/reviews/{id}/export", "/v1/matters/Falcon/export"])
def test_nothing_leaves_for_somebody_whose_rights_were_just_taken(house: House, path: str) -> None:
    """A large file takes minutes to make, and was handed over to a reviewer who was none any more."""
    house.service.people.put("chief", "reviewer")
    who = by_token(house)
    id = house.service.review_store.add(who, "patterns", "a.txt", b"mail ann@example.org", "Falcon")
    house.service.review_store.look(id)
    house.service.people.put("chief", "reader")
    answer = let_in(house, who).post(path.format(id=id), json={})
    assert answer.status_code == 401, answer.text
    assert house.service.review_store.get(id).state == "held"
    assert not [each for each in house.service.trail.records() if each.action == "release"]
