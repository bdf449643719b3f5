"""The release as a whole: what linked documents tell together, and what is withheld until that is known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.batch.items import WHOLE, Item, ItemResult, State
from efface.batch.manifest import Manifest, Recipe
from efface.batch.release import _groups
from efface.core import Claim, Finding, Plan, Reading, Scope, Verdict
from tests.batch.helpers import go, tree

# Every term by itself fits three people; two of them together fit one.
PEOPLE = [
    (f"{city}{job}", f"City {city}", f"job {job}")
    for city in ("Alba", "Bern", "Cork")
    for job in ("baker", "pilot", "nurse")
]
POLICY = (
    "find: {patterns: none, names: none}\n"
    "knowledge: {people: {entities: people.csv, identifying: [city, job]}}\n"
    "guarantees: [{k-safety: {over: people, k: 3}}]\n"
)


def _ready(folder: Path, policy: str = POLICY) -> Sanitizer:
    rows = "\n".join(",".join(person) for person in PEOPLE)
    (folder / "people.csv").write_text(f"id,city,job\n{rows}\n")
    (folder / "policy.yaml").write_text(policy)
    return Sanitizer.from_policy(folder / "policy.yaml")


def _documents(folder: Path) -> None:
    for subject, name, text in (
        ("ann", "1.txt", "Lives in City Alba."),
        ("ann", "2.txt", "Works: job pilot."),
        ("ann", "3.txt", "Nothing else is known."),
        ("bob", "4.txt", "Works: job pilot."),
    ):
        (folder / subject).mkdir(parents=True, exist_ok=True)
        (folder / subject / name).write_text(text)


def test_documents_of_one_subject_are_read_together(tmp_path: Path) -> None:
    sanitizer = _ready(tmp_path)
    _documents(tmp_path / "in")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", options=Options(subject="folder"), sanitizer=sanitizer)
    assert sorted(tree(tmp_path / "out")) == ["ann/1.txt", "ann/3.txt", "bob/4.txt"]
    assert outcome.judgement.withdrawn == 1 and outcome.counts == {"done": 3, "refused": 1}
    certificate = json.loads((tmp_path / "out.work" / "certificate.json").read_text())
    names = [
        (guarantee["name"], guarantee["scope"], guarantee["verdict"])
        for guarantee in certificate["guarantees"]
    ]
    assert ("k-safety of the release", "release", "held") in names


class EveryFileDiffers:
    """Promises something of the whole release, and efface has no way to test it."""

    claim = Claim("every-file-differs", "No two files are equal.", "files", scope=Scope.RELEASE)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return ()

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return Plan(())


def test_a_promise_of_the_release_that_nothing_tests_is_unproven(tmp_path: Path) -> None:
    policy = "find: {names: none}\nguarantees: [{custom: 'tests.batch.test_release:EveryFileDiffers'}]\n"
    sanitizer = _ready(tmp_path, policy)
    _documents(tmp_path / "in")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", sanitizer=sanitizer)
    judged = {claim["name"]: verdict for claim, verdict in outcome.judgement.outcomes}
    assert judged["every-file-differs"] is Verdict.UNPROVEN
    assert outcome.judgement.verdict is Verdict.UNPROVEN


def test_a_plugins_promise_of_the_release_withholds_it_until_it_is_judged(tmp_path: Path) -> None:
    policy = "find: {names: none}\nguarantees: [{custom: 'tests.batch.test_release:EveryFileDiffers'}]\n"
    sanitizer = _ready(tmp_path, policy)
    _documents(tmp_path / "in")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", sanitizer=sanitizer)
    assert outcome.judgement.verdict is Verdict.UNPROVEN
    assert not outcome.published and not tree(tmp_path / "out")


class CityApartFromJob:
    """Lets a reader see somebody's city or job in linked documents, not both. A plug-in knows no k-safety."""

    over = "people"
    claim = Claim("city-apart-from-job", "Nobody sees a city and a job.", "documents")
    claim_together = Claim(
        "city-apart-from-job of the release", "As above.", "documents", scope=Scope.RELEASE
    )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return ()

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return Plan(())

    def is_safe_together(self, terms: Collection[tuple[str, str]]) -> bool:
        kinds = {key.split()[0] for source, key in terms if source == self.over}
        return kinds != {"city", "job"}


def test_a_plugin_that_judges_linked_documents_is_asked(tmp_path: Path) -> None:
    rule = "{custom: 'tests.batch.test_release:CityApartFromJob'}"
    policy = POLICY.replace("{k-safety: {over: people, k: 3}}", rule)
    sanitizer = _ready(tmp_path, policy)
    _documents(tmp_path / "in")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", options=Options(subject="folder"), sanitizer=sanitizer)
    assert outcome.judgement.withdrawn == 1
    assert sorted(tree(tmp_path / "out")) == ["ann/1.txt", "ann/3.txt", "bob/4.txt"]


def test_without_a_link_they_are_not(tmp_path: Path) -> None:
    sanitizer = _ready(tmp_path)
    _documents(tmp_path / "in")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", sanitizer=sanitizer)
    assert len(tree(tmp_path / "out")) == 4 and outcome.judgement.withdrawn == 0


def test_a_withdrawn_document_comes_back_when_the_other_is_gone(tmp_path: Path) -> None:
    sanitizer = _ready(tmp_path)
    _documents(tmp_path / "in")
    options = Options(subject="folder")
    go(tmp_path / "in", tmp_path / "out", options=options, sanitizer=sanitizer)
    (tmp_path / "in" / "ann" / "1.txt").unlink()
    go(tmp_path / "in", tmp_path / "out", options=options, sanitizer=sanitizer)
    assert sorted(tree(tmp_path / "out")) == ["ann/2.txt", "ann/3.txt", "bob/4.txt"]


@dataclass(frozen=True)
class Nickname:
    """An operator of a plugin: a digest of the term, the same in every document."""

    def fill(self, original: str, type: str, key: str) -> str | None:
        return f"<{hashlib.sha256(original.encode()).hexdigest()[:8]}>"


@dataclass(frozen=True)
class Starred:
    """An operator that says that nobody is linked by what it writes: everybody gets the same."""

    lasting: bool = False
    tells_apart: bool = False

    def fill(self, original: str, type: str, key: str) -> str | None:
        return "***"


@pytest.mark.parametrize(
    ("operator", "released"),
    [
        ("surrogate", ["1.txt", "3.txt"]),
        (f"{__name__}:Nickname", ["1.txt", "3.txt"]),
        (f"{__name__}:Starred", ["1.txt", "2.txt", "3.txt"]),
    ],
    ids=["surrogate", "a plugin that says nothing", "a plugin that says that it is not lasting"],
)
def test_documents_with_the_same_replacement_are_linked(
    operator: str, released: list[str], tmp_path: Path
) -> None:
    policy = POLICY.replace("patterns: none", "patterns: [EMAIL_ADDRESS]")
    sanitizer = _ready(tmp_path, f"{policy}operators: {{EMAIL_ADDRESS: '{operator}'}}\n")
    source = tmp_path / "in"
    source.mkdir()
    (source / "1.txt").write_text("ann@example.com lives in City Alba.")
    (source / "2.txt").write_text("ann@example.com works: job pilot.")
    (source / "3.txt").write_text("bob@example.com works: job pilot.")
    go(source, tmp_path / "out", sanitizer=sanitizer)
    assert sorted(tree(tmp_path / "out")) == released


def test_a_stated_key_links_rows(tmp_path: Path) -> None:
    sanitizer = _ready(tmp_path)
    source = tmp_path / "in"
    source.mkdir()
    rows = [("c1", "In City Alba."), ("c1", "A job pilot."), ("c2", "A job pilot.")]
    lines = (json.dumps({"case": case, "body": body}) for case, body in rows)
    (source / "a.jsonl").write_text("\n".join(lines))
    options = Options(text=("body",), copy=("case",), links=("case",))
    go(source, tmp_path / "out", options=options, sanitizer=sanitizer)
    released = [json.loads(line) for line in (tmp_path / "out" / "a.jsonl").read_text().splitlines()]
    assert [(row["case"], row["body"]) for row in released] == [rows[0], rows[2]]


def test_a_subject_that_no_document_tells_proves_nothing(tmp_path: Path) -> None:
    """A slip of the pen must not pass for documents that nobody can link."""
    sanitizer = _ready(tmp_path)
    (tmp_path / "in").mkdir()
    lines = ({"case": "c1", "body": "In City Alba."}, {"case": "c1", "body": "A job pilot."})
    (tmp_path / "in" / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    options = Options(text=("body",), subject="cas")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", options=options, sanitizer=sanitizer)
    assert outcome.judgement.verdict == "unproven" and not outcome.published
    assert any(
        "2 of 2 documents do not tell what --subject names" in note for note in outcome.judgement.notes
    )
    assert not (tmp_path / "out").exists()


def test_a_table_without_the_column_of_the_subject_is_left_out(tmp_path: Path) -> None:
    sanitizer = _ready(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("case,body\nc1,In City Alba.\nc1,A job pilot.\n")
    options = Options(text=("body",), subject="cas")
    outcome, _ = go(tmp_path / "in", tmp_path / "out", options=options, sanitizer=sanitizer)
    assert outcome.broken == 1 and not tree(tmp_path / "out")


MARKS = st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=3), max_size=8)


@settings(max_examples=60)
@given(MARKS)
def test_groups_are_the_connected_components(tokens: list[frozenset[str]]) -> None:
    """The oracle joins groups that share a token until none do."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        manifest = Manifest(Path(folder) / "m.db", Recipe("p", "c"))
        with manifest.writing():
            for number, held in enumerate(tokens):
                item = Item(f"{number}".encode(), WHOLE, "a.txt")
                manifest.finish([(ItemResult(item, State.DONE, tokens=tuple(sorted(held))), "")])
        found = {frozenset(int(path) for path, _ in group) for group in _groups(manifest)}
        manifest.close()
    groups = [({number}, set(held)) for number, held in enumerate(tokens)]
    joined = True
    while joined:
        joined = False
        for one, other in combinations(groups, 2):
            if one[1] & other[1]:
                groups.remove(one)
                groups.remove(other)
                groups.append((one[0] | other[0], one[1] | other[1]))
                joined = True
                break
    assert found == {frozenset(numbers) for numbers, _ in groups if len(numbers) > 1}


def test_the_work_folder_holds_no_value_and_no_key_of_a_row(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    rows = [{"body": "Nothing.", "case": "QX-Zanzibarov", "who": "Quillfeather", "Thistlewood": 1}] * 2
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n{Zanzibarov\n")
    options = Options(text=("body",), subject="who", links=("case",))
    go(folder, tmp_path / "out", options=options, sanitizer=_ready(tmp_path))
    for file in (tmp_path / "out.work").rglob("*"):
        data = file.read_bytes() if file.is_file() else b""
        assert not any(word in data for word in (b"Zanzibarov", b"Quillfeather", b"Thistlewood")), file.name
