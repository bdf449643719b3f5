"""What a DBA does every day: comments in a query, read-only logins, viewers in other time zones, a forgotten GRANT."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from efface.core import Report, Verdict
from efface.errors import InputError, PolicyError
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.access.test_postgres_worlds import sanitizer
from tests.real_postgres import as_login, disposed, real_postgres, run

ODD = "Dr O'Rao 100%"
ROLES = f'CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; CREATE ROLE "{ODD}" LOGIN;'
SETUP = f"""
DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;
ALTER ROLE app RESET ALL; ALTER ROLE doctor RESET ALL; GRANT doctor, "{ODD}" TO app;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis text);
INSERT INTO patient VALUES (1, 'Ngabc', 'northa', 'lupusa'), (2, 'Roeabc', 'southa', 'gouta');
GRANT SELECT ON patient TO app, PUBLIC;
ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON patient USING (id = 1);
"""
NOTE = "Ngabc, northa, lupusa. Roeabc, southa, gouta."
SHOWN = "Ngabc, northa, lupusa. [NAME_1], [WARD_1], [DIAGNOSIS_1]."


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres() as address:
        run(address, ROLES)
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP)
    yield server
    disposed(server, "postgres", "app")


def report_of(
    url: str, folder: Path, entities: str = "patient", viewer: str = "doctor", note: str = NOTE
) -> Report:
    made = sanitizer(url, folder, f"'{entities}'")
    return made.sanitize(note.encode(), name="n.txt", viewer=viewer)


def released(report: Report) -> str:
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


@pytest.mark.parametrize(
    "entities",
    [
        "SELECT * FROM patient -- all of them",
        "-- all\n\nSELECT * FROM patient",
        "/* all * of them */ SELECT * FROM patient;",
        "(SELECT * FROM patient)",
        '"patient"',
        'public."patient"',
        '"public".patient',
    ],
)
def test_a_query_may_be_written_as_in_psql(entities: str, url: str, tmp_path: Path) -> None:
    assert released(report_of(url, tmp_path, entities)) == SHOWN


@pytest.mark.parametrize(
    ("entities", "hint"),
    [
        ("Patient", "capitals"),
        ("SELECT a.*, b.* FROM patient AS a, patient AS b", "Two columns have one name"),
        ("WITH gone AS (DELETE FROM patient RETURNING *) SELECT * FROM gone", "may not write"),
    ],
)
def test_a_query_that_is_not_taken_says_why(entities: str, hint: str, url: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as refused:
        report_of(url, tmp_path, entities)
    assert hint in refused.value.hint


def test_a_login_that_only_reads_will_do(url: str, tmp_path: Path) -> None:
    run(url, "ALTER ROLE app SET default_transaction_read_only = on")
    assert released(report_of(url, tmp_path)) == SHOWN


def test_a_viewer_with_any_name_is_asked(url: str, tmp_path: Path) -> None:
    assert released(report_of(url, tmp_path, viewer=ODD)) == SHOWN


def test_a_role_that_was_not_granted_denies_everything_and_says_so(url: str, tmp_path: Path) -> None:
    run(url, "REVOKE doctor FROM app")
    report = report_of(url, tmp_path)
    assert "lupusa" not in released(report)
    assert any("GRANT the role" in note for note in report.notes)


def test_a_viewer_in_another_time_zone_is_shown_the_same_moments(url: str, tmp_path: Path) -> None:
    """Both the key and a value of a view are moments; of the second visit the view hides the diagnosis."""
    run(
        url,
        "CREATE TABLE visit (id timestamptz PRIMARY KEY, name text, ward timestamptz, diagnosis text);"
        "INSERT INTO visit VALUES ('2020-01-01 00:00+00', 'Ngabc', '2020-02-01 10:00+00', 'lupusa'),"
        "('2020-01-02 00:00+00', 'Roeabc', '2020-03-01 10:00+00', 'gouta');"
        "GRANT SELECT ON visit TO app, doctor; ALTER ROLE doctor SET TimeZone = 'Asia/Tokyo';"
        "CREATE VIEW shown WITH (security_invoker) AS SELECT id, name, ward, CASE WHEN name = 'Ngabc' OR current_user = 'app'"
        " THEN diagnosis END AS diagnosis FROM visit; GRANT SELECT ON shown TO app, doctor",
    )
    note = "Ngabc came on 1 February 2020 with lupusa, Roeabc on 1 March 2020 with gouta."
    left = released(report_of(url, tmp_path, "shown", note=note))
    assert left == note.replace("gouta", "[DIAGNOSIS_1]")


@pytest.mark.parametrize("type", ["box", "circle", "polygon"])
def test_shapes_are_refused(type: str, url: str, tmp_path: Path) -> None:
    value = {"box": "((1,2),(3,4))", "circle": "<(1,2),3>", "polygon": "((1,2),(3,4))"}[type]
    run(url, f"ALTER TABLE patient ALTER diagnosis TYPE {type} USING '{value}'")
    with pytest.raises(InputError, match=type) as refused:
        report_of(url, tmp_path)
    assert "SELECT" in refused.value.hint


def test_a_record_of_changes_that_may_not_be_read_says_so(url: str, tmp_path: Path) -> None:
    knowledge = Knowledge(database=url, entities="patient", key="id", identifying=("name",), follow=True)
    sources.follow(knowledge, tmp_path)
    ours = knowledge.model_copy(update={"database": as_login(url, "app")})
    with pytest.raises(InputError, match="may not read") as refused:
        sources.index_of("people", ours, tmp_path)
    assert "GRANT SELECT ON efface_changes" in refused.value.hint
    run(url, "GRANT SELECT ON efface_changes TO app")
    assert "ngabc" in sources.index_of("people", ours, tmp_path)


KEYS = {
    "bytea": r"'\x01'", "jsonb": "'{}'", "json": "'{}'", "integer[]": "'{1}'", "text[]": "'{a}'", "point": "'(1,2)'",
    "int4multirange": "'{[1,2)}'", "some_bytes": r"'\x01'",
}  # fmt: skip


@pytest.mark.parametrize("type", KEYS)
def test_a_key_that_rows_cannot_be_asked_for_by_is_refused(type: str, url: str, tmp_path: Path) -> None:
    run(
        url,
        "DROP DOMAIN IF EXISTS some_bytes; CREATE DOMAIN some_bytes AS bytea; DROP POLICY one ON patient;"
        f"ALTER TABLE patient DROP id; ALTER TABLE patient ADD id {type} DEFAULT {KEYS[type]}",
    )
    with pytest.raises(PolicyError, match=f"id is of the type {re.escape(type)}") as refused:
        report_of(url, tmp_path)
    assert "AS text" in refused.value.hint
    run(url, "DROP TABLE patient")


@pytest.mark.parametrize("type", ["jsonb", "text[]", "bytea"])
def test_such_a_key_as_a_text_will_do(type: str, url: str, tmp_path: Path) -> None:
    made = {"jsonb": "to_jsonb(name)", "text[]": "ARRAY[name]", "bytea": "convert_to(name, 'UTF8')"}[type]
    as_text = "encode(code, ''hex'')" if type == "bytea" else "CAST(code AS text)"
    run(url, f"ALTER TABLE patient ADD code {type}; UPDATE patient SET code = {made}")
    entities = f"SELECT {as_text} AS id, name, ward, diagnosis FROM patient"
    assert released(report_of(url, tmp_path, entities)) == SHOWN
