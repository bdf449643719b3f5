"""How languages with a chain of their own do with the settings below, on sentences that nothing was learned from.

    python -m training.languages.calibrate [--languages de nl] [--write]

Most languages have the same settings, so that little is fitted to few sentences. They were chosen on the first 300 sentences of
the `dev` files of German, Dutch, Norwegian, Swedish and Italian. German, Finnish, Dutch and Italian have thresholds of their own,
those of Dutch chosen on its first 700 sentences and those of Finnish on its first 1,100. Other sentences are reported: those that follow, and those that
`learned_rows` keeps back. `--write` puts the settings into the package for each language that has a chain.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from training.languages.data import FOLDER, kept_rows, labelled, rows_of
from training.languages.shares import KIN
from training.names.data import Labelled

from efface.finders.names.capitals.letter_case import doubted
from efface.finders.names.chain import KINDS, OWN_CHAINS, load_chain
from efface.finders.names.decoding import lifted_to_limits
from efface.finders.names.introductions import introduced
from efface.finders.names.languages import (
    CHAIN_READER,
    ENGLISH_READER,
    NAMED_ABROAD,
    NETWORK_READER,
    SETTINGS,
    BlendSettings,
    judged_types,
    load_network,
    load_others,
)
from efface.finders.names.model import load_model
from efface.finders.names.tokens import WordPieces
from efface.text.language import LATIN

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/efface/finders/names/data"
LOOKED_AT = {"fi": 1100, "nl": 700}  # sentences of each file that settings are chosen on,
USUALLY_LOOKED_AT = 300  # and of other languages' files
MOST = 400  # sentences of a file to report on
SILVER = ("wikiann",)  # labels that came of links: too noisy to measure by
# Scanned newspapers of 1850 to 1950, decisions with initials for persons, traffic reports: nothing is chosen by them, and
# text that looks like them is not covered (`efface.finders.names.coverage`).
APART = ("europeana", "ler", "mobie")
WEIGHTS = {CHAIN_READER: 0.5, NETWORK_READER: 0.5, ENGLISH_READER: 0.0}
ALONE = {
    CHAIN_READER: 1.0,
    NETWORK_READER: 0.0,
    ENGLISH_READER: 0.0,
}  # of scripts that the network does not know
LIMITS = {"PERSON": 0.16, "LOCATION": 0.3, "ORGANIZATION": 0.3}
OWN_LIMITS = {
    "de": {"PERSON": 0.16, "LOCATION": 0.2, "ORGANIZATION": 0.2},
    "fi": {"PERSON": 0.32, "LOCATION": 0.2, "ORGANIZATION": 0.3},
    "it": {"PERSON": 0.2, "LOCATION": 0.3, "ORGANIZATION": 0.3},
    "nl": {"PERSON": 0.14, "LOCATION": 0.1, "ORGANIZATION": 0.12},
}
PRECISE = {"PERSON": 0.5, "LOCATION": 0.5, "ORGANIZATION": 0.55}

Floats = np.ndarray


@dataclass(frozen=True, slots=True)
class ReadWords:
    """The words of a source: their kind (one of `KINDS` from 1 on, 0 for none), and how probable each kind is."""

    truth: Floats
    chances: Floats


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings of a language."""

    weights: Mapping[str, float]
    limits: Mapping[str, float]


def looked_at(language: str) -> int:
    """How many sentences of a file settings are chosen on."""
    return LOOKED_AT.get(language, USUALLY_LOOKED_AT)


def tuning(data: Path, language: str) -> Iterator[Labelled]:
    """The sentences to choose by."""
    for path in [*_gold(data, language, "dev"), *_local_only(data, language)]:
        yield from (labelled([row], "tune") for row in rows_of(path)[: looked_at(language)])


def reported(data: Path, language: str) -> Iterator[Labelled]:
    """The sentences to report on: nothing is learned from them and nothing chosen by them."""
    for path in [*_gold(data, language, "dev"), *_local_only(data, language)]:
        yield from (labelled([row], "report") for row in rows_of(path)[looked_at(language) :][:MOST])
    for path in _gold(data, language, "train"):
        yield from (labelled([row], "report") for row in kept_rows(path)[:MOST])


def _local_only(data: Path, language: str) -> list[Path]:
    """What may be measured with, and never learned from."""
    return sorted((data / FOLDER).glob(f"local-only/{language}.*"))


def _gold(data: Path, language: str, split: str) -> list[Path]:
    paths = sorted((data / FOLDER).glob(f"{language}.*.{split}.jsonl.gz"))
    gold = [path for path in paths if path.name.split(".")[1] not in SILVER]
    return gold or paths


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence as both readers see it. `known` are the words whose kind is told, without signs."""

    source: str
    words: WordPieces
    texts: list[str]
    chain: Floats
    network: Floats
    truth: Floats
    known: Floats


def read_sentences(texts: Iterator[Labelled], package: Path, language: str) -> Iterator[ReadSentence]:
    """What the chain and the network say of each word."""
    english, others = load_model(package), load_others(package)
    own = (package / OWN_CHAINS / f"{language}.npz").exists()
    chain = load_chain(package, language if own else "")
    network = load_network(package, others.digest) if language in LATIN else None
    for text in texts:
        words = english.vocabulary.words(text.text)
        if not len(words):
            continue
        each = words.texts(text.text)
        labels = chain.probabilities(each, np.array([0]))
        said = np.zeros((len(words), len(KINDS)), np.float32)
        if network is not None:
            said = judged_types(network.judge(network.vocabulary.cut_again(words, each), {}, True))
        places = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        truth = np.array([_kind(text, start, end) for start, end in places])
        known = (truth >= 0) & np.array([any(map(str.isalnum, word)) for word in each])
        yield ReadSentence(text.source, words, each, labels[:, 1::2] + labels[:, 2::2], said, truth, known)


def read(texts: Iterator[Labelled], package: Path, language: str) -> dict[str, ReadWords]:
    """All words, by source, as the finder judges them one by one."""
    settings = load_others(package).own.get(language)
    blend = settings or BlendSettings(choice_of(language).weights, {})
    limits = choice_of(language).limits
    found: dict[str, list[ReadWords]] = {}
    for one in read_sentences(texts, package, language):
        chances = blend.blended(one.chain, one.network, one.words.cases)
        chances = doubted(chances, one.words, one.texts, language)
        chances = introduced(chances, one.words, one.texts, language)
        chances = lifted_to_limits(chances, [limits[kind] for kind in KINDS], NAMED_ABROAD["recall"])
        found.setdefault(one.source, []).append(ReadWords(one.truth[one.known], chances[one.known]))
    return {source: joined(some) for source, some in found.items()}


def clean(source: str) -> bool:
    """Whether a source is of a kind that a language is covered in."""
    return source.split(".")[1] not in APART


def _kind(text: Labelled, start: int, end: int) -> int:
    if any(low < end and high > start for low, high, _ in text.open):
        return -1
    return next((1 + KINDS.index(k) for low, high, k in text.spans if low < end and high > start), 0)


def joined(some: list[ReadWords]) -> ReadWords:
    """Several sources as one."""
    chances = np.concatenate([one.chances for one in some])
    return ReadWords(np.concatenate([one.truth for one in some]), chances)


def marked(words: ReadWords, choice: Choice) -> Floats:
    """For each word the number of the kind that it is taken for; 0 for none."""
    best = words.chances.argmax(1)
    limits = np.array([choice.limits[kind] for kind in KINDS])[best]
    return np.where(words.chances[np.arange(len(best)), best] >= limits, best + 1, 0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Words of a kind: there, found as any kind, marked as the kind, rightly so."""

    there: int
    found: int
    marked: int
    right: int

    @property
    def recall(self) -> float:
        return self.found / self.there if self.there else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.marked if self.marked else 1.0

    def __str__(self) -> str:
        low, high = interval(self.found, self.there)
        under, over = interval(self.right, self.marked)
        return (
            f"{self.recall:.3f} [{low:.2f}, {high:.2f}] / {self.precision:.3f} [{under:.2f}, {over:.2f}]"
            f" of {self.there}"
        )


def interval(some: int, of: int) -> tuple[float, float]:
    """Wilson's, 95 %."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, some / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


def tally(words: ReadWords, choice: Choice, kind: str | None) -> Tally:
    """Of one kind, or of all three together."""
    given = marked(words, choice)
    number = 1 + KINDS.index(kind) if kind else 0
    there, said = (words.truth == number, given == number) if kind else (words.truth > 0, given > 0)
    return Tally(
        int(there.sum()), int((there & (given > 0)).sum()), int(said.sum()), int((there & said).sum())
    )


def choice_of(language: str) -> Choice:
    """The settings of a language."""
    return Choice(WEIGHTS if language in LATIN else ALONE, OWN_LIMITS.get(language, LIMITS))


def shown(language: str, sources: Mapping[str, ReadWords], choice: Choice) -> Iterator[str]:
    """A line for each source, and for all."""
    for source, words in sources.items():
        yield f"{source:28} persons {tally(words, choice, 'PERSON')}"
    some = [words for source, words in sources.items() if clean(source)]
    if not sources:
        return
    both = joined(some or list(sources.values()))
    for kind in (*KINDS, None):
        yield f"{language + ', clean':28} {kind or 'all three'} {tally(both, choice, kind)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.languages.calibrate", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--package", type=Path, default=PACKAGE)
    parser.add_argument("--languages", nargs="+", default=list(KIN))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    path = given.package / SETTINGS
    row = json.loads(path.read_bytes())
    for language in given.languages:
        own = (given.package / OWN_CHAINS / f"{language}.npz").exists()
        choice = choice_of(language)
        for name, texts in (("looked at", tuning), ("unseen", reported)):
            found = read(texts(given.data, language), given.package, language)
            print(f"{language}, {name}, {'own chain' if own else 'chain for all'}")
            print("\n".join(shown(language, found, choice)) + "\n", flush=True)
        if own:
            thresholds = {"recall": choice.limits, "precision": PRECISE}
            settings = row.setdefault("own", {}).setdefault(language, {})
            settings |= {"weights": choice.weights, "thresholds": thresholds}
    if given.write:
        path.write_text(json.dumps(row, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
