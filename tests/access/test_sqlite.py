from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from efface.access import Access
from efface.access.database import LabelAccess, LabelSource, ViewAccess
from efface.access.labels import Scheme
from efface.errors import PolicyError
from efface.knowledge.databases.relation import Relation

SCHEME = Scheme.of(("LOW", "MEDIUM", "HIGH"), (), {})
COLUMNS = LabelSource({"diagnosis": "HIGH", "salary": "MEDIUM"})
USERS = LabelSource({"doctor": "HIGH", "clerk": "LOW", "x'; DROP TABLE patient; --": "LOW"})


@pytest.fixture
def hospital(tmp_path: Path) -> str:
    path = tmp_path / "hospital.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            """
            CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
            INSERT INTO patient VALUES
              (1, 'O''Hara', 'LOW'), (2, 'Ng', 'HIGH'), (3, 'Roe', NULL), (4, 'Poe', 'ODD');
            CREATE TABLE visit (patient INTEGER, label TEXT);
            INSERT INTO visit VALUES (1, 'LOW'), (1, 'HIGH'), (2, 'LOW');
            CREATE TABLE staff (login TEXT, clearance TEXT);
            INSERT INTO staff VALUES ('rao', 'MEDIUM'), ('twin', 'LOW'), ('twin', 'HIGH'), ('none', NULL);
            CREATE TABLE protected (name TEXT, label TEXT);
            INSERT INTO protected VALUES ('salary', 'MEDIUM'), ('city', 'HIGH'), ('city', 'LOW'), ('ward', 'ODD');
            CREATE TABLE sample (lab TEXT, number INTEGER, label TEXT);
            INSERT INTO sample VALUES ('a"b', 1, 'LOW'), ('a"b', 2, 'HIGH'), ('c', 1, 'LOW');
            CREATE TABLE grants (viewer TEXT, id INTEGER);
            INSERT INTO grants VALUES ('doctor', 1), ('doctor', 2), ('clerk', 1);
            CREATE TABLE readable (viewer TEXT, "column" TEXT);
            INSERT INTO readable VALUES ('doctor', 'diagnosis');
            """
        )
    return f"sqlite:///{path}"


def labels(
    url: str,
    viewer: str | None,
    entities: str = "patient",
    key: tuple[str, ...] = ("id",),
    users: LabelSource = USERS,
    columns: LabelSource = COLUMNS,
) -> LabelAccess:
    return LabelAccess(
        Relation(url, entities, key),
        SCHEME,
        users,
        viewer,
        "label",
        columns,
        frozenset({"diagnosis"}),
    )


def denied(access: Access, *ids: str) -> set[str]:
    return set(access.denied_entities(ids).denied)


def test_rows_by_label(hospital: str) -> None:
    assert denied(labels(hospital, "doctor"), "1", "2", "3", "4") == {"3", "4"}
    assert denied(labels(hospital, "clerk"), "1", "2", "3", "4") == {"2", "3", "4"}


@pytest.mark.parametrize("viewer", [None, "", "nobody", "DOCTOR", "doctor ", "x'; DROP TABLE patient"])
def test_an_unknown_viewer_sees_nothing(hospital: str, viewer: str | None) -> None:
    assert denied(labels(hospital, viewer), "1", "2") == {"1", "2"}
    assert labels(hospital, viewer).denied_columns(["diagnosis", "salary"]).denied == {"diagnosis", "salary"}


@pytest.mark.parametrize("viewer", ["stranger", None])
def test_who_has_no_label_is_told_so(hospital: str, viewer: str | None) -> None:
    """A typing error in --viewer, or none given, would look like a policy that cuts too much."""
    assert "the viewer has no label" in labels(hospital, viewer).denied_entities(["1"]).note
    if viewer is None:
        access = ViewAccess(labels(hospital, None).relation, None, "may_see")
        assert "there is no viewer" in access.denied_entities(["1"]).note


def test_a_hostile_viewer_name_is_only_a_name(hospital: str) -> None:
    hostile = "x'; DROP TABLE patient; --"
    assert denied(labels(hospital, hostile), "1", "2") == {"2"}
    users = LabelSource(table="staff", name="login", label="clearance")
    assert denied(labels(hospital, hostile, users=users), "1") == {"1"}
    assert denied(labels(hospital, "doctor"), "1") == set()


def test_users_in_a_table(hospital: str) -> None:
    users = LabelSource(table="staff", name="login", label="clearance")
    assert denied(labels(hospital, "rao", users=users), "1", "2") == {"2"}
    for viewer in ("twin", "none", "nobody"):
        assert denied(labels(hospital, viewer, users=users), "1", "2") == {"1", "2"}


def test_ids_that_are_not_there_or_make_no_sense_are_denied(hospital: str) -> None:
    assert denied(labels(hospital, "doctor"), "1", "99", "x", "1' OR 1=1") == {"99", "x", "1' OR 1=1"}


def test_a_key_that_becomes_bytes_after_it_was_seen_is_refused(hospital: str) -> None:
    """The type of a key is asked for once, and again where no row is found."""
    access = labels(hospital, "doctor")
    access.relation.require_askable_key()
    assert not denied(access, "1")
    with closing(sqlite3.connect(hospital.removeprefix("sqlite:///"))) as database, database:
        database.execute("CREATE TABLE other AS SELECT CAST(id AS BLOB) AS id, label FROM patient")
        database.execute("DROP TABLE patient")
        database.execute("ALTER TABLE other RENAME TO patient")
    with pytest.raises(PolicyError, match="of the type bytes"):
        denied(access, "1")


def test_one_entity_of_several_rows_is_denied_if_any_row_is(hospital: str) -> None:
    joined = (
        "SELECT patient.id AS id, visit.label AS label FROM patient JOIN visit ON visit.patient = patient.id"
    )
    assert denied(labels(hospital, "clerk", joined), "1", "2") == {"1"}


def test_composite_keys(hospital: str) -> None:
    access = labels(hospital, "clerk", "sample", ("lab", "number"))
    ids = ['["a\\"b", "1"]', '["a\\"b", "2"]', '["c", "1"]', '["c", "2"]', "nonsense"]
    assert denied(access, *ids) == {ids[1], ids[3], ids[4]}


def test_columns_by_label(hospital: str) -> None:
    assert labels(hospital, "doctor").denied_columns(["diagnosis", "salary", "city"]).denied == set()
    assert labels(hospital, "clerk").denied_columns(["diagnosis", "salary", "city"]).denied == {
        "diagnosis",
        "salary",
    }


@pytest.mark.parametrize("entities", ["no_such_table", "SELECT nonsense FROM patient"])
def test_a_broken_database_denies_everything_and_says_so(hospital: str, entities: str) -> None:
    answer = labels(hospital, "doctor", entities).denied_entities(["1", "2"])
    assert answer.denied == {"1", "2"}
    assert "no answer" in answer.reason and "nonsense" not in answer.reason
    gone = labels("sqlite:////no/such/folder/x.db", "doctor").denied_entities(["1"])
    assert gone.denied == {"1"}


def test_a_view_that_says_who_may_see_what(hospital: str) -> None:
    relation = Relation(hospital, "patient", ("id",))
    assert denied(ViewAccess(relation, "doctor", "grants"), "1", "2", "3") == {"3"}
    assert denied(ViewAccess(relation, "clerk", "grants"), "1", "2") == {"2"}
    assert denied(ViewAccess(relation, None, "grants"), "1") == {"1"}
    assert denied(ViewAccess(relation, "doctor", "missing"), "1") == {"1"}
    assert ViewAccess(relation, "doctor", "grants").denied_columns(["diagnosis"]).denied == {"diagnosis"}
    granted = ViewAccess(relation, "doctor", "grants", columns_view="readable")
    assert granted.denied_columns(["diagnosis", "salary"]).denied == {"salary"}


def test_a_change_is_obeyed_by_the_next_question(hospital: str) -> None:
    access = labels(hospital, "clerk")
    assert denied(access, "1") == set()
    with closing(sqlite3.connect(hospital.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE patient SET label = 'HIGH' WHERE id = 1")
    assert denied(access, "1") == {"1"}


def test_column_labels_in_a_table_and_a_sensitive_column_it_does_not_name(hospital: str) -> None:
    table = LabelSource(table="protected")
    asked = ("salary", "diagnosis", "name", "city", "ward")
    assert labels(hospital, "doctor", columns=table).denied_columns(asked).denied == {
        "diagnosis",
        "city",
        "ward",
    }, "two labels are none, and none is denied"
    assert labels(hospital, "clerk", columns=table).denied_columns(asked).denied == {
        "salary",
        "diagnosis",
        "city",
        "ward",
    }
    gone = LabelSource(table="no_such_table")
    assert labels(hospital, "doctor", columns=gone).denied_columns(asked).denied == set(asked)


ALIKE = """
CREATE TABLE given (viewer TEXT COLLATE {0}, id INTEGER); INSERT INTO given VALUES ('doctor', 1);
CREATE TABLE given_columns (viewer TEXT COLLATE {0}, "column" TEXT); INSERT INTO given_columns VALUES ('doctor', 'name');
"""


@pytest.mark.parametrize(("collation", "viewer"), [("NOCASE", "Doctor"), ("RTRIM", "doctor  ")])
def test_a_name_that_the_database_takes_for_another_has_not_its_rights(
    collation: str, viewer: str, hospital: str
) -> None:
    with closing(sqlite3.connect(hospital.removeprefix("sqlite:///"))) as database:
        database.executescript(ALIKE.format(collation))
    relation = Relation(hospital, "patient", ("id",))
    theirs = ViewAccess(relation, viewer, "given", columns_view="given_columns")
    assert denied(theirs, "1") == {"1"} and theirs.denied_columns(["name"]).denied == {"name"}
    own = ViewAccess(relation, "doctor", "given", columns_view="given_columns")
    assert denied(own, "1") == set() and own.denied_columns(["name"]).denied == set()


def test_a_name_that_blanks_fill_up_is_the_viewers(hospital: str) -> None:
    with closing(sqlite3.connect(hospital.removeprefix("sqlite:///"))) as database:
        database.executescript(ALIKE.format("RTRIM") + "UPDATE given SET viewer = 'doctor    '")
        database.commit()
    assert denied(ViewAccess(Relation(hospital, "patient", ("id",)), "doctor", "given"), "1") == set()


def test_a_table_of_labels_may_write_columns_in_other_letters(hospital: str) -> None:
    with closing(sqlite3.connect(hospital.removeprefix("sqlite:///"))) as database:
        database.execute("INSERT INTO protected VALUES ('NAME', 'HIGH')")
        database.commit()
    access = labels(hospital, "clerk", columns=LabelSource(table="protected"))
    assert "name" in access.denied_columns(["name"]).denied
