"""What leaves for a viewer of a real server, through the whole flow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from efface.access import Denial
from efface.access.postgres import PostgresAccess
from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import PolicyError
from efface.knowledge.databases.relation import engine
from tests.real_postgres import real_postgres

SETUP = """
CREATE ROLE efface_app LOGIN; CREATE ROLE doctor LOGIN; CREATE ROLE stranger LOGIN;
GRANT doctor, stranger TO efface_app;
CREATE TABLE patient (id integer PRIMARY KEY, name text, ward text);
CREATE TABLE visit (patient integer, diagnosis text);
INSERT INTO patient VALUES (1, 'Ng', 'north'), (2, 'Roe', 'south'), (3, 'Lund', 'north');
INSERT INTO visit VALUES (1, 'lupus'), (2, 'gout'), (3, 'scurvy');
GRANT SELECT ON patient, visit TO efface_app, doctor, stranger;
ALTER TABLE visit ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON visit TO doctor USING (patient <> 1);
ALTER ROLE efface_app BYPASSRLS;
CREATE ROLE keyless LOGIN; GRANT keyless TO efface_app;
GRANT SELECT (name, ward) ON patient TO keyless;
GRANT SELECT ON visit TO keyless;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: {url}
    entities: SELECT patient.id, name, ward, diagnosis FROM patient LEFT JOIN visit ON visit.patient = patient.id
    identifying: [name, ward]
    sensitive: [diagnosis]
    access: postgres
guarantees:
  - k-safety: {{over: patients, k: 2, protect: denied}}
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with real_postgres(SETUP) as root:
        weak = root.replace("postgres:@", "efface_app:@")
        yield weak
        engine(weak).dispose()


def sanitizer(url: str, folder: Path) -> Sanitizer:
    (folder / "policy.yaml").write_text(POLICY.format(url=url))
    return Sanitizer.from_policy(folder / "policy.yaml")


def released(url: str, folder: Path, text: str, viewer: str) -> str:
    report = sanitizer(url, folder).sanitize(text.encode(), name="n.txt", viewer=viewer)
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def test_a_value_that_the_viewers_session_does_not_show_does_not_leave(url: str, tmp_path: Path) -> None:
    note = "Ng has lupus. Lund has scurvy."
    assert released(url, tmp_path, note, "doctor") == "Ng has [DIAGNOSIS_1]. Lund has scurvy."
    assert "lupus" not in (shown := released(url, tmp_path, note, "stranger")) and "scurvy" not in shown
    assert "Ng" in shown, "the name may be read by everybody"


def test_a_login_that_lost_its_right_stops_every_reading(url: str, tmp_path: Path) -> None:
    assert released(url, tmp_path, "Roe has gout", "doctor") == "Roe has gout"
    root = url.replace("efface_app:@", "postgres:@")
    with engine(root).begin() as connection:
        connection.exec_driver_sql("ALTER ROLE efface_app NOBYPASSRLS")
    try:
        with pytest.raises(PolicyError, match="row-level security leaves out rows of visit"):
            released(url, tmp_path, "Roe has gout", "doctor")
    finally:
        with engine(root).begin() as connection:
            connection.exec_driver_sql("ALTER ROLE efface_app BYPASSRLS")


@pytest.mark.parametrize("entities", ["patient", "SELECT id, name, ward FROM patient"])
def test_a_viewer_who_may_not_select_the_key_is_told_why_every_row_is_denied(
    url: str, tmp_path: Path, entities: str
) -> None:
    """Rows are asked for by their key."""
    (tmp_path / "policy.yaml").write_text(
        re.sub("entities: .*", f"entities: {entities}", POLICY)
        .replace("    sensitive: [diagnosis]\n", "")
        .format(url=url)
    )
    made = Sanitizer.from_policy(tmp_path / "policy.yaml")
    report = made.sanitize(b"Roe and Ng", name="n.txt", viewer="keyless")
    assert report.released == b"[NAME_1] and [NAME_2]"
    told = [note for note in report.notes if "may not select the key (id)" in note]
    assert len(told) == 1 and "every row is denied" in told[0] and "GRANT SELECT" in told[0]
    others = made.sanitize(b"Roe and Ng", name="n.txt", viewer="doctor")
    assert others.released == b"Roe and Ng" and not any("key" in note for note in others.notes)


@pytest.mark.parametrize("way", ["sanitize", "assess"])
def test_a_question_about_rows_without_an_answer_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The columns were answered before, so only the question about rows can tell."""

    def too_long(*_: object) -> Denial:
        raise TimeoutError

    made = sanitizer(url, tmp_path)
    monkeypatch.setattr(PostgresAccess, "_entities", too_long)
    report = getattr(made, way)(b"Roe and Ng", name="n.txt", viewer="doctor")
    assert sum("gave no answer (TimeoutError)" in note for note in report.notes) == 1
    if way == "sanitize":
        assert b"Roe" not in report.released and b"Ng" not in report.released


def test_two_columns_with_one_value_are_not_one_crowd(tmp_path: Path) -> None:
    """A salary 52000 does not hide among nine postcodes 52000; a denied row's account number points to it."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "staff.db")) as database, database:
        database.execute("CREATE TABLE staff (id INTEGER PRIMARY KEY, postcode, salary, account, label)")
        rows = [
            (str(52000 + (at == 0)), "52000" if at == 0 else "40000", f"77120{at}", "HIGH")
            for at in range(10)
        ]
        database.executemany("INSERT INTO staff (postcode, salary, account, label) VALUES (?, ?, ?, ?)", rows)
    text = """
find: {patterns: none, names: none}
knowledge:
  staff:
    database: sqlite:///staff.db
    entities: staff
    identifying: [postcode, salary]
    sensitive: [account]
    access: {labels: {levels: [LOW, HIGH], rows: label, users: {clerk: LOW}}}
guarantees:
  - k-safety: {over: staff, k: 3, protect: denied}
"""
    for pooled, expected in ((False, "[POSTCODE_1]"), (True, "52000")):
        (tmp_path / "p.yaml").write_text(
            text.replace("denied}", "denied, attributes: pooled}") if pooled else text
        )
        made = Sanitizer.from_policy(tmp_path / "p.yaml")
        report = made.sanitize(b"Paid 52000 a year.", name="n.txt", viewer="clerk")
        assert report.released is not None
        assert report.released.decode() in (f"Paid {expected} a year.", "Paid [SALARY_1] a year.")
        assert (b"52000" in report.released) == pooled
        account = made.sanitize(b"Account 771204 it is.", name="n.txt", viewer="clerk")
        assert account.released == b"Account [ACCOUNT_1] it is."
