"""Planning that never ends: whoever opens such a document is answered, and nobody else waits for it."""

from __future__ import annotations

import os
import queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from efface.service import app as service_app
from efface.service import draining
from efface.service.jobs.processes import Call, Processes, WorkerLimits
from efface.service.repository import documents, openings
from efface.service.repository.view_work import Attempt
from efface.service.settings import ENVIRONMENT, ServiceSettings
from tests.service import endless
from tests.service.hospital import House, Open, furnish
from tests.service.jobs.test_killable import asked_and_left, until
from tests.service.processes import start

HARD = f"{endless.WORD} rolls a stone for Brandt.".encode()
EASY = b"A stone for Brandt."


def furnished(house: House) -> tuple[str, str]:
    """A document that is never done, and one that is."""
    (house.service.settings.policies / "endless.yaml").write_text(endless.POLICY)
    house.service.repository.put_folder("hill", "endless")
    return house.add("hard.txt", HARD, "hill"), house.add("easy.txt", EASY, "hill")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds for a document; a worker that starts takes its own time."""
    monkeypatch.setattr(openings, "Attempt", lambda _seconds, gone, user: Attempt(2.0, gone, user))
    monkeypatch.setattr(documents, "_LISTED_SECONDS", 2.0)


def test_an_opening_that_never_ends_is_given_up(open_house: Open) -> None:
    house = open_house(threads=1)
    hard, easy = furnished(house)
    assert house.get("high", f"/v1/documents/{easy}").content == b"A stone for [DENIED_1]."
    assert house.get("high", f"/v1/documents/{hard}").status_code == 504
    assert until(lambda: not house.service.processes._busy), "its worker is free"
    assert house.get("high", f"/v1/documents/{easy}").status_code == 200
    assert not house.service.openings._computing and not house.service.openings._backlog


def test_one_that_never_ends_is_not_begun_again_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hard, _ = furnished(house)
    assert house.get("high", f"/v1/documents/{hard}").status_code == 504
    monkeypatch.setattr(Processes, "run", None)
    assert house.get("high", f"/v1/documents/{hard}").status_code == 504


def test_one_that_never_ends_hides_itself_alone_from_a_search(house: House) -> None:
    _, easy = furnished(house)
    found = house.get("high", "/v1/documents?q=stone&folder=hill").json()
    assert [row["id"] for row in found["documents"]] == [easy]


def test_a_viewer_with_many_that_never_end_leaves_the_others_their_threads(open_house: Open) -> None:
    house = open_house(threads=2, per_user=1)
    hard, easy = furnished(house)
    assert house.get("high", f"/v1/documents/{easy}").status_code == 200  # a worker is there
    with ThreadPoolExecutor(6) as pool:
        slow = [pool.submit(house.get, "low", f"/v1/documents/{hard}") for _ in range(5)]
        assert until(lambda: bool(house.service.openings._backlog))
        assert house.get("high", f"/v1/documents/{easy}").status_code == 200
        assert {each.result().status_code for each in slow} == {504}
    assert until(lambda: not house.service.openings._computing)


def test_one_person_has_not_all_workers_by_asking_in_two_ways(open_house: Open) -> None:
    """A file that they send and a document that they open are both theirs, whatever viewer they are."""
    house = open_house(threads=2)
    hard, easy = furnished(house)
    house.service.people.put("reviewer", "reviewer", viewer="high")
    with ThreadPoolExecutor(2) as pool:
        sent = {"files": {"file": ("n.txt", HARD)}, "data": {"policy": "endless"}}
        pool.submit(house.post, "reviewer", "/v1/redact", **sent)
        assert until(lambda: bool(house.service.processes._busy))
        opened = pool.submit(house.get, "reviewer", f"/v1/documents/{hard}")
        assert until(lambda: bool(house.service.openings._computing))
        assert len(house.service.processes._busy) == 1
        assert house.get("low", f"/v1/documents/{easy}").status_code == 200
        assert opened.result().status_code in (503, 504)
        house.service.processes.close()


def test_whoever_looks_as_many_others_is_one_person(open_house: Open) -> None:
    house = open_house(threads=2)
    hard, easy = furnished(house)
    assert house.get("high", f"/v1/documents/{easy}").status_code == 200  # a worker is there
    with ThreadPoolExecutor(3) as pool:
        for user in ("high", "low", "nobody"):
            pool.submit(house.get, "admin", f"/v1/documents/{hard}/as/{user}")
        assert until(lambda: house.service.openings._computing["admin"] == 3)
        assert len(house.service.processes._busy) == 1
        assert house.get("low", f"/v1/documents/{easy}").status_code == 200
    assert until(lambda: not house.service.openings._computing)


def test_a_review_that_never_ends_fails_and_the_next_is_looked_at(open_house: Open) -> None:
    """A short text: it is planned in a worker process first, as every other is."""
    house = open_house(work_seconds=2.0)
    furnished(house)
    ids = []
    for data in (HARD, EASY):
        sent = {"files": {"file": ("n.txt", data)}, "data": {"policy": "endless"}}
        ids.append(house.post("reviewer", "/v1/reviews", **sent).json()["id"])
    store = house.service.review_store
    assert until(lambda: [store.get(id).state for id in ids] == ["failed", "held"])
    assert house.get("reviewer", f"/v1/reviews/{ids[0]}/view").status_code == 504
    assert house.get("reviewer", f"/v1/reviews/{ids[1]}/view").status_code == 200
    assert not house.service.processes._busy


def test_a_decision_that_makes_planning_endless_holds_no_thread(open_house: Open) -> None:
    """The first look came through. What is decided then, shown, drawn as a curve and exported is limited too."""
    house = open_house(work_seconds=2.0)
    furnished(house)
    sent = {"files": {"file": ("n.txt", EASY)}, "data": {"policy": "endless"}}
    id = house.post("reviewer", "/v1/reviews", **sent).json()["id"]
    assert house.get("reviewer", f"/v1/reviews/{id}/view").status_code == 200
    here = f"/v1/reviews/{id}"
    made = {"decisions": [{"kind": "replace", "term": "stone", "text": endless.WORD}]}
    assert house.post("reviewer", f"{here}/decisions", json=made).status_code == 200
    assert house.get("reviewer", f"{here}/view").status_code == 504
    assert house.get("reviewer", f"{here}/released").status_code == 504
    assert house.post("reviewer", f"{here}/export", json={"what": "report.html"}).status_code == 504
    assert house.get("reviewer", f"{here}/curve").status_code == 200
    assert not house.service.processes._busy and not house.service.workers._running
    undo = {"seen": 1, "decisions": [{"kind": "undo", "of": 1}]}
    assert house.post("reviewer", f"{here}/decisions", json=undo).status_code == 200
    assert house.get("reviewer", f"{here}/view").json()["verdict"] == "held"


@pytest.mark.parametrize("path", ["", "/view", "/curve", "/pages/0"])
def test_a_look_at_a_review_ends_when_whoever_looks_goes_away(house: House, path: str) -> None:
    (house.service.settings.policies / "looping.yaml").write_text(endless.LOOPING)
    who = house.service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = house.service.review_store.add(who, "looping", "n.txt", HARD)
    asked_and_left(house, "GET", f"/v1/reviews/{id}{path}")
    assert until(lambda: not house.service.processes._busy and not house.service.workers._running)
    # That somebody left says nothing of the document.
    assert until(lambda: house.service.review_store.get(id).state == "waiting")


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/v1/documents"), ("PROPFIND", "/dav/hill"), ("GET", "/dav/hill/hard.txt")]
)
def test_a_list_ends_when_whoever_asked_for_it_goes_away(
    house: House, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    monkeypatch.setattr(documents, "_LISTED_SECONDS", 600.0)
    furnished(house)
    asked_and_left(house, method, path)
    assert until(lambda: not house.service.processes._busy and not house.service.workers._running)


def test_a_list_of_many_that_never_end_is_answered_in_the_time_of_a_request(open_house: Open) -> None:
    """Each document had a limit, but the list had none: a hundred slow files took half an hour."""
    house = open_house(request_seconds=1.0)
    furnished(house)
    house.add("harder.txt", HARD * 2, "hill")
    answer = house.client.request("PROPFIND", "/dav/hill", headers={**house.as_("high"), "Depth": "1"})
    assert answer.status_code == 504 and answer.json()["type"] == "/problems/timeout"
    assert until(lambda: not house.service.processes._busy)


def test_the_jobs_of_one_person_leave_threads_to_others(open_house: Open) -> None:
    """Jobs that never end take neither the last thread of jobs nor a worker of those who wait for an answer."""
    house = open_house(threads=2)
    _, easy = furnished(house)
    sent = {"files": {"file": ("n.txt", HARD)}, "data": {"policy": "endless"}}
    ids = [house.post("reviewer", "/v1/jobs", **sent).json()["id"] for _ in range(3)]
    quick = {"files": {"file": ("n.txt", EASY)}, "data": {"policy": "endless"}}
    other = house.post("admin", "/v1/jobs", **quick).json()["id"]
    assert until(lambda: house.get("admin", f"/v1/jobs/{other}").json()["state"] == "done")
    assert house.get("high", f"/v1/documents/{easy}").status_code == 200
    states = [house.get("reviewer", f"/v1/jobs/{id}").json()["state"] for id in ids]
    assert states == ["running", "queued", "queued"]
    for id in ids:
        house.client.delete(f"/v1/jobs/{id}", headers=house.as_("reviewer"))


def test_one_person_has_some_of_the_threads(open_house: Open) -> None:
    """Eight looks at one document that never ends leave the others their threads."""
    house = open_house(threads=1, per_user=2, work_seconds=3.0)
    furnished(house)
    (house.service.settings.policies / "looping.yaml").write_text(endless.LOOPING)
    who = house.service.people.identify(house.tokens["reviewer"])
    assert who is not None
    hard = house.service.review_store.add(who, "looping", "n.txt", HARD)
    easy = house.service.review_store.add(who, "endless", "n.txt", EASY)
    with ThreadPoolExecutor(9) as pool:
        slow = [pool.submit(house.get, "reviewer", f"/v1/reviews/{hard}/view") for _ in range(8)]
        assert until(lambda: bool(house.service.workers._backlog))
        assert house.service.workers._running["reviewer"] == 2
        assert house.get("admin", f"/v1/reviews/{easy}/decisions").status_code == 200
        assert house.post("admin", "/v1/assess", files={"file": ("n.txt", EASY)}).status_code == 200
        assert {each.result().status_code for each in slow} == {504}
    assert until(lambda: not house.service.workers._running)


def test_the_service_stops_though_a_finder_loops(tmp_path: Path) -> None:
    """As users run it. The process has ended, and so have the workers that it started."""
    settings = ServiceSettings(home=tmp_path / "home")
    service, tokens = furnish(settings)
    (settings.policies / "looping.yaml").write_text(endless.LOOPING)
    service.repository.put_folder("loop", "looping")
    document = service.repository.add("loop", "n.txt", HARD)
    service.store.close()
    server = start(settings, tokens, as_users_do=True)
    try:
        with server.client("reviewer") as client, ThreadPoolExecutor(2) as pool:
            file, policy = {"file": ("n.txt", HARD)}, {"policy": "looping"}
            id = client.post("/v1/reviews", files=file, data=policy).json()["id"]
            waiting = [
                pool.submit(status_of, client, path)
                for path in (f"/v1/reviews/{id}/view", f"/v1/documents/{document}")
            ]
            assert until(lambda: len(server.children) >= 2), "two workers are at work"
            workers = server.children
            server.process.terminate()
            server.process.wait(60)
            assert {each.result() for each in waiting} <= {503, 504, None}
    finally:
        server.kill()
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_a_thread_that_never_ends_does_not_keep_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that loops in the service's own process cannot be told to stop: the process ends under it."""
    ended: list[float] = []
    monkeypatch.setattr(draining, "end_within", ended.append)
    monkeypatch.setattr(Processes, "warm", lambda _: None)
    monkeypatch.setenv(ENVIRONMENT, ServiceSettings(home=tmp_path / "home").model_dump_json())
    with TestClient(service_app.from_environment()):
        assert ended == []
    assert len(ended) == 1 and ended[0] < 6, "the server itself waits 4 seconds for requests before that"
    monkeypatch.undo()
    left: queue.Queue[int] = queue.Queue()
    monkeypatch.setattr(os, "_exit", left.put)
    draining.end_within(0.01)
    assert left.get(timeout=30) == 0


def status_of(client: httpx.Client, path: str) -> int | None:
    """None: the connection was closed."""
    try:
        return client.get(path).status_code
    except httpx.TransportError:
        return None


def test_a_worker_reads_the_files_of_a_policy_anew(tmp_path: Path) -> None:
    """What was put on the deny list a moment ago is denied in every process."""
    processes = Processes(1, WorkerLimits(), 1)
    policy = "find: {patterns: none, names: none, deny_file: words.txt}"
    given = {
        "name": "n.txt",
        "viewer": "x",
        "policy": policy,
        "folder": str(tmp_path),
        "document_key": "00" * 16,
    }
    try:
        for words, left in (
            ("Brandt\n", b"[DENIED_1] and Sol"),
            ("Brandt\nSol\n", b"[DENIED_1] and [DENIED_2]"),
        ):
            (tmp_path / "words.txt").write_text(words)
            done = processes.run(Call("redact", "x", 120, given, (b"Brandt and Sol",)))
            assert done.files[0] == left
    finally:
        processes.close()
