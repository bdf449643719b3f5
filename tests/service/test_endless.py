"""Planning that never ends: whoever opens such a document is answered, and nobody else waits for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from efface.service.jobs.processes import Call, Processes
from efface.service.repository import documents, openings
from efface.service.repository.view_work import Attempt
from tests.service import endless
from tests.service.conftest import House, Open
from tests.service.test_killable import until

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
    monkeypatch.setattr(openings, "Attempt", lambda _seconds, gone: Attempt(2.0, gone))
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


def test_a_worker_reads_the_files_of_a_policy_anew(tmp_path: Path) -> None:
    """What was put on the deny list a moment ago is denied in every process."""
    processes = Processes(1, 4096, 1)
    policy = "find: {patterns: none, names: none, deny_file: words.txt}"
    given = {"name": "n.txt", "viewer": "x", "policy": policy, "folder": str(tmp_path)}
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
