"""A key's type may change while a process runs."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

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
