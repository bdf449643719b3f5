"""What whoever runs the service relies on: private files, told troubles, dropped connections, anchors of the trail."""

from __future__ import annotations

import asyncio
import errno
import http.server
import io
import json
import re
import resource
import shutil
import socket
import sqlite3
import stat
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from efface.cli.main import app
from efface.errors import OutputError
from efface.service import idle_connections, store, write_turns
from efface.service.app import Service
from efface.service.audit import Event
from efface.service.audit_anchors import Anchors, heads_in, line_of, time_stamp_query
from efface.service.problems import problem_of
from efface.service.readiness import Readiness
from efface.service.repository.blobs import Blobs
from efface.service.repository.stored_policies import StoredPolicies
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, House, Open
from tests.service.loops import run_alone
from tests.service.test_audit_anchors import stamp_of


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
    monkeypatch.setattr("efface.service.readiness._LEAST_ROOM", 1 << 62)
    assert house.client.get("/ready").status_code == 507


@pytest.fixture
def asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question to `/ready` tries a write, not one in five seconds."""
    monkeypatch.setattr("efface.service.readiness._TRY_SECONDS", 0.0)


@pytest.mark.usefixtures("asked_each_time")
def test_ready_tries_a_write(house: House) -> None:
    """A disk that takes no more bytes, although it says that there is room: here a limit of the process."""
    before = rows(house), sorted((house.service.settings.home / "files").rglob("*"))
    assert house.client.get("/ready").status_code == 200
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limit[1]))
    try:
        answer = house.client.get("/ready")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert answer.status_code in (503, 507) and str(house.service.settings.home) not in answer.text
    assert house.client.get("/ready").status_code == 200, "and again when it takes some"
    files = [path for path in (house.service.settings.home / "files").rglob("*") if path.is_file()]
    assert rows(house) == before[0] and files == [path for path in before[1] if path.is_file()]


@pytest.mark.usefixtures("asked_each_time")
def test_ready_tries_the_files_too(house: House) -> None:
    """The store's rows can be written, and uploads cannot."""
    files = house.service.settings.home / "files"
    assert house.client.get("/ready").status_code == 200
    shutil.rmtree(files)
    files.write_bytes(b"")
    answer = house.client.get("/ready")
    assert answer.status_code == 503 and "files" not in answer.json()["detail"]


def test_strangers_who_ask_often_write_seldom(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = Blobs.put

    def put(blobs: Blobs, data: bytes) -> str:
        written.append("a file")
        return write(blobs, data)

    monkeypatch.setattr(Blobs, "put", put)
    assert {house.client.get("/ready").status_code for _ in range(20)} == {200}
    assert len(written) == 1


def test_strangers_who_ask_together_share_an_answer(house: House) -> None:
    """Each took a thread, of which there are forty for everybody, and a turn at the store."""
    checks: list[float] = []

    class Slow(Readiness):
        def require(self) -> None:
            checks.append(time.monotonic())
            time.sleep(0.05)

    async def ask() -> float:
        readiness = Slow(house.service.store, house.service.blobs, house.service.settings.home)
        first = asyncio.ensure_future(readiness.asked())
        while not checks:
            await asyncio.sleep(0.001)
        asked = time.monotonic()
        await asyncio.gather(first, *(readiness.asked() for _ in range(100)))
        return asked

    asked = run_alone(ask())
    assert len(checks) == 2 and asked < checks[1], "what is told is newer than the question"


def test_a_locked_store_is_not_waited_for_for_ever(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_turns, "_SECONDS", 0.2)
    with write_turns.turn_to_write(str(house.service.settings.home / "efface.db")):
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
            http="efface.service.idle_connections:Protocol",
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


@pytest.mark.parametrize("place", ["file:{}", "rfc3161:https://tsa.example/ {}"], ids=["file", "stamps"])
def test_a_file_of_anchors_that_was_taken_away_is_missed(
    tmp_path: Path, open_house: Open, place: str
) -> None:
    file = tmp_path / "anchors.log"
    house = open_house(anchors=(place.format(file),))
    house.service.trail.append(Event.of("ann", "read", "x"))
    file.write_text(line_of(house.service.trail.head()))
    assert house.get("admin", "/v1/audit/check").json()["trouble"] == []
    file.unlink()
    (said,) = house.get("admin", "/v1/audit/check").json()["trouble"]
    assert "anchors" in said and str(tmp_path) not in said


def test_a_system_log_that_nobody_keeps_is_a_failure(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("efface.service.audit_anchors._SYSTEM_LOG", str(tmp_path / "log"))
    anchors = Anchors(house.service.trail, ("syslog",), 3600)
    house.service.trail.append(Event.of("ann", "read", "x"))
    anchors.tell()
    assert anchors.told[0].last_sent == "", "it is told again"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.bind(str(tmp_path / "log"))
        anchors.tell()
        line = log.recv(4096).decode()
    assert line.startswith("<37>efface") and list(heads_in([line])) == [anchors.told[0].last_sent]


def test_containers_keep_heads_with_the_services_own_log(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.service.trail.append(Event.of("ann", "read", "x"))
    with caplog.at_level("INFO", "efface.service.anchors"):
        Anchors(house.service.trail, ("log",), 3600).tell()
    assert list(heads_in(caplog.messages)) == [house.service.trail.head()]


def test_a_head_is_told_once_and_to_everybody(house: House, tmp_path: Path, webhook: Any) -> None:
    server, told = webhook
    address = f"http://127.0.0.1:{server.server_port}"
    stamps = tmp_path / "stamps.log"
    places = (f"file:{tmp_path / 'a.log'}", f"{address}/hook", f"rfc3161:{address}/stamp {stamps}", "log")
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
            sent = self.rfile.read(int(self.headers["content-length"]))
            told.append((self.path, sent))
            self.send_response(200)
            self.end_headers()
            if self.path == "/stamp":
                self.wfile.write(stamp_of(sent[-35:-3]))

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
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


def _zip_of(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, data)
    return out.getvalue()


ONE_NOTE = _zip_of("n.txt", NOTE)
CHANGES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "/v1/session", {}),
    ("PUT", "/v1/users/eve", {"json": {"role": "admin"}}),
    ("PUT", "/v1/users/low", {"json": {"role": "admin"}}),
    ("DELETE", "/v1/users/low", {}),
    ("POST", "/v1/tokens", {"json": {"user": "low"}}),
    ("DELETE", "/v1/tokens/{token}", {}),
    ("PUT", "/v1/teams/law/members/low", {"json": {"role": "admin"}}),
    ("DELETE", "/v1/teams/main/members/low", {}),
    ("PUT", "/v1/folders/more", {"json": {"policy": "patterns"}}),
    ("PUT", "/v1/folders/wards", {"json": {"policy": "patterns"}}),
    ("DELETE", "/v1/folders/empty", {}),
    ("POST", "/v1/folders/wards/documents", {"files": {"file": ("n.txt", NOTE)}}),
    ("DELETE", "/v1/documents/{document}", {}),
    ("POST", "/v1/reviews", {"files": {"file": ("n.txt", NOTE)}}),
    ("POST", "/v1/archives", {"files": {"file": ("n.zip", ONE_NOTE)}}),
    ("PATCH", "/v1/reviews", {"json": {"ids": ["{review}"], "assignee": "admin"}}),
    ("POST", "/v1/reviews/{review}/decisions", {"json": {"decisions": [{"kind": "redact", "term": "mail"}]}}),
    ("DELETE", "/v1/reviews/{review}", {}),
    ("POST", "/v1/policies/waits/versions/2/approval", {}),
    ("POST", "/v1/jobs", {"files": {"file": ("n.txt", NOTE)}}),
    ("DELETE", "/v1/jobs/{job}", {}),
)


def finished_job(house: House, owner: str) -> str:
    """A job that was done: nothing works on it any more."""
    row = {"id": "0" * 32, "owner": owner, "viewer": owner, "kind": "redact", "policy": "", "name": "n.txt"}
    files = {"file": house.service.blobs.put(NOTE), "result": house.service.blobs.put(NOTE)}
    with house.service.store.write() as connection:
        done = {"state": "done", "stage": "done", "created": time.time(), "finished": time.time()}
        connection.execute(store.jobs.insert().values(**row, **files, **done))
    return "0" * 32


def rows(house: House) -> dict[str, list[Any]]:
    """All that the store holds of people, documents and decisions."""
    left_out = {"efface_audit", "efface_meta"}
    with house.service.store.read() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(sa.select(table)).all()))
            for table in store.TABLES.sorted_tables
            if table.name not in left_out
        }


@pytest.fixture
def full_house(house: House, monkeypatch: pytest.MonkeyPatch) -> tuple[House, dict[str, str]]:
    """A service with something of everything, whose trail cannot be written."""
    known = {"document": house.add("n.txt", NOTE), "token": house.service.people.issue("low")[0]}
    house.service.repository.put_folder("empty", "patterns")
    who = house.service.people.identify(house.tokens["admin"])
    assert who is not None
    known["review"] = house.service.review_store.add(who, "patterns", "a.txt", b"mail ann@example.org")
    house.service.review_store.look(known["review"])
    known["job"] = finished_job(house, "admin")
    waiting = StoredPolicies(house.service.store, four_eyes=True)
    for text in ("efface: 1", "efface: 1\nfind: {names: none}"):
        change = house.service.policies.change("waits", text.encode(), "ann", "why")
        waiting.push(change)
        with house.service.store.write() as connection:  # from now on it is in use
            connection.execute(store.folders.delete().where(store.folders.c.name == "f"))
            connection.execute(store.folders.insert().values(name="f", policy="waits", created=0.0))
            row = {"id": text, "folder": "f", "name": "n", "file": "x", "added": 0.0}
            connection.execute(store.documents.insert().values(**row, seq=9))

    def broken(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(house.service.trail, "_insert", broken)
    return house, known


@pytest.mark.parametrize(("method", "path", "more"), CHANGES, ids=[f"{row[0]} {row[1]}" for row in CHANGES])
def test_nothing_is_changed_without_a_record(
    full_house: tuple[House, dict[str, str]], method: str, path: str, more: dict[str, Any]
) -> None:
    house, known = full_house
    before = rows(house)
    if "json" in more:
        more = {"json": json.loads(json.dumps(more["json"]).replace("{review}", known["review"]))}
    answer = house.client.request(method, path.format(**known), headers=house.as_("admin"), **more)
    assert answer.status_code == 507, answer.text
    assert rows(house) == before
    file = house.service.repository.stored([known["document"]])[known["document"]].file
    assert house.service.blobs.get(file) == NOTE, "nor is a file deleted"
    with house.service.store.read() as connection:
        result = connection.execute(sa.select(store.jobs.c.result)).scalar_one()
    assert house.service.blobs.get(result) == NOTE


def test_every_change_locks_the_rights_of_people_first(
    full_house: tuple[House, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With PostgreSQL two transactions that take the same locks in another order wait for one another: an export and a
    decision about the same document met so, and one of them failed."""
    house, known = full_house
    taken: dict[Any, list[str]] = {}
    lock = store.Store.lock

    def noted(self: store.Store, connection: Any, name: str, **more: Any) -> None:
        taken.setdefault(connection, []).append(name)
        lock(self, connection, name, **more)

    monkeypatch.setattr(store.Store, "lock", noted)
    for method, path, more in CHANGES:
        given = {
            name: json.loads(json.dumps(value).replace("{review}", known["review"]))
            if name == "json"
            else value
            for name, value in more.items()
        }
        assert (
            house.client.request(
                method, path.format(**known), headers=house.as_("admin"), **given
            ).status_code
            == 507
        )
    orders = [names for names in taken.values() if "members" in names]
    assert len(orders) >= len(CHANGES) - 1 and not [names for names in orders if names[0] != "members"]


def test_every_change_of_the_description_is_among_those_that_were_tried(house: House) -> None:
    # These are recorded before anything is handed out, or change nothing that outlives the request.
    others = {
        "POST /v1/redact", "POST /v1/assess", "DELETE /v1/session",
        "POST /v1/reviews/{}/export", "POST /v1/reviews/{}/preparation", "POST /v1/matters/{}/export", "POST /v1/matters/{}/decisions",
        "POST /v1/games", "DELETE /v1/games/{}", "POST /v1/games/{}/answers", "POST /analyze", "POST /anonymize",
        "POST /deanonymize",
    }  # fmt: skip
    tried = {f"{method} {re.sub(r'{[a-z]+}', '{}', path)}" for method, path, _ in CHANGES}
    for path, operations in house.client.get("/openapi.json").json()["paths"].items():
        for method in operations:
            said = f"{method.upper()} {re.sub(r'{[a-z_]+}', '{}', path)}"
            known = said in others or any(_matches(said, each) for each in tried)
            assert method == "get" or known, said


def _matches(pattern: str, tried: str) -> bool:
    """Whether what was tried is of a route of the description."""
    return re.fullmatch(re.escape(pattern).replace(r"\{\}", "[^/]+"), tried) is not None


def test_a_store_that_takes_nothing_is_not_ready(house: House) -> None:
    assert house.client.get("/ready").status_code == 200
    holder = sqlite3.connect(house.service.settings.home / "efface.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        answer = house.client.get("/ready")
        assert answer.status_code == 503 and "efface.db" not in answer.text
        assert house.client.get("/health").status_code == 200
    finally:
        holder.close()
    assert house.client.get("/ready").status_code == 200
