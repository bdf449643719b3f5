"""What is kept from one reading to the next, and that it is never older than the database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.access import Denial
from efface.access.database import LabelAccess
from efface.api.sanitizer import Sanitizer
from efface.errors import Infeasible
from efface.knowledge.databases.sqlite_state import file_state
from efface.knowledge.entities import result_cache as kept
from efface.knowledge.entities import segment
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import EntityStore, build
from efface.policy import knowledge as sources
from tests.access.views.test_views import NOTE, PATIENTS, hospital, text_of


def test_the_next_reading_opens_no_file_of_the_index_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    first = sanitizer.sanitize(NOTE, name="n.txt", viewer="low")
    monkeypatch.setattr(segment, "open_arrays", None)
    assert text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low")) == text_of(first)


def test_a_change_within_a_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert text_of(sanitizer.sanitize(b"Xu of Oslo", name="n.txt", viewer="low")) == "Xu of Oslo"
    file = tmp_path / "hospital.db"
    before = file.stat()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE patient SET name = 'Xu' WHERE name = 'Ng'")
    database.close()
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert "Xu" not in text_of(sanitizer.sanitize(b"Xu of Oslo", name="n.txt", viewer="low"))


def test_an_index_thrown_away_and_built_again_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    """Its segments are numbered from one again."""
    store = EntityStore(tmp_path / "index")
    build([Entity("1", (("city", "Bern"),))], store.path)
    assert "bern" in store.snapshot()
    shutil.rmtree(store.path)
    build([Entity("1", (("city", "Oslo"),))], store.path)
    assert "oslo" in store.snapshot() and "bern" not in store.snapshot()


def test_a_reading_asks_the_database_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    answer = LabelAccess.denied_entities

    def counted(self: LabelAccess, ids: Sequence[str]) -> Denial:
        asked.append(len(ids))
        return answer(self, ids)

    monkeypatch.setattr(LabelAccess, "denied_entities", counted)
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert "Ng" not in text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low"))
    assert asked == [2], "Ng and Roe; who is left afterwards is one of them"


def test_of_two_small_plans_the_one_that_keeps_what_the_viewer_may_see(tmp_path: Path) -> None:
    """Brandt of Oslo is denied, Brandt of Bern is not: Oslo tells nobody else of interest, so it goes."""
    rows: list[tuple[str | None, ...]] = [
        ("Brandt", "Oslo", None, "asthma", "HIGH"),
        ("Brandt", "Bern", None, "asthma", "LOW"),
        ("Roe", "Oslo", None, "asthma", "HIGH"),
        ("Ng", "Bern", None, "asthma", "HIGH"),
    ]
    report = hospital(tmp_path, rows, 2).sanitize(b"Brandt of Bern, in Oslo", name="n.txt", viewer="low")
    assert text_of(report) == "Brandt of Bern, in [CITY_1]"


def test_what_every_viewer_shares_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    low = text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low"))
    for place, name in ((EntityIndex, "find"), (EntityIndex, "signatures")):
        monkeypatch.setattr(place, name, None)
    assert text_of(sanitizer.sanitize(NOTE, name="again.txt", viewer="high")) == NOTE.decode()
    assert text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low")) == low


@settings(max_examples=25, deadline=None)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["name", "city", "label", "delete", "insert"]),
            st.integers(1, 4),
            st.sampled_from(["Ng", "Roe", "Oslo", "LOW", "HIGH"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_kept_is_dropped_the_moment_data_change(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str]]
) -> None:
    """After any changes, a reader gets what somebody gets who has never read before."""
    folder = tmp_path_factory.mktemp("hospital")
    sanitizer = hospital(folder, PATIENTS, 2)
    note = b"Ng of Oslo, at Acme. Roe of Oslo. Ng and Roe."
    for what, id, value in steps:
        for viewer in ("low", "high"):
            sanitizer.sanitize(note, name="n.txt", viewer=viewer)
        with closing(sqlite3.connect(folder / "hospital.db")) as database, database:
            if what == "delete":
                database.execute("DELETE FROM patient WHERE id = ?", [id])
            elif what == "insert":
                database.execute(
                    "INSERT INTO patient (name, city, label) VALUES (?, 'Oslo', 'HIGH')", [value]
                )
            else:
                database.execute(f"UPDATE patient SET {what} = ? WHERE id = ?", [value, id])
        database.close()
        for viewer in ("low", "high"):
            remembered = _outcome(sanitizer, note, viewer)
            sources.index_of("patients", sanitizer.policy.knowledge["patients"], folder).kept.clear()
            assert remembered == _outcome(sanitizer, note, viewer), (what, viewer)


def _outcome(sanitizer: Sanitizer, note: bytes, viewer: str) -> str:
    try:
        return text_of(sanitizer.sanitize(note, name="n.txt", viewer=viewer))
    except Infeasible:
        return "infeasible"


def test_little_is_kept_and_the_oldest_goes_first() -> None:
    made: list[int] = []

    def make(key: int, size: int) -> list[int]:
        made.append(key)
        return [0] * size

    store = kept.ResultCache(100, 50)
    for key, size in [(1, 39), (2, 39), (1, 39), (3, 39), (1, 39), (2, 39), (4, 60), (4, 60)]:
        assert len(store.get(key, lambda k=key, s=size: make(k, s), len)) == size  # type: ignore[misc]
    assert made == [1, 2, 3, 2, 4, 4], "3 drove out 2; what is too large is never kept"
    assert len(store) == 2


def test_looking_at_a_database_file_takes_no_lock_away(tmp_path: Path) -> None:
    """POSIX drops a process's locks on a file when it closes any descriptor of it."""
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as reading:
        reading.execute("create table people (id)")
        reading.executemany("insert into people values (?)", [(number,) for number in range(1000)])
        reading.commit()
        file_state(path)
        rows = reading.execute("select id from people")
        rows.fetchone()  # more to come: the file is locked against writers
        file_state(path)
        write = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0); c.execute('delete from people'); c.commit()"
        command = [sys.executable, "-c", write, str(path)]
        tried = subprocess.run(command, check=False, capture_output=True, text=True)
        assert "database is locked" in tried.stderr
        assert len(rows.fetchall()) == 999
