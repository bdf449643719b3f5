"""What a query reads is followed, whatever the query is made of, or following is refused. On a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from efface.errors import InputError, PolicyError
from efface.knowledge.databases.relation import engine
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.real_postgres import real_postgres, run

SETUP = """
CREATE TABLE ward (id integer PRIMARY KEY, name text);
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward integer);
CREATE TABLE visit (id integer, place text, day integer) PARTITION BY RANGE (day);
CREATE TABLE visit_old PARTITION OF visit FOR VALUES FROM (0) TO (10);
CREATE TABLE visit_new PARTITION OF visit FOR VALUES FROM (10) TO (20) PARTITION BY LIST (place);
CREATE TABLE visit_new_rest PARTITION OF visit_new DEFAULT;
CREATE TABLE worker (id integer, name text);
CREATE TABLE boss () INHERITS (worker);
CREATE SCHEMA other;
CREATE TABLE other."Ward Names" (id integer PRIMARY KEY, "Name" text);
INSERT INTO ward VALUES (1, 'Alder');
INSERT INTO other."Ward Names" VALUES (1, 'Alder');
INSERT INTO patient VALUES (7, 'Ng', 1);
INSERT INTO visit VALUES (7, 'Alder', 5), (7, 'Alder', 15);
INSERT INTO worker VALUES (7, 'Ng');
INSERT INTO boss VALUES (8, 'Alder');
CREATE VIEW inner_view AS SELECT patient.id, ward.name AS place FROM patient JOIN ward ON ward.id = patient.ward;
CREATE VIEW outer_view AS SELECT id, upper(place) AS place FROM inner_view;
CREATE VIEW valid_view AS SELECT id, name AS place FROM patient WHERE current_user <> 'nobody';
CREATE MATERIALIZED VIEW kept AS SELECT * FROM inner_view;
CREATE FUNCTION hidden_place(integer) RETURNS text LANGUAGE sql STABLE AS 'SELECT name FROM ward WHERE id = $1';
CREATE FUNCTION rows_of() RETURNS TABLE (id integer, place text) LANGUAGE plpgsql STABLE AS
  'BEGIN RETURN QUERY SELECT i.id, i.place FROM inner_view i; END';
CREATE FUNCTION shout(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT upper($1)';
CREATE FUNCTION loud(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT shout($1)';
CREATE FUNCTION both_of(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 || $2';
CREATE OPERATOR |&| (leftarg = text, rightarg = text, function = both_of);
CREATE FUNCTION asks(text, text) RETURNS text LANGUAGE sql STABLE AS 'SELECT max(name) FROM ward';
CREATE OPERATOR |?| (leftarg = text, rightarg = text, function = asks);
CREATE TYPE tree AS ENUM ('Alder', 'Oak');
CREATE TABLE board (id integer PRIMARY KEY, place text, kind tree);
INSERT INTO board VALUES (7, 'Alder', 'Alder');
CREATE TYPE pair AS (place text, other text);
CREATE TABLE paired AS SELECT 7 AS id, ROW('Alder', 'Birch')::pair AS both_, 'ward'::regclass AS place;
CREATE FUNCTION one(pair) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1.place';
CREATE FUNCTION two(pair) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1.other';
CREATE CAST (pair AS text) WITH FUNCTION one(pair);
CREATE TEXT SEARCH CONFIGURATION words (COPY = english);
CREATE FUNCTION lies(integer) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT w.name FROM patient, ward AS w WHERE w.id = $1';
CREATE FUNCTION lies_too(integer) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT hidden_place($1)';
CREATE SEQUENCE numbers; CREATE UNLOGGED TABLE brief (id integer, place text);
"""
JOIN = "FROM patient JOIN ward ON ward.id = patient.ward"
WARD = "UPDATE ward SET name = 'Birch'"
FOLLOWED = {
    "a joined table": (f"SELECT patient.id, ward.name AS place {JOIN}", WARD),
    "a left join": (
        "SELECT patient.id, ward.name AS place FROM patient LEFT JOIN ward ON ward.id = patient.ward",
        WARD,
    ),
    "a view over a view": ("outer_view", WARD),
    "a CTE": (
        f"WITH w AS (SELECT patient.id, ward.name AS place {JOIN}) SELECT * FROM w",
        WARD,
    ),
    "a CTE within a CTE": (
        f"WITH a AS (WITH b AS (SELECT patient.id, ward.name AS place {JOIN}) SELECT * FROM b) SELECT * FROM a",
        WARD,
    ),
    "a lateral join": (
        "SELECT patient.id, w.place FROM patient, LATERAL (SELECT name AS place FROM ward WHERE id = patient.ward) w",
        WARD,
    ),
    "a subquery in a column": (
        "SELECT id, (SELECT name FROM ward WHERE ward.id = patient.ward) AS place FROM patient",
        WARD,
    ),
    "a condition alone": (
        "SELECT id, CASE WHEN EXISTS (SELECT FROM ward WHERE name = 'Alder') THEN 'Alder' ELSE 'Birch' END AS place "
        "FROM patient",
        WARD,
    ),
    "a union": (
        "SELECT 7 AS id, name AS place FROM ward UNION ALL SELECT id, place FROM visit WHERE day > 100",
        WARD,
    ),
    "a function that reads nothing": (f"SELECT patient.id, shout(ward.name) AS place {JOIN}", WARD),
    "partitions": ("SELECT id, place FROM visit", "UPDATE visit SET place = 'Birch'"),
    "a partition named itself": ("SELECT id, place FROM visit", "UPDATE visit_old SET place = 'Birch'; "
                                 "UPDATE visit_new_rest SET place = 'Birch'"),
    "a partition that is attached later": (
        "SELECT id, place FROM visit WHERE day > 20",
        "CREATE TABLE visit_last (id integer, place text, day integer);"
        "INSERT INTO visit_last VALUES (7, 'Birch', 25);"
        "ALTER TABLE visit ATTACH PARTITION visit_last FOR VALUES FROM (20) TO (30)",
    ),
    "an heir": ("SELECT id, name AS place FROM worker", "UPDATE boss SET name = 'Birch'"),
    "a quoted name in another schema": (
        'SELECT patient.id, w."Name" AS place FROM patient JOIN other."Ward Names" w ON w.id = patient.ward',
        """UPDATE other."Ward Names" SET "Name" = 'Birch'""",
    ),
    "a view that is redefined": (
        "outer_view",
        "CREATE OR REPLACE VIEW inner_view AS SELECT patient.id, 'Birch'::text AS place FROM patient",
    ),
    "a function that is redefined": (
        f"SELECT patient.id, shout(ward.name) AS place {JOIN}",
        "CREATE OR REPLACE FUNCTION shout(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'Birch'$$",
    ),
    "a table that is written anew": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        "DROP VIEW inner_view CASCADE; ALTER TABLE ward ALTER name TYPE varchar(20) USING 'Birch'",
    ),
    "a partition that goes": (
        "SELECT id, CASE WHEN count(*) > 1 THEN 'Alder' ELSE 'Birch' END AS place FROM visit GROUP BY id",
        "ALTER TABLE visit DETACH PARTITION visit_old",
    ),
    "changes while triggers were off": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        f"ALTER TABLE ward DISABLE TRIGGER ALL; {WARD}",
    ),
    "changes that replication applies": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        f"SET LOCAL session_replication_role = replica; {WARD}",
    ),
    "changes while triggers were off and on again": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        f"ALTER TABLE ward DISABLE TRIGGER efface_changes; {WARD}; ALTER TABLE ward ENABLE ALWAYS TRIGGER efface_changes",
    ),
    "changes that somebody cleared away": (
        f"SELECT patient.id, ward.name AS place {JOIN}", f"{WARD}; DELETE FROM efface_changes",
    ),
    "changes that somebody cleared away while the record's own trigger was off": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        f"{WARD}; ALTER TABLE efface_changes DISABLE TRIGGER efface_changes_kept; DELETE FROM efface_changes;"
        "ALTER TABLE efface_changes ENABLE ALWAYS TRIGGER efface_changes_kept",
    ),
    "changes while a trigger wrote nothing down": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        "DO $d$ DECLARE own text := pg_get_functiondef('efface_changes_ward'::regproc); BEGIN EXECUTE 'CREATE OR REPLACE"
        " FUNCTION efface_changes_ward() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RETURN NULL; END $f$';"
        f" {WARD}; EXECUTE own; END $d$",
    ),
    "a record that was truncated": (
        f"SELECT patient.id, ward.name AS place {JOIN}", f"{WARD}; TRUNCATE efface_changes",
    ),
    "a column under another's name": (
        "SELECT id, place FROM board",
        "ALTER TABLE board RENAME place TO old; ALTER TABLE board ADD place text DEFAULT 'Birch'",
    ),
    "a value of an enumeration that is renamed": (
        "SELECT id, kind AS place FROM board", "ALTER TYPE tree RENAME VALUE 'Alder' TO 'Birch'",
    ),
    "a function behind a function": (
        f"SELECT patient.id, loud(ward.name) AS place {JOIN}",
        "CREATE OR REPLACE FUNCTION shout(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'Birch'$$",
    ),
    "a function behind an operator": (
        f"SELECT patient.id, ward.name |&| '' AS place {JOIN}",
        "CREATE OR REPLACE FUNCTION both_of(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'Birch'$$",
    ),
    "rows that are truncated": (
        "SELECT p.id, coalesce(ward.name, 'Birch') AS place FROM patient p LEFT JOIN ward ON ward.id = p.ward",
        "TRUNCATE ward",
    ),
    "a record of the same name in the session that changes": (
        f"SELECT patient.id, ward.name AS place {JOIN}",
        f"CREATE TEMPORARY TABLE efface_changes (transaction bigint DEFAULT 1, key text); {WARD}",
    ),
    "a part of a row type under another's name": (
        "SELECT id, to_jsonb(both_) ->> 'place' AS place FROM paired",
        "ALTER TYPE pair RENAME ATTRIBUTE place TO old; ALTER TYPE pair RENAME ATTRIBUTE other TO place",
    ),
    "a cast that is made anew": (
        "SELECT id, both_::text AS place FROM paired",
        "DROP CAST (pair AS text); CREATE CAST (pair AS text) WITH FUNCTION two(pair)",
    ),
    "words that are read otherwise": (
        "SELECT id, CASE WHEN to_tsvector('words', 'houses') @@ 'hous' THEN 'Alder' ELSE 'Birch' END AS place FROM patient",
        "ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword WITH simple",
    ),
}  # fmt: skip
REFUSED = {
    "a materialised view": "kept",
    "a query over a materialised view": "SELECT kept.id, ward.name AS place FROM kept, ward",
    "a function that reads": "SELECT id, hidden_place(ward) AS place FROM patient",
    "an operator that reads": "SELECT id, name |?| '' AS place FROM patient",
    "a function that returns rows": "SELECT id, place FROM rows_of()",
    "a foreign table": "SELECT id, place FROM far",
    "chance": "SELECT id, name AS place FROM patient WHERE random() < 2",
    "the time": "SELECT id, name AS place FROM patient WHERE current_date > '2020-01-01'",
    "the time as a function": "SELECT id, name AS place FROM patient WHERE now() > '2020-01-01'",
    "the session": "SELECT id, current_setting('app.place', true) AS place FROM patient",
    "the time within a view": "SELECT id, place FROM valid_view",
    "a sample of a table": "SELECT id, name AS place FROM patient TABLESAMPLE SYSTEM (50)",
    "an heir that is foreign": "SELECT id, name AS place FROM worker_far",
    "a comment on a table": "SELECT id, obj_description('ward'::regclass) AS place FROM patient",
    "the text of a view": "SELECT id, pg_get_viewdef('inner_view'::regclass) AS place FROM patient",
    "a function that reads although it is declared IMMUTABLE": "SELECT id, lies(ward) AS place FROM patient",
    "a function that calls one that reads": "SELECT id, lies_too(ward) AS place FROM patient",
    "names of the catalogue": "SELECT id, place::text AS place FROM paired",
    "a sequence": "SELECT id, last_value::text AS place FROM patient, numbers",
    "a table that a crash empties": "SELECT id, place FROM brief",
    "the catalogue": "SELECT oid::integer AS id, relname AS place FROM pg_class",
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres() as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    """The server with nothing but what SETUP made."""
    run(server, "DROP SCHEMA IF EXISTS other, public CASCADE; CREATE SCHEMA public;" + SETUP)
    yield server
    run(server, "DROP FOREIGN DATA WRAPPER IF EXISTS nothing CASCADE")


def entry(url: str, entities: str) -> Knowledge:
    return Knowledge(database=url, entities=entities, key="id", identifying=("place",), follow=True)


@pytest.mark.parametrize("kind", FOLLOWED)
def test_a_change_behind_the_query_is_in_the_next_index(kind: str, url: str, tmp_path: Path) -> None:
    query, change = FOLLOWED[kind]
    knowledge = entry(url, query)
    sources.follow(knowledge, tmp_path)
    before = sources.index_of("people", knowledge, tmp_path)
    assert "birch" not in before
    run(url, change)
    try:
        after = sources.index_of("people", knowledge, tmp_path)
    except InputError as refused:  # a table that came later writes nothing down yet: efface says so
        assert "does not record changes" in str(refused)
        sources.follow(knowledge, tmp_path)
        after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "alder" not in after


def test_the_time_zone_of_the_session_is_part_of_the_state(url: str, tmp_path: Path) -> None:
    query = "SELECT id, CASE date_part('hour', '2020-01-01 09:00+00'::timestamptz) WHEN 9 THEN 'Alder' ELSE 'Birch' END AS place FROM patient"
    knowledge = entry(url, query)
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    run(url, "ALTER DATABASE postgres SET timezone = 'Asia/Tokyo'")
    engine(url).dispose()
    assert "birch" in sources.index_of("people", knowledge, tmp_path)
    run(url, "ALTER DATABASE postgres RESET timezone")
    engine(url).dispose()


def test_a_record_that_the_triggers_do_not_write_into_is_refused(url: str, tmp_path: Path) -> None:
    knowledge = entry(url, "SELECT id, name AS place FROM patient")
    sources.follow(knowledge, tmp_path)
    elsewhere = entry(
        f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3Dother,public", knowledge.entities
    )
    sources.follow(elsewhere, tmp_path)
    with pytest.raises(InputError, match="does not record changes"):
        sources.index_of("people", knowledge, tmp_path)
    engine(elsewhere.database or "").dispose()


KEYS = {
    "boolean": ("true", "false"),
    "timestamptz": ("'2020-01-01 10:00:00.5+00'", "'2021-01-01+00'"),
    "char(8)": ("'ab'", "'cd'"),
    "float8": ("1", "2.5"),
    "interval": ("'1 day'", "'2 days'"),
    "uuid": ("'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_keys_of_any_type_are_followed(kind: str, url: str, tmp_path: Path) -> None:
    """The text of a key in a trigger need not be the text that the driver makes of it."""
    changed, gone = KEYS[kind]
    run(url, f"CREATE TABLE keyed (id {kind} PRIMARY KEY, place text);"
        f"INSERT INTO keyed VALUES ({changed}, 'Alder'), ({gone}, 'Oak')")  # fmt: skip
    knowledge = entry(url, "keyed")
    sources.follow(knowledge, tmp_path)
    assert "oak" in sources.index_of("people", knowledge, tmp_path)
    run(url, f"UPDATE keyed SET place = 'Birch' WHERE id = {changed}; DELETE FROM keyed WHERE id = {gone}")
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "alder" not in after and "oak" not in after


def test_a_key_that_the_query_makes_is_not_taken_for_the_tables(url: str, tmp_path: Path) -> None:
    query = "SELECT 'P' || id AS id, name AS place FROM patient"
    knowledge = entry(url, query).model_copy(update={"follow": {"patient": "id"}})
    sources.follow(knowledge, tmp_path)
    assert "ng" in sources.index_of("people", knowledge, tmp_path)
    run(url, "UPDATE patient SET name = 'Birch'")
    assert "birch" in sources.index_of("people", knowledge, tmp_path)


SWAPPED = {
    "a view below": "SELECT id, place FROM swapped",
    "a subquery": "SELECT n AS id, place FROM (SELECT 9 - id AS n, name AS place FROM patient) AS s",
    "an arm of a UNION": "SELECT id, place FROM swapped UNION SELECT id, name FROM ward WHERE false",
    "another column": "SELECT ward AS id, name AS place FROM patient",
    "a view over a view": "SELECT id, place FROM over_swapped",
}


@pytest.mark.parametrize("kind", SWAPPED)
def test_keys_that_something_below_swaps_mend_nobody_else(kind: str, url: str, tmp_path: Path) -> None:
    run(
        url,
        "UPDATE patient SET ward = 2; INSERT INTO patient VALUES (2, 'Roe', 7);"
        "CREATE VIEW swapped AS SELECT 9 - id AS id, name AS place FROM patient;"
        "CREATE VIEW over_swapped AS SELECT id AS m, place FROM swapped;"
        "ALTER VIEW over_swapped RENAME COLUMN m TO id",
    )
    knowledge = entry(url, SWAPPED[kind]).model_copy(update={"follow": {"patient": "id"}})
    sources.follow(knowledge, tmp_path)
    assert "roe" in sources.index_of("people", knowledge, tmp_path)
    run(url, "UPDATE patient SET name = 'Birch' WHERE id = 2")
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "roe" not in after


OLD_TRIGGERS = {
    "another function": "CREATE OR REPLACE FUNCTION efface_changes_patient() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN INSERT INTO efface_changes (key) VALUES (json_build_array(NEW.id::text)::text); RETURN NULL; END $$",
    "no guard of the record": "DROP TRIGGER efface_changes_kept ON efface_changes",
    "no trigger for TRUNCATE": "DROP TRIGGER efface_changes_truncate ON patient",
    "one for statements": "CREATE OR REPLACE TRIGGER efface_changes AFTER INSERT OR UPDATE OR DELETE ON patient "
    "FOR EACH STATEMENT EXECUTE FUNCTION efface_changes_patient();"
    "ALTER TABLE patient ENABLE ALWAYS TRIGGER efface_changes",
}


@pytest.mark.parametrize("kind", OLD_TRIGGERS)
def test_triggers_of_an_earlier_version_are_refused(kind: str, url: str, tmp_path: Path) -> None:
    knowledge = Knowledge(database=url, entities="patient", identifying=("name",), follow=True)
    sources.follow(knowledge, tmp_path)
    assert "ng" in sources.index_of("people", knowledge, tmp_path)
    run(url, OLD_TRIGGERS[kind])
    with pytest.raises(InputError) as refused:
        sources.index_of("people", knowledge, tmp_path)
    assert "efface index follow -p POLICY" in refused.value.hint
    run(url, "UPDATE patient SET name = 'Birch'")
    sources.follow(knowledge, tmp_path)
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "ng" not in after


def test_a_row_that_loses_its_key_is_refused_not_dropped(url: str, tmp_path: Path) -> None:
    run(url, "CREATE TABLE odd (id text, place text); INSERT INTO odd VALUES ('a', 'Alder')")
    knowledge = entry(url, "odd")
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    run(url, "UPDATE odd SET id = NULL")
    with pytest.raises(InputError, match="key"):
        sources.index_of("people", knowledge, tmp_path)


def test_a_partitioned_table_is_followed_row_by_row(url: str, tmp_path: Path) -> None:
    knowledge = entry(url, "visit")
    sources.follow(knowledge, tmp_path)
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    run(url, "UPDATE visit SET place = 'Birch', day = 15 WHERE day = 5; UPDATE visit SET place = 'Birch'")
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "alder" not in after


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_followed_is_refused(kind: str, url: str, tmp_path: Path) -> None:
    if "foreign" in kind:
        _make_foreign(url)
    with pytest.raises(PolicyError, match=r"follow"):
        sources.follow(entry(url, REFUSED[kind]), tmp_path)


def _make_foreign(url: str) -> None:
    """A foreign table needs a wrapper; one without a handler can be declared, which is all that is asked here."""
    run(
        url,
        "CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER far_away FOREIGN DATA WRAPPER nothing;"
        "CREATE FOREIGN TABLE far (id integer, place text) SERVER far_away;"
        "CREATE TABLE worker_far (id integer, name text);"
        "CREATE FOREIGN TABLE boss_far () INHERITS (worker_far) SERVER far_away",
    )
