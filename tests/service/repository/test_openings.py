"""Openings that wait together: each gets what it would get alone, by what holds after it was asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient

from efface.service.app import build
from efface.service.middleware import Guard
from efface.service.repository.openings import Openings
from tests.service.hospital import NOTE, House, Open

Asked = tuple[str, str]  # who, and a path
Held = list["Future[Any]"]


def occupy(openings: Openings) -> None:
    """Make all lanes look busy. A round that has answered is still under way for a moment: it is waited for."""
    while True:
        with openings._lock:
            if not openings._rounds:
                openings._rounds = openings.lanes
                return
        time.sleep(0.01)


@contextmanager
def waiting(house: House, asked: Sequence[Asked]) -> Iterator[Held]:
    """All of these wait until the end of the block, and are then taken in one round."""
    openings = house.service.openings
    occupy(openings)
    with ThreadPoolExecutor(len(asked)) as pool:
        found = [pool.submit(house.get, who, path) for who, path in asked]
        try:
            while len(openings._waiting) < len(asked):
                assert not any(future.done() for future in found)
                time.sleep(0.01)
            yield found
        finally:
            openings._threads.submit(openings._round)


def seen(answer: Any) -> tuple[int, Any, dict[str, str]]:
    """All but what differs from one moment to the next: a request's number, a certificate's date and signature."""
    content = answer.content
    if answer.headers["content-type"] == "application/json":
        content = {k: v for k, v in answer.json().items() if k not in ("issued", "signature")}
    return (
        answer.status_code,
        content,
        {k: v for k, v in answer.headers.items() if k not in ("x-request-id", "content-length")},
    )


def test_each_of_a_round_gets_what_it_would_get_alone(house: House) -> None:
    tokens = {**house.tokens, "guess": house.tokens["low"][:-1] + "!", "revoked": house.tokens["nobody"]}
    house = House(house.service, house.client, tokens)
    note, other = house.add("note.txt", NOTE), house.add("other.txt", b"Ferreira of Bern and Sol of Bern")
    house.service.repository.put_folder("plain", "patterns")
    plain = house.add("plain.txt", b"Write to a@example.com", "plain")
    gone = house.service.people.issue("low")
    house.service.people.revoke(gone[0])
    house.tokens["revoked"] = gone[1]
    paths = [f"/v1/documents/{id}" for id in (note, other, plain, "0" * 24)]
    paths += [
        f"/v1/documents/{note}/as/low",
        f"/v1/documents/{note}/as/stranger",
        f"/v1/documents/{note}/certificate",
    ]
    asked = [(who, path) for path in paths for who in ("high", "low", "nobody", "admin", "guess", "revoked")]
    assert len(asked) < 64
    alone = [seen(house.get(*one)) for one in asked]
    house.service.guesses._known.clear()
    with waiting(house, asked) as found:
        pass
    together = [seen(future.result()) for future in found]
    for one, first, second in zip(asked, alone, together, strict=True):
        assert first == second, one
    assert {status for status, _, _ in together} == {200, 401, 403, 404}


def test_what_changes_while_they_wait_counts(house: House) -> None:
    id = house.add("note.txt", NOTE)
    path = f"/v1/documents/{id}"
    assert b"Okonkwo" in house.get("low", path).content and b"Brandt" in house.get("high", path).content
    with waiting(house, [("low", path), ("high", path), ("nobody", path), ("low", path)]) as found:
        house.sql("UPDATE patient SET label = 'HIGH'")
        house.sql("DELETE FROM staff WHERE login = 'high'")
        house.service.people.remove("nobody")
    answers = [future.result() for future in found]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 200]
    assert not any(
        word in answer.content for answer in answers for word in (b"Okonkwo", b"Brandt", b"asthma")
    )


def test_a_document_deleted_while_they_wait_is_not_there(house: House) -> None:
    id = house.add("note.txt", NOTE)
    with waiting(house, [("high", f"/v1/documents/{id}")]) as found:
        deleted = house.client.delete(f"/v1/documents/{id}", headers=house.as_("reviewer"))
        assert deleted.status_code == 204
    assert found[0].result().status_code == 404


def test_a_policy_that_cannot_be_used_fails_its_own_documents_alone(house: House) -> None:
    note = house.add("note.txt", NOTE)
    house.service.repository.put_folder("plain", "patterns")
    plain = house.add("plain.txt", b"Nothing to hide.", "plain")
    with waiting(house, [("high", f"/v1/documents/{id}") for id in (note, plain, note, plain)]) as found:
        (house.service.settings.policies / "wards.yaml").write_text("find: [")
    assert [future.result().status_code for future in found] == [422, 200, 422, 200]


def test_every_opening_of_a_round_is_on_record(house: House) -> None:
    ids = [house.add(f"note{at}.txt", NOTE) for at in range(3)]
    with waiting(house, [(who, f"/v1/documents/{id}") for id in ids for who in ("high", "low")]) as found:
        pass
    assert all(future.result().status_code == 200 for future in found)
    read = [
        (record.actor, record.object) for record in house.service.trail.records() if record.action == "read"
    ]
    assert sorted(read) == sorted((who, id) for id in ids for who in ("high", "low"))


def test_whoever_finds_too_many_waiting_is_turned_away(open_house: Open) -> None:
    house = open_house(waiting=2)
    path = f"/v1/documents/{house.add('note.txt', NOTE)}"
    with waiting(house, [("high", path)] * 2) as found:
        turned_away = house.get("high", path)
    assert turned_away.status_code == 503 and turned_away.headers["retry-after"] == "2"
    assert [future.result().status_code for future in found] == [200, 200]
    assert house.get("high", path).status_code == 200


def test_the_short_way_answers_as_the_route_does(open_house: Open) -> None:
    house = open_house()
    id = house.add("note.txt", NOTE)
    service = house.service
    around = TestClient(
        Guard(build(service), service.settings, service.metrics, service.draining),
        raise_server_exceptions=False,
    )
    paths = [
        f"/v1/documents/{id}",
        f"/v1/documents/{id}?q=1",
        f"/v1/documents/{'0' * 24}",
        "/v1/documents/xyz",
    ]
    paths += [
        f"/v1/documents/{id}/",
        f"/v1/documents/{id.upper()}",
        f"/v1/documents/{id}%0a",
        f"//v1/documents/{id}",
    ]
    for path in paths:
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            for headers in (
                house.as_("low"),
                {},
                {"Authorization": "Bearer x"},
                {"Authorization": "Basic eDp5"},
            ):
                short, long = (
                    client.request(method, path, headers=headers) for client in (house.client, around)
                )
                assert seen(short) == seen(long), (method, path)
    counted = service.metrics.text().decode()
    assert 'route="/v1/documents/{id}",status="200"' in counted


def test_viewers_of_one_round_share_one_look_at_the_entities(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of twenty viewers had the state of the same index asked for. Rights are asked for each all the same."""
    from efface.policy import knowledge_index

    looks: list[str] = []
    current = knowledge_index._current_index

    def counted(name: str, *given: Any) -> Any:
        looks.append(name)
        return current(name, *given)

    monkeypatch.setattr(knowledge_index, "_current_index", counted)
    sanitizer = house.service.policies.get("wards").sanitizer
    with knowledge_index.one_look():
        high, low = sanitizer.bind("high"), sanitizer.bind("low")
        assert len(looks) == 1
    assert high.guarantees != low.guarantees
    sanitizer.bind("high")
    sanitizer.bind("high")
    assert len(looks) == 3, "outside of a round everybody looks anew"
