"""What a hostile database makes of a release: no value leaves that the viewer's own login could not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import EffaceError, PolicyError
from efface.knowledge.databases.relation import engine
from tests.real_postgres import real_postgres, run

ROLES = """
CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; CREATE ROLE hr NOLOGIN; GRANT doctor TO app;
"""
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;"
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: "{url}"
    entities: {entities}
    identifying: [name, ward]
    sensitive: [diagnosis]
    access: {{postgres: {{session: {{app.ward: north}}}}}}
guarantees:
  - k-safety: {{over: patients, k: 2, protect: denied}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    """The URL of efface's login; `run` needs `as_owner` of it."""
    run(server, EMPTY)
    mine = server.replace("postgres:@", "app:@")
    yield mine
    engine(mine).dispose()


def as_owner(url: str) -> str:
    return url.replace("app:@", "postgres:@")


def released(url: str, folder: Path, note: str, entities: str = "patient") -> str:
    (folder / "policy.yaml").write_text(POLICY.format(url=url, entities=entities))
    report = Sanitizer.from_policy(folder / "policy.yaml").sanitize(
        note.encode(), name="n.txt", viewer="doctor"
    )
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def table(
    kind: str, *values: str, grants: str = "GRANT SELECT (id, name, ward) ON patient TO doctor;"
) -> str:
    rows = ", ".join(f"({at}, 'Nobody{at}', 'north', {value})" for at, value in enumerate(values))
    return (
        f"CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis {kind});"
        f"INSERT INTO patient VALUES {rows}; GRANT SELECT ON patient TO app; {grants}"
    )


# Columns of every type: the viewer may not select them, and what a reader reads as their value goes.
TYPES = [
    ("CREATE TYPE ill AS ENUM ('lupus', 'gout');", "ill[]", "'{lupus,gout}'", "lupus and gout"),
    ("CREATE DOMAIN ill AS text;", "ill[]", "'{lupus,gout}'", "lupus and gout"),
    ("CREATE TYPE ill AS (code text, word text);", "ill", "ROW('M32', 'lupus')", "M32, lupus"),
    ("CREATE TYPE ill AS (code text, word text);", "ill[]", "ARRAY[ROW('M32', 'lupus')::ill]", "M32, lupus"),
    ("CREATE TYPE span AS RANGE (subtype = text);", "span", "'[lupus,mumps)'", "lupus to mumps"),
    ("CREATE TYPE span AS RANGE (subtype = text);", "span[]", "ARRAY['[lupus,mumps)'::span]", "lupus to mumps"),
    ("CREATE TYPE ill AS (since daterange, fee money, seen timestamp, place point, nets cidr[]);", "ill[]",
     "ARRAY[ROW('[2020-01-05,2020-02-10)', 52000, '1980-03-12 14:35', '(12.5,7.25)', '{10.1.0.0/16}')::ill]",
     "5 January 2020, 9 February 2020, 52,000, 12 March 1980, 12.5, 7.25, 10.1.0.0"),
    ("", "jsonb", """'{"seen": "1980-03-12T14:35:20Z"}'""", "12 March 1980"),
    ("", "jsonb", """'{"lupus": true, "more": ["gout", {"x": "scurvy"}]}'""", "lupus gout scurvy"),
    ("", "money", "52000.5", "52,000.50 or 52000.5"),
    ("", "money[]", "ARRAY[52000::money, 61000::money]", "52k or 61,000"),
    ("", "daterange", "'[2020-01-05,2020-02-10)'", "5 January 2020, 9 February 2020, 2020-02-10"),
    ("", "int4range", "'[4100,5701)'", "4100 to 5700"),
    ("", "datemultirange", "'{[2020-01-05,2020-02-10)}'", "5 January 2020"),
    ("", "interval", "'45 days'", "45 days"),
    ("", "interval", "'90 minutes'", "90 minutes"),
    ("", "interval", "'2 years'", "2 years"),
    ("", "interval", "'1 year 2 months 3 days'", "1 year 2 months 3 days"),
    ("", "inet", "'10.0.0.5/24'", "10.0.0.5"),
    ("", "macaddr", "'08:00:2b:01:02:03'", "08-00-2B-01-02-03, 08:00:2b:01:02:03, 08002b010203"),
    ("", "uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11, a0eebc999c0b4ef8bb6d6bb9bd380a11"),
    ("", "time", "'14:30'", "14:30, 14.30, 14h30, 2:30pm, 2.30 pm"),
    ("", "timetz", "'09:00+02'", "09:00, 9am"),
    ("", "timestamp", "'1980-03-12 14:35'", "12 March 1980 at 14:35, 1980-03-12T14:35:00, 12.03.1980 14.35"),
    ("", "timestamp", "'1980-03-12 14:35:20'", "12/03/80, 2:35pm and 14:35:20 on 12 March 1980"),
    ("", "timestamptz[]", "'{1980-03-12 09:00+00}'", "9am on 12 March 1980, March 12, 1980 9:00 AM"),
    ("", "tsvector", "'lupus:1 gout:2'", "lupus and gout"),
    ("", "text", "'lupus; gout'", "lupus and gout"),
    ("", "text", "'lupus, gout'", "lupus and gout"),
    ("", "text", "E'lupus\\ngout'", "lupus and gout"),
    ("", "text", "'lupus|gout/scurvy'", "lupus, gout and scurvy"),
    ("", "text", """'["lupus", "gout"]'""", "lupus and gout"),
    ("", "text", "'{lupus,gout}'", "lupus and gout"),
    ("", "numeric[]", "'{12.50,7000}'", "12.5, 7,000"),
    ("", "text", "'12/03/1980'", "12 March 1980, 1980-03-12"),
    ("", "text", "'$52,000.00'", "52000, 52k"),
    ("", "jsonb", """'{"x": "lupus; gout"}'""", "lupus and gout"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "kind", "value", "written"), TYPES, ids=lambda value: str(value)[:24])
def test_a_denied_column_of_any_type_is_found(
    before: str, kind: str, value: str, written: str, url: str, tmp_path: Path
) -> None:
    run(as_owner(url), f"{before} {table(kind, value, 'NULL')}")
    left = released(url, tmp_path, f"It says {written} here.")
    words = [word for word in written.replace(",", " ").split() if word not in ("and", "or", "to")]
    assert not [word for word in words if word in left.replace("_", " ").split()]


@pytest.mark.parametrize(
    ("kind", "value", "said"), [("bytea", "'lupus'", "holds bytes"), ("bytea[]", "'{lupus}'", "bytea")]
)
def test_bytes_that_no_text_spells_are_refused(
    kind: str, value: str, said: str, url: str, tmp_path: Path
) -> None:
    run(as_owner(url), table(kind, value))
    with pytest.raises(EffaceError, match=f"diagnosis .*{said}"):
        released(url, tmp_path, "lupus")


# A column without a grant, however it is named and wherever the query uses it.
GRANTED = "GRANT SELECT (id, name, ward) ON patient TO doctor; GRANT SELECT ON patient, shown TO app;"
SHOWN = (
    "CREATE VIEW shown WITH (security_invoker = true) AS SELECT id, name, ward, {} AS diagnosis FROM patient;"
)
HIDDEN_ROWS = "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY none ON patient USING (false);"


@pytest.mark.parametrize("column", ["krankheitä", "ill (old)", 'a"b', "Größe?"])
def test_a_denied_column_by_any_name_is_denied(column: str, url: str, tmp_path: Path) -> None:
    quoted = '"' + column.replace('"', '""') + '"'
    run(
        as_owner(url),
        f"CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, {quoted} text);"
        "INSERT INTO patient SELECT at, 'x' || at, 'north', 'lupus' FROM generate_series(1, 3) AS at;"
        f"{SHOWN.format(quoted)} {GRANTED} GRANT SELECT ON shown TO doctor; {HIDDEN_ROWS}",
    )
    assert "lupus" not in released(url, tmp_path, "Somebody has lupus.", "shown")


def test_a_denied_column_that_only_a_condition_uses_is_denied(url: str, tmp_path: Path) -> None:
    asks = "CASE WHEN EXISTS (SELECT FROM patient AS q WHERE q.id = patient.id AND secret) THEN 'ill' ELSE 'well' END"
    run(
        as_owner(url),
        "CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, secret boolean);"
        "INSERT INTO patient VALUES (1, 'Ng', 'north', true), (2, 'Roe', 'south', false);"
        f"{SHOWN.format(asks)} {GRANTED} GRANT SELECT ON shown TO doctor",
    )
    assert released(url, tmp_path, "Ng: ill. Roe: well.", "shown") == "Ng: [DIAGNOSIS_1]. Roe: [DIAGNOSIS_2]."


ILL = "CASE WHEN {} THEN 'ill' ELSE 'well' END AS diagnosis"
RENAMED = {
    "by the query": f"SELECT a AS id, b AS name, c AS ward, {ILL.format('d')} FROM patient AS p(a, b, c, d)",
    "within a condition": "SELECT id, name, ward, "
    + ILL.format("EXISTS (SELECT FROM patient AS q(a, b, c, d) WHERE a = patient.id AND d)")
    + " FROM patient",
    "within a whole row": "SELECT id, name, ward, "
    + ILL.format("secret AND false OR to_jsonb(patient) ->> 'more' = 'x'")
    + " FROM patient",
    "beside a query of the table's name": "WITH patient AS (SELECT id, name, ward, false AS secret FROM public.patient),"
    f" o AS (SELECT id, secret FROM public.patient) SELECT id, name, ward, {ILL.format('o.secret')} FROM patient JOIN o USING (id)",
}


@pytest.mark.parametrize("kind", RENAMED)
def test_a_denied_column_under_another_name_is_denied(kind: str, url: str, tmp_path: Path) -> None:
    run(
        as_owner(url),
        "CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, secret boolean, more text);"
        "INSERT INTO patient VALUES (1, 'Ng', 'north', true, 'x'), (2, 'Roe', 'south', false, 'y');"
        "GRANT SELECT (id, name, ward) ON patient TO doctor; GRANT SELECT ON patient TO app",
    )
    left = released(url, tmp_path, "Ng: ill. Roe: well.", f'"{RENAMED[kind]}"')
    assert left == "Ng: [DIAGNOSIS_1]. Roe: [DIAGNOSIS_2]."


def test_rows_chosen_by_a_denied_column_under_another_name_are_denied(url: str, tmp_path: Path) -> None:
    run(as_owner(url), table("text", "'lupus'", "NULL"))
    query = (
        "SELECT a AS id, b AS name, c AS ward, c AS diagnosis FROM patient AS p(a, b, c, d) WHERE d IS NULL"
    )
    assert released(url, tmp_path, "Nobody1 is not ill.", query) == "[NAME_1] is not ill."


# How many rows are taken is in no plan.
COUNTS = {
    "a limit": "(SELECT count(*) FROM (SELECT FROM generate_series(1, 9) LIMIT patient.secret::integer) AS few) = 1",
    "an offset": "NOT EXISTS (SELECT FROM generate_series(1, 1) OFFSET patient.secret::integer)",
}


@pytest.mark.parametrize("kind", COUNTS)
def test_a_number_of_rows_that_a_denied_column_gives_denies_everything(
    kind: str, url: str, tmp_path: Path
) -> None:
    run(
        as_owner(url),
        "CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, secret boolean);"
        "INSERT INTO patient VALUES (1, 'Ng', 'north', true), (2, 'Roe', 'south', false);"
        "GRANT SELECT (id, name, ward) ON patient TO doctor; GRANT SELECT ON patient TO app",
    )
    query = f'"SELECT id, name, ward, {ILL.format(COUNTS[kind])} FROM patient"'
    assert "ll" not in released(url, tmp_path, "Ng: ill. Roe: well.", query)


# Names that could be taken for others.


def test_a_column_named_as_the_digest_names_its_row_hides_no_change(url: str, tmp_path: Path) -> None:
    hidden = f"{HIDDEN_ROWS} GRANT SELECT ON patient TO doctor; ALTER TABLE patient ADD entities text;"
    run(as_owner(url), table("text", "'lupus'", "'gout'", grants=hidden))
    assert "lupus" not in released(url, tmp_path, "lupus")
    run(as_owner(url), "UPDATE patient SET diagnosis = 'plague' WHERE id = 0")
    assert "plague" not in released(url, tmp_path, "plague")


def test_a_point_in_a_name_parts_no_schema_from_its_table(url: str, tmp_path: Path) -> None:
    """The table `public`.`old.patient` is not the table `public.old`.`patient`, of which the viewer sees every row."""
    run(
        as_owner(url),
        'DROP SCHEMA IF EXISTS "public.old" CASCADE; CREATE SCHEMA "public.old"; GRANT USAGE ON SCHEMA "public.old" TO doctor;'
        + table("text", "'lupus'", "'gout'")
        + 'CREATE TABLE "public.old".patient AS SELECT * FROM patient; GRANT SELECT ON "public.old".patient TO doctor;'
        'ALTER TABLE patient RENAME TO "old.patient"; ALTER TABLE "old.patient" ENABLE ROW LEVEL SECURITY;',
    )
    assert "Nobody1" not in released(url, tmp_path, "Nobody1", "'\"old.patient\"'")


def test_a_control_character_in_a_key_is_no_question_about_a_value(url: str, tmp_path: Path) -> None:
    run(
        as_owner(url),
        "CREATE TABLE person (id text PRIMARY KEY, name text, ward text, diagnosis text);"
        "INSERT INTO person VALUES ('a', 'Ng', 'north', 'lupus'), (E'a\\x1ediagnosis', 'Roe', 'south', 'gout');"
        "GRANT SELECT ON person TO app, doctor; ALTER TABLE person ENABLE ROW LEVEL SECURITY;"
        "CREATE POLICY part ON person USING (id = 'a')",
    )
    assert released(url, tmp_path, "Ng lupus, Roe gout", "person") == "Ng lupus, [NAME_1] [DIAGNOSIS_1]"


# Queries whose answer depends on who asks: efface's own login must be shown everything, or what it is not shown stays.
ROWS = (
    "CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis text);"
    "INSERT INTO patient VALUES (1, 'Ng', 'north', 'lupus'), (2, 'Roe', 'south', 'gout'), (3, 'Lund', 'north', 'flu');"
    "CREATE TABLE duty (login text, ward text); INSERT INTO duty VALUES ('doctor', 'north');"
    "CREATE TABLE visit (patient integer, login text, ill text); INSERT INTO visit VALUES (1, 'hr', 'mumps');"
    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO app, doctor;"
)
VIEW = "CREATE VIEW shown WITH (security_invoker = true) AS {}; GRANT SELECT ON shown TO app, doctor;"


@dataclass(frozen=True, slots=True)
class Asking:
    """A view that asks who is asking, and the same with efface's login let in."""

    closed: str
    mended: str


ASKING = {
    "rows by the user": Asking(
        "SELECT p.* FROM patient p JOIN duty USING (ward) WHERE login = current_user",
        "SELECT p.* FROM patient p WHERE current_user = 'app' OR ward IN (SELECT ward FROM duty WHERE login = current_user)",
    ),
    "rows by a setting": Asking(
        "SELECT * FROM patient WHERE ward = current_setting('app.ward', true)",
        "SELECT * FROM patient WHERE current_user = 'app' OR ward = current_setting('app.ward', true)",
    ),
    "a value by membership": Asking(
        "SELECT id, name, ward, CASE WHEN pg_has_role('hr', 'USAGE') THEN diagnosis END AS diagnosis FROM patient",
        "SELECT id, name, ward, CASE WHEN current_user = 'app' THEN diagnosis END AS diagnosis FROM patient",
    ),
    "a mask": Asking(
        "SELECT id, name, ward, CASE current_user WHEN 'hr' THEN diagnosis ELSE '***' END AS diagnosis FROM patient",
        "SELECT id, name, ward, CASE current_user WHEN 'app' THEN diagnosis ELSE '***' END AS diagnosis FROM patient",
    ),
    "a joined value": Asking(
        "SELECT p.id, name, ward, ill AS diagnosis FROM patient p LEFT JOIN visit ON patient = p.id AND login = current_user",
        "SELECT p.id, name, ward, ill AS diagnosis FROM patient p LEFT JOIN visit ON patient = p.id"
        " AND current_user IN (login, 'app')",
    ),
    "a value of a view below": Asking(
        "SELECT id, name, ward, upper(word) AS diagnosis FROM (SELECT *, CASE USER WHEN 'hr' THEN diagnosis END AS word"
        " FROM patient OFFSET 0) AS below",
        "SELECT id, name, ward, upper(word) AS diagnosis FROM (SELECT *, CASE USER WHEN 'doctor' THEN '' ELSE diagnosis END"
        " AS word FROM patient) AS below",
    ),
    "a value joined together": Asking(
        "SELECT p.id, name, ward, array_agg(ill) AS diagnosis FROM patient p LEFT JOIN visit ON patient = p.id"
        " AND login = current_user GROUP BY p.id",
        "SELECT p.id, name, ward, array_agg(ill) AS diagnosis FROM patient p LEFT JOIN visit ON patient = p.id"
        " AND current_user IN (login, 'app') GROUP BY p.id",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ASKING)
def test_a_query_that_hides_something_from_effaces_own_login_is_refused(
    kind: str, url: str, tmp_path: Path
) -> None:
    run(as_owner(url), ROWS + VIEW.format(ASKING[kind].closed))
    with pytest.raises(PolicyError, match="who asks") as caught:
        released(url, tmp_path, "Ng: lupus, mumps. Roe: gout.", "shown")
    assert "app" in caught.value.hint
    run(as_owner(url), "DROP VIEW shown; " + VIEW.format(ASKING[kind].mended))
    left = released(url, tmp_path, "Ng: lupus, mumps. Roe: gout.", "shown")
    assert "gout" not in left or "visit" in ASKING[kind].mended
    assert "mumps" not in left or "visit" not in ASKING[kind].mended


def test_parts_of_a_list_that_the_viewer_does_not_see_are_found(url: str, tmp_path: Path) -> None:
    """`string_agg` makes one text of several rows, of which row-level security shows the viewer some."""
    run(
        as_owner(url),
        f"{ROWS} INSERT INTO visit VALUES (1, 'doctor', 'cholera'); ALTER TABLE visit ENABLE ROW LEVEL SECURITY;"
        "CREATE POLICY own ON visit USING (login = current_user)",
    )
    query = (
        "SELECT p.id, name, ward, string_agg(ill, ', ') AS diagnosis FROM patient p"
        " LEFT JOIN visit ON patient = p.id GROUP BY p.id"
    )
    left = released(url, tmp_path, "Ng had mumps and cholera.", query)
    assert "mumps" not in left and "Ng had" in left


def test_a_locked_table_ends_a_reading_and_says_so(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("efface.knowledge.databases.connections_postgres._LOCK_TIMEOUT", "20ms")
    run(as_owner(url), table("text", "'lupus'", "'gout'", grants="GRANT SELECT ON patient TO doctor;"))
    assert "lupus" in released(url, tmp_path, "lupus")
    engine(url).dispose()
    with sa.create_engine(as_owner(url), poolclass=sa.NullPool).begin() as other:
        other.exec_driver_sql("LOCK TABLE patient IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(EffaceError, match="locked") as caught:
            released(url, tmp_path, "lupus")
    assert "again" in caught.value.hint
