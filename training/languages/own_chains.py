"""Learns a linear chain for each language from all its texts, and from some of its next of kin where it has few.

    python -m training.languages.own_chains --languages de nl

The chain for all languages is half as good where one language has kinds of text of its own: court decisions with initials,
traffic reports, scanned newspapers.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from faker import Faker
from training.languages.chain import EMPTY, Lines, changed, labelled_lines, packed
from training.languages.data import read_texts
from training.languages.synthetic import LOCALES, Values, synthetic
from training.names.passages import passage, swapped

from efface.finders.names.chain import (
    OWN_CHAINS,
    PAD,
    PAIR_PLACES,
    PLACES,
    NameLists,
    features,
    hashed,
    pair_feature,
    placed,
)
from efface.finders.names.tokens import Vocabulary
from efface.learners.extras import crfsuite

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/efface/finders/names/data"
# Of which languages a chain learns, and how much of each.
KIN: Mapping[str, Mapping[str, float]] = {
    "de": {"de": 1.0},
    "fr": {"fr": 1.0, "it": 1.0, "es": 0.1},
    "es": {"es": 1.0, "pt": 0.15, "it": 0.6},
    "it": {"it": 2.0, "es": 0.4, "pt": 0.25, "fr": 0.3},
    "nl": {"nl": 1.0, "de": 0.04},
    "pt": {"pt": 1.0, "es": 0.1, "it": 0.4},
    "da": {"da": 1.5, "no": 0.25, "sv": 0.3},
    "sv": {"sv": 1.5, "da": 0.5, "no": 0.15},
    "no": {"no": 1.0, "da": 0.5, "sv": 0.2},
    "fi": {"fi": 1.0},
    "tr": {"tr": 1.0},
    "pl": {"pl": 1.5, "cs": 1.0, "sk": 0.3},
    "cs": {"cs": 3.0, "sk": 1.0, "pl": 0.5},
    "ru": {"ru": 1.5},
    "zh": {"zh": 1.5},
    "ja": {"ja": 1.0},
    "ar": {"ar": 1.5},
}
# Of silver labels, of noise and of one kind of text only, less.
LESS = {
    "de.europeana": 0.5,
    "de.ler": 0.35,
    "de.mobie": 0.6,
    "de.uner-pud": 1.5,
    "de.wikiann": 0.6,
    "es.meddocan": 0.7,
    "fr.europeana": 0.5,
    "nl.europeana": 0.6,
    "no.norne": 0.7,
    "pt.lener-br": 0.5,
    "tr.turkish-wiki-ner": 0.7,
}
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


def name_lists(language: str) -> NameLists:
    """Given names, surnames and towns as Faker has them for the language's countries."""
    given, last, towns = set[str](), set[str](), set[str]()
    for locale in LOCALES.get(language, ()):
        fake = Faker(locale)
        for provider in fake.get_providers():
            for name in dir(provider):
                wanted = (
                    given if name.startswith("first_name") else last if name.startswith("last_name") else None
                )
                if name in ("cities", "city_names", "_cities", "states", "countries", "provinces"):
                    wanted = towns
                values = getattr(provider, name, None) if wanted is not None else None
                if wanted is not None and isinstance(values, (tuple, list, set, dict)):
                    wanted.update(_words(values))
    found = [("C", towns), ("G", given), ("N", last)]
    kept = [
        (letter, np.array(sorted({hashed(word) for word in some}), np.uint32))
        for letter, some in found
        if some
    ]
    return NameLists("".join(letter for letter, _ in kept), tuple(some for _, some in kept))


def _words(values: object) -> Iterator[str]:
    flat = values if isinstance(values, (tuple, list, set, dict)) else ()
    for value in flat:
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(one, str):
                yield from (word for word in one.lower().replace("-", " ").split() if len(word) > 2)


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
        for text in read_texts(data, "train", rng, (one,)):
            often = share * LESS.get(text.source, 1.0) * (1.0 if text.spans else EMPTY)
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
