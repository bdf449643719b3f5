"""Nobody gets more from a release than from their own login: the server is asked both ways and the answers compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from efface.access.database import PostgresAccess
from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import PolicyError
from efface.knowledge.databases.relation import Relation, engine
from tests.real_postgres import as_login, disposed, real_postgres, run

ROLES = """
CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; CREATE ROLE restricted;
GRANT doctor, restricted TO app;
"""
SETUP = """
DROP SCHEMA IF EXISTS public, doctor, tenant CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;
ALTER ROLE app RESET ALL; ALTER ROLE doctor RESET ALL; ALTER ROLE doctor LOGIN VALID UNTIL 'infinity' CONNECTION LIMIT -1;
DROP EVENT TRIGGER IF EXISTS at_login;
GRANT CONNECT ON DATABASE postgres TO PUBLIC; REVOKE restricted FROM doctor;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text);
CREATE TABLE duty (login text, ward text);
INSERT INTO patient VALUES (1, 'Ng', 'north'), (2, 'Roe', 'south'), (3, 'Lund', 'north');
INSERT INTO duty VALUES ('doctor', 'north'), ('app', 'north'), ('app', 'south');
GRANT SELECT ON patient, duty TO app, doctor, restricted;
ALTER TABLE patient ENABLE ROW LEVEL SECURITY;
"""
NORTH_FOR = "CREATE POLICY part ON patient USING ({} OR ward = 'north');"
MINE = "CREATE POLICY part ON patient USING (ward IN (SELECT ward FROM {}));"
# What a DBA or a viewer did. Of each the viewer's own login shows at most the patients 1 and 3.
WORLDS = {
    "a table of the viewer's own making": "CREATE POLICY part ON patient USING (ward = 'north');"
    "CREATE SCHEMA doctor AUTHORIZATION doctor; CREATE TABLE doctor.patient AS TABLE patient;"
    "UPDATE doctor.patient SET name = NULL; ALTER TABLE doctor.patient OWNER TO doctor",
    "a role that is taken at login": NORTH_FOR.format("current_user <> 'restricted'")
    + "GRANT restricted TO doctor; ALTER ROLE doctor SET role = 'restricted'",
    "a role that the viewer lacks and set": NORTH_FOR.format("current_user = 'restricted'")
    + "SET ROLE doctor; ALTER ROLE doctor SET role = 'restricted'; RESET ROLE",
    "a role that the viewer has, and may not set": NORTH_FOR.format("current_user = 'restricted'")
    + "GRANT restricted TO doctor WITH SET FALSE; ALTER ROLE doctor SET role = 'restricted'",
    "a role that is no more": NORTH_FOR.format("current_user = 'gone'")
    + "CREATE ROLE gone; GRANT gone TO doctor; ALTER ROLE doctor SET role = 'gone'; DROP ROLE gone",
    "a search path of the viewer's": "CREATE SCHEMA tenant; CREATE TABLE tenant.duty AS SELECT * FROM duty LIMIT 1;"
    "GRANT USAGE ON SCHEMA tenant TO PUBLIC; GRANT SELECT ON tenant.duty TO PUBLIC;"
    "CREATE FUNCTION works(text) RETURNS boolean LANGUAGE plpgsql STABLE AS "
    "'BEGIN RETURN EXISTS (SELECT FROM duty WHERE ward = $1); END';"
    "CREATE POLICY part ON patient USING (works(ward)); ALTER ROLE doctor SET search_path = tenant, public",
    "a search path of efface's": "CREATE SCHEMA tenant; ALTER TABLE duty SET SCHEMA tenant;"
    "CREATE TABLE duty AS SELECT * FROM tenant.duty LIMIT 1; GRANT SELECT ON duty TO PUBLIC;"
    "GRANT USAGE ON SCHEMA tenant TO PUBLIC; CREATE FUNCTION works(text) RETURNS boolean LANGUAGE plpgsql STABLE AS "
    "'BEGIN RETURN EXISTS (SELECT FROM duty WHERE ward = $1); END';"
    "CREATE POLICY part ON patient USING (works(ward)); ALTER ROLE app SET search_path = tenant, public",
    "a time zone of the viewer's": NORTH_FOR.format("current_setting('TimeZone') <> 'Asia/Tokyo'")
    + "ALTER ROLE doctor SET TimeZone = 'Asia/Tokyo'",
    "a time zone of efface's": NORTH_FOR.format("current_setting('TimeZone') = 'Asia/Tokyo'")
    + "ALTER ROLE app SET TimeZone = 'Asia/Tokyo'",
    "the login asked by another table's policy": MINE.format("duty")
    + "ALTER TABLE duty ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON duty USING (login = session_user)",
    "the login asked by a view in the policy": "CREATE VIEW mine AS SELECT * FROM duty WHERE login = session_user;"
    "GRANT SELECT ON mine TO PUBLIC;" + MINE.format("mine"),
    "the login asked by a function with a parsed body": "CREATE FUNCTION me() RETURNS text LANGUAGE sql STABLE "
    "RETURN session_user;" + NORTH_FOR.format("me() = 'app'"),
    "the login asked by an operator": "CREATE FUNCTION near(text, text) RETURNS boolean LANGUAGE sql STABLE AS "
    "$$SELECT session_user = 'app' OR $1 = $2$$; CREATE OPERATOR === (leftarg = text, rightarg = text, "
    "function = near); CREATE POLICY part ON patient USING (ward === 'north')",
    "the login asked by an aggregate": "CREATE FUNCTION last_of(text, text) RETURNS text LANGUAGE sql STABLE AS "
    "$$SELECT session_user::text$$; CREATE AGGREGATE who(text) (sfunc = last_of, stype = text);"
    + NORTH_FOR.format("(SELECT who(login) FROM duty) = 'app'"),
    "a role that may not log in": "ALTER ROLE doctor NOLOGIN; CREATE POLICY part ON patient USING (true)",
    "a role whose time is up": "ALTER ROLE doctor VALID UNTIL '2001-01-01';"
    "CREATE POLICY part ON patient USING (ward = 'north')",
    "a role that may not connect once": "ALTER ROLE doctor CONNECTION LIMIT 0; CREATE POLICY part ON patient USING (true)",
    "a role whose queries are refused": "ALTER ROLE doctor SET row_security = off; CREATE POLICY part ON patient USING (true)",
    "a database closed to the role": "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC;"
    "GRANT CONNECT ON DATABASE postgres TO app; CREATE POLICY part ON patient USING (true)",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP)
    yield server
    disposed(server, "postgres", "app")


def shown_to(url: str, login: str) -> set[str]:
    """The patients that a real login sees."""
    try:
        with sa.create_engine(as_login(url, login), poolclass=sa.NullPool).connect() as connection:
            return {str(id) for id in connection.exec_driver_sql("SELECT id FROM public.patient").scalars()}
    except sa.exc.DBAPIError:
        return set()


@pytest.mark.parametrize("login", ["app", "postgres"])
@pytest.mark.parametrize("world", WORLDS)
def test_a_viewer_is_shown_no_more_than_by_their_own_login(world: str, login: str, url: str) -> None:
    run(url, WORLDS[world])
    shown = shown_to(url, "doctor")
    assert shown <= {"1", "3"}
    reader = PostgresAccess(
        Relation(as_login(url, login), "patient", ("id",)), "doctor", {}, ("name", "ward")
    )
    try:
        denied = reader.denied_entities(["1", "2", "3"]).denied
    except PolicyError as refused:
        assert login == "app" and refused.hint, "a superuser's session is the viewer's own"
        return
    assert {"1", "2", "3"} - shown <= denied


@pytest.mark.parametrize("login", ["app", "postgres"])
@pytest.mark.parametrize("world", [name for name in WORLDS if name.startswith("a role that the viewer")])
def test_a_role_that_the_server_does_not_give_changes_nothing(world: str, login: str, url: str) -> None:
    run(url, WORLDS[world])
    reader = PostgresAccess(Relation(as_login(url, login), "patient", ("id",)), "doctor", {}, ("name",))
    denial = reader.denied_entities(["1", "2", "3"])
    assert denial.denied == frozenset({"2"})
    assert not denial.note


@pytest.mark.parametrize("login", ["app", "postgres"])
def test_what_the_server_runs_at_login_ran_for_efface_and_is_refused(login: str, url: str) -> None:
    run(
        url,
        NORTH_FOR.format("current_setting('app.who') <> 'doctor'")
        + "CREATE FUNCTION note_who() RETURNS event_trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM set_config('app.who', session_user, false); END $$;"
        "CREATE EVENT TRIGGER at_login ON login EXECUTE FUNCTION note_who()",
    )
    assert shown_to(url, "doctor") == {"1", "3"}
    relation = Relation(as_login(url, login), "patient", ("id",))
    with pytest.raises(PolicyError, match="at_login") as refused:
        PostgresAccess(relation, "doctor").denied_entities(["2"])
    assert "login" in refused.value.hint
    by_login = PostgresAccess(relation, "doctor", login=url.replace("postgres:@", "{viewer}:@"))
    assert by_login.denied_entities(["1", "2", "3"]).denied == {"2"}


def test_settings_in_the_url_are_not_the_viewers(url: str) -> None:
    run(url, NORTH_FOR.format("ward = current_setting('app.tenant', true)"))
    given = f"{as_login(url, 'app')}&options=-c%20app.tenant%3Dsouth"
    reader = PostgresAccess(Relation(given, "patient", ("id",)), "doctor")
    with pytest.raises(PolicyError, match=r"app\.tenant"):
        reader.denied_entities(["2"])
    engine(given).dispose()
    named = PostgresAccess(Relation(given, "patient", ("id",)), "doctor", {"app.tenant": "north"})
    assert named.denied_entities(["1", "2"]).denied == {"2"}
    engine(given).dispose()


MASKED = """
CREATE POLICY part ON patient USING (true); UPDATE patient SET ward = 'south' WHERE id = 1;
CREATE VIEW shown WITH (security_invoker = true) AS SELECT id, name,
  CASE WHEN current_user = 'doctor' AND id = 1 THEN NULL ELSE ward END AS ward FROM patient;
GRANT SELECT ON shown TO app, doctor;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients: {{database: "{url}", entities: shown, identifying: [name, ward], access: postgres}}
guarantees:
  - k-safety: {{over: patients, k: 2, protect: denied{more}}}
"""


def test_a_mask_is_not_lost_where_columns_are_one_set(url: str, tmp_path: Path) -> None:
    run(url, MASKED)
    (tmp_path / "p.yaml").write_text(POLICY.format(url=as_login(url, "app"), more=""))
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(b"Ng, south", name="n.txt", viewer="doctor")
    assert report.verdict is Verdict.HELD and report.released == b"Ng, [WARD_1]"
    (tmp_path / "p.yaml").write_text(POLICY.format(url=as_login(url, "app"), more=", attributes: pooled"))
    with pytest.raises(PolicyError, match="pooled"):
        Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(b"Ng, south", name="n.txt", viewer="doctor")
