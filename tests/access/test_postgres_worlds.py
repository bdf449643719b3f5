"""Worlds of a hostile or forgetful DBA: what `held` leaves in a note is compared with what the viewer's own login sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.access import Denial
from efface.access.postgres import PostgresAccess
from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import InputError, PolicyError
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.real_postgres import as_login, disposed, real_postgres, run

ROLES = "CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; CREATE ROLE hr; GRANT doctor TO app;"
SETUP = """
DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;
ALTER ROLE app RESET ALL; ALTER ROLE doctor RESET ALL;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis text);
INSERT INTO patient VALUES (1, 'Ngabc', 'northa', 'lupusa'), (2, 'Roeabc', 'southa', 'gouta'), (3, 'Lundabc', 'westa', 'flua');
GRANT SELECT ON patient TO app, doctor;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: "{url}"
    entities: {entities}
    key: {key}
    identifying: [name, ward]
    sensitive: [diagnosis]
    access: {access}
guarantees:
  - k-safety: {{over: patients, k: all, protect: denied}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP)
    yield server
    disposed(server, "postgres", "app")


def sanitizer(
    url: str, folder: Path, entities: str = "patient", key: str = "id", login: str = "app"
) -> Sanitizer:
    access = "postgres"
    if login == "login":
        access = f'{{postgres: {{login: "{as_login(url, "{viewer}")}"}}}}'
    mine = as_login(url, "postgres" if login == "postgres" else "app")
    (folder / "policy.yaml").write_text(POLICY.format(url=mine, entities=entities, key=key, access=access))
    return Sanitizer.from_policy(folder / "policy.yaml")


def released(made: Sanitizer, note: str) -> str:
    report = made.sanitize(note.encode(), name="n.txt", viewer="doctor")
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def hidden_from(url: str, login: str) -> set[str]:
    """The values of all patients that this login does not see, which are all where it is refused."""
    everything, seen = set[str](), set[str]()
    question = "SELECT name, ward, diagnosis FROM public.patient"
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        everything.update(value for row in connection.exec_driver_sql(question) for value in row)
    try:
        with sa.create_engine(as_login(url, login), poolclass=sa.NullPool).connect() as connection:
            seen.update(value for row in connection.exec_driver_sql(question) for value in row)
    except sa.exc.DBAPIError:
        pass
    return everything - seen


NOTE = "Ngabc, northa, lupusa. Roeabc, southa, gouta. Lundabc, westa, flua."
# Policies that ask who connected, in ways that no search for `session_user` finds. Each shows the doctor patient 1.
ME = "CREATE FUNCTION me() RETURNS text LANGUAGE {} AS {}; CREATE POLICY part ON patient USING (me() = '{}' OR id = 1);"
PART = "CREATE POLICY part ON patient USING ({} OR id = 1);"
ASKS_THE_SESSION = {
    "a name that is put together": PART.format("current_setting('ro' || 'le') = 'doctor'"),
    "a name in other quotes": ME.format("sql STABLE", "$f$ SELECT current_setting($$role$$) $f$", "doctor"),
    "a name in a table": "CREATE TABLE names (n text); INSERT INTO names VALUES ('session_authorization');"
    "GRANT SELECT ON names TO PUBLIC;" + PART.format("(SELECT current_setting(n) FROM names) = 'app'"),
    "a function in quotes": ME.format("sql STABLE", "$f$ SELECT \"current_setting\"('role') $f$", "doctor"),
    "a function in escapes": ME.format("sql STABLE", "$f$ SELECT U&\"current\\005fsetting\"('role') $f$", "doctor"),
    "a statement that shows": ME.format(
        "plpgsql", "$f$ DECLARE r text; BEGIN EXECUTE 'SHOW role' INTO r; RETURN r; END $f$", "doctor"
    ),
    "a statement that is put together": ME.format(
        "plpgsql", "$f$ DECLARE r text; BEGIN EXECUTE 'SH' || 'OW session_auth' || 'orization' INTO r; RETURN r; END $f$", "app"
    ),
    "what a domain checks": "CREATE FUNCTION who() RETURNS text LANGUAGE sql STABLE AS 'SELECT session_user::text';"
    "CREATE DOMAIN asked AS text CHECK (who() = 'app' OR value <> 'x'); CREATE FUNCTION ok(text) RETURNS boolean LANGUAGE"
    " plpgsql AS $$ BEGIN PERFORM 'x'::asked; RETURN true; EXCEPTION WHEN check_violation THEN RETURN false; END $$;"
    + PART.format("ok(name)"),
    "a setting of the server's own": "ALTER ROLE app SET work_mem = '7MB';"
    + PART.format("current_setting('work_mem') = '7MB'"),
    "the patience of the session": PART.format("current_setting('statement_timeout') = '5s'"),
    "how the session isolates": PART.format("current_setting('transaction_isolation') = 'repeatable read'"),
    "the list of settings": PART.format(
        "(SELECT setting FROM pg_settings WHERE name = 'statement_timeout') = '5000'"
    ),
    "its prepared statements": PART.format("EXISTS (SELECT FROM pg_prepared_statements)"),
    "its portals": PART.format("EXISTS (SELECT FROM pg_cursors)"),
    "its locks": PART.format("(SELECT count(*) FROM pg_locks WHERE pid <> 0) > 5"),
    "names of time zones": "ALTER ROLE app SET timezone_abbreviations = 'India';"
    + PART.format("'2020-01-01 00:00 IST'::timestamptz = '2019-12-31 18:30+00'"),
}  # fmt: skip


@pytest.mark.parametrize("login", ["app", "postgres", "login"])
@pytest.mark.parametrize("world", ASKS_THE_SESSION)
def test_a_policy_that_asks_the_session_shows_no_more_than_the_login(
    world: str, login: str, url: str, tmp_path: Path
) -> None:
    run(url, f"ALTER TABLE patient ENABLE ROW LEVEL SECURITY; {ASKS_THE_SESSION[world]}")
    hidden = hidden_from(url, "doctor")
    assert {"Roeabc", "gouta"} <= hidden
    try:
        left = released(sanitizer(url, tmp_path, login=login), NOTE)
    except PolicyError as refused:
        assert refused.hint
        return
    assert not [value for value in hidden if value in left]


SAYS = "LANGUAGE sql STABLE AS 'SELECT session_user::text'"
OPENS = """
CREATE TYPE kind AS ENUM ('x'); ALTER TABLE patient ADD open kind DEFAULT 'x';
CREATE FUNCTION opens(kind) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT session_user = ''app''';
CREATE CAST (kind AS boolean) WITH FUNCTION opens(kind) {};
"""
# Functions that ask who connected, where the text of the policy does not show that they are called.
ASKS_UNSEEN = {
    "a question in a text": PART.format(
        "EXISTS (SELECT FROM ts_stat('SELECT to_tsvector(''simple'', session' || '_user)') WHERE word = 'app')"
    ),
    "a function of the server by another name": "CREATE FUNCTION me() RETURNS name LANGUAGE internal AS 'session_user';"
    + PART.format("me() = 'app'"),
    "a function among the server's own": f"CREATE OR REPLACE FUNCTION pg_catalog.me_() RETURNS text {SAYS};"
    + PART.format("me_() = 'app'"),
    "a name with a quote": f'CREATE FUNCTION "m""e"() RETURNS text {SAYS};' + PART.format("\"m\"\"e\"() = 'app'"),
    "a name in capitals": f"CREATE FUNCTION m$e() RETURNS text {SAYS};"
    + ME.format("sql STABLE", "$f$ SELECT M$E() $f$", "app"),
    "a cast that is not written": OPENS.format("AS IMPLICIT") + PART.format("open"),
    "a cast to a type of the server's": OPENS.format("") + PART.format("open::boolean"),
    "how values are told apart": "CREATE TYPE pair AS (a integer); CREATE FUNCTION same(pair, pair) RETURNS boolean"
    " LANGUAGE sql STABLE AS 'SELECT session_user <> ''app'''; CREATE OPERATOR = (LEFTARG = pair, RIGHTARG = pair,"
    " FUNCTION = same); ALTER TABLE patient ADD open pair DEFAULT ROW(1);"
    "CREATE POLICY part ON patient USING (open IS DISTINCT FROM ROW(2)::pair OR id < 2)",
}  # fmt: skip


@pytest.mark.parametrize("world", ASKS_UNSEEN)
def test_a_question_that_the_policy_does_not_show_is_refused(world: str, url: str, tmp_path: Path) -> None:
    run(url, f"ALTER TABLE patient ENABLE ROW LEVEL SECURITY; {ASKS_UNSEEN[world]}")
    assert {"Roeabc", "gouta"} <= hidden_from(url, "doctor")
    with pytest.raises(PolicyError, match="cannot answer as the viewer would"):
        released(sanitizer(url, tmp_path), NOTE)


def test_what_a_policy_may_ask_for_is_answered(url: str, tmp_path: Path) -> None:
    asks = (
        "current_setting('app.ward', true) = ward OR current_setting('TimeZone') = 'x' OR current_user = 'hr'"
    )
    run(
        url,
        f"ALTER TABLE patient ENABLE ROW LEVEL SECURITY; ALTER ROLE doctor SET app.ward = 'northa';"
        f"CREATE FUNCTION ok(ward text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN {asks}; END $$;"
        f"CREATE POLICY part ON patient USING (ok(ward))",
    )
    left = released(sanitizer(url, tmp_path), NOTE)
    assert "lupusa" in left and "gouta" not in left


@pytest.mark.parametrize("login", ["app", "postgres", "login"])
@pytest.mark.parametrize("given", [("PGTZ", "Asia/Tokyo"), ("PGOPTIONS", "-c app.ward=southa")])
def test_the_environment_of_efface_is_not_the_viewers(
    given: tuple[str, str], login: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = "extract(timezone FROM now()) <> 0 OR current_setting('app.ward', true) = ward"
    run(url, f"ALTER TABLE patient ENABLE ROW LEVEL SECURITY; {PART.format(far)}")
    monkeypatch.setenv(*given)
    with pytest.raises(PolicyError, match=r"timezone|app\.ward"):
        released(sanitizer(url, tmp_path, login=login), NOTE)


# Functions in the query that hide values from everybody but hr, and so from efface itself.
HR = "CASE WHEN {} = 'hr' THEN diagnosis ELSE 'none' END AS diagnosis"
HIDES = {
    "itself": ("CREATE FUNCTION me() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT current_user::text'", HR.format("me()")),
    "behind another": (
        "CREATE FUNCTION who() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT current_user::text';"
        "CREATE FUNCTION me() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT who()'",
        HR.format("me()"),
    ),
    "with a parsed body": (
        "CREATE FUNCTION me() RETURNS text LANGUAGE sql IMMUTABLE RETURN current_user::text",
        HR.format("me()"),
    ),
    "of the server by another name": (
        "CREATE FUNCTION told(text) RETURNS text LANGUAGE internal IMMUTABLE AS 'show_config_by_name'",
        HR.format("told('session_authorization')"),
    ),
    "as a cast": (
        "CREATE TYPE shown AS (x text); CREATE FUNCTION shown(text) RETURNS shown LANGUAGE sql IMMUTABLE AS"
        " $$ SELECT ROW(CASE WHEN current_user = 'hr' THEN $1 ELSE 'none' END)::shown $$;"
        "CREATE CAST (text AS shown) WITH FUNCTION shown(text)",
        "(diagnosis::shown).x AS diagnosis",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", HIDES)
def test_a_function_that_asks_who_is_asking_is_refused(kind: str, url: str, tmp_path: Path) -> None:
    made, column = HIDES[kind]
    run(url, made)
    with pytest.raises(PolicyError, match="asks who is asking"):
        released(
            sanitizer(url, tmp_path, f"SELECT id, name, ward, {column} FROM patient", login="login"), NOTE
        )


def test_a_function_that_asks_nobody_is_used(url: str, tmp_path: Path) -> None:
    run(
        url,
        "CREATE FUNCTION short(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT pg_catalog.lower($1)'",
    )
    query = "SELECT id, name, ward, short(diagnosis) AS diagnosis FROM patient"
    assert released(sanitizer(url, tmp_path, query), NOTE) == NOTE


KEYS = {
    "an enum": ("CREATE TYPE kind AS ENUM ('x', 'y');", "kind", "'x'", "'y'"),
    "an address": ("", "inet", "'10.0.0.1'", "'10.0.0.2'"),
    "a span": ("", "interval", "'1 mon'", "'2 days'"),
    "a range": ("", "int4range", "'[1,2)'", "'[2,3)'"),
    "a time": ("", "time", "'10:00'", "'11:00'"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_of_two_columns_is_asked_about_in_its_own_types(kind: str, url: str, tmp_path: Path) -> None:
    before, type, mine, other = KEYS[kind]
    run(
        url,
        f"{before} CREATE TABLE visit (a {type}, b integer, name text, ward text, diagnosis text, PRIMARY KEY (a, b));"
        f"INSERT INTO visit VALUES ({mine}, 1, 'Ngabc', 'northa', 'lupusa'), ({other}, 1, 'Roeabc', 'southa', 'gouta');"
        "GRANT SELECT ON visit TO app, doctor; ALTER TABLE visit ENABLE ROW LEVEL SECURITY;"
        "CREATE POLICY part ON visit USING (name = 'Ngabc')",
    )
    left = released(sanitizer(url, tmp_path, "visit", "[a, b]"), "Ngabc: lupusa. Roeabc: gouta.")
    assert left == "Ngabc: lupusa. [NAME_1]: [DIAGNOSIS_1]."


def _with_column(url: str, type: str, value: str) -> None:
    run(
        url,
        f"DROP TABLE patient; CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text, diagnosis {type});"
        f"INSERT INTO patient VALUES (1, 'Ngabc', 'northa', {value}); GRANT SELECT ON patient TO app;"
        "GRANT SELECT (id, name, ward) ON patient TO doctor",
    )


@pytest.mark.parametrize(
    ("type", "value", "written"),
    [("point", "'(12.5,7.25)'", "12.5, 7.25"), ("cidr", "'10.1.0.0/16'", "10.1.0.0 or 10.1.0.0/16")],
)
def test_parts_of_a_denied_value_are_found(
    type: str, value: str, written: str, url: str, tmp_path: Path
) -> None:
    _with_column(url, type, value)
    left = released(sanitizer(url, tmp_path), f"It says {written} here.")
    assert not [word for word in written.replace(",", "").split() if word != "or" and word in left]


@pytest.mark.parametrize(
    ("type", "value", "said"),
    [("tsquery", "'lupus & gout'", "tsquery"), ("jsonpath", "'$.lupus'", "jsonpath"),
     ("macaddr[]", "'{08:00:2b:01:02:03}'", "macaddr"), ("date", "'infinity'", "none that a program can hold")],
)  # fmt: skip
def test_values_that_no_text_spells_are_refused(
    type: str, value: str, said: str, url: str, tmp_path: Path
) -> None:
    _with_column(url, type, value)
    with pytest.raises(InputError, match=said) as refused:
        released(sanitizer(url, tmp_path), "lupus")
    assert "SELECT" in refused.value.hint


def test_a_column_that_is_taken_while_a_row_is_given_denies_everything(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the change the viewer may select diagnoses and sees nobody, after it everybody and no diagnosis."""
    run(url, "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (false)")
    ask = PostgresAccess.denied_entities
    changes = ["ALTER POLICY part ON patient USING (true); REVOKE SELECT ON patient FROM doctor;"
               "GRANT SELECT (id, name, ward) ON patient TO doctor"]  # fmt: skip

    def asked(access: PostgresAccess, ids: Any) -> Denial:
        if changes:
            run(url, changes.pop())
        return ask(access, ids)

    monkeypatch.setattr(PostgresAccess, "denied_entities", asked)
    assert "lupusa" not in released(sanitizer(url, tmp_path), NOTE)
    assert not changes


def test_a_column_that_is_generated_otherwise_is_read_again(url: str, tmp_path: Path) -> None:
    run(
        url,
        "CREATE TABLE made (id integer PRIMARY KEY, name text, place text GENERATED ALWAYS AS ('alder') VIRTUAL);"
        "INSERT INTO made VALUES (1, 'x')",
    )
    knowledge = Knowledge(database=url, entities="made", key="id", identifying=("place",), follow=True)
    sources.follow(knowledge, tmp_path)
    assert "alder" in sources.index_of("people", knowledge, tmp_path)
    run(url, "ALTER TABLE made ALTER COLUMN place SET EXPRESSION AS ('birch')")
    after = sources.index_of("people", knowledge, tmp_path)
    assert "birch" in after and "alder" not in after


def test_columns_whose_names_change_places_are_read_again(url: str, tmp_path: Path) -> None:
    """The rows are the same afterwards, and the column that the viewer may select is called otherwise."""
    run(url, "REVOKE SELECT ON patient FROM doctor; GRANT SELECT (id, name, ward) ON patient TO doctor")
    made = sanitizer(url, tmp_path)
    assert released(made, "Ngabc: lupusa") == "Ngabc: [DIAGNOSIS_1]"
    run(
        url,
        "ALTER TABLE patient RENAME name TO x; ALTER TABLE patient RENAME diagnosis TO name; ALTER TABLE patient RENAME x TO diagnosis",
    )
    assert released(made, "Ngabc: lupusa") == "Ngabc: [NAME_1]"


@pytest.mark.parametrize("login", ["app", "postgres"])
def test_a_function_on_the_viewers_path_is_not_called_by_efface_itself(
    login: str, url: str, tmp_path: Path
) -> None:
    """It fits better than the server's own. A sequence tells of calls even when they are rolled back."""
    run(
        url,
        "DROP SCHEMA IF EXISTS own CASCADE; CREATE SCHEMA own AUTHORIZATION doctor; SET ROLE doctor; CREATE SEQUENCE own.calls;"
        "CREATE FUNCTION own.set_config(varchar, varchar, boolean) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
        " PERFORM nextval('own.calls'); RETURN $2; END $$; GRANT USAGE ON SCHEMA own TO app; GRANT USAGE ON SEQUENCE own.calls TO"
        " app; RESET ROLE; ALTER ROLE doctor SET search_path = own, pg_catalog; ALTER ROLE doctor SET timezone = 'UTC'",
    )
    assert released(sanitizer(url, tmp_path, login=login), NOTE) == NOTE
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        assert not connection.exec_driver_sql("SELECT is_called FROM own.calls").scalar_one()
