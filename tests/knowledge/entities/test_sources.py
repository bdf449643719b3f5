"""Entities from CSV, JSON lines, databases and folders."""

from __future__ import annotations

import gzip
import json
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.knowledge.databases.sql import SqlSource
from efface.knowledge.entities.sources import ColumnRoles, CsvSource, Entity, JsonLinesSource, compose_key
from efface.knowledge.entities.store import build, open_index
from efface.knowledge.entities.text_folder import FolderSource, context
from efface.text.folding import fold_term

PEOPLE = ColumnRoles(("id",), ("name", "city"), ("salary",), ("category",), type="kind", weight="weight")


def test_csv(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(
        "id,name,city,salary,category,kind,weight,ignored\n"
        '1,"Lee, Ann; Ann Lee ;",Bern,"50,000",cancer,person,2.5,x\n'
        "2,Bob,,,,,,\n",
        encoding="utf-8-sig",
    )
    assert list(CsvSource(file, PEOPLE)) == [
        Entity(
            "1",
            (("name", "Lee, Ann"), ("name", " Ann Lee "), ("city", "Bern")),
            (("salary", "50,000"), ("salary", "50000")),
            (("category", "cancer"), ("type", "person")),
            2.5,
        ),
        Entity("2", (("name", "Bob"),)),
    ]


def test_csv_options(tmp_path: Path) -> None:
    file = tmp_path / "sdn.csv.gz"
    with gzip.open(file, "wt", encoding="utf-8") as stream:
        stream.write("a|b|name\n1|x|A;B\n1|y|-0-\n")
    source = CsvSource(file, ColumnRoles(("a", "b"), ("name",)), delimiter="|", split="", nulls=("", "-0-"))
    assert list(source) == [Entity('["1", "x"]', (("name", "A;B"),)), Entity('["1", "y"]', ())]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,name\n1,Ann\n", "no column city"),
        (b"", "no column id"),
        (b"id,name,city,salary,category,kind,weight\n1,\xff,,,,,\n", "not a readable CSV"),
        (b'id,name,city,salary,category,kind,weight\n1,"secret,,,,,\n', "not a readable CSV"),
        (b"id,name,city,salary,category,kind,weight\n1,secret,,,,,much\n", "weight"),
        (b"id,name,city,salary,category,kind,weight\n1,secret,,,,,nan\n", "weight"),
        (b"id,name,city,salary,category,kind,weight\n,secret,,,,,\n", "has no key"),
    ],
)
def test_bad_csv_is_refused_without_quoting_it(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        list(CsvSource(file, PEOPLE))
    assert "secret" not in str(caught.value) + caught.value.hint


def test_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "diseases.jsonl"
    lines = [
        {"id": 1, "name": "Flu", "terms": ["Fever", "Dry cough"], "type": "disease", "weight": 3},
        {"id": "b", "attributes": {"city": ["Bern", "Rome"], "salary": 50000, "category": "x", "age": None}},
        {"id": "c"},
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    columns = ColumnRoles(("id",), ("name",), ("salary",), ("category",), "type", "weight")
    assert list(JsonLinesSource(file, columns)) == [
        Entity(
            "1",
            (("name", "Flu"), ("term", "Fever"), ("term", "Dry cough")),
            labels=(("type", "disease"),),
            weight=3.0,
        ),
        Entity("b", (("city", "Bern"), ("city", "Rome")), (("salary", "50000"),), (("category", "x"),)),
        Entity("c", ()),
    ]
    assert next(iter(JsonLinesSource(file))).terms == (("term", "Fever"), ("term", "Dry cough"))


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "1",
        '{"terms": ["secret"]}',
        '{"id": "1", "attributes": ["secret"]}',
        "[" * 100_000,
        '"\udcff',
    ],
)
def test_bad_json_lines_are_refused_without_quoting_them(tmp_path: Path, line: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"id": "0"}\n' + line.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"near line [12]") as caught:
        list(JsonLinesSource(file))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("source", [CsvSource(Path("no.csv"), PEOPLE), JsonLinesSource(Path("no.jsonl.gz"))])
def test_a_missing_file_is_refused(source: CsvSource | JsonLinesSource) -> None:
    for use in (list, lambda s: s.fingerprint()):
        with pytest.raises(InputError):
            use(source)


def test_a_fingerprint_changes_with_data_and_settings(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("id,name\n1,Ann\n")
    source = CsvSource(file, ColumnRoles(("id",), ("name",)))
    before = source.fingerprint()
    assert CsvSource(file, ColumnRoles(("id",), ("name",))).fingerprint() == before
    assert CsvSource(file, ColumnRoles(("id",), ("name",)), split="").fingerprint() != before
    assert CsvSource(file, ColumnRoles(("id",), (), ("name",))).fingerprint() != before
    file.write_text("id,name\n1,Bob\n")
    assert source.fingerprint() != before


@given(st.lists(st.lists(st.text(max_size=3), min_size=2, max_size=2), max_size=6))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_composite_keys_are_never_confused(keys: list[list[str]]) -> None:
    distinct = {tuple(key) for key in keys if any(key)}
    assert len({compose_key(key) for key in distinct}) == len(distinct)


# Databases


@pytest.fixture
def database(tmp_path: Path) -> str:
    file = tmp_path / "hospital.db"
    connection = sqlite3.connect(file)
    connection.executescript(
        """
        CREATE TABLE patient (id TEXT, "full name" TEXT, born DATE, visits INTEGER, fee NUMERIC, salary TEXT);
        INSERT INTO patient VALUES ('1', 'Ann "the" O''Lee', '1980-03-12', 3, 12.50, '50000'),
            ('2', NULL, NULL, NULL, NULL, NULL);
        CREATE TABLE keyless (id TEXT, name TEXT);
        INSERT INTO keyless VALUES ('1', 'Ann'), (NULL, 'ghost');
        CREATE TABLE stay (patient TEXT, ward TEXT);
        INSERT INTO stay VALUES ('1', 'A: ward'), ('1', 'B'), ('2', 'A: ward');
        CREATE VIEW everything AS SELECT * FROM patient JOIN stay ON patient.id = stay.patient;
        CREATE TABLE nobody (id TEXT, name TEXT);
        """
    )
    connection.commit()
    connection.close()
    return f"sqlite:///{file}"


def test_a_table(database: str) -> None:
    columns = ColumnRoles(("id",), ("full name", "born", "visits", "fee"), ("salary",))
    assert list(SqlSource(database, "patient", columns)) == [
        Entity(
            "1",
            (("full name", 'Ann "the" O\'Lee'), ("born", "1980-03-12"), ("visits", "3"), ("fee", "12.5")),
            (("salary", "50000"),),
        ),
        Entity("2", ()),
    ]


@pytest.mark.parametrize(
    "entities",
    [
        "everything",
        "main.everything",
        "SELECT * FROM patient JOIN stay ON patient.id = stay.patient WHERE ward <> ':x' AND ward <> 'a%';",
        'with s as (select id, "full name", ward from everything) select * from s',
    ],
)
def test_rows_of_a_join_are_one_entity(database: str, entities: str, tmp_path: Path) -> None:
    source = SqlSource(database, entities, ColumnRoles(("id",), ("full name", "ward")))
    build(source, tmp_path / "index", fingerprint=source.fingerprint())
    index = open_index(tmp_path / "index", expect=source.fingerprint())
    assert len(index) == 2
    assert index.crowd("a: ward") == 2
    assert {key for _, key in index.context("1")} == {'ann "the" o\'lee', "a: ward", "b"}


def test_composite_keys_and_chosen_rows(database: str) -> None:
    source = SqlSource(database, "stay", ColumnRoles(("patient", "ward"), ("ward",)))
    assert sorted(entity.id for entity in source) == ['["1", "A: ward"]', '["1", "B"]', '["2", "A: ward"]']
    assert [entity.id for entity in source.only([("1", "B"), ("9", "B")])] == ['["1", "B"]']
    assert list(source.only([])) == []


def test_uuid_keys(tmp_path: Path) -> None:
    import sqlalchemy as sa

    url, id = f"sqlite:///{tmp_path / 'u.db'}", uuid.UUID(int=7)
    engine = sa.create_engine(url)
    table = sa.Table(
        "t", sa.MetaData(), sa.Column("id", sa.String, primary_key=True), sa.Column("name", sa.String)
    )
    table.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(table.insert(), {"id": str(id), "name": "Ann"})
    engine.dispose()
    (entity,) = SqlSource(url, "t", ColumnRoles(("id",), ("name",)))
    assert entity.id == compose_key([id])


def test_an_empty_table(database: str, tmp_path: Path) -> None:
    build(SqlSource(database, "nobody", ColumnRoles(("id",), ("name",))), tmp_path / "index")
    assert len(open_index(tmp_path / "index")) == 0


@pytest.mark.parametrize(
    ("url", "entities", "column"),
    [
        ("DATABASE", "no_such_table", "name"),
        ("DATABASE", "patient", "secret"),
        ("DATABASE", "SELECT 'secret' FROM", "name"),
        ("DATABASE", 'patient"; DROP TABLE patient; --', "name"),
        ("nodriver://u:secret@host/db", "patient", "name"),
        ("sqlite:////no/such/secret/folder/x.db", "patient", "name"),
        ("not a url with secret", "patient", "name"),
    ],
)
def test_database_errors_do_not_quote(database: str, url: str, entities: str, column: str) -> None:
    source = SqlSource(url.replace("DATABASE", database), entities, ColumnRoles(("id",), (column,)))
    for use in (list, lambda s: s.fingerprint()):
        with pytest.raises(InputError, match="could not be read") as caught:
            use(source)
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert "secret" not in repr(SqlSource("x://u:secret@h", "t", ColumnRoles(("id",), ())))
    assert len(list(SqlSource(database, "patient", ColumnRoles(("id",), ())))) == 2


@pytest.mark.parametrize(
    ("url", "entities", "roles", "told"),
    [
        (
            "DATABASE",
            "no_such_table",
            ColumnRoles(("id",), ("name",)),
            "no table or view of the name in `entities`",
        ),
        (
            "DATABASE",
            "patient",
            ColumnRoles(("id",), ("id", "nmae")),
            "lacks the column that is number 2 in `identifying`",
        ),
        (
            "DATABASE",
            "patient",
            ColumnRoles(("nr",), ("name",)),
            "lacks the column that is number 1 in `key`",
        ),
        (
            "sqlite:///file:/no/such/x.db?mode=ro&uri=true",
            "patient",
            ColumnRoles(("id",), ()),
            "no such file",
        ),
    ],
)
def test_database_errors_tell_what_is_missing(
    database: str, url: str, entities: str, roles: ColumnRoles, told: str
) -> None:
    """The policy's key is named, never what stands in it or in the database."""
    source = SqlSource(url.replace("DATABASE", database), entities, roles)
    for use in (list, lambda s: s.fingerprint()):
        with pytest.raises(InputError, match="could not be read") as caught:
            use(source)
        assert told in caught.value.message and caught.value.hint


def test_a_row_without_a_key_is_refused_and_not_dropped(database: str) -> None:
    with pytest.raises(InputError, match="has no key") as caught:
        list(SqlSource(database, "keyless", ColumnRoles(("id",), ("name",))))
    assert "ghost" not in str(caught.value) and "IS NOT NULL" in caught.value.hint
    chosen = "SELECT * FROM keyless WHERE id IS NOT NULL"
    assert [entity.id for entity in SqlSource(database, chosen, ColumnRoles(("id",), ("name",)))] == ["1"]


def test_a_key_of_several_columns_has_no_part_that_is_null(database: str) -> None:
    """NULL and an empty text would be one id, and only one of the two rows could be asked for."""
    rows = "SELECT 1 AS a, '' AS b, 'shown' AS name UNION ALL SELECT 1, NULL, 'ghost'"
    with pytest.raises(InputError, match="has no key"):
        list(SqlSource(database, rows, ColumnRoles(("a", "b"), ("name",))))


def test_a_fingerprint_of_a_table_changes_with_its_rows(database: str) -> None:
    source = SqlSource(database, "patient", ColumnRoles(("id",), ("full name",)))
    before = source.fingerprint()
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DELETE FROM patient WHERE id = '2'")
    connection.close()
    assert source.fingerprint() != before


# Folders


def test_a_folder_with_a_text_each(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "Flu.txt").write_text(
        "The flu brings a dry cough. A dry cough, and high fever, with it."
    )
    (tmp_path / "b.md").write_text("Rest, and 水.")
    (tmp_path / "image.png").write_bytes(b"\xff")
    source = FolderSource(tmp_path)
    flu, rest = list(source)
    assert (flu.id, rest.id) == ("a/Flu", "b")
    assert set(flu.terms) == {
        *(("word", word) for word in ("flu", "brings", "dry", "cough", "high", "fever")),
        ("phrase", "dry cough"),
    }
    assert set(rest.terms) == {("word", "rest"), ("word", "水")}
    before = source.fingerprint()
    (tmp_path / "b.md").write_text("Rest.")
    assert source.fingerprint() != before


def test_phrases_stay_within_a_sentence_and_may_hold_a_stop_word() -> None:
    found = set(
        context(
            "University of Bern. Bern. University of Bern, Bern. University-hospital, university-hospital"
        )
    )
    assert {phrase for kind, phrase in found if kind == "phrase"} == {
        "university of bern",
        "university-hospital",
    }


def test_contexts_are_folded_terms() -> None:
    for _, term in context("Ünïted ＳＴＡＴＥＳ ünïted states, Straße straße"):
        assert fold_term(term) == term


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        list(FolderSource(tmp_path / "no"))
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        list(FolderSource(tmp_path))
