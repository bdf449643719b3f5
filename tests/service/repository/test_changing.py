"""Many readers while rows, labels, grants and policies change; a checker that knows everything.

Every change is counted when it is begun and when it is committed. An answer that began after version v was
committed and ended before version w + 1 was begun holds no word that all of v … w forbid; and where v is w, it is
exactly what the definition gives: the whole way, on a copy of that version, with nothing kept.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from efface.service.repository.view_cache import ViewerBinding, compute
from efface.service.settings import ServiceSettings
from tests.service.hospital import House, furnish
from tests.service.repository.test_documents import CHANGES

# By hand: EFFACE_READERS=200 EFFACE_VERSIONS=200
READERS, VERSIONS = int(os.environ.get("EFFACE_READERS", "16")), int(os.environ.get("EFFACE_VERSIONS", "15"))
OPENINGS = 6
NOTE = b"Brandt of Oslo has asthma. Okonkwo of Oslo came along with Ferreira of Bern and Sol, Bern."
WORDS = ("Brandt", "Oslo", "asthma", "Okonkwo", "came", "along", "Ferreira", "Bern", "Sol")
VIEWERS = ("high", "low", "nobody")
STATES = [
    *(statement.replace("INSERT INTO", "INSERT OR REPLACE INTO") for statement, _ in CHANGES.values()),
    "UPDATE patient SET label = 'LOW'",
    "UPDATE staff SET clearance = 'HIGH' WHERE login = 'low'",
    "UPDATE staff SET clearance = 'LOW' WHERE login = 'high'",
    "INSERT OR REPLACE INTO staff VALUES ('nobody', 'HIGH')",
    "DELETE FROM staff WHERE login = 'nobody'",
    "UPDATE patient SET label = 'HIGH' WHERE id % 2 = 0",
    "INSERT OR REPLACE INTO patient VALUES (2, 'Okonkwo', 'Oslo', 'migraine', 'LOW')",
    "INSERT OR REPLACE INTO staff VALUES ('low', 'LOW')",
    "INSERT OR REPLACE INTO staff VALUES ('high', 'HIGH')",
    "UPDATE patient SET city = 'Oslo' WHERE id = 2",
]


@dataclass
class History:
    """Which change was begun and which is committed."""

    begun: int = 0
    committed: int = 0
    allowed: list[dict[str, frozenset[str]]] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    answers: int = 0  # during which nothing changed, since the last change
    quiet: set[tuple[int, str, str, bytes]] = field(
        default_factory=set
    )  # version, viewer, document, what was shown


def permitted(database: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """The definition, by SQL and sets: the most that each viewer may be left with.

    A word that only denied rows hold, and fewer than two rows in all, may not be there for that viewer; nor a
    diagnosis for somebody below HIGH.
    """
    rows = database.execute("SELECT id, name, city, diagnosis, label FROM patient").fetchall()
    labels = dict(database.execute("SELECT login, clearance FROM staff").fetchall())
    found = {}
    for viewer in VIEWERS:
        level = {"LOW": 0, "HIGH": 1}.get(labels.get(viewer) or "", -1)
        denied = {row[0] for row in rows if {"LOW": 0, "HIGH": 1}[row[4]] > level}
        gone = {word for word in WORDS if level < 1 and any(word == row[3] for row in rows)}
        for word in WORDS:
            holders = {row[0] for row in rows if word in (row[1], row[2])}
            if holders & denied and len(holders) < 2:
                gone.add(word)
        found[viewer] = frozenset(WORDS) - gone
    return found


def change(house: House, history: History, lock: threading.Lock, stop: threading.Event) -> None:
    """One change after another; at the end, or if one fails, the readers stop."""
    rng = random.Random(3)
    path = house.service.settings.policies / "hospital.db"
    database = sqlite3.connect(path, isolation_level=None, timeout=60)
    try:
        for _ in range(VERSIONS):
            statement = rng.choice(STATES)
            database.execute("BEGIN IMMEDIATE")
            database.execute(statement)
            with lock:
                history.begun += 1
                history.statements.append(statement)
                history.allowed.append(permitted(database))
            database.execute("COMMIT")
            with lock:
                history.committed += 1
                history.answers = 0
            for _ in range(100):
                if history.answers >= 6:
                    break
                stop.wait(0.02)
    finally:
        database.close()
        stop.set()


def replay(folder: Path, history: History, texts: dict[str, bytes]) -> None:
    """Every answer during which nothing changed, against the definition on a copy of that version."""
    service, _ = furnish(ServiceSettings(home=folder / "copy"))
    shown: dict[tuple[int, str, str], set[bytes]] = {}
    for version, viewer, id, content in history.quiet:
        shown.setdefault((version, viewer, id), set()).add(content)
    assert len(shown) > VERSIONS / 2, "too few quiet moments to tell"
    database = sqlite3.connect(service.settings.policies / "hospital.db", isolation_level=None)
    for version in range(VERSIONS + 1):
        if version:
            database.execute(history.statements[version - 1])
        for viewer in VIEWERS:
            for id, text in texts.items():
                if (version, viewer, id) in shown:
                    bound = ViewerBinding.of(service.policies.get("wards"), viewer).bound
                    assert shown[version, viewer, id] == {compute(bound, text, "a.txt").released}
    database.close()
    service.store.close()


def test_no_reader_ever_sees_a_word_too_many(house: House, tmp_path: Path) -> None:
    ids = [house.add("a.txt", NOTE), house.add("b.txt", NOTE + b" Again: Oslo.")]
    database = sqlite3.connect(house.service.settings.policies / "hospital.db")
    history, lock, stop = History(allowed=[permitted(database)]), threading.Lock(), threading.Event()
    database.close()
    writer = threading.Thread(target=change, args=(house, history, lock, stop))

    def read(number: int) -> list[str]:
        rng, faults = random.Random(number), []
        turn = 0
        while turn < OPENINGS or not stop.is_set():
            turn += 1
            viewer = VIEWERS[number % 3]
            with lock:
                first = history.committed
            search = rng.random() < 0.3
            path = f"/v1/documents?q={rng.choice(WORDS)}" if search else f"/v1/documents/{rng.choice(ids)}"
            answer = house.get(viewer, path)
            with lock:
                last = history.begun
                allowed = frozenset().union(*(history.allowed[v][viewer] for v in range(first, last + 1)))
            shown = "".join(row["snippet"] for row in answer.json()["documents"]) if search else answer.text
            seen = {word for word in WORDS if word in shown} if answer.status_code == 200 else set()
            history.answers += first == last
            if first == last and not search and answer.status_code == 200:
                history.quiet.add((first, viewer, path.rsplit("/", 1)[1], answer.content))
            if answer.status_code not in (200, 404, 422, 503) or seen - allowed:
                faults.append(f"{answer.status_code} {viewer} {sorted(seen - allowed)} in {first}..{last}")
        return faults

    with ThreadPoolExecutor(READERS) as pool:
        writer.start()
        faults = [fault for found in pool.map(read, range(READERS)) for fault in found]
    writer.join()
    assert history.committed == VERSIONS
    assert not faults
    replay(tmp_path, history, dict(zip(ids, (NOTE, NOTE + b" Again: Oslo."), strict=True)))
    for viewer in VIEWERS:  # and when all is quiet, documents open and are what they may be
        text = house.get(viewer, f"/v1/documents/{ids[0]}").text
        assert {word for word in WORDS if word in text} <= history.allowed[-1][viewer]


def test_the_checker_would_notice(house: House) -> None:
    """A service that kept a view without asking again would be caught."""
    database = sqlite3.connect(house.service.settings.policies / "hospital.db", isolation_level=None)
    before = permitted(database)
    database.execute("DELETE FROM staff WHERE login = 'low'")
    after = permitted(database)
    database.close()
    assert "Okonkwo" in before["low"] - after["low"]
