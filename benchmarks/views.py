"""Views: a document read by one viewer, end to end. `python -m benchmarks.views [--quick|--full]`.

Made-up persons with 13 attributes in SQLite, labels on the rows, a viewer who may see half of them; documents of
150 words with 10 values of 3 persons; k = 10. efface binds the viewer, reads, finds, asks, plans, writes, reads
again and attacks; the paper's algorithm (tantivy) gets the terms that efface's finder finds, asks and replaces.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from experiments.zorro.database import HALF, Entities
from experiments.zorro.measure import Trial, with_baseline, with_efface

from benchmarks.index import documents, people

K = 10
_WARM = 10
COLUMNS = tuple(name for name, _ in next(people(1)).terms)
QUICK, DEFAULT, FULL = (25_000, 100_000), (100_000, 1_000_000), (100_000, 1_000_000, 10_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.views", description=__doc__)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--quick", action="store_true", help="25 and 100 thousand entities")
    sizes.add_argument("--full", action="store_true", help="100 thousand, 1 million and 10 million entities")
    sizes.add_argument(
        "--entities", type=int, nargs="+", help="other numbers of entities, the smallest first"
    )
    parser.add_argument("--documents", type=int, default=100)
    options = parser.parse_args()
    counts = options.entities or (QUICK if options.quick else FULL if options.full else DEFAULT)
    medians: dict[str, list[float]] = {}
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            for name, median in _measure(Path(folder), count, options.documents).items():
                medians.setdefault(name, []).append(median)
    for name, found in medians.items():
        growth = f"{found[-1] / found[0]:.1f} times the processor time"
        print(f"{name}: {counts[-1] / counts[0]:.0f} times the entities, {growth}")


def _measure(folder: Path, count: int, amount: int) -> dict[str, float]:
    """The median processor time of each way to read, in seconds."""
    print(f"\n{count:,} entities, {amount} documents, k = {K}")
    start = time.perf_counter()
    rows = ((person.id, *(value for _, value in person.terms)) for person in people(count))
    entities = Entities.store(folder, COLUMNS, rows, fuzzy=1)
    print(f"database and index (fuzzy 1): {time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    (folder / "tantivy").mkdir()
    engine = entities.engine(folder / "tantivy")
    print(f"tantivy: {time.perf_counter() - start:.0f} s")
    texts = documents(list(islice(people(count), 3000)), amount + _WARM)
    ask = entities.ask(HALF)
    found = {}
    for fuzzy in (0, 1):
        sanitizer = entities.sanitizer(K, fuzzy)
        bound = sanitizer.bind(HALF)
        ours = [with_efface(sanitizer, HALF, text, ask, K) for text in texts]
        theirs = [with_baseline(engine, bound, text, ask, K) for text in texts]
        kind = f"fuzzy {fuzzy}" if fuzzy else "exact"
        found[f"efface, {kind}"] = _print(f"efface, {kind}", ours[_WARM:])
        found[f"paper, {kind}"] = _print(f"paper,  {kind}", theirs[_WARM:])
    print(f"fuzzy 1 takes {found['efface, fuzzy 1'] / found['efface, exact']:.1f} times exact")
    return found


def _print(name: str, trials: list[Trial]) -> float:
    clock = _spread([trial.seconds for trial in trials])
    processor = _spread([trial.processor for trial in trials])
    left = sum(trial.left for trial in trials)
    gone = statistics.mean(trial.terms for trial in trials)
    print(f"{name}: clock {clock}; processor {processor}; {gone:.2f} terms removed; ", end="")
    print(f"{left} denied entities left in too small a crowd, in {sum(t.left > 0 for t in trials)} documents")
    return statistics.median(trial.processor for trial in trials)


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    return f"median {statistics.median(ordered) * 1e3:.1f}, p99 {p99 * 1e3:.1f} ms"


if __name__ == "__main__":
    main()
