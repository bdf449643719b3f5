"""The folder in the file manager: read-only, authenticated, each user with their own versions."""

from __future__ import annotations

import base64
import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from efface.service.problems import Problem
from tests.service.hospital import NOTE, House
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
    assert answer.status_code == 404 and b"root:" not in answer.content


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


@pytest.mark.parametrize("encoding", ["utf-7", "cp037", "utf-16"])
@pytest.mark.parametrize("space", [" ", " " * 5000])
def test_no_encoding_hides_a_document_type(shared_house: House, encoding: str, space: str) -> None:
    """The parser believes the declaration, which is ASCII before UTF-7 begins."""
    declaration = f'<?xml version="1.0"{space}encoding="{encoding}"?>'
    type_ = '<!DOCTYPE a [<!ENTITY x "y">]>'.replace("<", "+ADw-").replace("!", "+ACE-")
    rest = '<propfind xmlns="DAV:"><allprop/></propfind>'
    sent = (
        f"{declaration}{type_}{rest}".encode()
        if encoding == "utf-7"
        else f'{declaration}<!DOCTYPE a [<!ENTITY x "y">]>{rest}'.encode(encoding)
    )
    headers = {**basic(shared_house, "high"), "Depth": "0", "Content-Type": "application/xml"}
    answer = shared_house.client.request("PROPFIND", "/dav/", headers=headers, content=sent)
    assert answer.status_code == 400, answer.text
    plain = f'<?xml version="1.0"{space}encoding="UTF-8"?>{rest}'
    answer = shared_house.client.request("PROPFIND", "/dav/", headers=headers, content=plain)
    assert answer.status_code == 207


def test_looking_into_one_folder_opens_nothing_of_another(house: House) -> None:
    """A document of another folder is neither computed nor served by a look into this one."""
    house.client.put("/v1/folders/other", headers=house.as_("admin"), json={"policy": "wards"})
    house.add("note.txt", NOTE)
    house.add("note.txt", b"Sol of Bern", "other")
    (kept,) = (row for row in house.service.blobs.older(float("inf")) if _holds(house, row, b"Sol"))
    house.service.blobs.delete(kept)
    assert "Okonkwo" in house.client.get("/dav/wards/note.txt", headers=basic(house, "low")).text
    assert list(listed(house, "low")) == ["/dav/wards/note.txt"]


@pytest.mark.parametrize(("kind", "status"), [("no-room", 507), ("busy", 503)])
def test_what_cannot_be_recorded_is_not_given_and_said_so(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str, status: int
) -> None:
    """A full disk and a locked store are no errors of the service's own."""
    house.add("note.txt", NOTE)

    def fails(*_: object) -> None:
        raise Problem(kind)

    with monkeypatch.context() as patched:
        patched.setattr(house.service.trail, "append", fails)
        answer = house.client.get("/dav/wards/note.txt", headers=basic(house, "high"))
        assert answer.status_code == status and b"Brandt" not in answer.content
    with monkeypatch.context() as patched:
        patched.setattr(type(house.service.repository), "visible", fails)
        for method in ("GET", "PROPFIND"):
            answer = house.client.request(method, "/dav/wards/note.txt", headers=basic(house, "high"))
            assert answer.status_code == status
    assert house.client.get("/dav/wards/note.txt", headers=basic(house, "high")).status_code == 200


def _holds(house: House, file: str, words: bytes) -> bool:
    return words in house.service.blobs.get(file)


READ = {
    "rclone": ["rclone", "cat", ":webdav:wards/rclone.txt"],
    "curl": ["curl", "-sf", "-u", "{user}:{token}", "{url}wards/curl.txt"],
}


@pytest.mark.parametrize("client", READ)
def test_a_real_client_reads_its_own_version(server: Running, tmp_path: Path, client: str) -> None:
    _require(client)
    server.add(f"{client}.txt", NOTE)
    seen = _run(READ[client], server, "low", tmp_path)
    assert "Okonkwo" in seen.stdout and "Brandt" not in seen.stdout


def test_rclone_copies_a_folder_and_can_change_nothing(tmp_path: Path) -> None:
    """Listing, names with blanks and accents, sizes, dates, checksums by content, and no way to write."""
    _require("rclone")
    with running(tmp_path) as server:
        texts = {"note.txt": NOTE, "zur Übergabe 2.txt": "Sol aus Bern, 東京 שלום".encode(), "empty.txt": b""}
        for name, data in texts.items():
            server.add(name, data)
        copies = {}
        for user in ("high", "low"):
            copies[user] = tmp_path / user
            for command in (["copy"], ["check", "--download"]):
                made = _run(["rclone", *command, ":webdav:wards", str(copies[user])], server, user, tmp_path)
                assert made.returncode == 0, made.stderr
            assert {path.name for path in copies[user].iterdir()} == set(texts)
        assert (copies["high"] / "note.txt").read_bytes() == NOTE
        assert b"Brandt" not in (copies["low"] / "note.txt").read_bytes()
        new = tmp_path / "new.txt"
        new.write_text("new")
        for command in (["copy", str(new), ":webdav:wards"], ["delete", ":webdav:wards"]):
            tried = _run(["rclone", *command, "--retries", "1"], server, "high", tmp_path)
            assert tried.returncode != 0 and "405" in tried.stderr
        _run(["rclone", "mkdir", ":webdav:x"], server, "high", tmp_path)  # takes 405 for: it is there already
        listing = _run(["rclone", "lsf", "-R", ":webdav:"], server, "high", tmp_path).stdout.split("\n")
        assert set(filter(None, listing)) == {"wards/", *(f"wards/{name}" for name in texts)}
        wrong = _run(["rclone", "lsf", ":webdav:", "--retries", "1"], server, "high", tmp_path, token="guess")
        assert wrong.returncode != 0 and not wrong.stdout


def test_cadaver_lists_gets_and_cannot_put(server: Running, tmp_path: Path) -> None:
    _require("cadaver")
    server.add("cadaver.txt", NOTE)
    secret = tmp_path / ".netrc"
    secret.write_text(f"machine 127.0.0.1\nlogin low\npassword {server.tokens['low']}\n")
    secret.chmod(0o600)
    got = tmp_path / "got.txt"
    words = f"ls\ncd wards\nls\nget cadaver.txt {got}\nput {got} mine.txt\nquit\n"
    seen = subprocess.run(
        ["cadaver", f"{server.url}/dav/"],
        input=words, capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    assert "Coll:   wards" in seen.stdout and "cadaver.txt" in seen.stdout, seen.stdout
    assert b"Okonkwo" in got.read_bytes() and b"Brandt" not in got.read_bytes()
    assert "405 Method Not Allowed" in seen.stdout


def test_davfs2_mounts_a_folder_that_nobody_can_change(tmp_path: Path) -> None:
    """As a folder of the system, one for each user at the same time."""
    _require("mount.davfs")
    if os.geteuid() or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("only root may mount, where there is FUSE")
    with running(tmp_path) as server, ExitStack() as mounted:
        texts = {"note.txt": NOTE, "zur Übergabe 2.txt": b"Sol aus Bern", "empty.txt": b""}
        for name, data in texts.items():
            server.add(name, data)
        seen = {user: mounted.enter_context(_mounted(server, user, tmp_path)) for user in ("high", "low")}
        for folder in seen.values():
            assert _names(folder / "wards") in (set(texts), None)
        assert (seen["high"] / "wards" / "note.txt").read_bytes() == NOTE
        shown = (seen["low"] / "wards" / "note.txt").read_bytes()
        assert b"Okonkwo" in shown and b"Brandt" not in shown
        assert (seen["low"] / "wards" / "note.txt").stat().st_size == len(shown)
        note = seen["low"] / "wards" / "note.txt"
        for change in (
            note.unlink,
            lambda: note.rename(note.with_name("other.txt")),
            (seen["low"] / "new").mkdir,
        ):
            with suppress(OSError):  # davfs2 does not say of every change that it was refused
                change()
        with server.client("high") as client:
            names = {row["name"] for row in client.get("/v1/documents").json()["documents"]}
            listing = client.request("PROPFIND", "/dav/", headers={"Depth": "1"})
        assert names == set(texts) and "/dav/new" not in listing.text


def _names(folder: Path) -> set[str] | None:
    """None where davfs2 cannot list any folder: that of Debian 12 (1.6.1) is too old for Linux 6.18, whatever is
    mounted."""
    try:
        return {path.name for path in folder.iterdir()}
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return None


@contextmanager
def _mounted(server: Running, user: str, folder: Path) -> Iterator[Path]:
    """The repository as this user's folder. The name and the token are in a file that only its owner reads; davfs2
    works as a user of its own, who must be able to reach the cache."""
    url, here = f"{server.url}/dav/", folder / f"mounted-{user}"
    here.mkdir()
    secret, conf = folder / f"secrets-{user}", folder / f"davfs2-{user}.conf"
    secret.write_text(f"{url} {user} {server.tokens[user]}\n")
    secret.chmod(0o600)
    with tempfile.TemporaryDirectory(dir="/tmp") as cache:
        Path(cache).chmod(0o777)
        conf.write_text(f"secrets {secret}\ncache_dir {cache}\nuse_locks 0\nask_auth 0\n")
        options = f"conf={conf},uid={os.getuid()},gid={os.getgid()},file_mode=600,dir_mode=700"
        command = ["mount.davfs", "-o", options, url, str(here)]
        made = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert made.returncode == 0, made.stderr
        try:
            yield here
        finally:
            subprocess.run(["umount", str(here)], capture_output=True, timeout=600, check=True)


def _require(client: str) -> None:
    if shutil.which(client) is None:
        pytest.skip(f"{client} is not installed")


def _run(
    command: list[str], server: Running, user: str, folder: Path, token: str | None = None
) -> subprocess.CompletedProcess[str]:
    """A client's command as this user. rclone takes its settings from the environment, the password obscured."""
    token = token or server.tokens[user]
    url = f"{server.url}/dav/"
    environment = dict(os.environ)
    if command[0] == "rclone":
        made = subprocess.run(["rclone", "obscure", token], capture_output=True, timeout=600, check=True)
        given = {"WEBDAV_URL": url, "WEBDAV_USER": user, "WEBDAV_PASS": made.stdout.decode().strip()}
        given["CONFIG"] = str(folder / "none.conf")
        environment |= {f"RCLONE_{name}": value for name, value in given.items()}
    filled = [
        part.replace("{user}", user).replace("{token}", token).replace("{url}", url) for part in command
    ]
    return subprocess.run(
        filled, capture_output=True, text=True, timeout=600, check=False, env=environment, cwd=folder
    )
