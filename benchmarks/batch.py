"""A batch against its parts: workers, the finder alone, memory as the corpus grows, resuming, Spark.

    python -m benchmarks.batch [--quick] [--documents N] [--only scaling,finder,growth,spark]

Every ratio comes from runs of the same minutes. Documents are generated prose with identifiers; each run is a
process of its own with a new output. `finder` compares bytes a second of a whole batch on all cores (read, find,
remove, write, read again, attack, commit) with the pattern finder alone in one process on texts in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.throughput import sample

_SHORT, _LONG = 1000, 8000  # characters of a document


def fill(folder: Path, count: int, size: int) -> int:
    """So many documents in folders of a thousand; how many bytes they are."""
    total = 0
    for number in range(count):
        place = folder / f"{number // 1000:04}"
        if number % 1000 == 0:
            place.mkdir(parents=True)
        data = sample(size, number)
        (place / f"{number}.txt").write_bytes(data)
        total += len(data)
    return total


def measure(source: Path, output: Path, workers: int, engine: str) -> None:
    """One run in this process, its time and the peak of its memory and of its largest worker's."""
    from efface.api.sanitizer import Sanitizer
    from efface.batch.containers.sources import Inputs
    from efface.batch.engines.pool import Limits
    from efface.batch.run import Batch, run
    from efface.batch.work_folder import BatchFolders

    folders = BatchFolders(output, output.with_name(f"{output.name}.work"))
    batch = Batch(
        Sanitizer.from_text("efface: 1"),
        Inputs.of([str(source)]),
        folders,
        limits=Limits(workers),
        engine=engine,
    )
    if engine == "spark":
        _warm_spark(workers)
    started = time.perf_counter()
    outcome = run(batch)
    seconds = time.perf_counter() - started
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"seconds": seconds, "parent": peaks[0], "worker": peaks[1], "counts": outcome.counts}))


def _warm_spark(cores: int) -> None:
    """The JVM and Spark's Python workers are up before the clock starts, as on a cluster that is in use."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.range(cores * 4).repartition(cores * 4).mapInArrow(lambda batches: batches, "id long").collect()


def started(source: Path, output: Path, workers: int, engine: str = "local") -> dict[str, Any]:
    words = [
        sys.executable,
        "-m",
        "benchmarks.batch",
        "--measure",
        str(source),
        str(output),
        str(workers),
        engine,
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def scaling(folder: Path, count: int) -> None:
    fill(folder / "in", count, _LONG)
    took = {
        workers: started(folder / "in", folder / f"out{workers}", workers)["seconds"] for workers in (1, 2)
    }
    print(
        f"scaling   {count} documents of {_LONG}: 1 worker {took[1]:.1f} s, 2 workers {took[2]:.1f} s: {took[1] / took[2]:.2f}x"
    )


def finder(folder: Path, count: int) -> None:
    from efface.finders.patterns.finder import PatternFinder

    size = fill(folder / "in", count, _LONG)
    texts = [path.read_text() for path in (folder / "in").rglob("*.txt")]
    found = PatternFinder()
    list(found.find(texts[0]))
    begun = time.perf_counter()
    for text in texts:
        list(found.find(text))
    alone = size / (time.perf_counter() - begun) / 1e6
    cores = len(os.sched_getaffinity(0))
    whole = size / started(folder / "in", folder / "out", cores)["seconds"] / 1e6
    print(
        f"finder    in memory {alone:.2f} MB/s, batch on {cores} cores {whole:.2f} MB/s: {whole / alone:.2f}x"
    )


def growth(folder: Path, count: int) -> None:
    """Ten times as many documents: memory, and what running again costs."""
    found = {}
    for documents in (count // 10, count):
        fill(folder / f"in{documents}", documents, _SHORT)
        time.sleep(2.5)  # files that are older than a tick are told by their stamps
        found[documents] = started(folder / f"in{documents}", folder / f"out{documents}", 2)
    small, large = (found[n]["parent"] + found[n]["worker"] for n in (count // 10, count))
    again = started(folder / f"in{count}", folder / f"out{count}", 2)["seconds"]
    first = found[count]["seconds"]
    print(
        f"memory    {count // 10} documents {small / 1024:.0f} MiB, {count} {large / 1024:.0f} MiB: {large / small:.2f}x"
    )
    print(f"resume    {count} documents {first:.1f} s, again {again:.2f} s: {again / first:.1%}")


def spark(folder: Path, count: int) -> None:
    fill(folder / "in", count, _LONG)
    local = started(folder / "in", folder / "local", 2)["seconds"]
    remote = started(folder / "in", folder / "spark", 2, "spark")["seconds"]
    print(f"spark     local engine {local:.1f} s, local[2] {remote:.1f} s: {local / remote:.2f}x")


_PARTS = {"scaling": scaling, "finder": finder, "growth": growth, "spark": spark}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--only", default=",".join(_PARTS))
    asked = parser.parse_args()
    for name in asked.only.split(","):
        count = asked.documents if name == "growth" else 3000
        with tempfile.TemporaryDirectory() as folder:
            _PARTS[name](Path(folder), count // 20 if asked.quick else count)


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure(Path(sys.argv[-4]), Path(sys.argv[-3]), int(sys.argv[-2]), sys.argv[-1])
    else:
        main()
