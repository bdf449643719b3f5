"""A row that is followed by its key may be part of other entities as well. On a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from efface.knowledge.databases.changes import followed
from efface.knowledge.databases.relation import Relation, engine
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.real_postgres import real_postgres, run

# Person 7 is shown with Alder, which is a value of person 8.
SETUP = """
DROP SCHEMA IF EXISTS api, public CASCADE; CREATE SCHEMA public; CREATE SCHEMA api;
CREATE TABLE person (id integer PRIMARY KEY, name text, boss integer, ward integer);
INSERT INTO person VALUES (7, 'Ng', 8, 1), (8, 'Alder', NULL, 1);
CREATE TABLE visit (number serial PRIMARY KEY, person integer, ward integer, place text);
INSERT INTO visit (person, ward, place) VALUES (7, 2, 'Oak'), (8, 1, 'Alder');
CREATE TABLE stay (person integer, place text) PARTITION BY LIST (person);
CREATE TABLE stay_7 PARTITION OF stay FOR VALUES IN (7);
CREATE TABLE stay_rest PARTITION OF stay DEFAULT;
INSERT INTO stay VALUES (7, 'Oak'), (8, 'Alder');
CREATE VIEW api.person AS SELECT p.id, b.name AS place FROM public.person p LEFT JOIN public.person b ON b.id = p.boss;
"""
PERSON, VISIT = {"person": "id"}, {"visit": "person", "person": "id"}
RENAMED = "UPDATE person SET name = 'Birch' WHERE id = 8"
VISITED = "UPDATE visit SET place = 'Birch' WHERE person = 8"
OTHERS = {
    "a table joined with itself": (
        "SELECT p.id, b.name AS place FROM person p LEFT JOIN person b ON b.id = p.boss", PERSON, RENAMED,
    ),
    "a view of the table's name": ("api.person", True, RENAMED),
    "a subquery": ("SELECT id, (SELECT max(q.name) FROM person q WHERE q.ward = p.ward AND q.id <> p.id) AS place FROM person p",
                   PERSON, RENAMED),
    "the row before": ("SELECT id, lead(name) OVER (ORDER BY id) AS place FROM person", PERSON, RENAMED),
    "the largest of all": ("SELECT id, top.name AS place FROM person, (SELECT min(name) AS name FROM person) AS top", PERSON,
                           "UPDATE person SET name = 'Birch' WHERE id = 8; UPDATE person SET name = 'Ng' WHERE id = 8"),
    "a row for each ward": ("SELECT DISTINCT ON (ward) id, name AS place FROM person ORDER BY ward, name", PERSON,
                            "UPDATE person SET name = 'Zelkova' WHERE id = 8"),
    "the first row": ("SELECT id, name AS place FROM person ORDER BY name LIMIT 1", PERSON,
                      "UPDATE person SET name = 'Zelkova' WHERE id = 8"),
    "another table by another column": (
        "SELECT p.id, v.place FROM person p JOIN visit v ON v.ward = p.ward", VISIT, VISITED,
    ),
    "another table by another column, in a subquery": (
        "SELECT p.id, (SELECT max(place) FROM visit v WHERE v.ward = p.ward) AS place FROM person p", VISIT, VISITED,
    ),
    "one of two columns": (
        "SELECT p.id, v.place FROM person p JOIN visit v ON v.person = p.id OR v.ward = p.ward", VISIT, VISITED,
    ),
    "partitions by another column": (
        "SELECT p.id, s.place FROM person p JOIN stay s ON s.person = p.boss", {"stay": "person"},
        "UPDATE stay SET place = 'Birch' WHERE person = 8",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres() as address:
        yield address


@pytest.fixture
def url(server: str) -> str:
    run(server, SETUP)
    return server


@pytest.mark.parametrize("kind", OTHERS)
def test_a_row_that_others_are_made_of_changes_them_too(kind: str, url: str, tmp_path: Path) -> None:
    query, follow, change = OTHERS[kind]
    knowledge = Knowledge(database=url, entities=query, identifying=("place",), follow=follow)
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    run(url, change)
    after = sources.index_of("people", knowledge, tmp_path)
    assert "alder" not in after
    with engine(url).connect() as connection:
        rows = connection.exec_driver_sql(
            f"SELECT place FROM ({query}) AS q" if " " in query else f"SELECT place FROM {query}"
        )
        there = [place.lower() for place in rows.scalars() if place]
    assert there and not [place for place in there if place not in after]


APART = {
    "a table": ("SELECT id, name AS place FROM person", ("person",)),
    "rows joined by the key": (
        "SELECT p.id, v.place FROM person p LEFT JOIN visit v ON v.person = p.id",
        ("person", "visit"),
    ),
    "rows put together": (
        "SELECT p.id, array_agg(v.place) AS place FROM person p JOIN visit v ON v.person = p.id GROUP BY p.id",
        ("person", "visit"),
    ),
    "a subquery of the row": (
        "SELECT id, (SELECT max(place) FROM visit v WHERE v.person = p.id) AS place FROM person p",
        ("person", "visit"),
    ),
    "the last visit": (
        "SELECT p.id, v.place FROM person p, LATERAL (SELECT place FROM visit WHERE person = p.id ORDER BY number LIMIT 1) v",
        ("person", "visit"),
    ),
    "a condition": (
        "SELECT p.id, p.name AS place FROM person p WHERE EXISTS (SELECT FROM visit v WHERE v.person = p.id)",
        ("person", "visit"),
    ),
    "partitions": ("SELECT p.id, s.place FROM person p JOIN stay s ON s.person = p.id", ("person", "stay")),
}


@pytest.mark.parametrize("kind", APART)
def test_rows_that_are_of_one_entity_alone_are_followed_one_by_one(kind: str, url: str) -> None:
    query, tables = APART[kind]
    run(url, "CREATE INDEX ON visit (person)")
    given = {"person": ("id",), "visit": ("person",), "stay": ("person",)}
    found = followed(Relation(url, query, ("id",)), given).tables
    assert {name: key for name, key in found.items() if name in tables} == {
        name: given[name] for name in tables
    }


@pytest.mark.parametrize("table", ["person", "visit"])
def test_a_transaction_that_stays_open_hides_no_later_change(table: str, url: str, tmp_path: Path) -> None:
    """The oldest open transaction is the same before and after the change. `person` is followed by its key, `visit`
    changes every entity."""
    query = (
        "SELECT p.id, p.name AS place, v.place AS other FROM person p LEFT JOIN visit v ON v.ward = p.ward"
    )
    entry = Knowledge(
        database=url, entities=query, key="id", identifying=("place", "other"), follow={"person": ("id",)}
    )
    sources.follow(entry, tmp_path)
    with engine(url).connect() as elsewhere:
        elsewhere.exec_driver_sql("INSERT INTO stay VALUES (1, 'Elm')")
        assert "birch" not in sources.index_of("people", entry, tmp_path)
        column = "name" if table == "person" else "place"
        for tree in ("Birch", "Cedar"):
            run(url, f"UPDATE {table} SET {column} = '{tree}' WHERE {column} <> 'Ng'")
            assert tree.lower() in sources.index_of("people", entry, tmp_path)
        assert "birch" not in sources.index_of("people", entry, tmp_path)
        run(url, "UPDATE person SET name = 'Dogwood' WHERE id = 8")
        elsewhere.exec_driver_sql("UPDATE person SET name = 'Elder' WHERE id = 7")
        assert "dogwood" in sources.index_of("people", entry, tmp_path)
        elsewhere.commit()
    assert "elder" in sources.index_of("people", entry, tmp_path)
