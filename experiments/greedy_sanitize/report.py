"""Figures 3 to 8 as CSV and pictures, and a page with the paper's claims beside ours."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from experiments.greedy_sanitize import figures
from experiments.greedy_sanitize.data import DATASETS
from experiments.greedy_sanitize.trials import ATTACKED, BUDGETS, FOLDS, RATIOS, Row

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
        if row.publisher == "greedy" and row.learner in ("crf", "selection"):
            return f"greedy, {row.learner}"
        return None

    def against(row: Row) -> str | None:
        if row.publisher == "cost":
            return f"cost-sensitive {row.learner}"
        return "greedy, selection" if (row.publisher, row.learner) == ("greedy", "selection") else None

    once = {
        name: mean(
            (r for r in rows if (r.dataset, r.publisher) == (name, "once")), lambda r: r.true_positives
        )
        for name in DATASETS
    }
    figure3 = curves(rows, best, lambda row: row.true_positives)
    for name, value in once.items():
        if value is not None and name in figure3:
            figure3[name]["one classifier"] = [(ratio, value) for ratio in RATIOS]
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


def _figure(out: Path, name: str, panels: Panels, across: str, up: str) -> None:
    with (out / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", "curve", across, up])
        for dataset, series in panels.items():
            for curve, points in series.items():
                writer.writerows([dataset, curve, f"{x:g}", f"{y:.5g}"] for x, y in points)
    figures.draw(panels, across, up, out / f"{name}.png")


def page(rows: Sequence[Row], sample: str) -> str:
    lines = [
        "# GreedySanitize: the paper's claims beside ours",
        "",
        "Person names in five kinds of text, cross-validation by document: the publisher learns three quarters of the",
        "documents and publishes the last; the attacker has the labels of three quarters of what was published, takes the",
        f"most accurate learner and attacks the rest, part by part. Data: {sample or 'all of each data set'}. A row says how many of the",
        f"{FOLDS} folds were run. `python -m experiments.greedy_sanitize [--quick]` writes this page.",
        "",
        "| data | folds | words | names | TP_A at L/C 5, 10, 100 | one classifier | left at 10 | published, least | rounds, most |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_line(name, [row for row in rows if row.dataset == name]) for name in DATASETS),
        "",
        "Greedy runs use `selection`. TP_A is the mean over folds of the identifiers among what the attacker's",
        "classifier finds; `one classifier` the same after one round; `left` the share of names still there; the last",
        "two columns range over L/C from 1 to 100. A TP_A of nothing beside many names left says that the attacker had",
        "too few of them to learn from, not that the release is safe: he who reads it whole finds what is left.",
        "",
        "| the paper says | here |",
        "|---|---|",
        *_claims(rows),
        "",
        *(f"![{name}]({name}.png)" for name in ("figure3", "figure5", "figure8")),
        "",
        "Figures 4, 6 and 7 (found per word read, against the budget) are beside this page, each with its CSV;",
        "`runs.csv` has every run.",
        "",
    ]
    return "\n".join(lines)


def _of(rows: Sequence[Row], publisher: str, learner: str) -> list[Row]:
    return [row for row in rows if (row.publisher, row.learner) == (publisher, learner)]


def _line(name: str, rows: Sequence[Row]) -> str:
    chosen = _of(rows, "greedy", "selection")
    if not chosen:
        return f"| {name} | not run | | | | | | | |"
    at = {ratio: [row for row in chosen if row.loss_ratio == ratio] for ratio in RATIOS}
    finds = ", ".join(
        f"{mean(at[ratio], lambda row: row.true_positives):.1f}" for ratio in (5.0, 10.0, 100.0)
    )
    once = mean(_of(rows, "once", "selection"), lambda row: row.true_positives)
    left = sum(row.left for row in at[10.0]) / max(1, sum(row.identifiers for row in at[10.0]))
    words, names = sum(row.words for row in at[10.0]), sum(row.identifiers for row in at[10.0])
    return (
        f"| {name} | {len(at[10.0])} | {words:,} | {names:,} | {finds} | {once:.1f} | {left:.1%} | "
        f"{min(row.published for row in chosen):.1%} | {max(row.rounds for row in chosen)} |"
    )


def _claims(rows: Sequence[Row]) -> Iterable[str]:
    greedy = [row for row in rows if row.publisher == "greedy"]
    chosen = _of(rows, "greedy", "selection")
    if not chosen:
        return
    small = [row for row in chosen if row.loss_ratio in ATTACKED]
    share = sum(row.true_positives for row in small) / max(1, sum(row.identifiers for row in small))
    left = sum(row.left for row in small) / max(1, sum(row.identifiers for row in small))
    yield (
        f"| residual TP_A is near zero already at small L/C | {share:.2%} of the names at L/C 5 and 10, "
        f"with {left:.1%} of them left |"
    )
    least = min(chosen, key=lambda row: row.published)
    yield f"| over 93 % is published | at least {least.published:.1%} ({least.dataset}, L/C {least.loss_ratio:g}) |"
    most = max(greedy, key=lambda row: row.rounds)
    yield f"| fewer than 5 rounds | {most.rounds} at most ({most.dataset}, {most.learner}, L/C {most.loss_ratio:g}) |"
    dear = [row for row in rows if row.publisher == "cost" and row.loss_ratio == max(RATIOS)]
    if dear:
        shares = ", ".join(
            f"{name} {mean(_of(dear, 'cost', name), lambda row: row.published):.1%}"
            for name in dict.fromkeys(row.learner for row in dear)
        )
        yield f"| cost-sensitive classifiers suppress most of the data at high L/C | published at L/C 100: {shares} |"
