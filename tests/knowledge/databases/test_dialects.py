"""Databases are rows of one table: what a row cannot do is refused by its name."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import InputError, PolicyError
from efface.knowledge.databases.dialects import DIALECTS, change_log_of, dialect_of, require_access
from efface.knowledge.databases.relation import engine
from efface.policy.entries import Knowledge
from efface.policy.knowledge import access_of

OTHERS = {"mysql": "MySQL", "mariadb": "MariaDB", "mssql": "SQL Server", "oracle": "Oracle"}


@pytest.mark.parametrize(("name", "title"), [*OTHERS.items(), ("sqlite", "SQLite")])
def test_only_postgresql_answers_as_the_viewer(name: str, title: str, tmp_path: Path) -> None:
    knowledge = Knowledge(
        database=f"{name}://host/db", entities="person", identifying=("name",), access={"postgres": {}}
    )
    with pytest.raises(PolicyError) as caught:
        access_of(knowledge, tmp_path, "ann")
    assert title in caught.value.message and "access: {view: …}" in caught.value.hint


@pytest.mark.parametrize(("name", "title"), OTHERS.items())
def test_others_can_be_asked_by_a_view_but_not_followed(name: str, title: str) -> None:
    require_access(f"{name}://host/db", "view")
    with pytest.raises(PolicyError, match=title):
        change_log_of(f"{name}://host/db")


def test_an_unknown_database_is_refused_with_those_that_work() -> None:
    with pytest.raises(PolicyError) as caught:
        dialect_of("nosuchdb:///x.db")
    assert "nosuchdb" in caught.value.message
    assert all(row.title in caught.value.hint for row in DIALECTS.values())
    with pytest.raises(PolicyError, match="does not know nosuchdb") as refused:
        engine("nosuchdb://reader:hush@127.0.0.1/hospital")
    assert "hush" not in refused.value.message + refused.value.hint
    with pytest.raises(PolicyError, match="not a URL"):
        dialect_of("not a url")


def test_every_other_database_is_in_these_tests() -> None:
    own = {"sqlite", "postgresql"}  # with tests of their own
    assert {name: row.title for name, row in DIALECTS.items() if name not in own} == OTHERS


class OtherDialect(SQLiteDialect_pysqlite):
    """A database without a digest of its rows: SQLite under the name of another."""

    name = "mysql"
    supports_statement_cache = True


def test_entities_of_a_database_without_a_digest_are_read(tmp_path: Path) -> None:
    """Each question gave another fingerprint, so the index that was just built was never the right one."""
    registry.register("mysql.shim", __name__, "OtherDialect")
    database = tmp_path / "h.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO person VALUES ('1', 'Mireille Tanaka'), ('2', 'Osei Brandt')")
    assert sa.create_engine(f"mysql+shim:///{database}").dialect.name == "mysql"
    policy = {
        "find": {"patterns": "none", "names": "none"},
        "knowledge": {
            "people": {
                "database": f"mysql+shim:///{database}",
                "entities": "person",
                "key": "id",
                "identifying": ["name"],
            }
        },
        "guarantees": [{"k-safety": {"k": 2, "over": "people"}}],
    }
    for _ in range(2):
        report = Sanitizer(policy, tmp_path).sanitize(b"Mireille Tanaka came.", name="n.txt")
        assert report.verdict is Verdict.HELD and report.released is not None
        assert b"Mireille" not in report.released


@pytest.mark.parametrize("scheme", ["mysql+nodriver", "mysql+mysqlconnector"])
def test_a_driver_that_is_not_there_is_told_without_the_password(scheme: str) -> None:
    with pytest.raises(InputError, match=f"driver for {re.escape(scheme)} is not installed") as told:
        engine(f"{scheme}://reader:hush@127.0.0.1/hospital")
    assert "pip install" in told.value.hint and "hush" not in told.value.message + told.value.hint
