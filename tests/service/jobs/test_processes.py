"""Real processes: killed in the middle, two on one store, slow clients, a graceful end."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from efface.service.app import Service
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, furnish
from tests.service.processes import Running, running, start


def keep_busy(server: Running, acknowledged: dict[str, bytes], stop: threading.Event) -> None:
    """Uploads, jobs and readings until the server dies; what it acknowledged is noted."""
    number = 0
    with contextlib.suppress(httpx.TransportError), server.client("reviewer") as client:
        while not stop.is_set():
            number += 1
            data = f"{threading.get_ident()} {number} Okonkwo of Oslo. ".encode() * 40
            answer = client.post("/v1/folders/wards/documents", files={"file": ("n.txt", data)})
            if answer.status_code == 201:
                acknowledged[f"/v1/documents/{answer.json()['id']}"] = data
            answer = client.post("/v1/jobs", files={"file": ("n.txt", data)}, data={"policy": "wards"})
            if answer.status_code == 202:
                acknowledged[answer.headers["location"]] = data


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    settings = ServiceSettings(home=tmp_path / "home")
    service, tokens = furnish(settings)
    service.people.put("reviewer", "reviewer", viewer="high")
    acknowledged: dict[str, bytes] = {}
    server, stop = start(settings, tokens), threading.Event()
    threads = [threading.Thread(target=keep_busy, args=(server, acknowledged, stop)) for _ in range(3)]
    for thread in threads:
        thread.start()
    while len(acknowledged) < 12:
        time.sleep(0.05)
    server.kill()
    stop.set()
    for thread in threads:
        thread.join(600)
    server = start(settings, tokens)
    try:
        with server.client("reviewer") as client:
            for path, data in acknowledged.items():
                if path.startswith("/v1/documents"):
                    assert client.get(path).content == data
                else:
                    assert _finished(client, path)["state"] == "done"
                    assert client.get(f"{path}/file").content == data
            records = service.trail.check()
            assert not records.trouble and records.records >= len(acknowledged) / 2
            for row in client.get("/v1/documents?limit=200").json()[
                "documents"
            ]:  # nothing half-written is served
                assert len(client.get(f"/v1/documents/{row['id']}").content) == row["bytes"]
    finally:
        server.stop()


def _finished(client: httpx.Client, path: str) -> dict[str, Any]:
    for _ in range(6000):
        row: dict[str, Any] = client.get(path).json()
        if row["state"] not in ("queued", "running"):
            return row
        time.sleep(0.05)
    raise AssertionError("the job never ended")


def test_two_processes_on_one_store(tmp_path: Path) -> None:
    with running(tmp_path) as one:
        two = start(one.settings, one.tokens)
        try:
            _share(one, two)
            _outlive(one, two)
        finally:
            two.stop()
        service = Service.open(one.settings)
        assert not service.trail.check().trouble


def _outlive(one: Running, two: Running) -> None:
    """Jobs that a process had in hand when it was killed are done by the other."""
    with one.client("reviewer") as client:
        text = b"Okonkwo of Oslo. " * 1_000
        paths = [
            client.post("/v1/jobs", files={"file": ("n.txt", text)}).headers["location"] for _ in range(4)
        ]
        two.kill()
        assert [_finished(client, path)["state"] for path in paths] == ["done"] * 4


def _share(one: Running, two: Running) -> None:
    """What one process does, the other knows at once: documents, tokens, folders, sessions, jobs."""
    id = one.add("note.txt", NOTE)
    with one.client("low") as here, two.client("low") as there, two.client("admin") as admin:
        seen = here.get(f"/v1/documents/{id}")
        assert seen.status_code == 200 and there.get(f"/v1/documents/{id}").content == seen.content
        made = here.post("/v1/tokens", json={}).json()
        mine = {"Authorization": f"Bearer {made['token']}"}
        assert httpx.get(f"{two.url}/v1/me", headers=mine, trust_env=False).status_code == 200
        assert there.delete(f"/v1/tokens/{made['id']}").status_code == 204
        assert httpx.get(f"{one.url}/v1/me", headers=mine, trust_env=False).status_code == 401
        assert admin.put("/v1/folders/wards", json={"policy": "patterns"}).status_code == 204
        assert here.get(f"/v1/documents/{id}").content == NOTE
        assert admin.delete(f"/v1/documents/{id}").status_code == 204
        assert here.get(f"/v1/documents/{id}").status_code == 404


@contextlib.contextmanager
def connected(server: Running) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        yield connection


def test_slow_uploads_are_ended_and_what_is_in_hand_is_finished(tmp_path: Path) -> None:
    with running(tmp_path, upload_seconds=3.0) as server:
        with connected(server) as slow:
            slow.sendall(b"POST /analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
            assert b" 408 " in slow.recv(4096).split(b"\r\n")[0]
        part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="n.txt"\r\n\r\n'
        body = part + b"Okonkwo of Oslo. " * 5_000 + b"\r\n--b--\r\n"
        head = (
            "POST /v1/redact HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
            f"Authorization: {server.as_('reviewer')['Authorization']}\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with connected(server) as early:
            early.sendall(head.encode())
            assert early.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n", "from here on it is in hand"
            early.sendall(body)
            server.process.terminate()
            assert early.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert server.stop() in (0, -15)
