"""ERASE's Figures 5-10 again, with the exact optimum as a new curve.

    python -m experiments.erase [--quick] [--resume] [-o DIR]

Everything is computed anew, the disease example too where its data are there. Every run is written to DIR/runs.csv as
soon as it is done; with --resume a run that was stopped goes on where it was.
All of it takes about half an hour of one idle core, --quick about five minutes.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the times are of one processor

import numpy as np

from efface.solvers.ksafety.solve import Instance, solve
from experiments.erase import diseases
from experiments.erase.figures import draw
from experiments.erase.generator import World, make_document, make_world

SEED = 2008
OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "erase"
LIMIT = {"exact": 60.0}  # seconds for a search, others 10

SIZES = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
CROWDS = (1, 5, 10, 15, 20, 25, 30)  # the paper's K: the others
SMALL_CROWDS = (2, 3, 4)  # where the paper has none
GOODNESS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
WINDOWS = (1, 8, 12)


@dataclass(frozen=True, slots=True)
class Point:
    """What varies, and the paper's three parameters."""

    sweep: str
    size: int = 50
    others: int = 10
    goodness: float = 0.8


@dataclass(frozen=True, slots=True)
class Run:
    """One method on one document."""

    sweep: str
    size: int
    others: int
    goodness: float
    document: int
    method: str
    kept: int
    most: float  # what no safe set exceeds
    optimality: str
    seconds: float  # of processor time


POINTS = (
    *(Point("size", size=size) for size in SIZES),
    *(Point("crowd", others=others) for others in CROWDS),
    *(Point("goodness", goodness=goodness) for goodness in GOODNESS),
    *(Point("crowd", others=others) for others in SMALL_CROWDS),  # last: a point's place seeds its documents
)
METHODS = ("bfreq", "bsize", "btop-naive", "btop", "exact")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.erase", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="3 documents a point instead of 20")
    parser.add_argument("--resume", action="store_true", help="keep the runs that are in DIR/runs.csv")
    parser.add_argument("-o", "--out", type=Path, default=OUT, metavar="DIR")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "runs.csv"
    if not options.resume:
        file.unlink(missing_ok=True)
    runs = list(_runs(file, 3 if options.quick else 20))
    draw(runs, options.out)
    if diseases.DATA.is_dir():
        diseases.write(options.out)
    else:
        print("The disease example needs ../shared/data/entities, which is not here.")


def _runs(path: Path, documents: int) -> Iterator[Run]:
    """All runs: those in the file, and the rest as they are made."""
    known = {_key(run): run for run in _read(path)}
    world = make_world(SEED)
    beyond: set[str] = set()  # methods that could not finish at a smaller size
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Run)], lineterminator="\n")
        if not known:
            writer.writeheader()
        for point in POINTS:
            for number in range(documents):
                for method in _methods(point, beyond):
                    key = (point.sweep, point.size, point.others, point.goodness, number, method)
                    run = known.get(key) or _run(world, point, number, method)
                    if key not in known:
                        writer.writerow(asdict(run))
                        file.flush()
                    if run.optimality == "bounded" and method.startswith("best-first"):
                        beyond.add(method)
                    yield run
            print(f"{point} done", flush=True)


def _key(run: Run) -> tuple[str, int, int, float, int, str]:
    return run.sweep, run.size, run.others, run.goodness, run.document, run.method


def _read(path: Path) -> Iterator[Run]:
    if not path.exists():
        return
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Run(
                row["sweep"],
                int(row["size"]),
                int(row["others"]),
                float(row["goodness"]),
                int(row["document"]),
                row["method"],
                int(row["kept"]),
                float(row["most"]),
                row["optimality"],
                float(row["seconds"]),
            )


def _methods(point: Point, beyond: set[str]) -> list[str]:
    """Best-first, as in the paper, only where the size varies and as far as it gets."""
    searches = [f"best-first L={window}" for window in WINDOWS if point.sweep == "size"]
    return [*METHODS, *(name for name in searches if name not in beyond)]


def _run(world: World, point: Point, number: int, method: str) -> Run:
    place = POINTS.index(point)
    instance = make_document(world, point.size, point.goodness, np.random.default_rng([SEED, place, number]))
    begun = time.process_time()
    kept, most, optimality = _solve(instance, point.others + 1, method)
    seconds = time.process_time() - begun
    return Run(
        point.sweep,
        point.size,
        point.others,
        point.goodness,
        number,
        method,
        kept,
        most,
        optimality,
        round(seconds, 5),
    )


def _solve(instance: Instance, k: int, method: str) -> tuple[int, float, str]:
    name, _, window = method.partition(" L=")
    solution = solve(instance, k, name, LIMIT.get(name, 10.0), int(window) if window else None)
    return len(solution.kept), len(instance.terms) - solution.lower_bound, solution.optimality.value


if __name__ == "__main__":
    main()
