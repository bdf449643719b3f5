"""Fits how the chain and the network of a language are weighed: `python -m training.languages.weigh --languages de fi --write`.

The regression is fitted on the sentences that settings are chosen on (`calibrate.tuning`). For the thresholds, each sentence is
judged by a regression that was fitted on three quarters of the sentences, without it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from training.languages.calibrate import (
    PACKAGE,
    ROOT,
    ReadWords,
    choice_of,
    clean,
    read_sentences,
    shown,
    tuning,
)

from efface.finders.names.languages import SETTINGS
from efface.finders.names.weighing import evidence

WEIGHED = ("de", "fi")  # languages with sentences enough to fit on
STRENGTH, ROUNDS, PARTS, DIGITS = 0.3, 150, 4, 3

Floats = np.ndarray


@dataclass(frozen=True, slots=True)
class Columns:
    """The words to fit on: their evidence, their kinds, and the numbers of their sentences."""

    evidence: Floats
    truth: Floats
    sentence: Floats


def columns_of(data: Path, package: Path, language: str) -> Columns:
    """Of the clean sentences that settings are chosen on."""
    some = [one for one in read_sentences(tuning(data, language), package, language) if clean(one.source)]
    rows = [evidence(one.chain, one.network, one.words.cases)[one.known] for one in some]
    truth = [one.truth[one.known] for one in some]
    numbers = [np.full(int(one.known.sum()), number) for number, one in enumerate(some)]
    return Columns(np.vstack(rows), np.concatenate(truth), np.concatenate(numbers))


def fitted(given: Columns) -> Floats:
    """The weights as `efface.finders.names.weighing.weighed` takes them."""
    model = _model().fit(given.evidence, given.truth)
    return np.hstack([model.coef_, model.intercept_[:, None]]).round(DIGITS)


def left_out(given: Columns) -> ReadWords:
    """What regressions say that had not seen the sentence."""
    chances = np.zeros((len(given.truth), 4), np.float32)
    for seen, other in GroupKFold(PARTS).split(given.evidence, given.truth, given.sentence):
        model = _model().fit(given.evidence[seen], given.truth[seen])
        chances[other] = model.predict_proba(given.evidence[other])
    return ReadWords(given.truth, chances[:, 1:])


def _model() -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=ROUNDS)


def lines(data: Path, package: Path, language: str, row: dict[str, dict[str, object]]) -> Iterator[str]:
    """Fits a language, puts its weights into `row`, and tells how well sentences are judged that were left out."""
    given = columns_of(data, package, language)
    row[language]["weighing"] = fitted(given).tolist()
    yield from shown(language, {f"{language}.left-out": left_out(given)}, choice_of(language))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.languages.weigh", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--package", type=Path, default=PACKAGE)
    parser.add_argument("--languages", nargs="+", default=list(WEIGHED))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    path = given.package / SETTINGS
    row = json.loads(path.read_bytes())
    for language in given.languages:
        print("\n".join(lines(given.data, given.package, language, row["own"])), flush=True)
    if given.write:
        path.write_text(json.dumps(row, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
