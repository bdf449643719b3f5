"""The folder in the file manager: read-only, authenticated, each user with their own versions."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.service.conftest import NOTE, House
from tests.service.processes import Running, running

DAV = "{DAV:}"


def basic(house: House, name: str, token: str | None = None) -> dict[str, str]:
    pair = f"{name}:{token or house.tokens[name]}"
    return {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def listed(house: House, name: str, path: str = "/dav/wards/") -> dict[str, int]:
    answer = house.client.request("PROPFIND", path, headers={**basic(house, name), "Depth": "1"})
    assert answer.status_code == 207
    rows = ElementTree.fromstring(answer.content).iter(f"{DAV}response")
    found = {}
    for row in rows:
        length = row.find(f".//{DAV}getcontentlength")
        if length is not None:
            found[str(row.findtext(f"{DAV}href"))] = int(length.text or 0)
    return found


def test_each_user_sees_their_own_folder(house: House) -> None:
    id = house.add("brandt.txt", NOTE)
    high, low = listed(house, "high"), listed(house, "low")
    assert list(high) == ["/dav/wards/brandt.txt"] and list(low) == [f"/dav/wards/document-{id[:8]}.txt"]
    for name, rows in (("high", high), ("low", low)):
        ((path, size),) = rows.items()
        body = house.client.get(path, headers=basic(house, name))
        assert body.content == house.get(name, f"/v1/documents/{id}").content
        assert len(body.content) == size
    assert house.client.get(next(iter(high)), headers=basic(house, "low")).status_code == 404


def test_opening_in_the_file_manager_is_recorded(house: House) -> None:
    house.add("note.txt", NOTE)
    house.client.get("/dav/wards/note.txt", headers=basic(house, "low"))
    actions = [(record.actor, record.action) for record in house.service.trail.records()]
    assert ("low", "read") in actions


def test_nobody_without_a_token_and_nobody_with_anothers(house: House) -> None:
    answer = house.client.request("PROPFIND", "/dav/")
    assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Basic")
    for name, token in (("low", "guess"), ("high", house.tokens["low"]), ("", house.tokens["low"])):
        assert house.client.request("PROPFIND", "/dav/", headers=basic(house, name, token)).status_code == 401


@pytest.mark.parametrize("method", ["PUT", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH", "LOCK", "POST"])
def test_it_is_read_only(house: House, method: str) -> None:
    house.add("note.txt", NOTE)
    headers = {**basic(house, "high"), "Destination": "/dav/wards/other.txt"}
    answer = house.client.request(method, "/dav/wards/note.txt", headers=headers, content=b"x")
    assert answer.status_code == 405
    assert list(listed(house, "high")) == ["/dav/wards/note.txt"]


@pytest.mark.parametrize(
    "path", ["/dav/../etc/passwd", "/dav/%2e%2e/%2e%2e/etc/passwd", "/dav/wards/..%2f..%2fsecret.key"]
)
def test_there_is_no_way_out(house: House, path: str) -> None:
    answer = house.client.get(path, headers=basic(house, "high"))
    assert answer.status_code in (400, 401, 404) and b"root:" not in answer.content


def test_two_documents_of_one_name(house: House) -> None:
    house.add("note.txt", NOTE)
    house.add("note.txt", b"Sol of Bern")
    assert len(listed(house, "high")) == 2


def test_a_change_of_labels_shows_in_the_folder(house: House) -> None:
    house.add("note.txt", NOTE)
    (path,) = listed(house, "low")
    assert "Okonkwo" in house.client.get(path, headers=basic(house, "low")).text
    house.sql("UPDATE patient SET label = 'HIGH' WHERE id = 2")
    assert "Okonkwo" not in house.client.get(path, headers=basic(house, "low")).text


def test_xml_that_reaches_for_files_is_refused(house: House) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:"><prop><a>&x;</a></prop></propfind>'
    headers = {**basic(house, "high"), "Depth": "0", "Content-Type": "application/xml"}
    answer = house.client.request("PROPFIND", "/dav/", headers=headers, content=bomb)
    assert answer.status_code >= 400 and b"root:" not in answer.content


CLIENTS = {
    "rclone": ["rclone", "cat", "--config", "{none}", "--webdav-url", "{url}", "--webdav-user", "low", "--webdav-pass",
               "{obscured}", ":webdav:wards/note.txt"],
    "curl": ["curl", "-sf", "-u", "low:{token}", "{url}wards/note.txt"],
}  # fmt: skip


@pytest.mark.parametrize("client", CLIENTS)
def test_a_real_client_reads_its_own_version(tmp_path: Path, client: str) -> None:
    if shutil.which(client) is None:
        pytest.skip(f"{client} is not installed")
    with running(tmp_path) as server:
        server.add("note.txt", NOTE)
        seen = subprocess.run(_command(client, server, tmp_path), capture_output=True, timeout=60, check=True)
        assert b"Okonkwo" in seen.stdout and b"Brandt" not in seen.stdout


def _command(client: str, server: Running, folder: Path) -> list[str]:
    token = server.tokens["low"]
    obscured = ""
    if client == "rclone":
        made = subprocess.run(["rclone", "obscure", token], capture_output=True, timeout=30, check=True)
        obscured = made.stdout.decode().strip()
    values = {
        "url": f"{server.url}/dav/",
        "token": token,
        "obscured": obscured,
        "none": str(folder / "none.conf"),
    }
    return [part.format(**values) for part in CLIENTS[client]]
