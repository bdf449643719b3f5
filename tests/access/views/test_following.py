"""The record of changes names every entity whose rows changed, whatever statement changed them, and stays small."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError, PolicyError
from efface.knowledge.databases.changes import TABLE, FollowedTables
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge

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
    followed = FollowedTables(f"sqlite:///{file}", {"visit": ("patient",)})
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
    followed = FollowedTables(f"sqlite:///{file}", {"visit": ("patient",)})
    database = sqlite3.connect(file, isolation_level=None)
    database.execute(_TABLES[0])
    followed.install()
    database.execute(f"DROP TRIGGER {TABLE}_visit_before_insert")
    database.executemany(f"INSERT INTO {TABLE} (key) VALUES (?)", [('["p"]',)] * 5 + [('["q"]',)])
    assert followed.since("5") == {"p", "q"}
    followed.install()
    rows = [*database.execute(f"SELECT number, key FROM {TABLE} ORDER BY number")]
    assert rows == [(1, "all"), (6, '["p"]'), (7, '["q"]'), (8, "all")]  # a trigger was missing
    database.execute("INSERT INTO visit VALUES ('p', 'a', 1, 1)")
    mark = followed.mark()
    database.execute("INSERT OR REPLACE INTO visit VALUES ('q', 'A', 2, 2)")
    database.close()
    assert followed.since(mark) == {"p", "q"}


def test_a_unique_index_over_an_expression_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "visits.db"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(_TABLES[0])
        database.execute("CREATE UNIQUE INDEX expression ON visit (lower(room))")
    database.close()
    with pytest.raises(InputError, match="expression"):
        FollowedTables(f"sqlite:///{file}", {"visit": ("patient",)}).install()


JOINED = "SELECT patient.id, patient.name, ward.name AS ward FROM patient JOIN ward ON ward.id = patient.ward"


def _hospital(folder: Path, follow: bool | dict[str, str]) -> Knowledge:
    with closing(sqlite3.connect(folder / "hospital.db")) as database:
        database.executescript(
            "CREATE TABLE ward (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, ward INTEGER);"
            "INSERT INTO ward VALUES (1, 'Alder'); INSERT INTO patient VALUES (7, 'Ng', 1);"
        )
    return Knowledge(
        database="sqlite:///hospital.db", entities=JOINED, identifying=("name", "ward"), follow=follow
    )


@pytest.mark.parametrize("follow", [True, {"patient": "id"}])
def test_every_table_of_a_query_is_followed(tmp_path: Path, follow: bool | dict[str, str]) -> None:
    knowledge = _hospital(tmp_path, follow)
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("UPDATE ward SET name = 'Birch'")
        database.commit()
    index = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in index and "alder" not in index


def test_a_table_that_joins_the_query_later_is_asked_for(tmp_path: Path) -> None:
    knowledge = _hospital(tmp_path, True)
    sources.follow(knowledge.model_copy(update={"entities": "patient", "identifying": ("name",)}), tmp_path)
    with pytest.raises(InputError, match="does not record changes of the table"):
        sources.index_of("people", knowledge, tmp_path)


def test_a_table_that_no_trigger_sees_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("CREATE VIRTUAL TABLE note USING fts5(id, name)")
        database.commit()
    knowledge = Knowledge(
        database="sqlite:///hospital.db", entities="note", identifying=("name",), follow=True
    )
    with pytest.raises(PolicyError, match="note cannot be followed"):
        sources.follow(knowledge, tmp_path)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id, name FROM patient WHERE date('now') > '2020-01-01'",
        "SELECT id, name FROM patient WHERE CURRENT_TIMESTAMP > '2020-01-01'",
        "SELECT id, name FROM patient WHERE random() <> 7",
        "SELECT id, name FROM today",
    ],
)
def test_a_query_that_changes_while_no_row_does_is_refused(tmp_path: Path, query: str) -> None:
    knowledge = _hospital(tmp_path, True)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("CREATE VIEW today AS SELECT id, name FROM patient WHERE datetime('now') > ward")
    with pytest.raises(PolicyError, match="cannot be followed"):
        sources.follow(knowledge.model_copy(update={"entities": query, "identifying": ("name",)}), tmp_path)


@pytest.mark.parametrize(
    "made",
    [
        "upper(code)",
        "'p' || code",
        "CASE code WHEN 'a' THEN 'b' ELSE 'a' END",
        "replace(code, 'a', 'b')",
        "code",
    ],
)
@pytest.mark.parametrize("as_view", [False, True])
def test_a_key_that_the_query_rewrites_does_not_mend_somebody_else(
    tmp_path: Path, made: str, as_view: bool
) -> None:
    """The triggers write down a row's own key. If the entity has another one, the index is made anew."""
    query = f"SELECT {made} AS id, name FROM person"
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript(
            "CREATE TABLE person (code TEXT PRIMARY KEY, name TEXT);"
            "INSERT INTO person VALUES ('a', 'Alder'), ('c', 'Cedar');"
            f"CREATE VIEW shown AS {query};"
        )
    knowledge = Knowledge(
        database="sqlite:///hospital.db",
        entities="shown" if as_view else query,
        identifying=("name",),
        follow={"person": "code"},
    )
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
        database.execute("UPDATE person SET name = 'Birch' WHERE code = 'a'")
    index = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in index and "alder" not in index and "cedar" in index


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id, name FROM swapped",
        "SELECT n AS id, name FROM (SELECT 3 - id AS n, name FROM person)",
        "SELECT 3 - id id, name FROM person",
        "SELECT id, name FROM listed",
        "SELECT id, name FROM person WHERE 0 UNION SELECT 3 - id, name FROM person",
        "WITH s(id, name) AS (SELECT 3 - id, name FROM person) SELECT id, name FROM s",
    ],
)
def test_keys_that_something_below_swaps_mend_nobody_else(tmp_path: Path, query: str) -> None:
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO person VALUES (1, 'Alder'), (2, 'Cedar');"
            "CREATE VIEW swapped AS SELECT 3 - id AS id, name FROM person;"
            "CREATE VIEW listed(id, name) AS SELECT 3 - id, name FROM person;"
        )
    knowledge = Knowledge(
        database="sqlite:///hospital.db", entities=query, identifying=("name",), follow={"person": "id"}
    )
    sources.follow(knowledge, tmp_path)
    assert "cedar" in sources.index_of("people", knowledge, tmp_path)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("UPDATE person SET name = 'Birch' WHERE id = 2")
        database.commit()
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "cedar" not in after


def test_a_view_that_is_redefined_is_read_again(tmp_path: Path) -> None:
    knowledge = _hospital(tmp_path, True).model_copy(update={"entities": "shown", "identifying": ("name",)})
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute(
            "CREATE VIEW shown AS SELECT id, strftime('%Y', '2020-01-01') || name AS name FROM patient"
        )
        sources.follow(knowledge, tmp_path)
        assert "2020ng" in sources.index_of("people", knowledge, tmp_path)
        database.executescript(
            "DROP VIEW shown; CREATE VIEW shown AS SELECT id, 'Birch' AS name FROM patient"
        )
    assert "birch" in sources.index_of("people", knowledge, tmp_path)


def test_triggers_of_an_earlier_version_are_refused(tmp_path: Path) -> None:
    """They wrote down bytes as if they were text: such a change was mended under an id that nobody has."""
    knowledge = _hospital(tmp_path, True).model_copy(update={"entities": "patient", "identifying": ("name",)})
    sources.follow(knowledge, tmp_path)
    sources.index_of("people", knowledge, tmp_path)
    name = f"{TABLE}_patient_update"
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript(
            f"DROP TRIGGER {name}; CREATE TRIGGER {name} AFTER UPDATE ON patient BEGIN "
            f"INSERT INTO {TABLE} (key) VALUES (json_array(CAST(NEW.id AS TEXT))); END"
        )
    with pytest.raises(InputError) as refused:
        sources.index_of("people", knowledge, tmp_path)
    assert "efface index follow -p POLICY" in refused.value.hint
    sources.follow(knowledge, tmp_path)
    assert "ng" in sources.index_of("people", knowledge, tmp_path)


def test_a_new_unique_index_needs_new_triggers(tmp_path: Path) -> None:
    knowledge = _hospital(tmp_path, True).model_copy(update={"entities": "patient", "identifying": ("name",)})
    sources.follow(knowledge, tmp_path)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("CREATE UNIQUE INDEX one_name ON patient (name)")
    with pytest.raises(InputError, match="does not record changes of the table patient"):
        sources.index_of("people", knowledge, tmp_path)


@pytest.mark.parametrize("key", ["x'616263'", "0.1 + 0.2", "1e20", "x'ff00'"])
def test_keys_whose_text_differs_are_followed(tmp_path: Path, key: str) -> None:
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript(
            "CREATE TABLE odd (id PRIMARY KEY, name TEXT);"
            f"INSERT INTO odd VALUES ({key}, 'Alder'), ('plain', 'Oak');"
        )
        knowledge = Knowledge(
            database="sqlite:///hospital.db", entities="odd", identifying=("name",), follow=True
        )
        sources.follow(knowledge, tmp_path)
        assert "alder" in sources.index_of("people", knowledge, tmp_path)
        database.execute(f"UPDATE odd SET name = 'Birch' WHERE id = {key}")
        database.commit()
        after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "alder" not in after


def test_a_row_that_loses_its_key_is_refused_not_dropped(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript("CREATE TABLE odd (id TEXT, name TEXT); INSERT INTO odd VALUES ('a', 'Alder')")
        knowledge = Knowledge(
            database="sqlite:///hospital.db", entities="odd", identifying=("name",), follow=True
        )
        sources.follow(knowledge, tmp_path)
        assert "alder" in sources.index_of("people", knowledge, tmp_path)
        database.execute("UPDATE odd SET id = NULL")
        database.commit()
    with pytest.raises(InputError, match="key"):
        sources.index_of("people", knowledge, tmp_path)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT p.id, b.name FROM person p LEFT JOIN person b ON b.id = p.boss",
        "SELECT id, (SELECT max(q.name) FROM person q WHERE q.id <> p.id) AS name FROM person p WHERE id = 1",
        "SELECT id, lead(name) OVER (ORDER BY id) AS name FROM person",
        "SELECT id, name FROM person ORDER BY name LIMIT 1",
        "SELECT id, min(name) AS name FROM person GROUP BY ward",
        "SELECT id, name FROM bosses",
    ],
)
def test_a_row_that_others_are_made_of_changes_them_too(tmp_path: Path, query: str) -> None:
    """Person 2 is renamed, whose name is shown with person 1."""
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.executescript(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, boss INTEGER, ward INTEGER);"
            "INSERT INTO person VALUES (1, 'Ng', 2, 1), (2, 'Alder', NULL, 1);"
            "CREATE VIEW bosses AS SELECT p.id, b.name FROM person p LEFT JOIN person b ON b.id = p.boss;"
        )
    knowledge = Knowledge(
        database="sqlite:///hospital.db", entities=query, identifying=("name",), follow={"person": "id"}
    )
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database:
        database.execute("UPDATE person SET name = 'Zelkova' WHERE id = 2")
        shown = [name.lower() for _, name in database.execute(query) if name]
        database.commit()
    after = sources.index_of("people", knowledge, tmp_path)
    assert "alder" not in after and shown and not [name for name in shown if name not in after]
