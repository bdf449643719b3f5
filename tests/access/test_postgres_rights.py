"""A real server decides: efface's login must see everything, and the viewer's own session says what a viewer reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.access.database import PostgresAccess
from efface.access.postgres_rights import require_full_visibility
from efface.cli.main import app
from efface.errors import EffaceError, InputError, PolicyError
from efface.knowledge.databases.relation import Relation, engine
from efface.knowledge.databases.sql import SqlSource
from efface.knowledge.entities.sources import ColumnRoles
from tests.real_postgres import as_login, real_postgres, run

SETUP = """
CREATE ROLE keeper LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE doctor LOGIN; CREATE ROLE clerk LOGIN;
GRANT doctor, clerk TO reader;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis text);
ALTER TABLE patient OWNER TO keeper;
INSERT INTO patient VALUES (1, 'Ng', 'north', 'flu'), (2, 'Roe', 'south', 'gout'), (3, 'Lund', 'north', 'gout');
CREATE TABLE visit (patient integer, room text);
ALTER TABLE visit OWNER TO keeper;
INSERT INTO visit VALUES (1, 'A7'), (2, 'B9');
GRANT SELECT ON patient, visit TO reader, doctor;
GRANT SELECT (id, name, ward) ON patient TO clerk;
"""
NAMES = ("name", "ward", "diagnosis")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(SETUP) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    """The server, put back afterwards to what SETUP made."""
    yield server
    run(
        server,
        "ALTER ROLE doctor RESET ALL; ALTER ROLE reader RESET ALL; ALTER ROLE postgres RESET ALL;"
        "ALTER ROLE reader NOBYPASSRLS;"
        "ALTER TABLE patient DISABLE ROW LEVEL SECURITY; ALTER TABLE patient NO FORCE ROW LEVEL SECURITY;"
        "ALTER TABLE visit DISABLE ROW LEVEL SECURITY;"
        "DROP POLICY IF EXISTS part ON patient; DROP POLICY IF EXISTS part ON visit;"
        "DROP VIEW IF EXISTS shown; DROP MATERIALIZED VIEW IF EXISTS kept;"
        "DROP FUNCTION IF EXISTS tenant();"
        "GRANT SELECT ON patient TO reader, doctor",
    )
    for login in ("postgres", "reader", "keeper"):
        engine(as_login(server, login)).dispose()


def access(url: str, viewer: str, entities: str = "patient", **options: str) -> PostgresAccess:
    columns = tuple(options.pop("columns", ",".join(NAMES)).split(","))
    login = options.pop("login", "")
    session = {name.replace("_", "."): value for name, value in options.items()}
    return PostgresAccess(Relation(url, entities, ("id",)), viewer, session, columns, login)


# 1. efface's own login


def test_a_login_that_row_security_binds_is_refused_with_the_statement_that_mends_it(url: str) -> None:
    relation = Relation(as_login(url, "reader"), "patient", ("id",))
    require_full_visibility(relation, NAMES)
    run(
        url,
        "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (ward = 'north')",
    )
    with pytest.raises(PolicyError) as caught:
        require_full_visibility(relation, NAMES)
    assert "row-level security leaves out rows of patient for reader" in caught.value.message
    assert (
        "ALTER ROLE reader BYPASSRLS" in caught.value.hint and "GRANT keeper TO reader" in caught.value.hint
    )
    with pytest.raises(InputError):  # nor does the server hand out what is left
        list(SqlSource(relation.url, "patient", ColumnRoles(("id",), NAMES)))
    run(url, "ALTER ROLE reader BYPASSRLS")
    require_full_visibility(relation, NAMES)
    assert len(list(SqlSource(relation.url, "patient", ColumnRoles(("id",), NAMES)))) == 3


@pytest.mark.parametrize("command", [["policy", "check"], ["doctor", "--policy"]])
def test_commands_refuse_a_login_that_row_security_binds(
    url: str, tmp_path: Path, command: list[str]
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"efface: 1\nknowledge:\n  people:\n    database: {as_login(url, 'reader')}\n    entities: patient\n"
        "    key: id\n    identifying: [name]\n    access: postgres\n"
        "guarantees:\n  - k-safety: {over: people, k: 2, protect: denied}\n"
    )
    assert "leaves out rows" not in _said([*command, str(policy)])[1]
    run(
        url,
        "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (ward = 'north')",
    )
    code, said = _said([*command, str(policy)])
    assert code != 0 and "leaves out rows of patient for reader" in said
    assert "ALTER ROLE reader BYPASSRLS" in said


def _said(command: list[str]) -> tuple[int, str]:
    found = CliRunner().invoke(app, command)
    error = found.exception
    told = f"{error.message} {error.hint}" if isinstance(error, EffaceError) else ""
    return found.exit_code, " ".join(f"{found.output} {told}".split())


def test_an_owner_is_bound_where_row_security_is_forced(url: str) -> None:
    relation = Relation(as_login(url, "keeper"), "patient", ("id",))
    run(url, "ALTER TABLE patient ENABLE ROW LEVEL SECURITY")
    require_full_visibility(relation, NAMES)
    run(url, "ALTER TABLE patient FORCE ROW LEVEL SECURITY")
    with pytest.raises(PolicyError) as caught:
        require_full_visibility(relation, NAMES)
    assert "ALTER TABLE patient NO FORCE ROW LEVEL SECURITY" in caught.value.hint


def test_row_security_behind_a_view_binds_the_views_owner(url: str) -> None:
    run(url, "CREATE VIEW shown AS SELECT * FROM patient; ALTER VIEW shown OWNER TO reader")
    run(url, "ALTER TABLE patient ENABLE ROW LEVEL SECURITY")
    with pytest.raises(PolicyError, match="for reader"):
        require_full_visibility(Relation(url, "shown", ("id",)), NAMES)


def test_a_column_without_a_grant_is_refused_with_the_grant(url: str) -> None:
    relation = Relation(as_login(url, "reader"), "SELECT id, name, diagnosis FROM patient", ("id",))
    run(url, "REVOKE SELECT ON patient FROM reader, doctor; GRANT SELECT (id, name) ON patient TO reader")
    with pytest.raises(PolicyError) as caught:
        require_full_visibility(relation, ("name", "diagnosis"))
    assert "diagnosis" in caught.value.message
    assert caught.value.hint == "GRANT SELECT ON patient TO reader;"


def test_a_function_that_may_read_tables_is_refused(url: str) -> None:
    run(url, "CREATE FUNCTION tenant() RETURNS text LANGUAGE sql STABLE AS 'SELECT max(room) FROM visit'")
    query = "SELECT id, name || tenant() AS name FROM patient"
    with pytest.raises(PolicyError, match="tenant"):
        require_full_visibility(Relation(url, query, ("id",)), ("name",))


# 2. values, not keys

JOINED = (
    "SELECT patient.id, patient.name, visit.room FROM patient LEFT JOIN visit ON visit.patient = patient.id"
)


def test_a_left_join_that_shows_the_viewer_null_denies_the_value(url: str) -> None:
    reader = access(url, "doctor", JOINED, columns="name,room")
    assert reader.denied_entities(["1", "2"]).values == {}
    run(url, "ALTER TABLE visit ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON visit USING (room = 'B9')")
    denial = reader.denied_entities(["1", "2", "3"])
    assert denial.denied == set()
    assert denial.values == {"1": {"room"}}


def test_an_aggregate_over_hidden_rows_denies_the_value(url: str) -> None:
    query = "SELECT ward AS id, string_agg(name, ' ' ORDER BY name) AS name FROM patient GROUP BY ward"
    run(
        url,
        "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (name <> 'Ng')",
    )
    denial = access(url, "doctor", query, columns="name").denied_entities(["north", "south"])
    assert not denial.denied
    assert denial.values == {"north": {"name"}}


def test_a_view_that_masks_for_the_viewer_denies_the_value(url: str) -> None:
    run(
        url,
        "CREATE VIEW shown WITH (security_invoker = true) AS SELECT id, name, "
        "CASE WHEN current_user = 'doctor' AND ward = 'north' THEN '***' ELSE diagnosis END AS diagnosis"
        " FROM patient; GRANT SELECT ON shown TO doctor",
    )
    denial = access(url, "doctor", "shown", columns="name,diagnosis").denied_entities(["1", "2", "3"])
    assert not denial.denied
    assert denial.values == {"1": {"diagnosis"}, "3": {"diagnosis"}}


# 3. the viewer's own session


def _tenants(url: str, expression: str) -> None:
    run(
        url,
        "ALTER TABLE patient ENABLE ROW LEVEL SECURITY;"
        f"CREATE POLICY part ON patient USING (ward = {expression})",
    )


def test_settings_of_the_viewers_role_are_in_force(url: str) -> None:
    _tenants(url, "current_setting('app.tenant', true)")
    assert access(url, "doctor").denied_entities(["1", "2"]).denied == {"1", "2"}
    run(url, "ALTER ROLE doctor SET app.tenant = 'north'")
    assert access(url, "doctor").denied_entities(["1", "2"]).denied == {"2"}
    assert access(url, "doctor", app_tenant="south").denied_entities(["1", "2"]).denied == {"1"}


def test_a_setting_of_effaces_own_role_is_refused(url: str) -> None:
    _tenants(url, "current_setting('app.tenant', true)")
    run(url, "ALTER ROLE postgres SET app.tenant = 'south'")
    engine(url).dispose()
    with pytest.raises(PolicyError) as caught:
        access(url, "doctor").denied_entities(["1", "2"])
    assert "app.tenant" in caught.value.message and "RESET app.tenant" in caught.value.hint
    run(url, "ALTER ROLE doctor SET app.tenant = 'north'")  # the viewer's own overrules it
    assert access(url, "doctor").denied_entities(["1", "2"]).denied == {"2"}


def test_session_user_is_the_viewer(url: str) -> None:
    _tenants(url, "CASE session_user WHEN 'doctor' THEN 'north' ELSE ward END")
    assert access(url, "doctor").denied_entities(["1", "2"]).denied == {"2"}


def test_a_login_that_can_only_take_the_role_refuses_a_policy_on_the_session(url: str) -> None:
    _tenants(url, "CASE session_user WHEN 'doctor' THEN 'north' ELSE ward END")
    run(url, "ALTER ROLE reader BYPASSRLS")
    weak = as_login(url, "reader")
    with pytest.raises(PolicyError) as caught:
        access(weak, "doctor").denied_entities(["1", "2"])
    assert "The policy part on patient uses SESSION_USER" in caught.value.message
    login = weak.replace("reader", "{viewer}", 1)
    assert access(weak, "doctor", login=login).denied_entities(["1", "2"]).denied == {"2"}


def test_what_a_function_hides_from_the_policy_is_found(url: str) -> None:
    run(url, "CREATE FUNCTION tenant() RETURNS text LANGUAGE sql STABLE AS 'SELECT inet_client_addr()::text'")
    _tenants(url, "tenant()")
    with pytest.raises(PolicyError, match="inet_client_addr"):
        access(url, "doctor").denied_entities(["1"])


def test_a_login_that_is_not_the_viewers_is_refused(url: str) -> None:
    with pytest.raises(PolicyError, match="does not log in as the viewer"):
        access(url, "doctor", login=as_login(url, "clerk")).denied_entities(["1"])


# 5. columns of views, materialised views


@pytest.mark.parametrize("entities", ["shown", "SELECT id, name, ward, diagnosis FROM patient"])
def test_one_denied_column_of_a_view_denies_that_column_only(url: str, entities: str) -> None:
    run(
        url,
        "CREATE VIEW shown WITH (security_invoker = true) AS SELECT id, name, ward, diagnosis FROM patient;"
        "GRANT SELECT ON shown TO clerk",
    )
    reader = access(url, "clerk", entities)
    assert reader.denied_columns(NAMES).denied == {"diagnosis"}
    denial = reader.denied_entities(["1", "2", "9"])
    assert denial.denied == {"9"}
    assert denial.values == {}


def test_a_materialised_view_is_refused_with_advice_that_works(url: str) -> None:
    run(url, "CREATE MATERIALIZED VIEW kept AS SELECT * FROM patient; GRANT SELECT ON kept TO doctor")
    with pytest.raises(PolicyError) as caught:
        access(url, "doctor", "kept").denied_entities(["1"])
    assert "CREATE VIEW" in caught.value.hint and "ALTER VIEW" not in caught.value.hint
