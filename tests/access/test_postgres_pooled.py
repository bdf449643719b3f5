"""Sessions that somebody used before: a pool between efface and the server gives them on as they were left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.errors import PolicyError
from tests.access.test_postgres_worlds import NOTE, ROLES, SETUP, released, sanitizer
from tests.real_postgres import disposed, real_postgres, run

psycopg = pytest.importorskip("psycopg")
WARDS = """
ALTER TABLE patient ENABLE ROW LEVEL SECURITY;
CREATE POLICY one ON patient USING (id = 1 OR current_setting('app.ward', true) = ward);
CREATE SCHEMA IF NOT EXISTS other; GRANT USAGE ON SCHEMA other TO PUBLIC;
DROP TABLE IF EXISTS other.patient; CREATE TABLE other.patient AS SELECT * FROM patient WHERE id = 1;
GRANT SELECT ON other.patient TO PUBLIC; GRANT hr TO app;
"""
LEFT = {
    "a role": "SET ROLE doctor",
    "the rights of another": "SET ROLE hr",
    "a search path": "SET search_path = other",
    "a setting that no policy reads": "SET app.team = 'southa'",
    "row security": "SET row_security = on",
    "a table of the session": (
        "CREATE TEMP TABLE IF NOT EXISTS patient AS SELECT * FROM public.patient;"
        "GRANT SELECT ON pg_temp.patient TO PUBLIC"
    ),
    "a view of the session": (
        "CREATE OR REPLACE TEMP VIEW patient AS SELECT * FROM public.patient; GRANT SELECT ON pg_temp.patient TO PUBLIC"
    ),
    "a type of the session": "DROP TYPE IF EXISTS pg_temp.patient; CREATE TYPE pg_temp.patient AS (id int)",
    "nothing but reading": "SET default_transaction_read_only = on",
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP + WARDS)
    yield server
    disposed(server, "postgres", "app")


@contextmanager
def left_behind(statement: str) -> Iterator[None]:
    """Every session comes with what somebody left behind in it, if the session's login may do so."""

    def leave(connection: Any, _record: object, _proxy: object) -> None:
        with suppress(psycopg.errors.InsufficientPrivilege), connection.cursor() as cursor:
            cursor.execute(statement)
            connection.commit()
        connection.rollback()

    sa.event.listen(sa.pool.Pool, "checkout", leave)
    try:
        yield
    finally:
        sa.event.remove(sa.pool.Pool, "checkout", leave)


@pytest.mark.parametrize("login", ["app", "login"])
@pytest.mark.parametrize("left", LEFT)
def test_what_was_left_in_a_session_gives_nobody_elses_rights(
    left: str, login: str, url: str, tmp_path: Path
) -> None:
    made = sanitizer(url, tmp_path, login=login)
    with left_behind(LEFT[left]):
        assert released(made, NOTE) == (
            "Ngabc, northa, lupusa. [NAME_1], [WARD_1], [DIAGNOSIS_1]. [NAME_2], [WARD_2], [DIAGNOSIS_2]."
        )


@pytest.mark.parametrize("login", ["app", "login"])
def test_a_setting_that_was_left_and_a_policy_reads_is_refused(login: str, url: str, tmp_path: Path) -> None:
    made = sanitizer(url, tmp_path, login=login)
    with left_behind("SET app.ward = 'southa'"), pytest.raises(PolicyError, match=r"app\.ward") as refused:
        released(made, NOTE)
    assert "pool" in refused.value.hint


def test_a_name_that_the_server_would_cut_off_has_no_rights(url: str, tmp_path: Path) -> None:
    long = 63 * "d"
    run(
        url,
        f"CREATE ROLE {long} LOGIN; GRANT {long} TO app; GRANT SELECT ON patient TO {long};"
        f"CREATE POLICY all_of_them ON patient TO {long} USING (true)",
    )
    made = sanitizer(url, tmp_path)
    for viewer, is_shown in ((long, True), (f"{long}d", False)):
        report = made.sanitize(NOTE.encode(), name="n.txt", viewer=viewer)
        assert report.released is not None and (b"gouta" in report.released) is is_shown
