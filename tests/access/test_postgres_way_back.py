"""Code that a viewer wrote runs where policies call it; it must not get at the rights of efface's login."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from efface.access.database import PostgresAccess
from efface.errors import PolicyError
from efface.knowledge.databases.relation import Relation, engine
from tests.real_postgres import as_login, real_postgres, run

ROLES = "CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; GRANT doctor TO app;"
SETUP = """
DROP SCHEMA IF EXISTS public, doctor CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;
ALTER ROLE doctor RESET ALL; CREATE SCHEMA doctor AUTHORIZATION doctor;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text);
INSERT INTO patient VALUES (1, 'Ng', 'north'), (2, 'Roe', 'south'); GRANT SELECT ON patient TO app, doctor;
CREATE FUNCTION is_mine(ward text) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT ward = 'north' $$;
CREATE FUNCTION works(ward text) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN {}; END';
ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (works(ward));
"""
BODY = "LANGUAGE plpgsql AS $$ BEGIN {} RETURN current_user <> 'doctor'; END $$;"
LEAVES = BODY.format("PERFORM set_config('role', 'none', true);")
PATH = "ALTER ROLE doctor SET search_path = doctor, pg_catalog, public;"
# What the policy's function calls, and what the viewer made to be called in its place.
TROJANS = {
    "a function of the same name": ("is_mine(ward)", f"CREATE FUNCTION is_mine(ward text) RETURNS boolean {LEAVES}"),
    "a function of the server's": ("lower(ward) = ''north''",
                                   "CREATE FUNCTION lower(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM"
                                   " set_config('role', 'none', true); RETURN 'north'; END $$;"),
    "an operator": ("ward = ''north''", f"CREATE FUNCTION same(text, text) RETURNS boolean {LEAVES}"
                    "CREATE OPERATOR = (leftarg = text, rightarg = text, function = same);"),
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


def asked(url: str, login: str) -> frozenset[str]:
    relation = Relation(as_login(url, login), "patient", ("id",))
    try:
        return PostgresAccess(relation, "doctor", {}, ("name",)).denied_entities(["1", "2"]).denied
    finally:
        engine(relation.url).dispose()


@pytest.mark.parametrize("login", ["app", "postgres"])
@pytest.mark.parametrize("kind", TROJANS)
def test_what_a_viewer_wrote_does_not_run_within_reach_of_effaces_login(
    kind: str, login: str, server: str
) -> None:
    called, made = TROJANS[kind]
    run(server, SETUP.format(called))
    assert asked(server, login) == {"2"}
    run(as_login(server, "doctor"), f"SET search_path = doctor, public; {made} {PATH}")
    with pytest.raises(PolicyError, match="viewer's own to write") as refused:
        asked(server, login)
    assert "login" in refused.value.hint


HIDDEN_STATEMENTS = {
    "put together": "EXECUTE 'RES' || 'ET SESS' || 'ION AUTHORIZATION';",
    "in escapes": r"DO E'BEGIN RES\105T SESSION AUTHORIZATION; END';",
    "as a text": "PERFORM query_to_xml('SELECT set_' || 'config(''session_authorization'', ''postgres'', true)', true, true, '');",
}  # fmt: skip


@pytest.mark.parametrize("kind", HIDDEN_STATEMENTS)
def test_what_somebody_else_wrote_does_not_take_back_a_superusers_rights(kind: str, server: str) -> None:
    """A colleague's function of the name of the server's own, which the viewer's search path leads to."""
    run(server, SETUP.format("lower(ward) = ''north''") + "CREATE FUNCTION doctor.lower(text) RETURNS text LANGUAGE plpgsql AS"
        f" $$ BEGIN {HIDDEN_STATEMENTS[kind]} RETURN pg_catalog.lower($1); END $$; {PATH}")  # fmt: skip
    with pytest.raises(PolicyError, match="leave the viewer's role"):
        asked(server, "postgres")


@pytest.mark.parametrize(
    "statement",
    ["PERFORM set_config(''role'', ''none'', true);", "SET LOCAL ROLE NONE;", "RESET ROLE;", "SET LOCAL SESSION AUTHORIZATION DEFAULT;"],
)  # fmt: skip
def test_a_policy_that_leaves_the_role_is_refused(statement: str, server: str) -> None:
    run(server, SETUP.format("true").replace("BEGIN", f"BEGIN {statement}"))
    with pytest.raises(PolicyError, match="leave the viewer's role"):
        asked(server, "app")


def test_a_policy_that_sets_something_of_its_own_is_asked(server: str) -> None:
    sets = "BEGIN PERFORM set_config(''app.asked'', ward, true);"
    run(server, SETUP.format("ward = ''north''").replace("BEGIN", sets))
    assert asked(server, "app") == {"2"}
