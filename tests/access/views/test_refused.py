"""What would open a row or a column by mistake is refused: a misspelt label, a key of two types, another kind of server."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import InputError, PolicyError

TABLE = "CREATE TABLE patient (id, name, diagnosis, label)"
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: "{database}"
    entities: {entities}
    key: id
    identifying: [name]
    sensitive: [diagnosis]
    access: {access}
guarantees:
  - k-safety: {{over: patients, k: all, protect: denied}}
"""
LABELS = "{{labels: {{levels: [LOW, HIGH], rows: label, columns: {{{}: HIGH}}, users: {{clerk: LOW}}}}}}"


def released(
    folder: Path,
    access: str,
    ids: tuple[object, ...] = (1, 2),
    *,
    entities: str = "patient",
    database: str = "sqlite:///hospital.db",
) -> str:
    with closing(sqlite3.connect(folder / "hospital.db")) as made:
        made.execute(TABLE)
        rows = zip(ids, ("Ngabc", "Roeabc"), ("lupusa", "gouta"), ("LOW", "HIGH"), strict=True)
        made.executemany("INSERT INTO patient VALUES (?, ?, ?, ?)", rows)
        made.commit()
    policy = folder / "policy.yaml"
    policy.write_text(POLICY.format(database=database, entities=entities, access=access))
    note = b"Ngabc has lupusa. Roeabc has gouta."
    report = Sanitizer.from_policy(policy).sanitize(note, name="n.txt", viewer="clerk")
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


@pytest.mark.parametrize("column", ["diagnosys", "Diagnosis"])
def test_a_label_of_a_column_that_is_not_there_is_refused(column: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=column) as refused:
        released(tmp_path, LABELS.format(column))
    assert "identifying" in refused.value.hint


def test_a_label_of_a_column_that_is_there_is_taken(tmp_path: Path) -> None:
    left = released(tmp_path, LABELS.format("diagnosis"))
    assert left == "Ngabc has [DIAGNOSIS_1]. [NAME_1] has [DIAGNOSIS_2]."


def test_a_key_of_two_types_is_refused(tmp_path: Path) -> None:
    """1 and '1' are two rows and one text: the label of one row was taken for both."""
    with pytest.raises(InputError, match="several types") as refused:
        released(tmp_path, LABELS.format("diagnosis"), (1, "1"))
    assert "CAST" in refused.value.hint


def test_such_a_key_as_a_text_is_one_entity_and_denied_if_one_of_its_rows_is(tmp_path: Path) -> None:
    query = "SELECT CAST(id AS TEXT) AS id, name, diagnosis, label FROM patient"
    left = released(tmp_path, LABELS.format("diagnosis"), (1, "1"), entities=query)
    assert "Ngabc" not in left and "Roeabc" not in left


@pytest.mark.parametrize(
    ("scheme", "title"),
    [("mysql", "MySQL"), ("mariadb", "MariaDB"), ("mssql", "SQL Server"), ("oracle", "Oracle")],
)
def test_servers_without_a_viewers_session_are_refused_by_name_though_their_driver_is_not_there(
    scheme: str, title: str, tmp_path: Path
) -> None:
    with pytest.raises(PolicyError, match=title) as refused:
        released(tmp_path, "postgres", database=f"{scheme}://localhost/hospital")
    assert "view" in refused.value.hint
