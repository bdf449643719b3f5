"""Names, keys and values that databases really hold, through the whole flow on SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.errors import InputError
from tests.access.views.test_views import text_of

POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: {entities}
    key: {key}
    identifying: {identifying}
    access: {{labels: {{levels: [LOW, HIGH], rows: label, users: {users}}}}}
guarantees:
  - k-safety: {{over: people, k: {k}, protect: denied}}
"""


def people(
    folder: Path,
    script: str,
    entities: str = "person",
    key: str = "id",
    identifying: str = "[name, city]",
    users: str = "{low: LOW, high: HIGH}",
    k: int = 2,
) -> Sanitizer:
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        database.executescript(script)
    database.close()
    text = POLICY.format(entities=entities, key=key, identifying=identifying, users=users, k=k)
    (folder / "policy.yaml").write_text(text)
    return Sanitizer.from_policy(folder / "policy.yaml")


def read(sanitizer: Sanitizer, text: str, viewer: str | None = "low") -> str:
    return text_of(sanitizer.sanitize(text.encode(), name="n.txt", viewer=viewer))


def execute(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        database.execute(statement)
    database.close()


def test_identifiers_and_values_with_quotes(tmp_path: Path) -> None:
    sanitizer = people(
        tmp_path,
        """
        CREATE TABLE "a ""b"" 'c'; --" ("i""d" INTEGER, "na'me" TEXT, "select" TEXT, label TEXT);
        INSERT INTO "a ""b"" 'c'; --" VALUES (1, 'O''Hara "x"; DROP', '%s :id %(x)s', 'HIGH'), (2, 'Roe', 'Bern', 'LOW');
        """,
        entities="""'a "b" ''c''; --'""",
        key="""'i"d'""",
        identifying="""["na'me", select]""",
    )
    assert read(sanitizer, """O'Hara "x"; DROP, or %s :id %(x)s? Roe.""") == "[NA_ME_1], or [SELECT_1]? Roe."


@pytest.mark.parametrize("viewer", ["x'; DROP TABLE person; --", 'low" OR 1=1', "low\0", "%", "LOW", ""])
def test_a_hostile_viewer_name_sees_nothing_and_changes_nothing(tmp_path: Path, viewer: str) -> None:
    script = """
        CREATE TABLE person (id INTEGER, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES (1, 'Ng', 'Oslo', 'LOW'), (2, 'Roe', 'Bern', 'LOW');
        CREATE TABLE staff (login TEXT, clearance TEXT);
        INSERT INTO staff VALUES ('low', 'LOW');
    """
    users = "{table: staff, name: login, label: clearance}"
    sanitizer = people(tmp_path, script, users=users)
    assert read(sanitizer, "Ng of Oslo", "low") == "Ng of Oslo"
    left = read(sanitizer, "Ng of Oslo", viewer)
    assert "Ng" not in left and "Oslo" not in left
    assert read(sanitizer, "Ng of Oslo", "low") == "Ng of Oslo"


def test_a_viewer_whose_grant_is_withdrawn_between_two_reads(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (id INTEGER, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES (1, 'Ng', 'Oslo', 'HIGH'), (2, 'Roe', 'Bern', 'LOW');
        CREATE TABLE staff (login TEXT, clearance TEXT);
        INSERT INTO staff VALUES ('rao', 'HIGH');
    """
    sanitizer = people(tmp_path, script, users="{table: staff, name: login, label: clearance}")
    assert read(sanitizer, "Ng and Roe", "rao") == "Ng and Roe"
    execute(tmp_path, "UPDATE staff SET clearance = 'LOW'")
    assert read(sanitizer, "Ng and Roe", "rao") == "[NAME_1] and Roe"
    execute(tmp_path, "DELETE FROM staff")
    assert read(sanitizer, "Ng and Roe", "rao") == "[NAME_1] and [NAME_2]"
    execute(tmp_path, "INSERT INTO staff VALUES ('rao', 'HIGH')")
    assert read(sanitizer, "Ng and Roe", "rao") == "Ng and Roe"


def test_nulls_in_values_labels_and_keys(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (id INTEGER, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES (1, NULL, 'Oslo', 'LOW'), (2, 'Roe', NULL, NULL), (3, '', '  ', 'LOW'),
          (4, NULL, NULL, NULL);
    """
    sanitizer = people(tmp_path, script)
    assert read(sanitizer, "Roe, Oslo, NULL, None") == "[NAME_1], Oslo, NULL, None", "no label denies"
    with closing(sqlite3.connect(tmp_path / "people.db")) as database:
        database.execute("INSERT INTO person VALUES (NULL, 'Nobody', 'Nowhere', 'LOW')")
        database.commit()
    with pytest.raises(InputError, match="has no key"):
        read(sanitizer, "Nobody of Nowhere")


@pytest.mark.parametrize("rows", ["", "INSERT INTO person VALUES (1, 'Ng', 'Oslo', 'LOW');"])
def test_an_empty_table_and_one_row(tmp_path: Path, rows: str) -> None:
    script = f"CREATE TABLE person (id INTEGER, name TEXT, city TEXT, label TEXT); {rows}"
    assert read(people(tmp_path, script), "Ng of Oslo") == "Ng of Oslo"


def test_composite_keys(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (ward TEXT, bed INTEGER, name TEXT, city TEXT, label TEXT, PRIMARY KEY (ward, bed));
        INSERT INTO person VALUES ('a"b', 1, 'Ng', 'Oslo', 'HIGH'), ('a"b', 2, 'Roe', 'Oslo', 'LOW'),
          ('a', 1, 'Muster', 'Oslo', 'LOW');
    """
    sanitizer = people(tmp_path, script, key="[ward, bed]")
    assert read(sanitizer, "Ng, Roe and Muster of Oslo") == "[NAME_1], Roe and Muster of Oslo"


def test_uuid_keys(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', 'Ng', 'Oslo', 'HIGH'),
          ('6f9619ff-8b86-d011-b42d-00c04fc964fe', 'Roe', 'Oslo', 'LOW');
    """
    assert read(people(tmp_path, script), "Ng and Roe of Oslo") == "[NAME_1] and Roe of Oslo"


def test_numeric_and_date_attributes(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, born DATE, salary NUMERIC, score REAL, label TEXT);
        INSERT INTO person VALUES (1, '1987-03-12', 1250000, 7.5, 'HIGH'), (2, '1990-01-02', 900, 7.25, 'LOW');
    """
    sanitizer = people(tmp_path, script, identifying="[born, salary, score]")
    text = "Born 12 March 1987 or 2 January 1990, earns 1,250,000 or 900, scored 7,5 or 7.25."
    assert read(sanitizer, text) == (
        "Born [BORN_1] or 2 January 1990, earns [SALARY_1] or 900, scored [SCORE_1] or 7.25."
    )


def test_two_rows_with_the_same_values_are_two(tmp_path: Path) -> None:
    script = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES (1, 'Ng', 'Oslo', 'HIGH'), (2, 'Ng', 'Oslo', 'HIGH'), (3, 'Roe', 'Oslo', 'HIGH');
    """
    sanitizer = people(tmp_path, script)
    assert read(sanitizer, "Ng and Roe of Oslo") == "Ng and [NAME_1] of Oslo"


def test_rows_of_one_entity_are_one_and_denied_if_one_is(tmp_path: Path) -> None:
    """Two rows do not make a crowd of two; and the entity of a visible and a hidden row is hidden."""
    script = """
        CREATE TABLE person (id INTEGER, name TEXT, city TEXT, label TEXT);
        INSERT INTO person VALUES (1, 'Ng', 'Oslo', 'LOW'), (1, 'Ng', 'Bern', 'HIGH'), (2, 'Roe', 'Oslo', 'LOW'),
          (2, 'Roe', 'Bern', 'LOW');
    """
    assert read(people(tmp_path, script), "Ng and Roe: Oslo, Bern") == "[NAME_1] and Roe: Oslo, Bern"
