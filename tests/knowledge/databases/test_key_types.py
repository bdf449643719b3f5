"""A key's type may change while a process runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from efface.errors import PolicyError
from efface.knowledge.databases.relation import Relation


def test_keys_are_found_after_their_type_changed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'people.db'}"
    relation = Relation(url, "person", ("id",))
    engine = sa.create_engine(url)
    for first, second in (("17", "18"), ("'17'", "'18'"), ("17", "18")):  # numbers, texts, numbers again
        with engine.begin() as connection:
            connection.execute(sa.text("DROP TABLE IF EXISTS person"))
            connection.execute(sa.text("CREATE TABLE person (id, name TEXT)"))
            connection.execute(sa.text(f"INSERT INTO person VALUES ({first}, 'Ada'), ({second}, 'Bo')"))
        with engine.connect() as connection:
            assert list(relation.rows(connection, ["17"], ["name"])) == [("17", ("Ada",))]
    engine.dispose()


def test_a_key_of_bytes_is_refused(tmp_path: Path) -> None:
    """Its text is no value of its column, so every row would be denied."""
    url = f"sqlite:///{tmp_path / 'people.db'}"
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE person (id BLOB, name TEXT)"))
        connection.execute(sa.text("INSERT INTO person VALUES (x'01', 'Ada')"))
    engine.dispose()
    with pytest.raises(PolicyError, match="id is of the type bytes") as refused:
        Relation(url, "person", ("id",)).require_askable_key()
    assert "hex()" in refused.value.hint
    Relation(url, "SELECT hex(id) AS id, name FROM person", ("id",)).require_askable_key()
