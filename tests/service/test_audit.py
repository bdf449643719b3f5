"""The trail: everything that matters is in it, and nobody changes it unnoticed."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from efface.cli.main import app
from efface.service.audit import Event, Record, Trail
from efface.service.store import Store, audit, meta
from tests.service.hospital import NOTE, House

KEY = b"k" * 32


def trail(folder: Path, key: bytes = KEY) -> Trail:
    return Trail(Store.open(f"sqlite:///{folder}/audit.db"), key)


def filled(folder: Path, amount: int = 6) -> Trail:
    made = trail(folder)
    for number in range(amount):
        made.append(Event.of("ann", "read", f"d{number}", verdict="held"))
    return made


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trail, tuple[Record, ...]]:
    made = filled(tmp_path_factory.mktemp("trail"))
    assert not made.check().trouble
    return made, tuple(made.records())


@given(
    kind=st.sampled_from(["change", "drop", "insert", "swap", "double", "seal"]),
    at=st.integers(0, 5),
    other=st.integers(0, 5),
    field=st.sampled_from(["at", "actor", "action", "object", "detail", "seq"]),
)
def test_whatever_is_done_to_an_export_is_found(
    written: tuple[Trail, tuple[Record, ...]], kind: str, at: int, other: int, field: str
) -> None:
    made, kept = written
    records = list(kept)
    head = f"{records[-1].seq} {records[-1].mac}"
    if kind == "change":
        value = getattr(records[at], field)
        changed: dict[str, Any] = {field: value + 1 if field == "seq" else f'{value} "x"'}
        records[at] = replace(records[at], **changed)
    elif kind == "drop":
        del records[at]
    elif kind == "insert":
        records.insert(at, replace(records[other], action="made up"))
    elif kind == "double":
        records.insert(at, records[other])
    elif kind == "seal":
        records[at] = replace(records[at], mac="0" * 64)
    elif at != other:
        records[at], records[other] = records[other], records[at]
    else:
        assert not made.check_records(records, head).trouble
        return
    assert made.check_records(records, head).trouble


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE efface_audit SET actor = 'eve' WHERE seq = 3",
        "UPDATE efface_audit SET detail = '{}' WHERE seq = 6",
        "DELETE FROM efface_audit WHERE seq = 2",
        "DELETE FROM efface_audit WHERE seq = 6",
        "DELETE FROM efface_audit",
        "UPDATE efface_audit SET seq = seq + 10",
        "INSERT INTO efface_audit SELECT 7, at, actor, action, object, detail, mac FROM efface_audit WHERE seq = 6",
        # Emptied, as other teams' records are in an export.
        "UPDATE efface_audit SET at = '', actor = '', action = '', object = '', detail = '{}' WHERE seq = 3",
        "UPDATE efface_audit SET detail = 'no JSON' WHERE seq = 3",
        "UPDATE efface_audit SET mac = 'é' WHERE seq = 3",
        "DELETE FROM efface_meta WHERE key = 'audit head'",
        "UPDATE efface_meta SET value = 'no seal' WHERE key = 'audit head'",
        "UPDATE efface_meta SET value = (SELECT seq || ' ' || mac FROM efface_audit WHERE seq = 3) "
        "WHERE key = 'audit head'",
    ],
)
def test_whatever_is_done_to_the_store_is_found(tmp_path: Path, harm: str) -> None:
    made = filled(tmp_path)
    assert not made.check().trouble
    store = Store.open(f"sqlite:///{tmp_path}/audit.db")
    with store.write() as connection:
        connection.execute(sa.text(harm))
    assert made.check().trouble


def test_a_trail_cut_off_with_its_seal_is_found_by_one_noted_elsewhere(tmp_path: Path) -> None:
    made = filled(tmp_path)
    noted = made.check().head
    with made._store.write() as connection:
        fifth = connection.execute(sa.select(audit.c.mac).where(audit.c.seq == 5)).scalar_one()
        connection.execute(audit.delete().where(audit.c.seq == 6))
        connection.execute(meta.update().where(meta.c.key == "audit head").values(value=f"5 {fifth}"))
    assert not made.check().trouble, "it is a trail as it once was"
    assert made.check([noted]).trouble


def test_nobody_without_the_key_can_write_the_chain_anew(tmp_path: Path) -> None:
    made = filled(tmp_path)
    forged = Trail(Store.open(f"sqlite:///{tmp_path}/forged.db"), b"other" * 8)
    for record in made.records():
        forged.append(Event.of("eve", record.action, record.object))
    assert made.check_records(forged.records(), None).trouble


def test_two_processes_and_many_threads_write_one_chain(tmp_path: Path) -> None:
    trails = [trail(tmp_path), trail(tmp_path)]
    with ThreadPoolExecutor(16) as pool:
        numbers = list(pool.map(lambda n: trails[n % 2].append(Event.of("ann", "read", str(n))), range(200)))
    assert sorted(numbers) == list(range(1, 201))
    found = trails[0].check()
    assert found.records == 200 and not found.trouble


@given(st.text(), st.text(max_size=20))
def test_an_exported_line_reads_back_as_the_record(object: str, value: str) -> None:
    detail = json.dumps({"policy": value}, ensure_ascii=True, sort_keys=True)
    record = Record(1, "2026-01-01T00:00:00.000+00:00", "ann", "read", object, detail, "0" * 64)
    assert "\n" not in record.line()
    assert Record.parse(record.line()) == record


def test_what_matters_is_recorded_and_content_is_not(house: House) -> None:
    id = house.add("brandt.txt", NOTE)
    house.get("low", f"/v1/documents/{id}")
    house.get("low", "/v1/documents?q=Brandt")
    house.post("reviewer", "/v1/redact", files={"file": ("n.txt", NOTE)}, data={"policy": "wards"})
    records = list(house.service.trail.records())
    assert [(record.actor, record.action) for record in records] == [
        ("reviewer", "add"), ("low", "read"), ("low", "search"), ("reviewer", "redact"),
    ]  # fmt: skip
    detail = json.loads(records[1].detail)
    assert detail["viewer"] == "low" and detail["policy"] == "wards" and detail["verdict"] == "held"
    assert not any(
        word in record.line() for record in records for word in ("Brandt", "brandt", "Oslo", "asthma")
    )


def test_nothing_is_handed_out_that_cannot_be_recorded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    id = house.add("note.txt", NOTE)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Trail, "_insert", fail)
    answer = house.get("low", f"/v1/documents/{id}")
    assert answer.status_code == 503 and b"Okonkwo" not in answer.content


def test_the_command_line_verifies_and_exports(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    run = CliRunner().invoke
    for name in ("ann", "bob"):
        assert run(app, ["token", "issue", name, "--role", "reader", "--home", home]).exit_code == 0
    held = run(app, ["audit", "verify", "--home", home])
    assert held.exit_code == 0 and "4 records" in held.output
    file = tmp_path / "trail.jsonl"
    assert run(app, ["audit", "export", "-o", str(file), "--home", home]).exit_code == 0
    assert run(app, ["audit", "verify", str(file), "--home", home]).exit_code == 0
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], lines[2], lines[1], lines[3]]))
    assert run(app, ["audit", "verify", str(file), "--home", home]).exit_code == 3
    assert run(app, ["audit", "verify", "--expect", "9 beef", "--home", home]).exit_code == 3


def test_a_record_that_was_damaged_in_the_store_is_exported_and_found(house: House) -> None:
    for number in range(3):
        house.service.trail.append(Event.of("ann", "read", str(number)))
    with house.service.store.write() as connection:
        connection.execute(audit.update().where(audit.c.seq == 2).values(detail="no JSON"))
    lines = house.get("admin", "/v1/audit").text.splitlines()
    assert [json.loads(line)["object"] for line in lines[:3]] == ["0", "1", "2"]
    assert house.service.trail.check_records(map(Record.parse, lines), None, is_export=True).trouble == (
        "record 2 is not what was written there",
    )
    home = str(house.service.settings.home)
    exported = CliRunner().invoke(app, ["audit", "export", "--home", home])
    assert exported.exit_code == 0 and len(exported.output.splitlines()) >= 3


def test_a_check_says_up_to_where_it_knows(tmp_path: Path) -> None:
    made = filled(tmp_path)
    records = list(made.records())
    told = f"{records[3].seq} {records[3].mac}"
    assert "without an anchor" in made.check().unknown[0]
    assert "without an anchor" in made.check([f"0 {'0' * 64}"]).unknown[0], "a head of nothing tells nothing"
    assert made.check([told]).unknown == (
        "whether records after number 4, the newest that was told outside, were dropped",
    )


def test_an_event_that_cannot_be_stored_fails_alone(house: House) -> None:
    """Events that wait are written together. Half of a character stands for all that a database does not store: a NUL,
    where it is PostgreSQL."""
    trail = house.service.trail
    objects = ["a", "\ud800", "b"]
    batch = [(Event.of("ann", "read", object), Future[int]()) for object in objects]
    trail._write(batch)
    failed = [event.object for event, done in batch if done.exception() is not None]
    assert failed == ["\ud800"]
    assert [record.object for record in trail.records()][-2:] == ["a", "b"] and not trail.check().trouble


def test_a_search_puts_nothing_into_the_trail_but_names_of_folders(house: House) -> None:
    for folder in ("a\0b", "Brandt has asthma", "x" * 129, "wards\n"):
        assert house.get("high", "/v1/documents", params={"folder": folder}).status_code == 422
    assert house.get("high", "/v1/documents", params={"folder": "wards"}).status_code == 200
    assert [record.object for record in house.service.trail.records() if record.action == "search"] == [
        "wards"
    ]
