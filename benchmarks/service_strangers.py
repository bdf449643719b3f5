"""Others' answers while strangers do their worst.

    python -m benchmarks.service_strangers [--turns 40] [--quick]

One process of the service, as `efface serve` starts it; a reader opens a note again and again. In turns of half a second
two strangers without credentials do one thing as often as they can. Client, strangers and server share the machine, so two
strangers cost the reader something even when they trouble another server. So the ratio is to turns in which they send
their bodies to a server of another kind, which answers 401 and closes. Printed and written to
docs/results/service/strangers.csv: the reader's median and p95 in each kind of turn, p95 as a ratio to alone and to that
one, and how often the strangers tried. Then one stranger alone does each thing some fifty times, and the processor time of
the server's event loop for one attempt is told as a ratio to that for one opening: it does not depend on who else is on the
machine. With `--quick`, to see whether it works, two turns, and nothing is written.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import http.client
import multiprocessing
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.service import server
from efface.service.app import Service
from efface.service.settings import ENVIRONMENT, ServiceSettings

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "service"
NOTE = b"Write to ann@example.org today."
DEEP = b"[" * (30 << 20)
FLAT = b'"' + b"a" * ((30 << 20) - 2) + b'"'
ALONE, ELSEWHERE = "nobody else", "elsewhere: 30 MB of JSON"
_TURN = 0.5  # seconds
_HALF_OPEN = 50  # connections at a time that are slow


@dataclass(frozen=True)
class Row:
    """The reader's answers in one kind of turn."""

    strangers: str
    answers: int
    median_ms: float
    p95_ms: float
    to_alone: float
    to_elsewhere: float
    attempts: int
    loop_to_opening: float


def _post(port: int, body: bytes) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.suppress(OSError):  # the service answers and closes before the body is there
        connection.request("POST", "/v1/tokens", body, {"Content-Type": "application/json"})
        connection.getresponse()
    connection.close()


def _endless_headers(port: int) -> None:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(b"GET /v1/documents HTTP/1.1\r\nHost: x\r\n")
        for number in range(1000):
            line.sendall(b"X-%d: " % number + b"a" * 4000 + b"\r\n")


def _slow(port: int, head: bytes) -> None:
    """Connections that send a byte at a time."""
    lines: list[socket.socket] = []
    with contextlib.suppress(OSError):
        for _ in range(_HALF_OPEN):
            lines.append(socket.create_connection(("127.0.0.1", port), timeout=60))
            lines[-1].sendall(head)
        for _ in range(20):
            time.sleep(0.02)
            for line in lines:
                line.sendall(b"a")
    for line in lines:
        line.close()


def _say(port: int, words: bytes) -> None:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(words)
        while line.recv(1 << 16):
            pass


_GET = b"GET /v1/documents HTTP/1.1\r\nHost: x\r\n\r\n"
_CHUNKS = (
    b"POST /v1/tokens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 200_000
)
_LAST = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
_LONG = b"GET /health?" + b"a=b&" * 15_000 + _LAST + b"\r\n"
_COOKIES = b"GET /health" + _LAST + b"Cookie: " + b"a=b; " * 12_000 + b"\r\n\r\n"
_SLOW_BODY = b"POST /v1/redact HTTP/1.1\r\nHost: x\r\nContent-Length: 30000000\r\n\r\n"
ATTACKS: dict[str, Callable[[int], None]] = {
    "30 MB of JSON": lambda port: _post(port, FLAT),
    "30 MB of brackets": lambda port: _post(port, DEEP),
    "endless headers": _endless_headers,
    "headers byte by byte": lambda port: _slow(port, b"GET /v1/documents HTTP/1.1\r\nX: "),
    "bodies byte by byte": lambda port: _slow(port, _SLOW_BODY),
    "chunks of a byte": lambda port: _say(port, _CHUNKS),
    "50 requests in a row": lambda port: _say(port, _GET * 50),
    "60 KB of query": lambda port: _say(port, _LONG),
    "60 KB of cookies": lambda port: _say(port, _COOKIES),
    "whether it is ready": lambda port: _say(port, b"GET /ready" + _LAST + b"\r\n"),
    "its description": lambda port: _say(port, b"GET /openapi.json" + _LAST + b"\r\n"),
}
KINDS = (ALONE, ELSEWHERE, *ATTACKS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service_strangers", description=__doc__)
    parser.add_argument("--turns", type=int, default=40, help="of each kind")
    parser.add_argument("--quick", action="store_true", help="two turns of each kind, and no file is written")
    options = parser.parse_args()
    turns = 2 if options.quick else options.turns
    with tempfile.TemporaryDirectory() as folder:
        settings = ServiceSettings(home=Path(folder) / "home")
        token, document = _furnished(settings)
        environment = {ENVIRONMENT: settings.model_dump_json()}
        with server("efface.service.app:from_environment", environment) as (port, process):
            costs = _loop_costs(port, process, token, document)
            rows = _measure(port, token, document, turns, costs)
    for row in rows:
        print(
            f"{row.strangers}: median {row.median_ms} ms, p95 {row.p95_ms} ms, {row.to_alone}x of alone, "
            f"{row.to_elsewhere}x of elsewhere ({row.answers} answers, {row.attempts} attempts); the event loop works "
            f"{row.loop_to_opening}x as long on one as on an opening"
        )
    if not options.quick:
        _write(rows)


def _write(rows: list[Row]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / "strangers.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(Row.__dataclass_fields__)
        table.writerows(astuple(row) for row in rows)


def _furnished(settings: ServiceSettings) -> tuple[str, str]:
    service = Service.open(settings)
    (settings.policies / "plain.yaml").write_text("efface: 1\nfind: {names: none}\n")
    service.repository.put_folder("notes", "plain")
    document = service.repository.add("notes", "note.txt", NOTE)
    service.people.put("reader", "reader")
    token = service.people.issue("reader")[1]
    service.store.close()
    return token, document


def _loop_costs(port: int, process: int, token: str, document: str) -> dict[str, float]:
    """The event loop's processor time for one attempt of each kind, as a ratio to an opening."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    opening = _busy(process, 200, lambda: _open(connection, token, document))
    costs = {name: _busy(process, 50, partial(attack, port)) / opening for name, attack in ATTACKS.items()}
    return {ALONE: 0.0, ELSEWHERE: 0.0, **costs}


def _busy(process: int, times: int, act: Callable[[], object]) -> float:
    """Processor time of the server's main thread, in which its event loop runs, for one of these (Linux)."""
    ran = Path(f"/proc/{process}/task/{process}/schedstat")
    act()
    before = int(ran.read_text().split()[0])
    for _ in range(times):
        act()
    time.sleep(0.05)
    return (int(ran.read_text().split()[0]) - before) / times


def _measure(port: int, token: str, document: str, turns: int, costs: dict[str, float]) -> list[Row]:
    # Processes of their own: threads would take the interpreter's lock from the reader that is measured.
    context = multiprocessing.get_context("spawn")
    kind, attempts = context.Value("i", 0), context.Array("i", len(KINDS))
    other = context.Value("i", 0)
    elsewhere = context.Process(target=_elsewhere, args=(other,), daemon=True)
    given = (port, other, kind, attempts)
    strangers = [context.Process(target=_trouble, args=given, daemon=True) for _ in range(2)]
    for process in (elsewhere, *strangers):
        process.start()
    kind.value = KINDS.index(ELSEWHERE)
    while not any(attempts[:]):  # a busy machine takes a while to start them
        time.sleep(0.05)
    times: list[list[float]] = [[] for _ in KINDS]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for turn in range(-len(KINDS), turns * len(KINDS)):  # a first round warms up
        kind.value = turn % len(KINDS)
        time.sleep(0.1)
        until = time.monotonic() + _TURN
        while time.monotonic() < until:
            taken = _open(connection, token, document)
            if turn >= 0:
                times[kind.value].append(taken)
    for process in (elsewhere, *strangers):
        process.terminate()
        process.join()
    p95 = [_p95(each) for each in times]
    return [
        Row(
            name,
            len(times[at]),
            round(1e3 * statistics.median(times[at]), 1),
            round(1e3 * p95[at], 1),
            round(p95[at] / p95[0], 2),
            round(p95[at] / p95[1], 2),
            attempts[at],
            round(costs[name], 2),
        )
        for at, name in enumerate(KINDS)
    ]


def _open(connection: http.client.HTTPConnection, token: str, document: str) -> float:
    began = time.perf_counter()
    connection.request("GET", f"/v1/documents/{document}", headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return time.perf_counter() - began


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _trouble(port: int, other: Any, kind: Any, attempts: Any) -> None:
    while True:
        at = kind.value
        if KINDS[at] == ALONE:
            time.sleep(0.01)
            continue
        if KINDS[at] == ELSEWHERE:
            _post(other.value, FLAT)
        else:
            ATTACKS[KINDS[at]](port)
        with attempts.get_lock():
            attempts[at] += 1


def _elsewhere(port: Any) -> None:
    """A server that answers whatever comes with 401 and closes, as the service does."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        port.value = listening.getsockname()[1]
        while True:
            line, _ = listening.accept()
            threading.Thread(target=_refuse, args=(line,), daemon=True).start()


def _refuse(line: socket.socket) -> None:
    with contextlib.suppress(OSError), line:
        line.recv(1 << 16)
        line.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


if __name__ == "__main__":
    main()
