"""Searches in small and large collections: what `python -m benchmarks.service --only search` measures.

A collection's entries for one viewer are written into the index as they would be after a first search; one document
holds the rare word, and fifty hold a name that is denied to the viewer. What is checked between searches does not run
meanwhile. The three kinds of words are asked for in turns.
"""

from __future__ import annotations

import csv
import random
import secrets
import sqlite3
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from efface.service.app import Service
from efface.service.auth.identity import Identity, allowed
from efface.service.jobs.processes import Asker
from efface.service.repository.document_search import SearchRequest
from efface.service.repository.search_index import Entry
from efface.service.repository.search_query import SearchQuery
from efface.service.repository.views import Viewing
from efface.service.settings import ServiceSettings
from efface.service.store import documents

POLICY = """
find: {patterns: none, names: none}
knowledge:
  patients:
    database: sqlite:///hospital.db
    entities: patient
    key: id
    identifying: [name, city]
    access: {labels: {levels: [LOW, HIGH], rows: label, users: {low: LOW}}}
guarantees:
  - k-safety: {over: patients, k: 2, protect: denied}
"""
WORDS = {"rare": "heliotrope", "absent": "zzyzx", "denied": "brandt"}
SIZES = (1_000, 100_000)
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "service"
_SLICE = 500


@dataclass(frozen=True)
class Timing:
    """One kind of word in one collection."""

    documents: int
    word: str
    found: int
    median_ms: float
    p95_ms: float


def search(quick: bool) -> None:
    """Print and, unless quick, write the table."""
    rows: list[Timing] = []
    for size in SIZES[:1] if quick else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows += _timings(Path(folder), size, 20 if quick else 60)
    for row in rows:
        print(
            f"{row.documents:,} documents, {row.word} word: {row.found} found, median {row.median_ms} ms, p95 {row.p95_ms} ms"
        )
    if not quick:
        _write(rows)


def _timings(folder: Path, size: int, turns: int) -> list[Timing]:
    service = _filled(folder, size)
    scope = service.repository.index.scope("wards", "low")
    service.searches._under_way.add(scope.id)  # as if what is checked between searches already were
    who = Identity("low", "reader", "low", allowed("reader"), "token")
    taken: dict[str, list[float]] = {kind: [] for kind in WORDS}
    found: dict[str, int] = {}
    for turn in range(turns + 3):
        for kind, word in WORDS.items():
            started = time.perf_counter()
            page = service.searches.search(who, SearchRequest(SearchQuery.parse(word)), Asker("benchmark"))
            if turn >= 3:  # the first turns warm up
                taken[kind].append(1e3 * (time.perf_counter() - started))
            found[kind] = page.total
    service.close()
    return [_timing(size, kind, found[kind], times) for kind, times in taken.items()]


def _timing(size: int, kind: str, found: int, times: list[float]) -> Timing:
    p95 = sorted(times)[int(len(times) * 0.95)]
    return Timing(size, kind, found, round(statistics.median(times), 2), round(p95, 2))


def _filled(folder: Path, size: int) -> Service:
    """A service with a folder of so many documents, and the viewer's entries for them."""
    service = Service.open(ServiceSettings(home=folder))
    database = sqlite3.connect(folder / "policies" / "hospital.db")
    with database:
        database.execute("CREATE TABLE patient (id INTEGER PRIMARY KEY, name, city, label)")
        people = [(1, "Brandt", "Oslo", "HIGH"), (2, "Okonkwo", "Oslo", "LOW")]
        database.executemany("INSERT INTO patient VALUES (?, ?, ?, ?)", people)
    database.close()
    (folder / "policies" / "wards.yaml").write_text(POLICY)
    service.repository.put_folder("wards", "wards")
    lots = random.Random(size)
    vocabulary = [f"w{number}" for number in range(5_000)]
    named = service.blobs.put(b"Brandt came by. " + " ".join(vocabulary[:40]).encode())
    rare = service.repository.add("wards", "rare.txt", b"A heliotrope stands at the window.")
    seen = service.repository.index.scope("wards", "low")
    mark = seen.digest(repr(Viewing.of(service.policies.get("wards"), "low").mark))
    for start in range(0, size - 1, _SLICE):
        ids = [secrets.token_hex(12) for _ in range(min(_SLICE, size - 1 - start))]
        rows = [
            {"id": id, "folder": "wards", "name": "n.txt", "file": named, "added": 0.0, "seq": start + at + 2}
            for at, id in enumerate(ids)
        ]
        with service.store.write() as connection:
            connection.execute(documents.insert(), rows)
        entries = [Entry(id, id, frozenset(lots.sample(vocabulary, 40))) for id in ids]
        service.repository.index.write(seen, mark, entries)
    words = frozenset("a heliotrope stands at the window rare txt".split())
    service.repository.index.write(seen, mark, [Entry(rare, rare, words)])
    service.repository.index.caught_up(seen, size)
    return service


def _write(rows: list[Timing]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / "search.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["documents", "word", "found", "median_ms", "p95_ms"])
        table.writerows([row.documents, row.word, row.found, row.median_ms, row.p95_ms] for row in rows)


if __name__ == "__main__":
    search(quick=False)
