"""Throughput and peak memory of a whole redaction as the file grows: both should be linear.

    python -m benchmarks.throughput [--quick]

Each size runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_WORDS = (
    "the patient was seen in clinic and reports no new complaints since last visit with stable weight and "
    "blood pressure medication was reviewed follow up arranged by the ward team letter sent to practice"
).split()
_MEGABYTE = 1_000_000


def sample(size: int, seed: int = 7) -> bytes:
    """Prose with an identifier about every 400 characters."""
    chance = random.Random(seed)
    pieces: list[str] = []
    length = 0
    while length < size:
        words = " ".join(chance.choices(_WORDS, k=120))
        number = chance.randrange(10**8)
        piece = f"{words}. Contact user{number}@example.org or 192.0.2.{number % 250}.\n"
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces).encode()[:size]


def _measure(path: Path) -> None:
    from efface.api.sanitizer import Sanitizer
    from efface.pipeline.sanitize import sanitize

    bound = Sanitizer.from_text("find: {names: none, deny: [Project Falcon]}").bind()
    sanitize(sample(10_000), "warm.txt", bound)
    started = time.perf_counter()
    report = sanitize(path.read_bytes(), "sample.txt", bound)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(seconds, peak, report.verdict.value, len(report.edits))


def main(quick: bool) -> None:
    print("   MB    MB/s   peak/file   verdict   edits")
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (1, 10) if quick else (1, 10, 100):
            path = Path(folder) / f"{megabytes}.txt"
            path.write_bytes(sample(megabytes * _MEGABYTE))
            run = [sys.executable, "-m", "benchmarks.throughput", "--measure", str(path)]
            done = subprocess.run(run, capture_output=True, text=True, check=True)
            seconds, peak, verdict, edits = done.stdout.split()
            ratio = int(peak) / (megabytes * _MEGABYTE)
            speed = megabytes / float(seconds)
            print(f"{megabytes:>5} {speed:>7.2f} {ratio:>10.1f}x   {verdict:<8} {edits:>7}")


if __name__ == "__main__":
    if "--measure" in sys.argv:
        _measure(Path(sys.argv[-1]))
    else:
        main("--quick" in sys.argv)
