from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.access.database import PostgresAccess
from efface.errors import PolicyError
from efface.knowledge.databases.relation import Relation, engine
from efface.knowledge.entities.store import open_index
from efface.policy import knowledge as sources
from efface.policy.entries import Knowledge
from tests.real_postgres import real_postgres

SETUP = """
CREATE ROLE doctor LOGIN; CREATE ROLE clerk LOGIN; CREATE ROLE stranger LOGIN; CREATE ROLE "o'hara" LOGIN;
CREATE TABLE patient (id uuid PRIMARY KEY, number integer, name text, ward text, diagnosis text, salary text);
CREATE TABLE duty (login text, ward text);
INSERT INTO duty VALUES ('doctor', 'north'), ('o''hara', 'south');
INSERT INTO patient VALUES
  ('00000000-0000-0000-0000-000000000001', 1, 'Ng', 'north', 'flu', '10'),
  ('00000000-0000-0000-0000-000000000002', 2, 'Roe', 'south', 'hiv', '20');
GRANT SELECT ON duty TO PUBLIC;
GRANT SELECT (id, number, name, ward, diagnosis) ON patient TO doctor, "o'hara";
GRANT SELECT (id, number, name, ward, salary) ON patient TO clerk;
ALTER TABLE patient ENABLE ROW LEVEL SECURITY;
CREATE POLICY wards ON patient FOR SELECT
  USING (EXISTS (SELECT FROM duty WHERE duty.login = current_user AND duty.ward = patient.ward));
CREATE POLICY desk ON patient FOR SELECT TO clerk USING (ward = current_setting('app.desk', true));
CREATE VIEW open_patient AS SELECT id, ward FROM patient;
CREATE VIEW nested_patient WITH (security_invoker = true) AS SELECT id, ward FROM open_patient;
CREATE VIEW safe_patient WITH (security_invoker = on) AS SELECT id, ward FROM patient;
GRANT SELECT ON open_patient, nested_patient, safe_patient TO doctor, clerk;
"""
NORTH, SOUTH = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with real_postgres(SETUP) as address:
        yield address


def access(
    url: str, viewer: str | None, entities: str = "patient", key: str = "id", **session: str
) -> PostgresAccess:
    return PostgresAccess(
        Relation(url, entities, (key,)), viewer, {k.replace("_", "."): v for k, v in session.items()}
    )


def test_row_level_security_with_a_join_is_the_truth(url: str) -> None:
    assert access(url, "doctor").denied_entities([NORTH, SOUTH]).denied == {SOUTH}
    assert access(url, "o'hara").denied_entities([NORTH, SOUTH]).denied == {NORTH}
    assert access(url, "doctor", key="number").denied_entities(["1", "2", "3"]).denied == {"2", "3"}


def test_policies_may_read_session_variables(url: str) -> None:
    assert access(url, "clerk").denied_entities([NORTH, SOUTH]).denied == {NORTH, SOUTH}
    assert access(url, "clerk", app_desk="north").denied_entities([NORTH, SOUTH]).denied == {SOUTH}


def test_column_privileges(url: str) -> None:
    assert access(url, "doctor").denied_columns(["diagnosis", "salary", "name"]).denied == {"salary"}
    assert access(url, "clerk").denied_columns(["diagnosis", "salary"]).denied == {"diagnosis"}
    assert access(url, "stranger").denied_columns(["diagnosis", "name"]).denied == {"diagnosis", "name"}


@pytest.mark.parametrize(
    "viewer", [None, "nobody", "stranger", "x'; DROP TABLE patient; --", 'a"b', "%s", ""]
)
def test_unknown_ungranted_and_hostile_viewers_are_denied_everything(url: str, viewer: str | None) -> None:
    answer = access(url, viewer).denied_entities([NORTH, SOUTH])
    assert answer.denied == {NORTH, SOUTH}
    assert answer.reason


def test_views_with_their_owners_rights_are_refused_with_the_remedy(url: str) -> None:
    for view in ("open_patient", "nested_patient", "SELECT id, ward FROM open_patient"):
        with pytest.raises(PolicyError) as caught:
            access(url, "doctor", view).denied_entities([NORTH])
        assert "ALTER VIEW open_patient SET (security_invoker = true)" in caught.value.hint
    assert access(url, "doctor", "safe_patient").denied_entities([NORTH, SOUTH]).denied == {SOUTH}


def test_a_select_that_joins_is_asked_as_the_viewer(url: str) -> None:
    joined = "SELECT patient.id, duty.login FROM patient JOIN duty ON duty.ward = patient.ward"
    assert access(url, "doctor", joined).denied_entities([NORTH, SOUTH]).denied == {SOUTH}


def test_a_revoked_grant_is_obeyed_by_the_next_question(url: str) -> None:
    reader = access(url, "doctor")
    assert reader.denied_entities([NORTH]).denied == set()
    with engine(url).begin() as connection:
        connection.exec_driver_sql("UPDATE duty SET ward = 'east' WHERE login = 'doctor'")
    try:
        assert reader.denied_entities([NORTH]).denied == {NORTH}
    finally:
        with engine(url).begin() as connection:
            connection.exec_driver_sql("UPDATE duty SET ward = 'north' WHERE login = 'doctor'")


def test_a_killed_connection_denies_or_is_replaced_and_never_allows(url: str) -> None:
    reader = access(url, "doctor")
    reader.denied_entities([NORTH])
    killer = sa.create_engine(url, poolclass=sa.NullPool)
    with killer.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    assert SOUTH in reader.denied_entities([NORTH, SOUTH]).denied
    down = access(url.replace("/postgres", "/no_such_database"), "doctor")
    assert down.denied_entities([NORTH]).denied == {NORTH}


def test_a_followed_table_mends_the_index_and_overlapping_transactions_are_not_missed(
    url: str, tmp_path: Path
) -> None:
    with engine(url).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE person (id uuid PRIMARY KEY, name text)")
        connection.exec_driver_sql(f"INSERT INTO person VALUES ('{NORTH}', 'Ng')")
    knowledge = Knowledge(database=url, entities="person", key="id", identifying=("name",), follow=True)
    sources.follow(knowledge, tmp_path)

    def known(name: str) -> bool:
        return name in sources.index_of("people", knowledge, tmp_path)

    assert known("ng") and not known("roe")
    early = sa.create_engine(url, poolclass=sa.NullPool).connect()
    early.exec_driver_sql(f"INSERT INTO person VALUES ('{SOUTH}', 'Roe')")  # begun first, committed last
    with engine(url).begin() as connection:
        connection.exec_driver_sql(f"UPDATE person SET name = 'Muster' WHERE id = '{NORTH}'")
    assert known("muster") and not known("ng") and not known("roe")
    early.commit()
    early.close()
    assert known("roe") and known("muster")
    with engine(url).begin() as connection:
        connection.exec_driver_sql("DELETE FROM person WHERE name = 'Roe'")
    assert not known("roe")
    with engine(url).begin() as connection:
        connection.exec_driver_sql("TRUNCATE person")
    assert not known("muster")


def test_asking_leaves_nothing_behind(url: str) -> None:
    access(url, "doctor").denied_entities([NORTH])
    with engine(url).connect() as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar_one() == "postgres"
        probe = "SELECT count(*) FROM pg_class WHERE relname = 'efface_probe'"
        assert connection.exec_driver_sql(probe).scalar_one() == 0


def test_a_connection_killed_in_the_middle_of_a_question_denies_all_and_says_so(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Relation.rows

    def killed(self: Relation, connection: sa.Connection, *rest: Any) -> Any:
        process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        killer = sa.create_engine(url, poolclass=sa.NullPool)
        with killer.begin() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({process})")
        return ask(self, connection, *rest)

    reader = access(url, "doctor")
    monkeypatch.setattr(Relation, "rows", killed)
    denial = reader.denied_entities([NORTH, SOUTH])
    assert denial.denied == {NORTH, SOUTH} and "gave no answer" in denial.reason
    monkeypatch.undo()
    assert reader.denied_entities([NORTH, SOUTH]).denied == {SOUTH}


def test_an_entity_of_several_rows_is_denied_if_one_of_them_is(url: str) -> None:
    with engine(url).begin() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE stay (person integer, ward text); GRANT SELECT ON stay TO doctor;"
            "INSERT INTO stay VALUES (1, 'north'), (1, 'south'), (2, 'north'), (2, 'north'), (3, 'south');"
            "ALTER TABLE stay ENABLE ROW LEVEL SECURITY;"
            "CREATE POLICY wards ON stay FOR SELECT USING (ward = 'north')"
        )
    assert access(url, "doctor", "stay", "person").denied_entities(["1", "2", "3", "4"]).denied == {
        "1",
        "3",
        "4",
    }


def test_whoever_watches_hears_of_a_change_without_asking(url: str, tmp_path: Path) -> None:
    with engine(url).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE guest (id integer PRIMARY KEY, name text)")
    knowledge = Knowledge(database=url, entities="guest", key="id", identifying=("name",), follow=True)
    sources.follow(knowledge, tmp_path)
    steps = sources.watch("guests", knowledge, tmp_path, patience=0.05)
    assert next(steps), "the index is made"
    assert not next(steps), "nothing has happened"
    with engine(url).begin() as connection:
        connection.exec_driver_sql("INSERT INTO guest VALUES (1, 'Ng')")
    assert any(islice(steps, 200))
    assert "ng" in open_index(tmp_path / "guests.index"), "seen without a reading"
    del steps


def test_following_again_keeps_the_last_change_of_each_entity(url: str, tmp_path: Path) -> None:
    with engine(url).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE visitor (id integer PRIMARY KEY, name text)")
    knowledge = Knowledge(database=url, entities="visitor", key="id", identifying=("name",), follow=True)
    sources.follow(knowledge, tmp_path)
    for statement in (
        "INSERT INTO visitor VALUES (71, 'Ng'), (72, 'Roe')",
        *["UPDATE visitor SET name = name"] * 3,
    ):
        with engine(url).begin() as connection:
            connection.exec_driver_sql(statement)
    query = "SELECT key, transaction FROM efface_changes WHERE key IN ('[\"71\"]', '[\"72\"]') ORDER BY key"
    with engine(url).connect() as connection:
        before = [tuple(row) for row in connection.exec_driver_sql(query)]
    sources.follow(knowledge, tmp_path)
    with engine(url).connect() as connection:
        after = [tuple(row) for row in connection.exec_driver_sql(query)]
    assert len(before) > 2
    assert after == [(key, max(at for k, at in before if k == key)) for key in ('["71"]', '["72"]')]
