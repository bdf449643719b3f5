"""Others' answers while strangers send large bodies.

    python -m benchmarks.service_strangers [--seconds 20]

One process of the service; a reader opens a note again and again. In turns of one second two strangers without credentials
post 30 MB of JSON each, as often as they can, or do nothing. Printed is the reader's p95 in both kinds of turns, their
ratio, and how often the strangers tried. Client and server share the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import multiprocessing
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.service import server
from efface.service.app import Service
from efface.service.settings import ENVIRONMENT, ServiceSettings

BODY = b"[" * (30 << 20)
NOTE = b"Write to ann@example.org today."


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service_strangers", description=__doc__)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = ServiceSettings(home=Path(folder) / "home")
        token, document = _furnished(settings)
        with server("efface.service.app:from_environment", {ENVIRONMENT: settings.model_dump_json()}) as (
            port,
            _,
        ):
            _measure(port, token, document, options.seconds)


def _furnished(settings: ServiceSettings) -> tuple[str, str]:
    service = Service.open(settings)
    (settings.policies / "plain.yaml").write_text("efface: 1\nfind: {names: none}\n")
    service.repository.put_folder("notes", "plain")
    document = service.repository.add("notes", "note.txt", NOTE)
    service.people.put("reader", "reader")
    token = service.people.issue("reader")[1]
    service.store.close()
    return token, document


def _measure(port: int, token: str, document: str, seconds: int) -> None:
    # Processes of their own: threads would take the interpreter's lock from the reader that is measured.
    context = multiprocessing.get_context("spawn")
    sending, over, posted = context.Event(), context.Event(), context.Value("i", 0)
    strangers = [context.Process(target=_send, args=(port, sending, over, posted)) for _ in range(2)]
    for stranger in strangers:
        stranger.start()
    times: dict[bool, list[float]] = {False: [], True: []}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for turn in range(seconds):
        attacked = bool(turn % 2)
        (sending.set if attacked else sending.clear)()
        time.sleep(0.1)
        until = time.monotonic() + 1
        while time.monotonic() < until:
            times[attacked].append(_open(connection, token, document))
    over.set()
    sending.set()
    for stranger in strangers:
        stranger.join()
    calm, attacked_p95 = (_p95(times[kind]) * 1e3 for kind in (False, True))
    print(f"p95 alone {calm:.1f} ms, with strangers {attacked_p95:.1f} ms: {attacked_p95 / calm:.2f}x")
    print(f"strangers tried {posted.value} times")


def _open(connection: http.client.HTTPConnection, token: str, document: str) -> float:
    began = time.perf_counter()
    connection.request("GET", f"/v1/documents/{document}", headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return time.perf_counter() - began


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _send(port: int, sending: Any, over: Any, posted: Any) -> None:
    while not over.is_set():
        sending.wait()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.suppress(OSError):  # the service answers and closes before the body is there
            connection.request("POST", "/v1/tokens", BODY, {"Content-Type": "application/json"})
            connection.getresponse()
        connection.close()
        with posted.get_lock():
            posted.value += 1


if __name__ == "__main__":
    main()
