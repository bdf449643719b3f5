"""Trains the names model: `python -m training.names`. See README.md beside this file for the recipe."""

from __future__ import annotations

import argparse
from pathlib import Path

from training.names.calibrate import calibrate
from training.names.cases import CasesRecipe, cases_of, train_folds, train_subject, trained_subject
from training.names.data import read_all
from training.names.export import export, export_beside
from training.names.learn import Recipe, train, trained

from efface.finders.names.model import NAMES, SUBJECT
from efface.finders.names.tokens import Vocabulary

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/efface/finders/names/data"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.names", description=__doc__)
    defaults = Recipe()
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--work", type=Path, default=ROOT / "build/names", help="checkpoints")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--threads", type=int, default=defaults.threads)
    parser.add_argument("--finish", action="store_true", help="export and calibrate what was trained before")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    vocabulary = Vocabulary.load(FOLDER / "vocab.txt")
    recipe = Recipe(seed=arguments.seed, threads=arguments.threads)
    texts = read_all(arguments.data)
    if not arguments.finish:
        train(texts, arguments.data, vocabulary, recipe, arguments.work)
        train_folds(cases_of(texts), arguments.data, vocabulary, CasesRecipe(), arguments.work)
        train_subject(cases_of(texts), arguments.data, vocabulary, CasesRecipe(), arguments.work)
    export(trained(arguments.work, recipe), FOLDER / NAMES)
    export_beside(trained_subject(arguments.work, CasesRecipe()), FOLDER / SUBJECT, FOLDER / NAMES)
    calibrate(texts, arguments.work, FOLDER)


if __name__ == "__main__":
    main()
