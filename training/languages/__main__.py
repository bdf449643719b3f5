"""Makes what the names finder needs for languages other than English: `python -m training.languages`. See README.md."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from training.languages.calibrate import PRECISE, choice_of
from training.languages.chain import learn_chain
from training.languages.identify import pack
from training.languages.learn import learn, loaded
from training.languages.own_chains import learn_own_chain
from training.languages.weigh import WEIGHED, lines
from training.names.export import export

from efface.finders.names.chain import CHAIN
from efface.finders.names.languages import NETWORK, PIECES, SETTINGS, network_digest
from efface.finders.names.tokens import Vocabulary

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/efface/finders/names/data"
CHAINED = (
    "cs",
    "de",
    "fi",
    "it",
    "nl",
    "no",
    "pl",
    "ru",
    "sv",
    "tr",
)  # languages with a chain of their own in the package
# Chosen on every second of the first 300 sentences of the `dev` files; what follows them is reported.
WEIGHTS = {"chain": 0.5, "languages": 0.5, "english": 0.0}
THRESHOLDS = {
    "recall": {"PERSON": 0.24, "LOCATION": 0.35, "ORGANIZATION": 0.35},
    "precision": {"PERSON": 0.5, "LOCATION": 0.5, "ORGANIZATION": 0.55},
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.languages", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--steps", type=int, default=505, help="of the network")
    arguments = parser.parse_args()
    pack(ROOT / "src/efface/text/data/languages.npz")
    learn_chain(arguments.data, Vocabulary.load(FOLDER / "vocab.txt"), FOLDER / CHAIN, arguments.seed)
    build = ROOT / "build/languages"
    learn(arguments.data, FOLDER, build, arguments.steps, arguments.seed, float("inf"))
    shutil.copy(build / "pieces.txt", FOLDER / PIECES)
    export(loaded(build / "last.mean.pt"), FOLDER / NETWORK)
    row = {"digest": network_digest(FOLDER), "weights": WEIGHTS, "thresholds": THRESHOLDS}
    own: dict[str, dict[str, object]] = {}
    for language in CHAINED:
        learn_own_chain(arguments.data, FOLDER, language, arguments.seed)
        choice = choice_of(language)
        thresholds = {"recall": choice.limits, "precision": PRECISE}
        own[language] = {"weights": choice.weights, "thresholds": thresholds}
    write_settings(row | {"own": own})
    for language in WEIGHED:  # what chain and network say is known only now
        print("\n".join(lines(arguments.data, FOLDER, language, own)), flush=True)
    write_settings(row | {"own": own})


def write_settings(row: Mapping[str, object]) -> None:
    """Put the settings into the package."""
    (FOLDER / SETTINGS).write_text(json.dumps(row, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
