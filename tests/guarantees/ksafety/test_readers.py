"""Readers beyond the plain one, on random worlds through the whole flow: the attack reruns efface itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from benchmarks.readers import WAYS, made, measure, measure_pairs, note
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import PolicyError
from efface.guarantees.ksafety.method_reader import tiers
from efface.knowledge.entities.column_values import ColumnValues
from efface.pipeline.sanitize import verify
from efface.policy.model import parse


@pytest.mark.parametrize("seed", range(2))  # `python -m benchmarks.readers` does sixty
def test_a_reader_who_knows_the_method_is_left_with_k_candidates(tmp_path: Path, seed: int) -> None:
    world = made(tmp_path, 30, 2 + seed % 2, seed)
    assert measure(world, "knows-method", 6, seed).under_k == 0


@pytest.mark.parametrize("seed", range(2))
def test_held_notes_about_two_people_leave_k_candidates(tmp_path: Path, seed: int) -> None:
    found = measure_pairs(made(tmp_path, 20, 2 + seed % 2, seed), "knows-method", 4, seed)
    assert found.held and found.held_under_k == 0


def test_the_attack_on_two_people_works_where_nothing_is_done_against_it(tmp_path: Path) -> None:
    assert measure_pairs(made(tmp_path, 20, 3, 1), "text", 4, 1).held_under_k > 0


def test_a_release_with_too_few_candidates_is_unproven_and_says_why(tmp_path: Path) -> None:
    """Of four people the viewer is denied two: whoever reruns efface is left with two candidates, not three."""
    world = made(tmp_path, 4, 3, 4)
    denied = [person for person in world.people if person[0] not in world.allowed["one"]]
    assert 0 < len(denied) < 3
    report = world.sanitizer("knows-method").sanitize(
        note(denied[0], (1, 2)).encode(), name="a.txt", viewer="one"
    )
    assert report.verdict is Verdict.UNPROVEN and report.released is None
    assert any("candidates" in gap.reason for gap in report.coverage.unseen)


def test_verify_does_not_say_held_of_a_text_that_was_cut_elsewhere(tmp_path: Path) -> None:
    bound = made(tmp_path, 40, 2, 1).sanitizer("knows-method").bind("one")
    for label in (b"NAME", b"ALIAS2", b"ADDRESS_2"):
        assert verify(b"The patient is [" + label + b"_1].", "a.txt", bound).verdict is Verdict.UNPROVEN
    assert verify(b"The patient is well.", "a.txt", bound).verdict is Verdict.HELD


def test_the_attack_works_where_nothing_is_done_against_it(tmp_path: Path) -> None:
    assert measure(made(tmp_path, 30, 3, 1), "text", 6, 1).under_k > 0


@pytest.mark.parametrize("seed", range(3))
def test_copies_of_two_viewers_together_tell_nobody(tmp_path: Path, seed: int) -> None:
    world = made(tmp_path, 60, 3, seed)
    found = measure(world, "collusion safe", 12, seed)
    assert found.both_denied and found.colluding == 0


@pytest.mark.parametrize("hidden", ["city", "job"])
def test_a_column_that_one_of_two_viewers_is_denied_changes_no_plan(tmp_path: Path, hidden: str) -> None:
    """One copy lacks a column anyway. If it then kept what the other copy strikes, both together would tell who it is."""
    with closing(sqlite3.connect(tmp_path / "people.db")) as database, database:
        database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, city, job)")
        rows = [("Oslo", "plumber"), ("Oslo", "baker"), ("Bern", "plumber")]
        database.executemany("INSERT INTO person (city, job) VALUES (?, ?)", rows)
        database.execute("CREATE TABLE grants (viewer, id)")
        database.execute("CREATE TABLE readable (viewer, column)")
        readable = [("one", column) for column in ("city", "job") if column != hidden]
        database.executemany(
            "INSERT INTO readable VALUES (?, ?)", [*readable, ("two", "city"), ("two", "job")]
        )
    (tmp_path / "policy.yaml").write_text(
        "find: {patterns: none, names: none}\nknowledge:\n  people:\n    database: sqlite:///people.db\n"
        "    entities: person\n    identifying: [city, job]\n    access: {view: grants, columns_view: readable}\n"
        "guarantees:\n  - k-safety: {over: people, k: 2, protect: denied, collusion: safe}\n"
    )
    made_of = Sanitizer.from_policy(tmp_path / "policy.yaml")
    copies = [made_of.redact("A plumber from Oslo.", viewer=viewer).text for viewer in ("one", "two")]
    together = "".join(copy or "" for copy in copies)
    assert all(copies) and not ("plumber" in together and "Oslo" in together)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.booleans()), min_size=1, max_size=14), st.integers(1, 4)
)
def test_every_tier_serves_at_least_k_or_keeps_nothing(
    people: list[tuple[int, int, int, bool]], k: int
) -> None:
    """By plain counting: whoever sees what stays has at least k protected people to choose from."""
    order = np.arange(len(people))
    tables = [ColumnValues(order, np.array([person[at] for person in people]), {}) for at in range(3)]
    protected = np.array([person[3] for person in people])
    found = tiers(tables, protected, k)
    shown = {}
    for at, person in enumerate(people):
        kept = found.families[int(found.tier[at])] if person[3] else (0, 1, 2)
        shown[at] = (kept, tuple(person[column] for column in kept))
    for at, person in enumerate(people):
        if not person[3]:
            continue
        alike = sum(shown[other] == shown[at] for other in shown)
        assert alike >= k or shown[at][0] == (), "fewer than k are left only where nothing stays"
        if shown[at][0] == () and alike < k:
            assert (
                sum(shown[other][0] != (0, 1, 2) or alike == 0 for other in shown) < k or protected.sum() < k
            )


def test_an_amount_with_its_currency_is_one_place(tmp_path: Path) -> None:
    """$61000 is found with its sign and without. The release is that of all three, as without the sign."""
    (tmp_path / "people.csv").write_text("id,salary,city\n1,61000,Oslo\n2,52000,Bern\n3,70000,Rome\n")
    (tmp_path / "policy.yaml").write_text(
        "find: {patterns: none, names: none}\nknowledge:\n  people: {entities: people.csv, identifying: [salary, city]}\n"
        "guarantees:\n  - k-safety: {over: people, k: 2, protect: all, reader: knows-method, attributes: apart}\n"
    )
    made_of = Sanitizer.from_policy(tmp_path / "policy.yaml")
    for sign in ("", "$"):
        report = made_of.sanitize(f"In Oslo, earns {sign}61000.".encode(), name="n.txt")
        assert report.verdict is Verdict.HELD, sign


def test_one_guarantee_does_not_promise_both() -> None:
    assert set(WAYS) == {"text", "knows-method", "collusion safe"}
    with pytest.raises(PolicyError, match="cannot both be kept"):
        parse(
            "knowledge: {people: {entities: people.csv, identifying: [name]}}\n"
            "guarantees: [k-safety: {over: people, reader: knows-method, collusion: safe}]"
        )
