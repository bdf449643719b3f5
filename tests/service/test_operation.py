"""What whoever runs the service relies on: private files, told troubles, dropped connections, anchors of the trail."""

from __future__ import annotations

import asyncio
import errno
import http.server
import json
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from efface.cli.main import app
from efface.errors import OutputError
from efface.service import idle_connections, store
from efface.service.app import Service
from efface.service.audit import Event
from efface.service.audit_anchors import Anchors, heads_in, line_of, time_stamp_query
from efface.service.problems import problem_of
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, House, Open


def test_nobody_else_on_the_machine_can_read_the_store(house: House) -> None:
    house.add("note.txt", NOTE)
    home = house.service.settings.home
    ours = [path for path in home.rglob("*") if "policies" not in path.parts]
    assert ours
    for path in (home, home / "policies", *ours):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


TROUBLES = [
    (sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full")), 507),
    (sa.exc.OperationalError("INSERT", {}, Exception("database is locked")), 503),
    (sa.exc.OperationalError("SELECT", {}, Exception("unable to open database file /srv/x.db")), 503),
    (sa.exc.TimeoutError("QueuePool limit at /srv"), 503),
    (OSError(errno.ENOSPC, "No space left on device", "/srv/files/ab"), 507),
    (OutputError("/srv/files/ab cannot be written: No space left on device."), 507),
    (OutputError("/srv/files/ab cannot be written: Permission denied."), 500),
]


@pytest.mark.parametrize(("error", "status"), TROUBLES)
def test_a_full_disk_and_a_locked_store_are_told_without_paths(error: Exception, status: int) -> None:
    problem = problem_of(error)
    assert problem.status == status
    said = json.dumps(problem.document())
    assert "/srv" not in said and "INSERT" not in said and "SELECT" not in said


def test_ready_tells_what_health_does_not(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert house.client.get("/ready").json() == {"status": "ready"}

    def away(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, Exception("unable to open"))

    monkeypatch.setattr(house.service.store.engine, "connect", away)
    assert house.client.get("/ready").status_code == 503
    assert house.client.get("/health").status_code == 200, "the process lives"
    monkeypatch.undo()
    monkeypatch.setattr("efface.service.app._LEAST_ROOM", 1 << 62)
    assert house.client.get("/ready").status_code == 507


def test_a_locked_store_is_not_waited_for_for_ever(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_TURN_SECONDS", 0.2)
    with house.service.store._turn():
        answer = house.client.put("/v1/users/eve", json={"role": "reader"}, headers=house.as_("admin"))
    assert answer.status_code == 503 and answer.headers["retry-after"]


def test_half_open_connections_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that says nothing, one that begins and stops, one that asks as it should, and one that never ends."""
    import uvicorn

    monkeypatch.setattr(idle_connections, "HEADER_SECONDS", 0.3)

    async def hello(scope: Any, _receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"hi"})

    async def said(port: int, *words: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for word in words:
            writer.write(word)
        try:
            return await asyncio.wait_for(reader.read(), 20)
        except ConnectionResetError:
            return b""
        finally:
            writer.close()

    async def try_all() -> list[bytes]:
        config = uvicorn.Config(
            hello,
            port=0,
            http=idle_connections.Protocol,
            lifespan="off",
            log_level="critical",
            timeout_keep_alive=1,
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        found = [await said(port), await said(port, b"GET / HT"), await said(port, whole)]
        monkeypatch.setattr(idle_connections, "HEADER_SECONDS", 600.0)
        found.append(await said(port, b"GET / HTTP/1.1\r\n", *[b"X: " + b"x" * 65536 + b"\r\n"] * 16))
        server.should_exit = True
        await running
        return found

    def in_thread(found: list[bytes]) -> None:
        found += asyncio.run(try_all())

    answers: list[bytes] = []
    thread = threading.Thread(target=in_thread, args=(answers,))
    thread.start()
    thread.join(600)
    assert answers[:2] == [b"", b""] and answers[2].endswith(b"hi") and answers[3:] == [b""]


@pytest.fixture
def anchored(open_house: Open, tmp_path: Path) -> tuple[House, Path]:
    file = tmp_path / "elsewhere.log"
    return open_house(anchors=(f"file:{file}",)), file


def cut(house: House, left: int) -> None:
    """As somebody with the database and without the key would: the last records go, and the head is put back."""
    database = sqlite3.connect(house.service.settings.home / "efface.db")
    with database:
        database.execute("DELETE FROM efface_audit WHERE seq > ?", (left,))
        last = database.execute("SELECT seq, mac FROM efface_audit ORDER BY seq DESC LIMIT 1").fetchone()
        if last:
            database.execute(
                "UPDATE efface_meta SET value = ? WHERE key = 'audit head'", (f"{last[0]} {last[1]}",)
            )
        else:
            database.execute("DELETE FROM efface_meta WHERE key = 'audit head'")
    database.close()


@pytest.mark.parametrize("left", [3, 0], ids=["its tail", "everything"])
def test_a_dropped_trail_is_found_by_its_anchor(anchored: tuple[House, Path], left: int) -> None:
    house, file = anchored
    for number in range(6):
        house.service.trail.append(Event.of("ann", "read", str(number)))
    house.service.anchors.tell()
    assert house.get("admin", "/v1/audit/check").json()["trouble"] == []
    cut(house, left)
    assert house.service.trail.check().trouble == (), "the store alone does not know"
    assert house.service.trail.check().unknown, "and says so"
    found = house.get("admin", "/v1/audit/check").json()
    assert found["trouble"] and not found["unknown"]
    home = str(house.service.settings.home)
    said = CliRunner().invoke(app, ["audit", "verify", "--home", home, "--anchor", str(file), "--json"])
    assert said.exit_code == 3 and "told outside" in said.output
    without = CliRunner().invoke(app, ["audit", "verify", "--home", home])
    assert without.exit_code == 0 and "without an anchor" in without.output


def test_a_head_is_told_once_and_to_everybody(house: House, tmp_path: Path, webhook: Any) -> None:
    server, told = webhook
    address = f"http://127.0.0.1:{server.server_port}"
    stamps = tmp_path / "stamps.log"
    places = (f"file:{tmp_path / 'a.log'}", f"{address}/hook", f"rfc3161:{address}/stamp {stamps}", "syslog")
    ServiceSettings(anchors=places)  # the settings take them
    anchors = Anchors(house.service.trail, places, 3600)
    house.service.trail.append(Event.of("ann", "read", "x"))
    anchors.tell()
    anchors.tell()
    head = house.service.trail.head()
    assert list(heads_in((tmp_path / "a.log").read_text().splitlines())) == [head]
    assert list(heads_in(stamps.read_text().splitlines())) == [head]
    (hook,) = [json.loads(body) for path, body in told if path == "/hook"]
    assert f"{hook['seq']} {hook['mac']}" == head
    assert [body[:3] for path, body in told if path == "/stamp"] == [time_stamp_query(b"x")[:3]]


@pytest.fixture
def webhook() -> Iterator[tuple[http.server.HTTPServer, list[tuple[str, bytes]]]]:
    told: list[tuple[str, bytes]] = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server, told
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_place_that_does_not_answer_is_asked_again(house: House, tmp_path: Path) -> None:
    anchors = Anchors(house.service.trail, (f"file:{tmp_path}/missing/a.log",), 3600)
    house.service.trail.append(Event.of("ann", "read", "x"))
    anchors.tell()
    (tmp_path / "missing").mkdir()
    anchors.tell()
    assert (tmp_path / "missing" / "a.log").read_text().startswith("efface audit ")


def test_a_query_for_a_time_stamp_is_what_openssl_reads(tmp_path: Path) -> None:
    import shutil
    import subprocess

    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    (tmp_path / "q.tsq").write_bytes(time_stamp_query(b"hello"))
    found = subprocess.run(
        ["openssl", "ts", "-query", "-in", tmp_path / "q.tsq", "-text"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0 and "sha256" in found.stdout and "Certificate required: yes" in found.stdout
    assert "2c f2 4d ba" in found.stdout, "the digest of hello"


def test_the_record_of_a_decision_is_one_with_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = house.post("reviewer", "/v1/reviews", files={"file": ("a.txt", b"mail ann@example.org")})
    path = f"/v1/reviews/{made.json()['id']}/decisions"

    def broken(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(house.service.trail, "write_in", broken)
    answer = house.post("reviewer", path, json={"decisions": [{"kind": "redact", "term": "mail"}]})
    assert answer.status_code == 507
    assert house.get("reviewer", path).json()["entries"] == []


def test_an_older_store_gets_the_newer_columns(tmp_path: Path) -> None:
    home = tmp_path / "home"
    Service.open(ServiceSettings(home=home)).store.close()
    database = sqlite3.connect(home / "efface.db")
    database.execute("ALTER TABLE efface_reviews DROP COLUMN four_eyes")
    database.commit()
    database.close()
    again = Service.open(ServiceSettings(home=home))
    with again.store.read() as connection:
        names = {column["name"] for column in sa.inspect(connection).get_columns("efface_reviews")}
    assert "four_eyes" in names
    again.store.close()


def test_lines_of_anchors_are_found_in_a_system_log() -> None:
    head = f"12 {'a' * 64}"
    assert list(heads_in([f"Nov 16 host efface: {line_of(head)}", "other", "efface audit x"])) == [head]
