"""Views: a document read by one viewer, end to end. `python -m benchmarks.views [--quick|--full]`.

Made-up persons with 13 attributes in SQLite, labels on the rows, a viewer who may see half of them; documents of
150 words with 10 values of 3 persons, each read by nobody before; k = 10. efface binds the viewer, reads, finds,
asks, plans, writes, reads again and attacks; the paper's algorithm (tantivy) gets the terms that efface's finder
finds, asks and replaces, and checks nothing. *decides*: efface up to the plan, which is what the paper's algorithm
does. *again*: efface, all of it, on the same document for a second viewer.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from experiments.zorro.baseline import Engine
from experiments.zorro.database import ALL, HALF, Entities
from experiments.zorro.measure import Trial, index_of, timed, with_baseline, with_efface

from benchmarks.index import documents, people
from efface.api.sanitizer import Sanitizer
from efface.core import Document
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find

K = 10
_WARM = 10
COLUMNS = tuple(name for name, _ in next(people(1)).terms)
QUICK, DEFAULT, FULL = (25_000, 100_000), (100_000, 1_000_000), (100_000, 1_000_000, 10_000_000)
Row = dict[str, object]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.views", description=__doc__)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", action="store_true", help="25 and 100 thousand entities")
    sizes.add_argument("--full", action="store_true", help="100 thousand, 1 million and 10 million entities")
    sizes.add_argument(
        "--entities", type=int, nargs="+", help="other numbers of entities, the smallest first"
    )
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="build in this folder, or use what was built there")
    parser.add_argument("--prepare", action="store_true", help="build only; with --keep")
    parser.add_argument("-o", "--out", type=Path, help="a CSV file for the figures")
    options = parser.parse_args()
    counts = options.entities or (QUICK if options.quick else FULL if options.full else DEFAULT)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            entities, engine = _prepared((options.keep or Path(folder)) / str(count), count)
            if not options.prepare:
                rows += _measure(entities, engine, count, options.documents)
    if options.out and rows:
        with options.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    _print_growth(rows)


def _prepared(folder: Path, count: int) -> tuple[Entities, Engine]:
    """The database, the index (fuzzy 1) and the baseline's engine."""
    ready, engine = folder / "ready", folder / "tantivy"
    if ready.exists():
        return Entities(folder, COLUMNS), Engine.open(engine)
    engine.mkdir(parents=True)
    start = time.perf_counter()
    rows = ((person.id, *(value for _, value in person.terms)) for person in people(count))
    entities = Entities.store(folder, COLUMNS, rows, fuzzy=1)
    print(f"{count:,} entities: database and index {time.perf_counter() - start:.0f} s", end="", flush=True)
    start = time.perf_counter()
    made = entities.engine(engine)
    print(f", tantivy {time.perf_counter() - start:.0f} s", flush=True)
    ready.touch()
    return entities, made


def _measure(entities: Entities, engine: Engine, count: int, amount: int) -> list[Row]:
    """A row for each way to read; the ways take turns, so that all have the same machine."""
    print(f"\n{count:,} entities, {amount} documents, k = {K}")
    texts = documents(list(islice(people(count), 3000)), amount + _WARM)
    ask = entities.ask(HALF)
    found: list[Row] = []
    for fuzzy in (0, 1):
        sanitizer = entities.sanitizer(K, fuzzy)
        start = time.perf_counter()
        bound = sanitizer.bind(HALF)
        print(f"first bind: {time.perf_counter() - start:.2f} s")
        trials: dict[str, list[Trial]] = {"efface": [], "again": [], "decides": [], "paper": []}
        for text in texts:
            trials["efface"].append(with_efface(sanitizer, HALF, text, ask, K))
            trials["again"].append(_again(sanitizer, text))
            trials["decides"].append(_decides(sanitizer, bound, text))
            trials["paper"].append(with_baseline(engine, bound, text, ask, K))
        kind = f"fuzzy {fuzzy}" if fuzzy else "exact"
        found += [_row(count, name, kind, some[_WARM:]) for name, some in trials.items()]
    return found


def _again(sanitizer: Sanitizer, text: str) -> Trial:
    """The same document for a viewer who may see all: only what depends on the viewer is done."""
    data = text.encode()
    sanitizer.sanitize(data, name="document.txt", viewer=HALF)  # after `with_efface` has looked around
    _, seconds, processor = timed(lambda: sanitizer.sanitize(data, name="document.txt", viewer=ALL))
    return Trial(spans=(), terms=0, unsafe=0, left=0, seconds=seconds, processor=processor)


def _decides(sanitizer: Sanitizer, bound: BoundPolicy, text: str) -> Trial:
    """Who must not be seen, and what has to go: binding the viewer, finding, asking, planning."""
    document = Document("document.txt", "text", text)
    index_of(bound).kept.clear()

    def work() -> None:
        fresh = sanitizer.bind(HALF)
        reading = find(document, fresh)
        for guarantee in fresh.guarantees:
            if findings := guarantee.assess(reading):
                guarantee.plan(reading, findings)

    _, seconds, processor = timed(work)
    return Trial(spans=(), terms=0, unsafe=0, left=0, seconds=seconds, processor=processor)


def _row(count: int, name: str, kind: str, trials: Sequence[Trial]) -> Row:
    clock = sorted(trial.seconds * 1e3 for trial in trials)
    processor = sorted(trial.processor * 1e3 for trial in trials)
    row: Row = {
        "entities": count,
        "method": name,
        "matching": kind,
        "clock median ms": round(statistics.median(clock), 1),
        "clock mean ms": round(statistics.mean(clock), 1),
        "clock p99 ms": round(_p99(clock), 1),
        "processor median ms": round(statistics.median(processor), 1),
        "processor mean ms": round(statistics.mean(processor), 1),
        "processor p99 ms": round(_p99(processor), 1),
        "terms removed": round(statistics.mean(trial.terms for trial in trials), 2),
        "denied left": sum(trial.left for trial in trials),
        "documents with denied left": sum(trial.left > 0 for trial in trials),
    }
    print("; ".join(f"{what} {value}" for what, value in row.items() if what != "entities"), flush=True)
    return row


def _p99(ordered: Sequence[float]) -> float:
    return ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]


def _print_growth(rows: Sequence[Row]) -> None:
    """Processor time against each other, and from the fewest entities to the most."""
    times = {
        (row["entities"], row["method"], row["matching"], what): float(str(row[f"processor {what} ms"]))
        for row in rows
        for what in ("median", "mean")
    }
    counts = sorted({int(str(row["entities"])) for row in rows})
    for count in counts:
        exact, fuzzy = (times[count, "efface", kind, "median"] for kind in ("exact", "fuzzy 1"))
        print(f"{count:,}: fuzzy takes {fuzzy / exact:.1f} times exact")
        for kind in ("exact", "fuzzy 1"):
            for name in ("efface", "decides"):
                by = {
                    w: times[count, name, kind, w] / times[count, "paper", kind, w]
                    for w in ("median", "mean")
                }
                print(
                    f"  {kind}, {name}: {by['median']:.2f} (median) and {by['mean']:.2f} (mean) times the paper's"
                )
    if len(counts) > 1:
        first, last = (times[count, "efface", "exact", "median"] for count in (counts[0], counts[-1]))
        print(f"{counts[-1] / counts[0]:.0f} times the entities, {last / first:.1f} times the processor time")


if __name__ == "__main__":
    main()
