"""Figure 4 of the paper: how often people fail to guess the class, by k, beside the classifiers.

python -m experiments.inference_blocking.figure4 [RESULTS.json …] [--out FOLDER]

A file is what `GET /v1/games/{id}/results` of a guessing game answers; several games are added up. Without one there is
nothing to report: the page says so, and the figure is drawn on invented answers that are marked as such.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "inference_blocking"
_Z = 1.96  # of an interval that holds 95 times in 100
INVENTED: dict[str, Any] = {
    "players": 0,
    "by_k": [
        {"k": 1, "answers": 40, "people": 0.2, "attackers": {"naive-bayes": 0.1, "linear-svm": 0.05}},
        {"k": 2, "answers": 40, "people": 0.55, "attackers": {"naive-bayes": 1.0, "linear-svm": 0.5}},
        {"k": 5, "answers": 40, "people": 0.8, "attackers": {"naive-bayes": 1.0, "linear-svm": 0.75}},
    ],
}


@dataclass(frozen=True, slots=True)
class Level:
    """One k: what people answered, and the classifiers' error on the same documents with as many guesses."""

    k: int
    answers: int
    wrong: int
    attackers: Mapping[str, float]

    @property
    def error(self) -> float:
        return self.wrong / self.answers if self.answers else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wrong, self.answers)


def wilson(wrong: int, answers: int) -> tuple[float, float]:
    """Wilson's interval of a share; everything where nobody answered."""
    if not answers:
        return 0.0, 1.0
    share, extra = wrong / answers, _Z**2 / answers
    middle = (share + extra / 2) / (1 + extra)
    half = _Z * math.sqrt(share * (1 - share) / answers + extra / (4 * answers)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def levels(results: Sequence[Mapping[str, Any]]) -> list[Level]:
    """The games added up. A classifier's error is the mean over games, by answers."""
    rows = [row for result in results for row in result["by_k"] if row["answers"]]
    found = []
    for k in sorted({int(row["k"]) for row in rows}):
        mine = [row for row in rows if int(row["k"]) == k]
        answers = sum(int(row["answers"]) for row in mine)
        wrong = sum(round(row["people"] * row["answers"]) for row in mine)
        names = set.intersection(*(set(row["attackers"]) for row in mine))
        attackers = {
            name: sum(row["attackers"][name] * row["answers"] for row in mine) / answers
            for name in sorted(names)
        }
        found.append(Level(k, answers, wrong, attackers))
    return found


def page(found: Sequence[Level], players: int, *, invented: bool) -> str:
    names = sorted(set().union(*(level.attackers for level in found)))
    lines = ["# Figure 4: do people guess the class?", ""]
    if invented:
        lines += [
            "**Nobody has played yet: there are no answers of people.** The figure and the table show their form on **invented**",
            "answers, which say nothing. Play the [guessing game](../../review.md#the-guessing-game), save its results",
            "(`GET /v1/games/{id}/results`) and run `python -m experiments.inference_blocking.figure4 RESULTS.json`.",
        ]
    else:
        lines += [f"{players} players; intervals hold 95 times in 100 (Wilson). Errors, by k."]
    lines += ["", "![Error of people and classifiers by k](figure4.png)", ""]
    lines += [
        "| k | answers | people | interval | " + " | ".join(names) + " |",
        "|" + "---|" * (4 + len(names)),
    ]
    for level in found:
        low, high = level.interval
        others = [f"{level.attackers[name]:.2f}" if name in level.attackers else "" for name in names]
        mark = " (invented)" if invented else ""
        cells = [f"{level.k}", f"{level.answers}{mark}", f"{level.error:.2f}", f"{low:.2f} to {high:.2f}"]
        lines.append("| " + " | ".join([*cells, *others]) + " |")
    return "\n".join(lines) + "\n"


def draw(found: Sequence[Level], path: Path, *, invented: bool) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    ks = [level.k for level in found]
    errors = [level.error for level in found]
    below = [level.error - level.interval[0] for level in found]
    above = [level.interval[1] - level.error for level in found]
    axis.errorbar(ks, errors, yerr=[below, above], marker="o", capsize=4, color="#b03a2e", label="people")
    for name in sorted(set().union(*(level.attackers for level in found))):
        line = [level.attackers.get(name, math.nan) for level in found]
        axis.plot(ks, line, marker=".", linestyle=":", label=name)
    axis.set_xlabel("k")
    axis.set_ylabel("error")
    axis.set_ylim(-0.03, 1.03)
    axis.set_xticks(ks)
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8)
    axis.set_title("INVENTED ANSWERS: the form of the figure only" if invented else "Error by k")
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    given = [json.loads(path.read_text("utf-8")) for path in options.results]
    found = levels(given)
    invented = not found
    if invented:
        print("No answers of people are given: the figure is drawn on invented ones, and says so.")
        found = levels([INVENTED])
    players = sum(int(result["players"]) for result in given)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "figure4.md").write_text(page(found, players, invented=invented), encoding="utf-8")
    draw(found, options.out / "figure4.png", invented=invented)


if __name__ == "__main__":
    main()
