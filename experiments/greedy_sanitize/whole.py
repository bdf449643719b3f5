"""All of each data set, published with rounds that aim at the loss, and attacked by every learner: `whole.csv`, `whole.md`.

    python -m experiments.greedy_sanitize.whole [--quick] [--datasets wiki ...] [--ratio 10] [--seconds N]

A fold that stands in `whole.csv` is not run again, so that a run may be stopped and gone on with. The attacker is the worst
of all: each learner (the names model too) with each seed, and for each budget the one who finds most.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path

from efface.attacks.release import BUDGETS, Attack
from efface.attacks.tradeoff import folds, publish, sanitize
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.classifier import Costs
from efface.learners.greedy import apply
from efface.learners.selection import SINGLE
from experiments.greedy_sanitize.__main__ import OUT
from experiments.greedy_sanitize.data import DATASETS, TYPE, load
from experiments.greedy_sanitize.trials import FOLDS, Task

QUICK_WORDS = 4_000
SEEDS = 2
LEAST_PUBLISHED, MOST_LEFT = 0.93, 0.02  # the aim at L/C 10


@dataclass(frozen=True)
class WholeRow:
    """One fold. `found` is what the worst attacker finds who reads one word in fifty, or all that his classifier marks."""

    dataset: str
    fold: int
    sample: int  # words asked for; 0 is all
    loss_ratio: float
    rounds: int
    words: int
    names: int
    removed: int
    left: int
    found: int
    attacker: str


def run_fold(
    task: Task, ratio: float, attackers: Iterable[str] = tuple(SINGLE), seeds: int = SEEDS
) -> WholeRow:
    """The fold published by the best learner of each round, then attacked."""
    material = TrainingTexts.of(load(task.dataset, task.words, task.seed))
    fold = next(islice(folds(material, material.labels[TYPE], FOLDS, task.seed), task.fold, None))
    costs = Costs(ratio, 1.0)
    rounds = [
        step.classifier
        for step in sanitize(fold, task.learner("selection"), costs, costs, task.seed)
        if step.pays
    ]
    removed = apply(rounds, fold.held)
    tried = [
        (found_by(publish(fold, removed, SINGLE[name](seed), seed).attack), f"{name} {seed}")
        for name in attackers
        for seed in range(seeds)
    ]
    found, attacker = max(tried, key=lambda pair: pair[0])
    truth = fold.held_labels
    left = int((truth & ~removed).sum())
    sample = task.words or 0
    counts = (len(rounds), len(removed), int(truth.sum()), int(removed.sum()), left, found)
    return WholeRow(task.dataset, task.fold, sample, ratio, *counts, attacker)


def found_by(attack: Attack) -> int:
    """Names among what the attacker reads with the largest of the budgets: more reading finds no fewer."""
    return attack.found(max(attack.budgets))


def read(path: Path) -> list[WholeRow]:
    """The rows of a file; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [_row(line) for line in list(csv.reader(file))[1:]]


def _row(line: Sequence[str]) -> WholeRow:
    dataset, fold, sample, ratio, *counts, attacker = line
    rounds, words, names, removed, left, found = map(int, counts)
    return WholeRow(
        dataset, int(fold), int(sample), float(ratio), rounds, words, names, removed, left, found, attacker
    )


def write(rows: Sequence[WholeRow], path: Path) -> None:
    """All rows, and the page beside them."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(WholeRow)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(rows, key=lambda row: (row.dataset, row.fold)))
    path.with_suffix(".md").write_text(page(rows), "utf-8")


_HEAD = f"""# All of each data set, and the worst attacker

`python -m experiments.greedy_sanitize.whole` writes this page from `whole.csv`, and goes on where it stopped. The aim at L/C 10:
more than {LEAST_PUBLISHED:.0%} published with at most {MOST_LEFT:.0%} of the names left. *Found* is what the best of all attackers
finds (every learner, the names model too, {SEEDS} seeds) who reads all that his classifier marks, or one word in
{round(1 / max(BUDGETS))}.

| data | folds of {FOLDS} | words | names | L/C | published | names left | found | most rounds | aim |
|---|---|---|---|---|---|---|---|---|---|
"""


def page(rows: Sequence[WholeRow]) -> str:
    """A line for each data set and ratio; data sets that were not run are said."""
    lines = list(_lines(rows))
    missing = [name for name in DATASETS if name not in {row.dataset for row in rows}]
    note = f"\nNot run yet: {', '.join(missing)}.\n" if missing else ""
    return _HEAD + "\n".join(lines) + "\n" + note


def _lines(rows: Sequence[WholeRow]) -> Iterator[str]:
    for name, ratio, sample in dict.fromkeys((row.dataset, row.loss_ratio, row.sample) for row in rows):
        here = [row for row in rows if (row.dataset, row.loss_ratio, row.sample) == (name, ratio, sample)]
        words, names = sum(row.words for row in here), sum(row.names for row in here)
        published = 1 - sum(row.removed for row in here) / words
        left, found = (
            sum(values) / max(1, names) for values in ((r.left for r in here), (r.found for r in here))
        )
        met = "met" if published > LEAST_PUBLISHED and left <= MOST_LEFT else "missed"
        of = name if not sample else f"{name}, about {sample:,} words"
        most = max(row.rounds for row in here)
        yield (
            f"| {of} | {len(here)} | {words:,} | {names:,} | {ratio:g} | {published:.1%} | {left:.1%} | {found:.1%} "
            f"| {most} | {met} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.greedy_sanitize.whole", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a sample of each data set, one fold")
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), choices=list(DATASETS))
    parser.add_argument("--ratio", type=float, default=10.0)
    parser.add_argument("--folds", type=int, default=FOLDS, help="how many of the four folds")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no fold after so many")
    parser.add_argument("-o", "--out", type=Path, default=OUT / "whole.csv")
    options = parser.parse_args()
    sample, count = (QUICK_WORDS, 1) if options.quick else (None, options.folds)
    rows, begun = read(options.out), time.monotonic()
    done = {(row.dataset, row.fold, row.sample, row.loss_ratio) for row in rows}
    for fold in range(count):
        for name in options.datasets:
            if (name, fold, sample or 0, options.ratio) in done or time.monotonic() - begun > options.seconds:
                continue
            rows.append(run_fold(Task(name, fold, sample), options.ratio))
            write(rows, options.out)
            print(f"{rows[-1]} {time.monotonic() - begun:.0f} s since the start", flush=True)


if __name__ == "__main__":
    main()
