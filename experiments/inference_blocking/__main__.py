"""Writes the tables and figures, the paper's numbers beside ours."""

from __future__ import annotations

import argparse
import csv
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from efface.attacks.classes import Ranks, chance, cross_fit
from efface.core import Document, Reading
from efface.guarantees.confusability import Confusability
from efface.knowledge.classes_words import word_keys
from experiments.inference_blocking import example, figure, report
from experiments.inference_blocking.data import DataSet, industry_sector, newsgroups
from experiments.inference_blocking.trials import Figures, Setup, Trial, figures, mean, run

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "inference_blocking"
OBJECTIVES = ("OVALogOdds", "OddsRatio", "FreqLogP", "InfoGain")
SIZES = (2, 3, 4, 5)
GUESSES = range(1, 11)
# The paper's Table 1 (12 sectors, 103 industries): k-eval, class error, category accuracy, suppressed.
PAPER = {
    "OVALogOdds": (0.834, 0.683, 0.861, 0.524),
    "OddsRatio": (0.599, 0.706, 0.388, 0.303),
    "FreqLogP": (0.553, 0.925, 0.572, 0.987),
    "InfoGain": (0.599, 0.706, 0.388, 0.302),
}
PAPER_WORDS = {
    2: "religion dogma system encourages toronto humans beliefs genocide philosopher prison".split(),
    5: "faith christian dogma system encourages beliefs humans secular philosopher christianity".split(),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.inference_blocking", description=__doc__)
    parser.add_argument("--documents", type=int, default=4571, help="of each data set, drawn by chance")
    parser.add_argument("--out", type=Path, default=OUT, help="where the results go")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    for load in (industry_sector, newsgroups):
        data = load()
        amount = min(len(data.documents), options.documents)
        places = np.random.default_rng(2010).permutation(len(data.documents))[:amount].tolist()
        slug = data.name.lower().replace(" ", "-")
        table_1(data, places, options.out / f"table1-{slug}.csv", exact=max(1, amount // 10))
        curves = figure_3(data, places, options.out / f"figure3-{slug}.csv")
        figure.draw(curves, data.name, options.out / f"figure3-{slug}.png")
        attackers(data, places, options.out / f"attackers-{slug}.csv")
        if data.name == "20 Newsgroups":
            table_2(data, options.out / "table2.csv")
            example.write(data, options.out / "figure5.md")
        print(f"{data.name}: {amount} documents, {time.monotonic() - started:.0f} s since the start")
    report.write(options.out, options.documents)


def table_1(data: DataSet, places: Sequence[int], path: Path, exact: int) -> None:
    """k-eval and its parts for each objective, averaged over k = 2 … 5."""
    rows: list[dict[str, object]] = []
    setups = [Setup(objective, paper) for objective in (*OBJECTIVES, "count") for paper in (True, False)]
    before = run(data, places, Setup("count", paper=False), [1])[1]
    rows.append(_row(data, "", "unredacted", mean([_figures(data, before, k) for k in SIZES]), len(places)))
    same = Setup("OVALogOdds", paper=False, all_documents=True)
    for setup in (*setups, same, Setup("OVALogOdds", paper=False, method="simple")):
        rows.append(_table_row(data, places, setup))
    # The integer program is slow, so on fewer documents; `lp` on the same ones to compare.
    rows.append(_table_row(data, places[:exact], Setup("OVALogOdds", paper=False, method="exact")))
    rows.append(_table_row(data, places[:exact], Setup("OVALogOdds", paper=False)))
    _write(path, rows)


def _table_row(data: DataSet, places: Sequence[int], setup: Setup) -> dict[str, object]:
    trials = run(data, places, setup, SIZES)
    found = mean([_figures(data, trials[k], k) for k in SIZES])
    objective = "" if setup.method == "simple" else setup.objective
    return _row(data, objective, setup.name, found, len(places))


def _row(data: DataSet, objective: str, planner: str, found: Figures, documents: int) -> dict[str, object]:
    paper = PAPER.get(objective, ()) if data.name == "Industry-Sector" and planner == "as printed" else ()
    names = ("paper_k_eval", "paper_error", "paper_category", "paper_suppressed")
    printed = dict(zip(names, paper or ("",) * 4, strict=True))
    return {"objective": objective, "planner": planner, "documents": documents} | _rounded(found) | printed


def _rounded(found: Figures) -> dict[str, object]:
    return {name: round(value, 3) for name, value in asdict(found).items()}


def _figures(data: DataSet, trials: Sequence[Trial], k: int) -> Figures:
    return figures(trials, k, _chance(data, k - 1))


def _chance(data: DataSet, guesses: int) -> float:
    return chance(Counter(d.sensitive for d in data.documents).values(), guesses)


def figure_3(data: DataSet, places: Sequence[int], path: Path) -> figure.Curves:
    """Class error and category accuracy against the number of guesses, for k = 2, 3, 5."""
    trials = run(data, places, Setup("OVALogOdds", paper=False), (2, 3, 5))
    curves: dict[int, tuple[list[float], list[float]]] = {}
    rows: list[dict[str, object]] = []
    for k, found in trials.items():
        released = [trial for trial in found if not trial.refused]
        error = [float(np.mean([t.rank > guesses for t in released])) for guesses in GUESSES]
        accuracy = [float(np.mean([t.category_rank <= guesses for t in released])) for guesses in GUESSES]
        curves[k] = (error, accuracy)
        rows += [
            {"k": k, "guesses": guesses, "class_error": _short(wrong), "category_accuracy": _short(right)}
            for guesses, wrong, right in zip(GUESSES, error, accuracy, strict=True)
        ]
    _write(path, rows)
    return curves


def attackers(data: DataSet, places: Sequence[int], path: Path) -> None:
    """Naive Bayes left one out, and attackers that nothing was planned against, before and after."""
    released = {
        (setup.name, k): {trial.place: trial for trial in trials if not trial.refused}
        for setup in (Setup("OVALogOdds", paper=False), Setup("OVALogOdds", paper=False, method="simple"))
        for k, trials in run(data, places, setup, (3, 5)).items()
    }
    before: dict[str, dict[int, int]] = {"naive-bayes": {}}
    after: dict[tuple[str, int, str], dict[int, int]] = {}
    for trial in run(data, places, Setup("count", paper=False), [1])[1]:
        before["naive-bayes"][trial.place] = trial.rank
    for (planner, k), trials in released.items():
        after[planner, k, "naive-bayes"] = {place: trial.rank for place, trial in trials.items()}
    for name, part, attacker in cross_fit(data.documents, places, folds=2):
        truths = [data.documents[place].sensitive for place in part]
        ranks = attacker.ranks([data.documents[place].text for place in part], truths).tolist()
        before.setdefault(name, {}).update(zip(part, ranks, strict=True))
        for (planner, k), trials in released.items():
            there = [place for place in part if place in trials]
            truths = [data.documents[place].sensitive for place in there]
            ranks = attacker.ranks([trials[place].text for place in there], truths).tolist()
            after.setdefault((planner, k, name), {}).update(zip(there, ranks, strict=True))
    _write(path, [_attack_row(data, *key, before[key[2]], ranks) for key, ranks in sorted(after.items())])


def _attack_row(
    data: DataSet, planner: str, k: int, attacker: str, before: Mapping[int, int], after: Mapping[int, int]
) -> dict[str, object]:
    row: dict[str, object] = {"planner": planner, "k": k, "attacker": attacker, "documents": len(after)}
    for guesses in (1, k - 1):
        found = Ranks(np.array([before[place] for place in after]), np.array(list(after.values())))
        success = found.success(attacker, guesses, _chance(data, guesses))
        heading = "first guess" if guesses == 1 else "k-1 guesses"
        row |= {f"{heading} {name}": _short(getattr(success, name)) for name in ("before", "after", "chance")}
    return row


def _short(value: object) -> object:
    return round(value, 3) if isinstance(value, float) else value


def table_2(data: DataSet, path: Path) -> None:
    """The first words to go, by `simple`, from the alt.atheism post that has all of the paper's words."""
    wanted = {word for words in PAPER_WORDS.values() for word in words}
    posts = [d for d in data.documents if d.sensitive == "alt.atheism"]
    post = max(posts, key=lambda d: len(wanted & set(word_keys(d.text))))
    body = post.text.partition("\n\n")[2]
    bound = Confusability(data.model, 2).bind(body, post.sensitive, post.utility)
    slider = bound.sensitivity(Reading(Document("post", "text", body), ()), 5)
    plain = set(
        re.findall(r"[a-z0-9']+", re.sub(r"\S+@\S+", " ", body))
    )  # not only capitalised or in an address
    columns = {f"efface k={k}": [word for word in slider.words(k) if word in plain][:10] for k in (2, 5)}
    columns |= {f"paper k={k}": words for k, words in PAPER_WORDS.items()}
    _write(path, [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
