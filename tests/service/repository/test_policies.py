"""Policies in the store: versions, one truth for every machine, and a second person for what is in use."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.cli.main import app
from efface.errors import PolicyError
from efface.service.app import Service
from efface.service.auth.identity import Identity, allowed
from efface.service.problems import Problem
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, House, Open

WEAK = "find: {patterns: none, names: none}\n"


def push(house: House, name: str, text: str, author: str = "ann", **more: Any) -> Any:
    policies = house.service.policies
    return policies.stored.push(policies.change(name, text.encode(), author, "a test"), **more)


def test_what_is_in_the_store_goes_before_a_file(house: House) -> None:
    id = house.add("note.txt", NOTE)
    assert b"Brandt" not in house.get("low", f"/v1/documents/{id}").content
    folder = house.service.settings.policies
    push(house, "wards", (folder / "wards.yaml").read_text())
    (folder / "wards.yaml").write_text(WEAK)  # this machine's file says something else
    assert b"Brandt" not in house.get("low", f"/v1/documents/{id}").content
    push(house, "wards", WEAK)
    assert b"Brandt" in house.get("low", f"/v1/documents/{id}").content, (
        "the next opening uses the next version"
    )


def test_two_machines_never_disagree(house: House, tmp_path: Path) -> None:
    """Node B showed a name that A hid: each read its own files. Here B has A's store and files of its own."""
    id = house.add("note.txt", NOTE)
    policies = house.service.settings.policies
    push(house, "wards", (policies / "wards.yaml").read_text())
    other = tmp_path / "b"
    shutil.copytree(policies, other / "policies")
    (other / "policies" / "wards.yaml").write_text(WEAK)
    settings = ServiceSettings(home=other, store=f"sqlite:///{house.service.settings.home / 'efface.db'}")
    node = Service.open(settings)
    assert node.policies.get("wards").data == house.service.policies.get("wards").data
    assert id
    node.store.close()


def test_a_machine_whose_files_differ_refuses(house: House) -> None:
    folder = house.service.settings.policies
    (folder / "words.txt").write_text("Oslo\n")
    push(house, "listed", "find: {patterns: none, names: none, deny_file: words.txt}\n")
    sent = {"files": {"file": ("n.txt", NOTE)}, "data": {"policy": "listed"}}
    assert b"Oslo" not in house.post("reviewer", "/v1/redact", **sent).content
    (folder / "words.txt").write_text("Bern\n")
    assert house.post("reviewer", "/v1/redact", **sent).status_code == 503


def test_versions_tell_who_what_and_why(house: House) -> None:
    push(house, "rules", "efface: 1\n")
    push(house, "rules", WEAK, "bob", base=1)
    with pytest.raises(Problem):
        push(house, "rules", "efface: 1\nrounds: 3\n", base=1)
    found = house.get("admin", "/v1/policies/rules").json()["versions"]
    assert [(row["version"], row["author"], row["state"]) for row in found] == [
        (2, "bob", "active"),
        (1, "ann", "past"),
    ]
    assert found[0]["text"] == WEAK and found[0]["reason"] == "a test"
    assert house.get("reviewer", "/v1/policies/rules").status_code == 403
    assert house.get("admin", "/v1/policies/none").status_code == 404
    assert "rules" in house.get("reviewer", "/v1/policies").json()["policies"]


def test_a_policy_in_use_is_not_weakened_by_one_person(open_house: Open) -> None:
    house = open_house(policy_four_eyes=True)
    id = house.add("note.txt", NOTE)
    push(house, "wards", (house.service.settings.policies / "wards.yaml").read_text())
    waiting = push(house, "wards", WEAK, author="admin")
    assert waiting.state == "pending"
    assert b"Brandt" not in house.get("low", f"/v1/documents/{id}").content
    path = f"/v1/policies/wards/versions/{waiting.version}/approval"
    assert house.post("reviewer", path).status_code == 403
    assert house.post("admin", path).status_code == 409, "its author is no second person"
    house.service.people.put("chief", "admin")
    made = house.post("admin", "/v1/tokens", json={"user": "chief"}).json()["token"]
    by_admin = {"Authorization": f"Bearer {made}"}
    assert house.client.post(path, headers=by_admin).status_code == 409, "nor with a token made for another"
    header = {"Authorization": f"Bearer {house.service.people.issue('chief')[1]}"}
    assert house.client.post(path, headers=header).status_code == 204
    assert b"Brandt" in house.get("low", f"/v1/documents/{id}").content
    assert house.client.post(path, headers=header).status_code == 404
    assert [r.action for r in house.service.trail.records()].count("approve policy") == 1
    assert push(house, "unused", "efface: 1\n").state == "active"
    assert push(house, "unused", WEAK).state == "active", "nobody uses it"


def test_a_change_that_waits_is_dropped_when_a_newer_one_takes_effect(open_house: Open) -> None:
    """Approved later, it would take the newer one back unseen."""
    house = open_house(policy_four_eyes=True)
    house.add("note.txt", NOTE)
    text = (house.service.settings.policies / "wards.yaml").read_text()
    push(house, "wards", text)
    old, new = (
        push(house, "wards", WEAK, author="mallory"),
        push(house, "wards", text + "rounds: 4\n", author="ann"),
    )
    stored = house.service.policies.stored
    chief = Identity("chief", "admin", "chief", allowed("admin"), "token")
    assert stored.approve("wards", new.version, chief).text.endswith("rounds: 4\n")
    with pytest.raises(Problem):
        stored.approve("wards", old.version, chief)


def test_documents_are_not_moved_from_under_a_policy_by_one_person(open_house: Open) -> None:
    """Nor is a file that is in use replaced by the first version that the store gets."""
    house = open_house(policy_four_eyes=True)
    id = house.add("note.txt", NOTE)
    push(house, "weak", WEAK)
    moved = house.client.put("/v1/folders/wards", json={"policy": "weak"}, headers=house.as_("admin"))
    assert moved.status_code == 409
    assert push(house, "wards", WEAK).state == "pending"
    assert b"Brandt" not in house.get("low", f"/v1/documents/{id}").content


def test_from_the_command_line(house: House, tmp_path: Path) -> None:
    home = ["--home", str(house.service.settings.home)]
    file, back = tmp_path / "p.yaml", tmp_path / "back.yaml"
    file.write_text("efface: 1\n")

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["policy", *words, *home])

    assert run("diff", "mine", str(file)).exit_code == 3
    assert run("push", "mine", str(file), "--reason", "first").exit_code == 0
    assert run("diff", "mine", str(file)).exit_code == 0
    file.write_text(WEAK)
    changed = run("diff", "mine", str(file))
    assert changed.exit_code == 3 and "-efface: 1" in changed.output and "+find:" in changed.output
    assert run("pull", "mine", "-o", str(back)).exit_code == 0 and back.read_text() == "efface: 1\n"
    assert run("push", "mine", str(file), "--reason", "weaker", "--base", "7").exit_code == 2
    file.write_text("nonsense: [")
    assert isinstance(run("push", "mine", str(file), "--reason", "broken").exception, PolicyError)
    record = next(r for r in house.service.trail.records() if r.action == "change policy")
    assert record.object == "mine" and json.loads(record.detail)["reason"] == "first"


def test_a_policy_comes_from_standard_input_also_to_an_account_without_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container: `docker compose exec -T one efface policy push NAME - < FILE`."""

    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 10001")

    monkeypatch.setattr("getpass.getuser", nameless)
    home = tmp_path / "home"
    Service.open(ServiceSettings(home=home)).store.close()
    given = ["policy", "push", "names", "-", "--reason", "first", "--home", str(home)]
    assert CliRunner().invoke(app, given, input="efface: 1\n").exit_code == 0
    service = Service.open(ServiceSettings(home=home))
    found = service.policies.stored.active("names")
    service.store.close()
    assert found is not None and found.text == "efface: 1\n"
    assert found.author == f"command line ({os.getuid()})"
