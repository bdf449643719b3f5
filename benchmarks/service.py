"""The service over loopback: against Presidio's analyzer, with many readers, and for a long time.

    python -m benchmarks.service [--quick] [--only analyze|readers|memory|search] [--search]

analyze: requests a second of `POST /analyze` on a text of 1 KB. Presidio's app is a Flask application around
AnalyzerEngine that its package does not bring; here the same route is made anew, with the pattern recognizers and an
NLP engine that does nothing but split words, in the same runner (uvicorn, one process) behind a2wsgi, which is how a WSGI application runs there. Both answer the same
client in turns. readers: opening a one-page note as a viewer against 100,000 entities with 20 concurrent readers, who
are one viewer, or a viewer each; with views kept (whose questions are put to the database again at each opening), and with
nothing kept. The client is one thread of its own process. memory: the resident size of the process over 100,000 requests.
search: see `benchmarks.service_search`; it writes docs/results/service/search.csv.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.index import documents, people
from benchmarks.service_load import Answer, load, request
from benchmarks.service_search import search
from efface.service.app import Service
from efface.service.settings import ENVIRONMENT, ServiceSettings

TEXT = (
    "Dear Ms. Okonkwo, thank you for your call of 14 March 2026. We have your number as (212) 555-0147 and your mail as "
    "lise.okonkwo@example.com. The amount of EUR 1,240.00 was sent to IBAN GB82 WEST 1234 5698 7654 32 and the card "
    "4111 1111 1111 1111 was not charged. Our server at 192.168.10.21 had been out of order since the morning, which is "
    "why https://shop.example.com/orders/7731 gave no answer. If anything is missing, write to the desk on the second "
    "floor or come by between nine and five; the porter knows the way. For the tax office: social security number "
    "078-05-1120, as you gave it to us. "
)
TEXT = (TEXT * 2)[:1024]
K = 10
READERS = 20
VIEWERS = tuple(f"viewer{number}" for number in range(READERS))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="shorter, with 20,000 entities and 5,000 requests"
    )
    parser.add_argument("--only", choices=["analyze", "readers", "memory", "search"])
    parser.add_argument("--requests", type=int, default=100_000, help="for memory")
    parser.add_argument("--search", action="store_const", const="search", dest="only", help="only search")
    options = parser.parse_args()
    parts: dict[str, Callable[[bool], None]] = {
        "analyze": analyze,
        "readers": readers,
        "memory": lambda quick: memory(5_000 if quick else options.requests),
        "search": search,
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)


@contextmanager
def server(factory: str, environment: dict[str, str], processes: int = 1) -> Iterator[tuple[int, int]]:
    """A port and a process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        factory,
        "--factory",
        "--port",
        str(port),
        "--log-level",
        "error",
    ]
    command += [
        "--no-access-log",
        "--no-proxy-headers",
        "--loop",
        "efface.service.socket_sharing:Loop",
        "--http",
        "efface.service.idle_connections:Protocol",
        "--workers",
        str(processes),
    ]
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        for _ in range(600):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                connection.request("GET", "/health")
                if connection.getresponse().status < 500:
                    break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(60)


def presidio() -> Any:
    """Presidio's analyzer app, patterns only, as an ASGI application."""
    import logging

    from a2wsgi import WSGIMiddleware
    from flask import Flask, Response, request
    from presidio_analyzer import AnalyzerEngine, AnalyzerRequest, RecognizerRegistry

    logging.disable(logging.CRITICAL)
    words: Any = _words_only()
    registry: Any = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=words)
    registry.recognizers = [row for row in registry.recognizers if type(row).__name__ != "SpacyRecognizer"]
    engine: Any = AnalyzerEngine(registry=registry, nlp_engine=words)
    app: Any = Flask("presidio")

    @app.route("/health")  # type: ignore[untyped-decorator]
    def health() -> str:
        return "up"

    @app.route("/analyze", methods=["POST"])  # type: ignore[untyped-decorator]
    def post_analyze() -> Response:
        asked = AnalyzerRequest(request.get_json())
        found = engine.analyze(
            text=asked.text, language=asked.language, score_threshold=asked.score_threshold
        )
        for row in found:
            del row.recognition_metadata
        body = json.dumps(found, default=lambda row: row.to_dict(), sort_keys=True)
        return Response(body, content_type="application/json")

    return WSGIMiddleware(app, workers=10)


def _words_only() -> Any:
    """No model: the least an NLP engine can do for Presidio's context words."""
    import re

    from presidio_analyzer import nlp_engine

    artifacts: Any = nlp_engine.NlpArtifacts
    base: Any = nlp_engine.NlpEngine

    class Words(base):  # type: ignore[misc]
        def load(self) -> None:
            pass

        def is_loaded(self) -> bool:
            return True

        def process_text(self, text: str, language: str) -> Any:
            found = list(re.finditer(r"\w+|[^\w\s]", text))
            lemmas = [match[0].lower() for match in found]
            return artifacts(
                [], [match[0] for match in found], [match.start() for match in found], lemmas, self, language
            )

        def process_batch(self, texts: Any, language: str, **_: Any) -> Any:
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, _word: str, _language: str) -> bool:
            return False

        def is_punct(self, _word: str, _language: str) -> bool:
            return False

        def get_supported_entities(self) -> list[str]:
            return []

        def get_supported_languages(self) -> list[str]:
            return ["en"]

    return Words()


def _analyze(_client: int) -> bytes:
    return request("/analyze", body=json.dumps({"text": TEXT, "language": "en"}).encode())


def _found(answer: Answer) -> bool:
    return answer.status == 200 and len(json.loads(answer.body)) >= 5


def analyze(quick: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        server("efface.service.app:from_environment", _environment(Path(folder), names=False)) as (ours, _),
        server("benchmarks.service:presidio", {}) as (theirs, _),
    ):
        rates: dict[str, list[float]] = {"efface": [], "presidio": []}
        amounts = {"efface": 300 if quick else 1500, "presidio": 60 if quick else 200}
        for turn in range(3 if quick else 5):
            for name, port in (("efface", ours), ("presidio", theirs)):
                started = time.perf_counter()
                amount = len(load(port, amounts[name], 4, _analyze, _found))
                if turn:  # the first turn warms up
                    rates[name].append(amount / (time.perf_counter() - started))
        best = {name: max(found) for name, found in rates.items()}
        print(f"POST /analyze, {len(TEXT)} characters, 4 clients, one process each: ", end="")
        print(f"efface {best['efface']:.0f}, Presidio {best['presidio']:.0f} requests a second; ", end="")
        print(f"{best['efface'] / best['presidio']:.1f} times")


POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: person
    key: id
    identifying: [{columns}]
    access:
      labels: {{levels: [LOW, HIGH], rows: label, users: {{{viewers}}}}}
guarantees:
  - k-safety: {{over: people, k: {k}, protect: denied}}
"""


def _library(folder: Path, entities: int, notes: int) -> tuple[list[str], list[str]]:
    """A home with a database of made-up people, half of them hidden from all viewers, and notes about a few: the
    viewers' tokens, and the notes' ids."""
    import sqlite3

    columns = [name for name, _ in next(people(1)).terms]
    service = Service.open(ServiceSettings(home=folder))
    database = sqlite3.connect(folder / "policies" / "people.db")
    with database:
        database.execute(f"CREATE TABLE person (id PRIMARY KEY, {', '.join(columns)}, label)")
        marks = ", ".join("?" * (len(columns) + 2))
        rows = (
            (person.id, *(value for _, value in person.terms), "HIGH" if at % 2 else "LOW")
            for at, person in enumerate(people(entities))
        )
        database.executemany(f"INSERT INTO person VALUES ({marks})", rows)  # noqa: S608
    database.close()
    viewers = ", ".join(f"{name}: LOW" for name in VIEWERS)
    text = POLICY.format(columns=", ".join(columns), viewers=viewers, k=K)
    (folder / "policies" / "people.yaml").write_text(text)
    service.repository.put_folder("notes", "people")
    texts = documents(list(islice(people(entities), 3000)), notes)
    ids = [service.repository.add("notes", f"note{at}.txt", text.encode()) for at, text in enumerate(texts)]
    for name in VIEWERS:
        service.people.put(name, "reader")
    tokens = [service.people.issue(name)[1] for name in VIEWERS]
    started = time.perf_counter()
    service.policies.get("people").sanitizer.bind(VIEWERS[0])
    print(f"{entities:,} entities indexed in {time.perf_counter() - started:.0f} s")
    service.store.close()
    return tokens, ids


def _environment(home: Path, **given: Any) -> dict[str, str]:
    return {ENVIRONMENT: ServiceSettings(home=home, **given).model_dump_json()}


def _opener(tokens: list[str], ids: list[str]) -> Callable[[int], bytes]:
    """Each client has a token, and opens one note after the other."""
    turn = iter(range(1 << 60))
    return lambda client: request(f"/v1/documents/{ids[next(turn) % len(ids)]}", tokens[client % len(tokens)])


def _opened(answer: Answer) -> bool:
    return answer.status == 200 and len(answer.body) > 100


def readers(quick: bool) -> None:
    entities, notes, requests = (20_000, 50, 400) if quick else (100_000, 200, 4000)
    with tempfile.TemporaryDirectory() as folder:
        tokens, ids = _library(Path(folder), entities, notes)
        for cache, processes in ((256, 1), (256, 2), (0, 1), (0, 2)):
            environment = _environment(Path(folder), cache=cache)
            with server("efface.service.app:from_environment", environment, processes) as (port, _):
                load(port, 4 * len(ids), 8, _opener(tokens, ids), _opened)
                what = f"opening, {processes} processes, {'views' if cache else 'nothing'} kept"
                for people_, several in ((tokens[:1], "one viewer"), (tokens, f"{READERS} viewers")):
                    started = time.perf_counter()
                    found = load(
                        port, requests if cache else requests // 8, READERS, _opener(people_, ids), _opened
                    )
                    rate = len(found) / (time.perf_counter() - started)
                    _print(f"{what}, {READERS} readers, {several}, {rate:.0f} a second", found)
                _print(f"{what}, one reader alone", load(port, 200, 1, _opener(tokens, ids), _opened))


def _print(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(
        f"{name}: median {statistics.median(ordered) * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms of {len(ordered)}"
    )


def memory(total: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tokens, ids = _library(Path(folder), 2_000, 50)
        environment = _environment(Path(folder), names=False)
        with server("efface.service.app:from_environment", environment) as (port, pid):
            opened = _opener(tokens, ids)
            print(f"resident MiB after each fifth of {total:,} requests:", end="", flush=True)
            for _ in range(5):
                load(port, total // 10, 4, _analyze, _found)
                load(port, total // 10, 4, opened, _opened)
                print(f" {_resident(pid) / 2**20:.0f}", end="", flush=True)
            print()


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
