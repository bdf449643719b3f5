"""Searches in small and large collections: what `python -m benchmarks.service --only search` measures.

A collection's entries for one viewer are written into the index as they would be after a first search; one document
holds the rare word, and fifty hold a name that is denied to the viewer. What is checked between searches does not run
meanwhile. Both sizes and the three kinds of words are asked for in turns.
"""

from __future__ import annotations

import csv
import random
import secrets
import sqlite3
import statistics
import tempfile
import time
from dataclasses import astuple, dataclass, field
from pathlib import Path

from efface.service.app import Service
from efface.service.auth.identity import Identity, allowed
from efface.service.jobs.processes import RequestContext
from efface.service.repository.document_search import SearchRequest
from efface.service.repository.search_index import Entry
from efface.service.repository.search_query import SearchQuery
from efface.service.repository.view_cache import ViewerBinding
from efface.service.repository.view_work import Attempt
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
    processor_ms: float  # median


def search(quick: bool) -> None:
    """Print and, unless quick, write the table."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = SIZES[:1] if quick else SIZES
        collections = [_Collection(size, _filled(Path(folder) / str(size), size)) for size in sizes]
        rows = _timings(collections, 20 if quick else 100)
        for each in collections:
            each.service.close()
    for row in rows:
        print(
            f"{row.documents:,} documents, {row.word} word: {row.found} found, median {row.median_ms} ms, "
            f"p95 {row.p95_ms} ms, processor {row.processor_ms} ms"
        )
    if not quick:
        _write(rows)


@dataclass
class _Collection:
    """A service with so many documents, and what its searches took: seconds by the clock and of the processor."""

    size: int
    service: Service
    clock: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in WORDS})
    processor: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in WORDS})
    found: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scope = self.service.repository.index.scope("wards", "low")
        self.service.searches._under_way.add(scope.id)  # as if what is checked between searches already were

    def ask(self, kind: str, count: bool) -> None:
        who = Identity("low", "reader", "low", allowed("reader"), "token")
        asked = SearchRequest(SearchQuery.parse(WORDS[kind]))
        clock, processor = time.perf_counter(), time.process_time()
        self.found[kind] = self.service.searches.search(who, asked, RequestContext("benchmark")).total
        if count:
            self.clock[kind].append(time.perf_counter() - clock)
            self.processor[kind].append(time.process_time() - processor)
            assert self.found[kind] == (kind == "rare")

    def timing(self, kind: str) -> Timing:
        clock, processor = sorted(self.clock[kind]), self.processor[kind]
        figures = statistics.median(clock), clock[int(len(clock) * 0.95)], statistics.median(processor)
        return Timing(self.size, kind, self.found[kind], *(round(1e3 * seconds, 2) for seconds in figures))


def _timings(collections: list[_Collection], turns: int) -> list[Timing]:
    """Every collection and every kind of word in each turn, so that other work on the machine meets all of them."""
    for turn in range(turns + 3):
        for kind in WORDS:
            for each in collections:
                each.ask(kind, count=turn >= 3)  # the first turns warm up
    return [each.timing(kind) for each in collections for kind in WORDS]


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
    mark = seen.digest(repr(ViewerBinding.of(service.policies.get("wards"), "low").mark))
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
    service.repository.index.caught_up(seen, service.repository.index.unseen(seen, 1))
    stored = service.repository.stored([rare])[rare]
    viewing = ViewerBinding.of(service.policies.get("wards"), "low")
    # A busy machine may take longer for its first view than a search waits.
    service.repository.view(viewing, stored, Attempt(600.0))
    return service


def _write(rows: list[Timing]) -> None:
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / "search.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["documents", "word", "found", "median_ms", "p95_ms", "processor_ms"])
        table.writerows(astuple(row) for row in rows)


if __name__ == "__main__":
    search(quick=False)
