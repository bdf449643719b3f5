"""Figures 3 to 8 as CSV and pictures, and a page with the paper's claims beside ours."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from experiments.greedy_sanitize import figures
from experiments.greedy_sanitize.data import DATASETS
from experiments.greedy_sanitize.trials import ATTACKED, BUDGETS, EVERYWHERE, FOLDS, RATIOS, Row

_NAMES = [field.name for field in fields(Row)]
COLUMNS = [*_NAMES[:-1], *(f"found_{budget}" for budget in BUDGETS)]
Series = dict[str, list[tuple[float, float]]]  # a curve's name to its points
Panels = dict[str, Series]  # a data set to its curves


def flat(row: Row) -> list[object]:
    return [*(getattr(row, name) for name in _NAMES[:-1]), *row.found]


def read(path: Path) -> list[Row]:
    with path.open(newline="") as file:
        return [_row(line) for line in list(csv.reader(file))[1:]]


def _row(line: Sequence[str]) -> Row:
    dataset, fold, publisher, learner, ratio, rounds, words, identifiers, published, left, tp, fp, *found = (
        line
    )
    return Row(
        dataset,
        int(fold),
        publisher,
        learner,
        float(ratio),
        int(rounds),
        int(words),
        int(identifiers),
        float(published),
        int(left),
        int(tp),
        int(fp),
        tuple(map(int, found)),
    )


def mean(rows: Iterable[Row], value: Callable[[Row], float]) -> float | None:
    found = [value(row) for row in rows]
    return sum(found) / len(found) if found else None


def curves(rows: Sequence[Row], wanted: Callable[[Row], str | None], value: Callable[[Row], float]) -> Panels:
    """For each data set, the mean over folds of a value against L/C; `wanted` names a row's curve."""
    panels: Panels = {}
    for dataset in DATASETS:
        here = [row for row in rows if row.dataset == dataset]
        for name in dict.fromkeys(filter(None, map(wanted, here))):
            for ratio in RATIOS:
                point = mean((r for r in here if wanted(r) == name and r.loss_ratio == ratio), value)
                if point is not None:
                    panels.setdefault(dataset, {}).setdefault(name, []).append((ratio, point))
    return panels


def by_budget(rows: Sequence[Row], wanted: Callable[[Row], str | None], ratio: float) -> Panels:
    """For each data set, identifiers found per word read, against the budget."""
    panels: Panels = {}
    for dataset in DATASETS:
        here = [row for row in rows if row.dataset == dataset and row.loss_ratio == ratio]
        for name in dict.fromkeys(filter(None, map(wanted, here))):
            of_name = [row for row in here if wanted(row) == name and row.true_positives >= 0]
            for at, budget in enumerate(BUDGETS):
                point = mean(of_name, lambda row, at=at, budget=budget: row.found[at] / budget)  # type: ignore[misc]
                if point is not None:
                    panels.setdefault(dataset, {}).setdefault(name, []).append((budget, point))
    return panels


def write(rows: Sequence[Row], out: Path, sample: str) -> None:
    def greedy(row: Row) -> str | None:
        return row.learner if row.publisher == "greedy" else None

    def best(row: Row) -> str | None:
        return f"{row.publisher}, {row.learner}" if row.learner in EVERYWHERE and _rounds(row) else None

    def against(row: Row) -> str | None:
        if row.publisher == "cost":
            return f"cost-sensitive {row.learner}"
        return f"{row.publisher}, selection" if row.learner == "selection" and _rounds(row) else None

    figure3 = curves(rows, best, lambda row: row.true_positives)
    for name, series in figure3.items():
        once = mean(
            (r for r in _of(rows, "once", "selection") if r.dataset == name), lambda r: r.true_positives
        )
        if once is not None:
            series["one classifier"] = [(ratio, once) for ratio in RATIOS]
    found = "identifiers found per word read"
    _figure(out, "figure3", figure3, "L/C", "TP_A, mean of the folds")
    _figure(out, "figure4-5", by_budget(rows, against, ATTACKED[0]), "budget", found)
    _figure(out, "figure4-10", by_budget(rows, against, ATTACKED[1]), "budget", found)
    _figure(
        out, "figure5", curves(rows, against, lambda row: row.published), "L/C", "share of words published"
    )
    _figure(out, "figure6", by_budget(rows, greedy, ATTACKED[0]), "budget", found)
    _figure(out, "figure7", by_budget(rows, greedy, ATTACKED[1]), "budget", found)
    _figure(out, "figure8", curves(rows, greedy, lambda row: row.rounds), "L/C", "classifiers applied")
    (out / "README.md").write_text(page(rows, sample))


def _rounds(row: Row) -> bool:
    return row.publisher in ("greedy", "accuracy")


def _figure(out: Path, name: str, panels: Panels, across: str, up: str) -> None:
    with (out / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", "curve", across, up])
        for dataset, series in panels.items():
            for curve, points in series.items():
                writer.writerows([dataset, curve, f"{x:g}", f"{y:.5g}"] for x, y in points)
    figures.draw(panels, across, up, out / f"{name}.png")


_HEAD = """# GreedySanitize: the paper's claims beside ours

Person names in six kinds of text, cross-validation by document: the publisher learns three quarters of the
documents and publishes the last; the attacker has the labels of three quarters of what was published, takes the
most accurate learner and attacks the rest, part by part. Data: {sample}. A row says how many of the {folds} folds
were run. `python -m experiments.greedy_sanitize [--quick]` writes this page.

| data | folds | words | names | TP_A at L/C 5, 10, 100 | left at 5, 10, 100 | published at 5, 10, 100 | rounds, most |
|---|---|---|---|---|---|---|---|
"""
_TABLES = """
Each line is `selection`, the best learner in each round. *Loss*: rounds that aim at T, the default. *Accuracy*: rounds
that aim at accuracy, as in the paper; L/C then only says when to stop. *Once*: the most accurate classifier, alone.
TP_A is the mean over folds of the identifiers among what the attacker's classifier finds, `left` the share of names
still there, which is what he finds who reads everything: where TP_A is nothing and much is left, the attacker had too
few names to learn from. Both sides have CRF, SVM, AdaBoost and the ensemble; the names model too on `wiki` (WikiGold),
the only text here that it did not learn from.

| the paper says | here |
|---|---|
"""
_TAIL = """
![figure3](figure3.png)
![figure5](figure5.png)
![figure8](figure8.png)

Figures 4, 6 and 7 (found per word read, against the budget) are beside this page, each with its CSV;
`runs.csv` has every run.

All of each data set with the worst attacker, as far as it was run: [whole.md](whole.md).
"""
_SHOWN = (5.0, 10.0, 100.0)
_LINES = {"greedy": "loss", "accuracy": "accuracy", "once": "once"}


def page(rows: Sequence[Row], sample: str) -> str:
    head = _HEAD.format(sample=sample or "all of each data set", folds=FOLDS)
    lines = [
        _line(f"{name}, {spoken}", [row for row in _of(rows, publisher, "selection") if row.dataset == name])
        for name in DATASETS
        for publisher, spoken in _LINES.items()
    ]
    return head + "\n".join(lines) + "\n" + _TABLES + "\n".join(_claims(rows)) + "\n" + _TAIL


def _of(rows: Sequence[Row], publisher: str, learner: str) -> list[Row]:
    return [row for row in rows if (row.publisher, row.learner) == (publisher, learner)]


def _line(name: str, rows: Sequence[Row]) -> str:
    if not rows:
        return f"| {name} | not run | | | | | | |"
    groups = [[row for row in rows if row.loss_ratio == ratio] for ratio in _SHOWN]
    groups = [group for group in groups if group] or [list(rows)]
    finds = ", ".join(f"{mean(group, lambda row: row.true_positives):.1f}" for group in groups)
    left = ", ".join(f"{_share(group, lambda row: row.left):.1%}" for group in groups)
    published = ", ".join(f"{mean(group, lambda row: row.published):.1%}" for group in groups)
    words, names = sum(row.words for row in groups[0]), sum(row.identifiers for row in groups[0])
    most = max(row.rounds for row in rows)
    return f"| {name} | {len(groups[0])} | {words:,} | {names:,} | {finds} | {left} | {published} | {most} |"


def _share(rows: Sequence[Row], value: Callable[[Row], int]) -> float:
    """Of all names of these rows."""
    return sum(map(value, rows)) / max(1, sum(row.identifiers for row in rows))


def _claims(rows: Sequence[Row]) -> Iterable[str]:
    for publisher, spoken in (("greedy", "loss"), ("accuracy", "accuracy")):
        chosen = _of(rows, publisher, "selection")
        small = [row for row in chosen if row.loss_ratio in ATTACKED]
        if not small:
            continue
        found, left = _share(small, lambda row: row.true_positives), _share(small, lambda row: row.left)
        yield (
            f"| residual TP_A is near zero already at small L/C | {spoken}: {found:.2%} of the names at L/C 5 and "
            f"10, with {left:.1%} of them left |"
        )
        least, least_small = (min(some, key=lambda row: row.published) for some in (chosen, small))
        yield (
            f"| over 93 % is published | {spoken}: at least {least_small.published:.1%} at L/C 5 and 10 "
            f"({least_small.dataset}), {least.published:.1%} over all ({least.dataset}, L/C {least.loss_ratio:g}) |"
        )
    greedy = [row for row in rows if _rounds(row)]
    if greedy:
        most = max(greedy, key=lambda row: row.rounds)
        usual = max((row.rounds for row in greedy if row.learner == "selection"), default=0)
        yield (
            f"| fewer than 5 rounds | {usual} at most with selection, {most.rounds} at most with any learner "
            f"({most.dataset}, {most.learner}, L/C {most.loss_ratio:g}) |"
        )
    dear = [row for row in rows if row.publisher == "cost" and row.loss_ratio == max(RATIOS)]
    if dear:
        shares = ", ".join(
            f"{name} {mean(_of(dear, 'cost', name), lambda row: row.published):.1%}"
            for name in dict.fromkeys(row.learner for row in dear)
        )
        yield f"| cost-sensitive classifiers suppress most of the data at high L/C | published at L/C 100: {shares} |"
