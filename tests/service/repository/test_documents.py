"""Documents as their readers may see them: at the moment they ask, in search as in opening."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from efface.service.repository.view_cache import ViewerBinding, compute
from efface.service.repository.view_work import ViewWork
from tests.service.hospital import NOTE, House


def words_of(answer: object) -> str:
    return json.dumps(answer)


def test_each_reader_gets_their_own_version(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert house.get("high", f"/v1/documents/{id}").content == NOTE
    low = house.get("low", f"/v1/documents/{id}")
    assert "Brandt" not in low.text and "asthma" not in low.text
    assert "Okonkwo" in low.text and "Oslo" in low.text
    nobody = house.get("nobody", f"/v1/documents/{id}").text
    assert not any(word in nobody for word in ("Brandt", "asthma", "Okonkwo"))


def test_the_viewer_comes_from_the_token_alone(house: House) -> None:
    id = house.add("note.txt", NOTE)
    plain = house.get("low", f"/v1/documents/{id}").content
    for path in (f"/v1/documents/{id}?viewer=high", f"/v1/documents/{id}?as=high&user=high"):
        headers = {**house.as_("low"), "X-Viewer": "high", "X-Forwarded-User": "high"}
        assert house.client.get(path, headers=headers).content == plain


def test_a_user_is_mapped_to_a_viewer(house: House) -> None:
    id = house.add("note.txt", NOTE)
    house.service.people.put("nobody", "reader", viewer="high")
    assert house.get("nobody", f"/v1/documents/{id}").content == NOTE


CHANGES = {
    "a row's label": ("UPDATE patient SET label = 'HIGH' WHERE id = 2", "Okonkwo"),
    "a viewer's label": ("UPDATE staff SET clearance = NULL WHERE login = 'low'", "Okonkwo"),
    "a viewer removed": ("DELETE FROM staff WHERE login = 'low'", "Okonkwo"),
    "a row renamed": ("UPDATE patient SET name = 'came', label = 'HIGH' WHERE id = 4", "came"),
    "a row added": ("INSERT INTO patient VALUES (9, 'along', 'Rome', 'flu', 'HIGH')", "along"),
    "a crowd dissolved": ("UPDATE patient SET city = 'Rome' WHERE id = 2", "Oslo"),
    "a row deleted": ("DELETE FROM patient WHERE id = 2", "Oslo"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_data_or_labels_is_never_served_stale(house: House, change: str) -> None:
    """The word is there before; right after the change it is neither opened, listed nor found."""
    statement, word = CHANGES[change]
    id = house.add("note.txt", NOTE)
    for _ in range(2):  # the second time from what was kept
        assert word in house.get("low", f"/v1/documents/{id}").text
    assert house.get("low", f"/v1/documents?q={word}").json()["total"] == 1
    house.sql(statement)
    assert word not in house.get("low", f"/v1/documents/{id}").text
    assert house.get("low", f"/v1/documents?q={word}").json()["total"] == 0


def test_a_change_of_the_policy_is_never_served_stale(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert "Okonkwo" in house.get("low", f"/v1/documents/{id}").text
    path = house.service.settings.policies / "wards.yaml"
    path.write_text(
        path.read_text().replace(
            "find: {patterns: none, names: none}", "find: {patterns: none, names: none, deny: [Okonkwo]}"
        )
    )
    assert "Okonkwo" not in house.get("low", f"/v1/documents/{id}").text
    path.write_text(path.read_text().replace("deny: [Okonkwo]", "deny_file: denied.txt"))
    denied = path.with_name("denied.txt")
    denied.write_text("came\n")
    assert "Okonkwo" in house.get("low", f"/v1/documents/{id}").text
    denied.write_text("Oslo\n")
    assert "Oslo" not in house.get("low", f"/v1/documents/{id}").text
    folder = house.client.put("/v1/folders/wards", json={"policy": "patterns"}, headers=house.as_("admin"))
    assert folder.status_code == 204
    assert house.get("low", f"/v1/documents/{id}").content == NOTE


def test_without_its_database_a_document_tells_nothing_of_the_denied(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert house.get("high", f"/v1/documents/{id}").content == NOTE
    (house.service.settings.policies / "hospital.db").rename(house.service.settings.policies / "away.db")
    answer = house.get("high", f"/v1/documents/{id}")
    assert answer.status_code >= 400 and "Brandt" not in answer.text


@pytest.mark.parametrize("how", ["in its place", "over it"])
def test_another_database_file_counts_at_once(house: House, tmp_path: Path, how: str) -> None:
    """SQLite notices what is committed; not that the file is another one with as many changes behind it."""
    id, path = house.add("note.txt", NOTE), house.service.settings.policies / "hospital.db"
    other = tmp_path / "other.db"
    shutil.copy(path, other)
    house.sql("UPDATE patient SET label = 'LOW'")
    connection = sqlite3.connect(other)
    with connection:
        connection.execute("UPDATE patient SET label = 'HIGH'")
    connection.close()
    assert path.read_bytes()[24:28] == other.read_bytes()[24:28], "as many changes"
    assert b"Okonkwo" in house.get("low", f"/v1/documents/{id}").content
    if how == "in its place":
        other.replace(path)
    else:
        path.write_bytes(other.read_bytes())
    assert b"Okonkwo" not in house.get("low", f"/v1/documents/{id}").content


def test_what_is_kept_is_what_would_be_computed(house: House) -> None:
    """The definition: bind, sanitize, no cache. Every viewer, before and after every change."""
    id = house.add("note.txt", NOTE)
    stored = house.service.repository.stored([id])[id]
    for statement in (None, *(statement for statement, _ in CHANGES.values())):
        if statement:
            house.sql(statement)
        for viewer in ("high", "low", "nobody", "high"):
            viewing = ViewerBinding.of(house.service.policies.get("wards"), viewer)
            plain = compute(viewing.bound, NOTE, stored.name)
            answer = house.get(viewer, f"/v1/documents/{id}")
            assert answer.status_code == (404 if plain.released is None else 200)
            assert plain.released is None or answer.content == plain.released


def test_the_second_opening_computes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    id = house.add("note.txt", NOTE)
    first = house.get("low", f"/v1/documents/{id}").content
    monkeypatch.setattr(ViewWork, "compute", None)
    assert house.get("low", f"/v1/documents/{id}").content == first
    house.service.people.put("high", "reader", viewer="low")
    assert house.get("high", f"/v1/documents/{id}").content == first, "whoever gets the same answers"


def test_search_finds_only_what_the_reader_sees(house: House) -> None:
    house.add("note.txt", NOTE)
    house.add("other.txt", b"Ferreira of Bern and Sol of Bern")
    totals = {
        (who, word): house.get(who, f"/v1/documents?q={word}").json()["total"]
        for who in ("high", "low", "nobody")
        for word in ("Brandt", "okonkwo", "OSLO", "asthma", "Ferreira", "Sol of", "")
    }
    assert [totals["high", word] for word in ("Brandt", "okonkwo", "OSLO", "asthma", "Ferreira", "Sol of", "")] == [
        1, 1, 1, 1, 1, 1, 2,
    ]  # fmt: skip
    assert totals["low", "Brandt"] == totals["low", "asthma"] == totals["low", "Ferreira"] == 0
    assert totals["low", "okonkwo"] == totals["low", "Sol of"] == 1
    assert totals["nobody", "okonkwo"] == totals["nobody", "Brandt"] == 0


def test_a_hidden_word_answers_as_a_word_that_is_nowhere(house: House) -> None:
    house.add("note.txt", NOTE)
    for hidden in ("Brandt", "asthma", "Brandt Oslo", "PERSON Brandt"):
        nowhere = "Xyzzy" if " " not in hidden else "Xyzzy Plugh"
        left, right = (house.get("low", "/v1/documents", params={"q": q}) for q in (hidden, nowhere))
        assert (left.status_code, left.json()) == (right.status_code, right.json())


def test_snippets_sizes_and_counts_are_of_the_view(house: House) -> None:
    id = house.add("note.txt", NOTE)
    row = house.get("low", "/v1/documents?q=Oslo").json()["documents"][0]
    view = house.get("low", f"/v1/documents/{id}")
    assert row["bytes"] == len(view.content)
    assert "Brandt" not in words_of(row) and "asthma" not in words_of(row)
    assert row["count"] == view.text.count("Oslo")


def test_a_file_name_that_tells_is_not_told(house: House) -> None:
    id = house.add("brandt_2026.txt", b"A visit to Oslo, together with Okonkwo.")
    shown = {who: house.get(who, "/v1/documents").json()["documents"][0]["name"] for who in ("high", "low")}
    assert shown == {"high": "brandt_2026.txt", "low": f"document-{id[:8]}.txt"}
    header = house.get("low", f"/v1/documents/{id}").headers["content-disposition"]
    assert "brandt" not in header.lower()
    assert house.get("low", "/v1/documents?q=brandt").json()["total"] == 0


def test_what_cannot_be_shown_is_as_if_it_were_not_there(house: House) -> None:
    """With fewer than k entities nothing can be hidden among k: the policy refuses for some readers."""
    id = house.add("note.txt", NOTE)
    house.sql("DELETE FROM patient WHERE id > 1")
    missing = house.get("low", "/v1/documents/" + "0" * 24)
    refused = house.get("low", f"/v1/documents/{id}")
    assert refused.status_code == missing.status_code == 404
    assert refused.json() == missing.json()
    assert house.get("low", "/v1/documents").json()["total"] == 0
    assert house.get("high", f"/v1/documents/{id}").content == NOTE


def test_search_by_id(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert [row["id"] for row in house.get("low", f"/v1/documents?q={id}").json()["documents"]] == [id]


def test_view_as_is_for_administrators_and_recorded(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert house.get("reviewer", f"/v1/documents/{id}/as/low").status_code == 403
    seen = house.get("admin", f"/v1/documents/{id}/as/low").content
    assert seen == house.get("low", f"/v1/documents/{id}").content
    events = [record for record in house.service.trail.records() if record.action == "view as"]
    assert [(event.actor, event.object, json.loads(event.detail)["viewer"]) for event in events] == [
        ("admin", id, "low")
    ]


def test_formats_are_kept(house: House) -> None:
    id = house.add("note.html", b"<html><body><p>Brandt of Oslo</p></body></html>")
    answer = house.get("low", f"/v1/documents/{id}")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text.startswith("<html><body><p>") and "Brandt" not in answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_database_in_write_ahead_mode_is_never_served_stale(house: House) -> None:
    """There one change after another may leave the file's size and, within a tick, its time as they were."""
    path = house.service.settings.policies / "hospital.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=2")
    id = house.add("note.txt", NOTE)
    for turn in range(40):
        hidden = turn % 2 == 0
        connection.execute("UPDATE patient SET name = ? WHERE id = 3", ("came" if hidden else "Ferreira",))
        assert ("came" in house.get("low", f"/v1/documents/{id}").text) != hidden
    connection.close()


@pytest.mark.parametrize("error", [errno.EIO, errno.EACCES, errno.EISDIR, errno.EMFILE])
def test_a_file_that_the_disk_does_not_give_hides_itself_alone(
    house: House, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    whole, gone = house.add("note.txt", NOTE), house.add("gone.txt", b"Sol of Bern")
    file = house.service.repository.stored([gone])[gone].file
    read = Path.read_bytes

    def failing(path: Path) -> bytes:
        if path.name == file:
            raise OSError(error, os.strerror(error), str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", failing)
    alone = house.get("high", f"/v1/documents/{gone}")
    found = house.get("high", "/v1/documents?q=Oslo")
    if error == errno.EMFILE:  # says nothing of the file: try again later
        assert (alone.status_code, found.status_code) == (503, 503)
    else:
        assert alone.status_code == 422
        assert found.status_code == 200 and [row["id"] for row in found.json()["documents"]] == [whole]
    assert file not in alone.text and str(house.service.settings.home) not in alone.text


def test_a_damaged_file_hides_itself_and_nothing_else(house: House) -> None:
    whole, gone = house.add("note.txt", NOTE), house.add("gone.txt", b"Sol of Bern")
    house.service.blobs.delete(house.service.repository.stored([gone])[gone].file)
    found = house.get("high", "/v1/documents")
    assert found.status_code == 200 and [row["id"] for row in found.json()["documents"]] == [whole]
    assert house.get("high", f"/v1/documents/{gone}").status_code == 422
    assert house.get("high", f"/v1/documents/{whole}").content == NOTE
