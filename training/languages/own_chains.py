"""Learns a linear chain for each language from all its texts, and from some of its next of kin where it has few.

    python -m training.languages.own_chains --languages de nl

The chain for all languages is half as good where one language has kinds of text of its own: court decisions with initials,
traffic reports, scanned newspapers.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from training.languages.chain import EMPTY, Lines, changed, labelled_lines, packed
from training.languages.data import read_texts
from training.languages.lists import name_lists
from training.languages.shares import KIN, LESS, LESS_FOR_KIN
from training.languages.synthetic import LOCALES, Values, synthetic
from training.names.passages import passage, swapped

from efface.finders.names.chain import (
    OWN_CHAINS,
    PAD,
    PAIR_PLACES,
    PLACES,
    NameLists,
    features,
    pair_feature,
    placed,
)
from efface.finders.names.tokens import Vocabulary
from efface.learners.extras import crfsuite

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/efface/finders/names/data"
PAIRED = frozenset({"zh", "ja"})  # letters are words here, so that pairs of them say more
SYNTHETIC = 300
LEAST = 0.03  # smaller weights are left out
SETTINGS = {
    "c1": 0.08,
    "c2": 0.02,
    "max_iterations": 50,
    "feature.minfreq": 2,
    "feature.possible_transitions": True,
}
SWAPPED = 0.35


def learn_own_chain(data: Path, package: Path, language: str, seed: int = 13) -> None:
    """Write the chain of one language."""
    pycrfsuite = crfsuite()
    lists, paired = name_lists(language), language in PAIRED
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(SETTINGS)
    count, placed_of = 0, placed_features(lists)
    vocabulary = Vocabulary.load(package / "vocab.txt")
    for words, labels in texts_of(data, vocabulary, language, random.Random(seed)):
        trainer.append(pycrfsuite.ItemSequence(items(words, placed_of, paired)), labels)
        count += len(words)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/chain")
        tagger = pycrfsuite.Tagger()
        with tagger.open(f"{folder}/chain"):
            arrays = packed(tagger.info(), LEAST)
    for letter, some in zip(lists.letters, lists.words, strict=True):
        arrays[f"list_{letter}"] = some
    if paired:
        arrays["pairs"] = np.array(1, np.int8)
    path = package / OWN_CHAINS / f"{language}.npz"
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(path, **arrays)
    print(language, count, "words", len(arrays["keys"]), "features", path.stat().st_size, "bytes", flush=True)


def items(words: list[str], placed_of: Callable[[str], list[list[str]]], paired: bool) -> list[list[str]]:
    """The features of each word of a line."""
    edge = [PAD] * max(PLACES)
    around = [*edge, *words, *edge]
    own = [placed_of(word) for word in around]
    found = []
    for at in range(len(words)):
        item = [one for number in range(len(PLACES)) for one in own[at + number][number]]
        if paired:
            item += [pair_feature(around[at + 1 + p], around[at + 2 + p], p) for p in PAIR_PLACES]
        found.append(item)
    return found


def placed_features(lists: NameLists) -> Callable[[str], list[list[str]]]:
    """For each place, the features of a word as they are seen from there."""

    @lru_cache(maxsize=200_000)
    def of(word: str) -> list[list[str]]:
        own = features(word, lists)
        return [list(placed(own, place)) for place in PLACES]

    return of


def texts_of(data: Path, vocabulary: Vocabulary, language: str, rng: random.Random) -> Lines:
    """The lines that a chain learns from."""
    for one, share in KIN[language].items():
        values = Values(one, 7) if one in LOCALES else None
        less = LESS if one == language else {**LESS, **LESS_FOR_KIN}
        for text in read_texts(data, "train", rng, (one,)):
            often = share * less.get(text.source, 1.0) * (1.0 if text.spans else EMPTY)
            for _ in range(int(often) + (rng.random() < often % 1)):
                given = passage(text, vocabulary)
                if values:
                    given = swapped(given, values, SWAPPED)  # type: ignore[arg-type]
                yield from labelled_lines(changed(given, rng))
    if language in LOCALES:
        for text in synthetic(language, SYNTHETIC, 5):
            yield from labelled_lines(changed(passage(text, vocabulary), rng))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.languages.own_chains", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--package", type=Path, default=PACKAGE)
    parser.add_argument("--languages", nargs="+", default=list(KIN))
    parser.add_argument("--seed", type=int, default=13)
    given = parser.parse_args()
    for language in given.languages:
        learn_own_chain(given.data, given.package, language, given.seed)


if __name__ == "__main__":
    main()
