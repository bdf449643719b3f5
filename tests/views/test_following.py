"""The record of changes names every entity whose rows changed, whatever statement changed them, and stays small."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.knowledge.changes import TABLE, Followed

_TABLES = [
    "CREATE TABLE visit (patient TEXT, room TEXT UNIQUE COLLATE NOCASE, bed INTEGER, day INTEGER, UNIQUE (bed, day))",
    "CREATE TABLE visit (patient TEXT, room TEXT PRIMARY KEY, bed INTEGER, day INTEGER, UNIQUE (bed, day)) WITHOUT ROWID",
    "CREATE TABLE visit (patient TEXT, room TEXT, bed INTEGER PRIMARY KEY, day INTEGER UNIQUE ON CONFLICT REPLACE)",
]
_values = st.tuples(
    st.sampled_from("pqrs"), st.sampled_from("aAb"), st.integers(1, 3), st.sampled_from([1, 2, None])
)
_steps = st.tuples(st.sampled_from(["", " OR REPLACE", " OR IGNORE"]), st.booleans(), _values, _values)


def _rows(database: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """What the table says of each entity."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in sorted(database.execute("SELECT * FROM visit"), key=repr):
        found.setdefault(row[0], []).append(row)
    return found


def _apply(
    database: sqlite3.Connection, step: tuple[str, bool, tuple[object, ...], tuple[object, ...]]
) -> None:
    policy, insert, new, old = step
    try:
        if insert:
            database.execute(f"INSERT{policy} INTO visit VALUES (?, ?, ?, ?)", new)
        else:
            changed = f"UPDATE{policy} visit SET patient = ?, room = ?, bed = ?, day = ? WHERE patient = ?"
            database.execute(changed, (*new, old[0]))
    except sqlite3.IntegrityError:
        pass


@settings(max_examples=150, deadline=None)
@given(
    table=st.sampled_from(_TABLES),
    before=st.lists(_steps, max_size=4),
    steps=st.lists(_steps, min_size=1, max_size=4),
)
def test_every_entity_that_changed_is_named(
    tmp_path_factory: pytest.TempPathFactory,
    table: str,
    before: list[tuple[str, bool, tuple[object, ...], tuple[object, ...]]],
    steps: list[tuple[str, bool, tuple[object, ...], tuple[object, ...]]],
) -> None:
    file = tmp_path_factory.mktemp("followed") / "visits.db"
    followed = Followed(f"sqlite:///{file}", {"visit": ("patient",)})
    database = sqlite3.connect(file, isolation_level=None)
    database.execute(table)
    followed.install()
    for step in before:
        _apply(database, step)
    mark, known = followed.mark(), _rows(database)
    for step in steps:
        _apply(database, step)
    now = _rows(database)
    count, distinct = database.execute(f"SELECT count(*), count(DISTINCT key) FROM {TABLE}").fetchone()
    database.close()
    named = followed.since(mark)
    assert named is not None
    assert {key for key in {*known, *now} if known.get(key) != now.get(key)} <= named
    assert count == distinct, "of each entity only the last change is kept"


def test_a_record_from_before_is_cleared_and_its_triggers_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "visits.db"
    followed = Followed(f"sqlite:///{file}", {"visit": ("patient",)})
    database = sqlite3.connect(file, isolation_level=None)
    database.execute(_TABLES[0])
    followed.install()
    database.execute(f"DROP TRIGGER {TABLE}_visit_before_insert")
    database.executemany(f"INSERT INTO {TABLE} (key) VALUES (?)", [('["p"]',)] * 5 + [('["q"]',)])
    assert followed.since("4") == {"p", "q"}
    followed.install()
    assert [*database.execute(f"SELECT number, key FROM {TABLE}")] == [(5, '["p"]'), (6, '["q"]')]
    database.execute("INSERT INTO visit VALUES ('p', 'a', 1, 1)")
    mark = followed.mark()
    database.execute("INSERT OR REPLACE INTO visit VALUES ('q', 'A', 2, 2)")
    database.close()
    assert followed.since(mark) == {"p", "q"}


def test_a_unique_index_over_an_expression_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "visits.db"
    with sqlite3.connect(file) as database:
        database.execute(_TABLES[0])
        database.execute("CREATE UNIQUE INDEX expression ON visit (lower(room))")
    database.close()
    with pytest.raises(InputError, match="expression"):
        Followed(f"sqlite:///{file}", {"visit": ("patient",)}).install()
