"""Whoever asks for a document again gets the same copy. Several draws of one secret would tell more than one does."""

from __future__ import annotations

import io
import time
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.service.game.test_game import furnish as train_clients
from tests.service.hospital import House

FAKES = "find: {patterns: default, names: none}\noperators: {default: surrogate, DATE_TIME: {shift: {days: 900}}}\n"
CLIENTS = """
find: {patterns: none, names: none}
guarantees: [{k-confusability: {model: clients.model, k: 2, truth: guess}}]
"""
HIDDEN = """
find: {patterns: none, names: none}
guarantees: [{semantic: {hide: {HIV: virus}, k: 5}}]
"""
LETTER = b"On 4 May 2021 ann@example.org wrote from 10.1.2.3."
ILLNESS = (
    b"The patient takes antiretroviral drugs against the retrovirus since the diagnosis. AIDS was "
    b"mentioned. The infection was treated at the clinic with zidovudine, and the CD4 count rose."
)
MEMO = files("efface.demo").joinpath("consulting", "memo.txt").read_bytes()
ASKED = 6  # times: two ranks that are drawn anew agree once in six, so all six once in some thousands


@pytest.fixture
def wards(house: House) -> House:
    policies: Path = house.service.settings.policies
    (policies / "fakes.yaml").write_text(FAKES, "utf-8")
    (policies / "hidden.yaml").write_text(HIDDEN, "utf-8")
    train_clients(policies)
    (policies / "clients.yaml").write_text(CLIENTS, "utf-8")
    for name in ("fakes", "hidden", "clients"):
        house.service.repository.put_folder(name, name)
    return house


def in_review(house: House, name: str, data: bytes, policy: str) -> str:
    sent = {"files": {"file": (name, data)}, "data": {"policy": policy}}
    return str(house.post("reviewer", "/v1/reviews", **sent).json()["id"])


def exported(house: House, id: str) -> bytes:
    answer = house.post("reviewer", f"/v1/reviews/{id}/export", json={"what": "file"})
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def job(house: House, name: str, data: bytes, policy: str) -> bytes:
    sent = {"files": {"file": (name, data)}, "data": {"policy": policy, "kind": "redact"}}
    id = house.post("reviewer", "/v1/jobs", **sent).json()["id"]
    deadline = time.monotonic() + 300
    while house.get("reviewer", f"/v1/jobs/{id}").json()["state"] not in ("done", "failed"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return bytes(house.get("reviewer", f"/v1/jobs/{id}/file").content)


@pytest.mark.parametrize(("policy", "data"), [("fakes", LETTER), ("hidden", ILLNESS), ("clients", MEMO)])
def test_every_way_to_a_document_gives_one_copy(wards: House, policy: str, data: bytes) -> None:
    """Opened, sent to be redacted, reviewed and exported, each more than once. The policy has no key of its own."""
    id = wards.add("a.txt", data, policy)
    again = wards.add("again.txt", data, policy)
    review = in_review(wards, "a.txt", data, policy)
    sent: dict[str, Any] = {"files": {"file": ("a.txt", data)}, "data": {"policy": policy}}
    copies = {bytes(wards.get("high", f"/v1/documents/{each}").content) for each in (id, again)}
    for _ in range(ASKED // 2):
        copies.add(bytes(wards.get("low", f"/v1/documents/{id}").content))
        copies.add(bytes(wards.post("reviewer", "/v1/redact", **sent).content))
        copies.add(exported(wards, review))
    copies.add(job(wards, "a.txt", data, policy))
    assert len(copies) == 1
    assert b"ann@example.org" not in copies.pop()


def test_a_matter_of_many_leaves_as_each_alone(wards: House) -> None:
    """A worker keeps the last few documents. The others were drawn anew for the index, and nothing could leave."""
    ids = [in_review(wards, f"{number}.txt", LETTER + b" %d" % number, "fakes") for number in range(5)]
    wards.client.patch("/v1/reviews", headers=wards.as_("reviewer"), json={"ids": ids, "matter": "Falcon"})
    alone = [exported(wards, id) for id in ids]
    answer = wards.post("reviewer", "/v1/matters/Falcon/export", json={})
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        together = [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".txt")]
    assert together == alone
    assert len({copy.split()[4] for copy in alone}) > 1, (
        "the same address has another surrogate in each document"
    )
