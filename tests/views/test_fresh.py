"""What is kept from one reading to the next, and that it is never older than the database."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from efface.access import Denial
from efface.access.database import LabelAccess
from efface.knowledge import segment
from efface.knowledge.entities import Entity
from efface.knowledge.store import EntityStore, build
from tests.views.test_views import NOTE, PATIENTS, hospital, text_of


def test_the_next_reading_opens_no_file_of_the_index_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    first = sanitizer.sanitize(NOTE, name="n.txt", viewer="low")
    monkeypatch.setattr(segment, "open_segment", None)
    assert text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low")) == text_of(first)


def test_a_change_within_a_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert text_of(sanitizer.sanitize(b"Xu of Oslo", name="n.txt", viewer="low")) == "Xu of Oslo"
    file = tmp_path / "hospital.db"
    before = file.stat()
    with sqlite3.connect(file) as database:
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


def test_a_reading_asks_once_before_and_once_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    answer = LabelAccess.denied_entities

    def counted(self: LabelAccess, ids: Sequence[str]) -> Denial:
        asked.append(len(ids))
        return answer(self, ids)

    monkeypatch.setattr(LabelAccess, "denied_entities", counted)
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert "Ng" not in text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low"))
    assert asked == [2, 1], "Ng and Roe; then Roe alone, whom the viewer may see"


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
