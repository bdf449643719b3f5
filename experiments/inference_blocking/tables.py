"""The tables and figures of one data set, the paper's numbers beside ours."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from efface.attacks.classes import RankedDocuments, chance, cross_fit
from efface.core import Document, Reading
from efface.guarantees.confusability.guarantee import Confusability
from efface.knowledge.classes.words import word_keys
from experiments.inference_blocking import example, figure
from experiments.inference_blocking.data import DataSet, newsgroups
from experiments.inference_blocking.kept import ResultCache, Row
from experiments.inference_blocking.trials import Figures, Setup, Trial, figures, mean, run

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


def results(load: Callable[[], DataSet], documents: int, out: Path) -> ResultCache:
    """Every file about one data set. A run that is stopped goes on after its last finished step."""
    data = load()
    slug = data.name.lower().replace(" ", "-")
    amount = min(len(data.documents), documents)
    places = np.random.default_rng(2010).permutation(len(data.documents))[:amount].tolist()
    kept = ResultCache.open(out / f"partial-{slug}.json", amount)
    _write(out / f"table1-{slug}.csv", table_1(data, places, kept, exact=max(1, amount // 10)))
    rows = kept.rows("figure 3", lambda: figure_3(data, places))
    _write(out / f"figure3-{slug}.csv", rows)
    title = f"{data.name}, efface lp (OVALogOdds), leave-one-out naive Bayes"
    figure.draw(_curves(rows), title, out / f"figure3-{slug}.png")
    _write(out / f"attackers-{slug}.csv", kept.rows("attackers", lambda: attackers(data, places)))
    if load is newsgroups:
        _write(out / "table2.csv", kept.rows("table 2", lambda: table_2(data)))
        example.write(data, out / "figure5.md")
    return kept


def table_1(data: DataSet, places: Sequence[int], kept: ResultCache, exact: int) -> list[Row]:
    """k-eval and its parts for each objective, averaged over k = 2 … 5."""
    setups = [Setup(objective, paper) for objective in (*OBJECTIVES, "count") for paper in (True, False)]
    setups += [Setup("OVALogOdds", paper=False, all_documents=True)]
    setups += [Setup("OVALogOdds", paper=False, method="simple")]
    steps = [(setup, places) for setup in setups]
    # The integer program is slow, so on fewer documents; `lp` on the same ones to compare.
    steps += [(Setup("OVALogOdds", paper=False, method=method), places[:exact]) for method in ("exact", "lp")]
    rows = kept.rows("unredacted", lambda: [_unredacted(data, places)])[:]
    for setup, some in steps:
        step = f"table 1, {setup.objective}, {setup.name}, {len(some)}"
        rows += kept.rows(step, partial(_table_rows, data, some, setup))
    return rows


def _unredacted(data: DataSet, places: Sequence[int]) -> Row:
    before = run(data, places, Setup("count", paper=False), [1])[1]
    return _row(data, "", "unredacted", mean([_figures(data, before, k) for k in SIZES]), len(places))


def _table_rows(data: DataSet, places: Sequence[int], setup: Setup) -> list[Row]:
    trials = run(data, places, setup, SIZES)
    found = mean([_figures(data, trials[k], k) for k in SIZES])
    objective = "" if setup.method == "simple" else setup.objective
    return [_row(data, objective, setup.name, found, len(places))]


def _row(data: DataSet, objective: str, planner: str, found: Figures, documents: int) -> Row:
    paper = PAPER.get(objective, ()) if data.name == "Industry-Sector" and planner == "as printed" else ()
    names = ("paper_k_eval", "paper_error", "paper_category", "paper_suppressed")
    printed = dict(zip(names, paper or ("",) * 4, strict=True))
    return {"objective": objective, "planner": planner, "documents": documents} | _rounded(found) | printed


def _rounded(found: Figures) -> Row:
    return {name: round(value, 3) for name, value in asdict(found).items()}


def _figures(data: DataSet, trials: Sequence[Trial], k: int) -> Figures:
    return figures(trials, k, _chance(data, k - 1))


def _chance(data: DataSet, guesses: int) -> float:
    return chance(Counter(d.sensitive for d in data.documents).values(), guesses)


def figure_3(data: DataSet, places: Sequence[int]) -> list[Row]:
    """Class error and category accuracy against the number of guesses, for k = 2, 3, 5."""
    rows: list[Row] = []
    for k, found in run(data, places, Setup("OVALogOdds", paper=False), (2, 3, 5)).items():
        released = [trial for trial in found if not trial.refused]
        for guesses in GUESSES:
            wrong = float(np.mean([trial.rank > guesses for trial in released]))
            right = float(np.mean([trial.category_rank <= guesses for trial in released]))
            shares = {"class_error": _short(wrong), "category_accuracy": _short(right)}
            rows.append({"k": k, "guesses": guesses} | shares)
    return rows


def _curves(rows: Sequence[Row]) -> figure.Curves:
    curves: dict[int, tuple[list[float], list[float]]] = {}
    for row in rows:
        for line, name in zip(
            curves.setdefault(int(str(row["k"])), ([], [])), ("class_error", "category_accuracy"), strict=True
        ):
            line.append(float(str(row[name])))
    return curves


def attackers(data: DataSet, places: Sequence[int]) -> list[Row]:
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
    return [_attack_row(data, *key, before[key[2]], ranks) for key, ranks in sorted(after.items())]


def _attack_row(
    data: DataSet, planner: str, k: int, attacker: str, before: Mapping[int, int], after: Mapping[int, int]
) -> Row:
    row: Row = {"planner": planner, "k": k, "attacker": attacker, "documents": len(after)}
    for guesses in (1, k - 1):
        found = RankedDocuments(np.array([before[place] for place in after]), np.array(list(after.values())))
        success = found.success(attacker, guesses, _chance(data, guesses))
        heading = "first guess" if guesses == 1 else "k-1 guesses"
        row |= {f"{heading} {name}": _short(getattr(success, name)) for name in ("before", "after", "chance")}
    return row


def _short(value: object) -> object:
    return round(value, 3) if isinstance(value, float) else value


def table_2(data: DataSet) -> list[Row]:
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
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path.name}")
