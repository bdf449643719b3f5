"""The plan counts what is struck from the text: weights say which word, and columns that go anyway cost nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict

POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: person
    identifying: [city, job]
    access: {{view: grants, columns_view: readable}}
guarantees:
  - k-safety: {{over: people, k: 2, protect: denied, weights: {weights}}}
"""
PEOPLE = [(1, "Oslo", "plumber"), (2, "Oslo", "baker"), (3, "Bern", "plumber"), (4, "Bern", "baker")]
TEXT = "From Oslo, a plumber."


def released(folder: Path, weights: str, readable: tuple[str, ...] = ("city", "job")) -> str:
    """The text for a viewer who is denied every row, and all columns but these."""
    with closing(sqlite3.connect(folder / "people.db")) as database, database:
        database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, city, job)")
        database.executemany("INSERT INTO person VALUES (?, ?, ?)", PEOPLE)
        database.execute("CREATE TABLE grants (viewer, id)")
        database.execute("CREATE TABLE readable (viewer, column)")
        database.executemany("INSERT INTO readable VALUES ('ann', ?)", [(name,) for name in readable])
    (folder / "policy.yaml").write_text(POLICY.format(weights=weights))
    sanitizer = Sanitizer.from_policy(folder / "policy.yaml")
    report = sanitizer.sanitize(TEXT.encode(), name="n.txt", viewer="ann")
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


@pytest.mark.parametrize("weights", ["{city: 5}", "{CITY: 5}", "{oslo: 5}", "{job: 0.2}", "{plumber: 0.2}"])
def test_what_costs_less_goes(tmp_path: Path, weights: str) -> None:
    shown = released(tmp_path, weights)
    assert "Oslo" in shown and "plumber" not in shown


@pytest.mark.parametrize("weights", ["{job: 5}", "{JOB: 5}", "{plumber: 5}", "{city: 0.2}", "{oslo: 0.2}"])
def test_the_other_way_round(tmp_path: Path, weights: str) -> None:
    shown = released(tmp_path, weights)
    assert "plumber" in shown and "Oslo" not in shown


def test_a_term_counts_before_its_column_and_that_before_its_type(tmp_path: Path) -> None:
    shown = released(tmp_path, "{oslo: 9, city: 0.1, JOB: 20, job: 2}")
    assert "Oslo" in shown and "plumber" not in shown


@pytest.mark.parametrize(
    ("readable", "goes", "stays"), [("city", "plumber", "Oslo"), ("job", "Oslo", "plumber")]
)
def test_a_column_that_goes_anyway_saves_the_other_word(
    tmp_path: Path, readable: str, goes: str, stays: str
) -> None:
    """The word that stays would be the cheaper one to strike: counted by itself, the plan would take both."""
    shown = released(tmp_path, f"{{{readable}: 0.2}}", (readable,))
    assert goes not in shown and stays in shown
