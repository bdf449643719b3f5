"""Runs folds that are not in the results yet, then writes tables and figures, the paper's claims beside ours."""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.greedy_sanitize import report
from experiments.greedy_sanitize.data import DATASETS
from experiments.greedy_sanitize.trials import FOLDS, Row, Task, run_in_time

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "greedy_sanitize"
QUICK_WORDS, QUICK_FOLDS = 8_000, 2


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.greedy_sanitize", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a sample of each data set, in five minutes")
    parser.add_argument("--words", type=int, help="a sample of about so many words of each data set")
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), choices=list(DATASETS))
    parser.add_argument("--folds", type=int, default=FOLDS, help="how many of the four folds")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no fold after so many")
    parser.add_argument("-o", "--out", type=Path, default=OUT, help="where the results go")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    words = QUICK_WORDS if options.quick else options.words
    wanted = QUICK_FOLDS if options.quick else options.folds
    path = options.out / "runs.csv"
    rows = [] if options.quick or not path.exists() else report.read(path)
    done = {(row.dataset, row.fold) for row in rows}
    tasks = [
        Task(name, fold, words)
        for fold in range(wanted)
        for name in options.datasets
        if (name, fold) not in done
    ]
    started = time.monotonic()
    for found in _results(tasks, options.processes, started + options.seconds):
        rows += found
        _write(path, rows)
        print(f"{found[0].dataset}, fold {found[0].fold}: {time.monotonic() - started:.0f} s since the start")
    report.write(rows, options.out, "" if words is None else f"a sample of about {words:,} words of each")


def _results(tasks: Sequence[Task], processes: int, until: float) -> Iterator[list[Row]]:
    """Fold by fold as they end, none begun after the time is up."""
    jobs = [(task, until) for task in tasks]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from filter(None, pool.imap_unordered(run_in_time, jobs))


def _write(path: Path, rows: Sequence[Row]) -> None:
    ordered = sorted(
        rows, key=lambda row: (row.dataset, row.fold, row.publisher, row.learner, row.loss_ratio)
    )
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(report.COLUMNS)
        writer.writerows(report.flat(row) for row in ordered)


if __name__ == "__main__":
    main()
