"""Runs the experiment and writes its page.

python -m experiments.re_identification [--candidates 543] [--planned-on all|whole|quarter] [--only NAME]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from efface.attacks.known_method import RankedText, joint_ranks, rank_guess, rank_guess_left_out
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, train
from experiments.re_identification.attackers import Attacker, attackers, success
from experiments.re_identification.data import (
    METHODS,
    PUBLISHED,
    abstracts,
    backgrounds,
    without_placeholders,
    words_kept,
)
from experiments.re_identification.release import Setting, margin_guess, release, second_order_guess

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "re_identification"
SETTINGS = (
    Setting(10),
    Setting(5),
    Setting(10, secret=False),
    Setting(5, secret=False),
    Setting(10, rare=1),
    Setting(5, rare=1),
    Setting(10, rare=5),
    Setting(10, readers=("naive-bayes",), secret=False),
    Setting(1),
)
# Planned on a quarter of each background, attacked with all of it.
QUARTER = (Setting(10), Setting(10, rare=1), Setting(10, rare=5), Setting(10, rare=15), Setting(10, rare=30))
PLANNED_ON = ("whole", "quarter")  # of each background
GUESSES = (
    "rank guess",
    "rank guess, left out",
    "all ranks, sum",
    "all ranks, worst",
    "margin",
    "second order",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.re_identification", description=__doc__)
    parser.add_argument("--candidates", type=int, choices=(50, 543), default=543)
    parser.add_argument(
        "--planned-on", choices=("all", *PLANNED_ON), default="all", help="which rows of efface to make"
    )
    parser.add_argument("--only", help="print the rows of this name, and write no page")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    page = options.out / f"candidates{options.candidates}.md"
    whole = backgrounds(options.candidates)
    known = attackers([without_placeholders(text) for text in whole.values()])
    places = {person: place for place, person in enumerate(whole)}
    lines = [_head(known, options.candidates)]
    for method in ("original", *METHODS) if options.only is None else ():
        texts = {row["person"]: row[method] for row in abstracts()}
        lines.append(_row(f"*{method}*", texts, known, places, published=PUBLISHED.get(method)))
        print(lines[-1], flush=True)
    wanted = PLANNED_ON if options.planned_on == "all" else (options.planned_on,)
    for part in wanted:
        quarter = part == "quarter"
        planned = backgrounds(options.candidates, quarter=quarter)
        model = _model(planned)
        for setting in QUARTER if quarter else SETTINGS:
            if options.only not in (None, setting.name):
                continue
            lines.append(_efface(model, setting, known, places, quarter=quarter))
            print(lines[-1], flush=True)
            if options.only is None:
                page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _model(people: Mapping[str, str]) -> ClassModel:
    documents = [LabelledDocument(text, person) for person, text in people.items()]
    return train(documents, TrainingSettings(min_count=1))


def _efface(
    model: ClassModel,
    setting: Setting,
    known: Iterable[Attacker],
    places: Mapping[str, int],
    *,
    quarter: bool,
) -> str:
    released: dict[str, str] = {}
    refused = 0
    for row in abstracts():
        text = release(model, row["original"], row["person"], setting)
        if text is None:
            refused += 1
        else:
            released[row["person"]] = text
    guesses = _guesses(model, released, setting.k)
    name = setting.name + (", a quarter of the background" if quarter else "")
    return _row(name, released, known, places, guesses=guesses, refused=refused)


def _guesses(model: ClassModel, released: Mapping[str, str], k: int) -> tuple[float, ...]:
    """Those of one who knows the method, in the order of `GUESSES`."""
    texts = [RankedText.of(model, text, person) for person, text in released.items()]
    together = [float((places == 1).mean()) for places in joint_ranks(texts, k).values()]
    return (
        rank_guess(texts),
        rank_guess_left_out(texts),
        *together,
        margin_guess(model, released),
        second_order_guess(model, released),
    )


def _row(
    name: str,
    released: Mapping[str, str],
    known: Iterable[Attacker],
    places: Mapping[str, int],
    *,
    published: int | None = None,
    guesses: tuple[float, ...] = (),
    refused: int = 0,
) -> str:
    originals = {row["person"]: row["original"] for row in abstracts()}
    texts = [without_placeholders(text) for text in released.values()]
    truths = [places[person] for person in released]
    found = [(attacker, success(attacker, texts, truths)) for attacker in known]
    kept = float(np.mean([words_kept(originals[person], text) for person, text in released.items()]))
    best = max(share for _, share in found)
    unplanned = max(share for attacker, share in found if not attacker.planned)
    shares = [f"{100 * share:.0f}" for _, share in found]
    told = [f"{100 * share:.0f}" for share in guesses] or [""] * len(GUESSES)
    cells = [name, f"{100 * kept:.0f}", f"{100 * best:.0f}", f"{100 * unplanned:.0f}", *shares, *told]
    return "| " + " | ".join([*cells, str(refused or ""), str(published or "")]) + " |"


def _head(known: Iterable[Attacker], candidates: int) -> str:
    names = [attacker.name + (" (planned against)" if attacker.planned else "") for attacker in known]
    columns = ["text", "words kept %", "best %", "best not planned against %", *names]
    columns += [*GUESSES, "refused", "published (50 candidates)"]
    date = datetime.now(UTC).date().isoformat()
    command = f"python -m experiments.re_identification --candidates {candidates}"
    title = f"# WikiActors, {candidates} candidates\n\n{date}, `{command}`. Shares of right first guesses in per cent.\n"
    return title + "\n| " + " | ".join(columns) + " |\n|" + "---|" * len(columns)


if __name__ == "__main__":
    main()
