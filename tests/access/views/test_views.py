"""A reader, a database and a document, through the whole flow; crowds are recomputed by SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Report, Verdict
from efface.errors import EffaceError, InputError
from efface.pipeline import sanitize as pipeline
from efface.policy import knowledge as sources

LEVELS = ["LOW", "MEDIUM", "HIGH"]
NAMES = ["Ng", "O'Hara", "Roe", "Smith-Jones"]
CITIES = ["Oslo", "Port Maren", 'Baker "B" Street']
EMPLOYERS = ["Acme", "Maren Shipping"]

POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: sqlite:///hospital.db
    entities: patient
    key: id
    identifying: [name, city, employer]
    sensitive: [diagnosis]
    access:
      labels:
        levels: [LOW, MEDIUM, HIGH]
        rows: label
        columns: {{diagnosis: HIGH}}
        users: {{low: LOW, medium: MEDIUM, high: HIGH}}
guarantees:
  - k-safety: {{over: patients, k: {k}, protect: denied}}
"""

rows = st.lists(
    st.tuples(
        st.sampled_from([*NAMES, None]),
        st.sampled_from(CITIES),
        st.sampled_from([*EMPLOYERS, None]),
        st.sampled_from(["influenza", "asthma"]),
        st.sampled_from([*LEVELS, None]),
    ),
    max_size=8,
)


def hospital(folder: Path, patients: list[tuple[str | None, ...]], k: int | str = 2) -> Sanitizer:
    with closing(sqlite3.connect(folder / "hospital.db")) as database, database:
        database.execute(
            "CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, city TEXT, employer TEXT, "
            "diagnosis TEXT, label TEXT)"
        )
        database.executemany(
            "INSERT INTO patient (name, city, employer, diagnosis, label) VALUES (?, ?, ?, ?, ?)", patients
        )
    (folder / "policy.yaml").write_text(POLICY.format(k=k))
    return Sanitizer.from_policy(folder / "policy.yaml")


def text_of(report: Report) -> str:
    assert report.verdict is Verdict.HELD and report.released is not None
    return report.released.decode()


def crowds_by_sql(folder: Path, text: str, viewer: str) -> list[int]:
    """For every row the viewer is denied: how many rows have all of its values that are left in the text."""
    allowed = LEVELS[: LEVELS.index(viewer.upper()) + 1]
    with closing(sqlite3.connect(folder / "hospital.db")) as database, database:
        database.create_function("says", 1, lambda value: value is not None and value in text)
        marks = ",".join("?" * len(allowed))
        same = " AND ".join(f"(NOT says(e.{c}) OR o.{c} = e.{c})" for c in ("name", "city", "employer"))
        touched = " OR ".join(f"says(e.{c})" for c in ("name", "city", "employer"))
        return [
            count
            for (count,) in database.execute(
                f"SELECT (SELECT count(*) FROM patient o WHERE {same}) FROM patient e "
                f"WHERE (e.label IS NULL OR e.label NOT IN ({marks})) AND ({touched})",
                allowed,
            )
        ]


@settings(max_examples=60)
@given(patients=rows, data=st.data(), k=st.integers(1, 3), viewer=st.sampled_from(["low", "medium", "high"]))
def test_no_denied_row_is_left_in_too_small_a_crowd(
    tmp_path_factory: pytest.TempPathFactory,
    patients: list[tuple[str | None, ...]],
    data: st.DataObject,
    k: int,
    viewer: str,
) -> None:
    folder = tmp_path_factory.mktemp("hospital")
    patients = [*patients, *((None, "Nowhere", None, "asthma", "LOW") for _ in range(k))]
    words = data.draw(st.lists(st.sampled_from([*NAMES, *CITIES, *EMPLOYERS, "influenza"]), max_size=6))
    sanitizer = hospital(folder, patients, k)
    text = "; ".join(words)
    left = text_of(sanitizer.sanitize(text.encode(), name="n.txt", viewer=viewer))
    assert all(crowd >= k for crowd in crowds_by_sql(folder, left, viewer))
    known = {row[3] for row in patients}
    assert ("influenza" in left) == ("influenza" in text and (viewer == "high" or "influenza" not in known))


@settings(max_examples=30)
@given(patients=rows.map(lambda some: [(*row[:4], "LOW") for row in some]))
def test_nothing_is_removed_for_a_viewer_who_may_see_all(
    tmp_path_factory: pytest.TempPathFactory, patients: list[tuple[str | None, ...]]
) -> None:
    sanitizer = hospital(tmp_path_factory.mktemp("hospital"), patients, 3)
    text = "; ".join([*NAMES, *CITIES, *EMPLOYERS, "influenza", "asthma"])
    assert text_of(sanitizer.sanitize(text.encode(), name="n.txt", viewer="high")) == text


PATIENTS: list[tuple[str | None, ...]] = [
    ("Ng", "Oslo", "Acme", "influenza", "HIGH"),
    ("Roe", "Oslo", "Acme", "asthma", "LOW"),
    ("O'Hara", "Port Maren", "Acme", "asthma", "LOW"),
]
NOTE = b"Ng of Oslo, at Acme, has influenza. Roe of Oslo has asthma."


def test_each_reader_gets_their_own(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="high")) == NOTE.decode()
    low = text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="low"))
    assert low == "[NAME_1] of Oslo, at Acme, has [DIAGNOSIS_1]. Roe of Oslo has [DIAGNOSIS_2]."


@pytest.mark.parametrize("viewer", [None, "", "nobody", "x'; DROP TABLE patient; --"])
def test_an_unknown_viewer_is_denied_everything_that_could_be_denied(
    tmp_path: Path, viewer: str | None
) -> None:
    left = text_of(hospital(tmp_path, PATIENTS, 2).sanitize(NOTE, name="n.txt", viewer=viewer))
    assert "Ng" not in left and "Roe" not in left and "influenza" not in left and "asthma" not in left


def test_unbounded_k_removes_every_term_of_a_denied_row(tmp_path: Path) -> None:
    left = text_of(hospital(tmp_path, PATIENTS, "all").sanitize(NOTE, name="n.txt", viewer="low"))
    assert (
        left == "[NAME_1] of [CITY_1], at [EMPLOYER_1], has [DIAGNOSIS_1]. Roe of [CITY_1] has [DIAGNOSIS_2]."
    )


def test_a_viewer_revoked_between_two_reads_reads_less(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    assert "Ng" in text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="high"))
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
        database.execute("UPDATE patient SET label = NULL WHERE name = 'Ng'")
    assert "Ng" not in text_of(sanitizer.sanitize(NOTE, name="n.txt", viewer="high"))


def test_rows_added_changed_and_deleted_are_seen_by_the_next_read(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    note = b"Brandt of Oslo"
    assert text_of(sanitizer.sanitize(note, name="n.txt", viewer="low")) == "Brandt of Oslo"
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
        database.execute("INSERT INTO patient VALUES (9, 'Brandt', 'Oslo', NULL, 'asthma', 'HIGH')")
    assert "Brandt" not in text_of(sanitizer.sanitize(note, name="n.txt", viewer="low"))
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
        database.execute("UPDATE patient SET name = 'Muster' WHERE id = 9")
    assert "Brandt" in text_of(sanitizer.sanitize(note, name="n.txt", viewer="low"))
    assert "Muster" not in text_of(sanitizer.sanitize(b"Muster of Oslo", name="n.txt", viewer="low"))
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
        database.execute("DELETE FROM patient WHERE id = 9")
    assert "Muster" in text_of(sanitizer.sanitize(b"Muster of Oslo", name="n.txt", viewer="low"))


def test_a_followed_database_mends_the_index_instead_of_rebuilding_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hospital(tmp_path, PATIENTS, 2)
    path = tmp_path / "policy.yaml"
    path.write_text(path.read_text().replace("    key: id\n", "    key: id\n    follow: true\n"))
    sanitizer = Sanitizer.from_policy(path)
    with pytest.raises(InputError, match="record changes"):
        sanitizer.bind("low")
    sources.follow(sanitizer.policy.knowledge["patients"], tmp_path)
    note = b"Brandt of Oslo; Muster of Oslo; Ng of Oslo"
    assert text_of(sanitizer.sanitize(note, name="n.txt", viewer="low")).startswith("Brandt of Oslo; Muster")
    monkeypatch.setattr("efface.policy.knowledge_index.build", None)  # from here on, a rebuild would fail
    steps = [
        ("INSERT INTO patient VALUES (9, 'Brandt', 'Oslo', NULL, 'asthma', 'HIGH')", "Brandt", "Muster"),
        ("UPDATE patient SET name = 'Muster' WHERE id = 9", "Muster", "Brandt"),
        ("UPDATE patient SET id = 10 WHERE id = 9", "Muster", "Brandt"),
        ("DELETE FROM patient WHERE id = 10", None, "Muster"),
        ("DELETE FROM patient WHERE name = 'Ng'", None, "Ng"),
    ]
    for statement, gone, stays in steps:
        with closing(sqlite3.connect(tmp_path / "hospital.db")) as database, database:
            database.execute(statement)
        left = text_of(sanitizer.sanitize(note, name="n.txt", viewer="low"))
        assert stays in left and (gone is None or gone not in left), statement


def test_the_database_going_away_refuses_or_denies(tmp_path: Path) -> None:
    sanitizer = hospital(tmp_path, PATIENTS, 2)
    bound = sanitizer.bind("high")
    (tmp_path / "hospital.db").rename(tmp_path / "gone.db")
    left = text_of(pipeline.sanitize(NOTE, "n.txt", bound))
    assert "Ng" not in left
    with pytest.raises(EffaceError):
        sanitizer.bind("high")
