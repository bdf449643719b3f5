"""Runs the experiment and writes its page."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from experiments.inference_blocking import report
from experiments.inference_blocking.data import industry_sector, newsgroups
from experiments.inference_blocking.tables import results

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "inference_blocking"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.inference_blocking", description=__doc__)
    parser.add_argument("--documents", type=int, default=4571, help="of each data set, drawn by chance")
    parser.add_argument("--out", type=Path, default=OUT, help="where the results go")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:  # one data set each
        runs = [
            pool.submit(results, load, options.documents, options.out)
            for load in (industry_sector, newsgroups)
        ]
        kept = [run.result() for run in runs]
    report.write(options.out, options.documents)
    for one in kept:
        one.finished()


if __name__ == "__main__":
    main()
