"""Words in other languages than English: a chain and a network say each how probable a name is, and are blended.

Both learned from texts in the languages at hand; they err differently. They are loaded for the first text that needs them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from efface.errors import InputError
from efface.finders.names.capitals.letter_case import doubted
from efface.finders.names.case_endings import HAS_CASE_ENDINGS, listed_in_a_case
from efface.finders.names.chain import KINDS, Floats, Ints, load_chain
from efface.finders.names.introductions import (
    after_english_titles,
    full_english_names,
    introduced,
    made_persons,
)
from efface.finders.names.model import TYPES, Logits, NamesModel, NamesSettings, WordPredictions, session
from efface.finders.names.openers import without_openers
from efface.finders.names.tokens import Small, Vocabulary, WordPieces
from efface.finders.names.weighing import evidence, weighed
from efface.text.language import LATIN, LanguageStretch

SETTINGS, NETWORK, PIECES = "languages.json", "languages.onnx", "languages.pieces.txt"
READERS = CHAIN_READER, NETWORK_READER, ENGLISH_READER = ("chain", "languages", "english")
ENGLISH = "en"
COLUMNS = [TYPES.index(kind) for kind in KINDS]
_ADDRESS = TYPES.index("ADDRESS")
# How probable it must be that a word is of some name, to take it for one whose kind is not sure.
NAMED_ABROAD = {"recall": 0.4, "precision": 0.75}
_LINE = 2  # the gap before a word that begins a line
_HINT = "Install efface again, or set `find.names: none`."


@dataclass(frozen=True, slots=True)
class BlendSettings:
    """How much each reader counts (one in all), and a threshold for each preset and type. Where there were sentences
    enough to fit a `weighing`, it says instead what chain and network are worth together."""

    weights: Mapping[str, float]
    thresholds: Mapping[str, Mapping[str, float]]
    weighing: Floats | None = None

    def blended(self, chain: Floats, network: Floats, cases: Small) -> Floats:
        """How probable each kind is to both together."""
        if self.weighing is not None:
            return weighed(evidence(chain, network, cases), self.weighing)
        blend = self.weights[CHAIN_READER] * chain + self.weights[NETWORK_READER] * network
        return np.asarray(blend, np.float32)


@dataclass(frozen=True, slots=True)
class OtherLanguages:
    """What reads other languages than English. A language with a chain of its `own` has settings of its own."""

    folder: Path
    usual: BlendSettings
    own: Mapping[str, BlendSettings]
    digest: str

    def reads(self, language: str) -> bool:
        """Whether there is anything here that reads the language."""
        return language != ENGLISH and (language in LATIN or language in self.own)

    def limits(self, language: str, preset: str) -> Mapping[str, float]:
        """The thresholds of a preset."""
        return self.own.get(language, self.usual).thresholds[preset]

    def judge(
        self, part: ForeignWords, english: NamesModel, known: dict[bytes, Logits], masks: bool
    ) -> WordPredictions:
        """The blend. With `masks` every name counts as one that identifies the subject: what the English network
        learned of that, it learned from English."""
        words = part.words
        settings = self.own.get(part.language, self.usual)
        weights = settings.weights
        chain = load_chain(self.folder, part.language if part.language in self.own else "")
        labels = chain.probabilities(part.texts, _line_starts(words))
        said = labels[:, 1::2] + labels[:, 2::2]
        own = self._network(part, known) if weights[NETWORK_READER] else _nothing(len(words))
        blend = settings.blended(said, judged_types(own), words.cases)
        mask = own.mask
        if masks or weights[ENGLISH_READER]:
            usual = english.judge(words, known, True)
            blend += weights[ENGLISH_READER] * judged_types(usual)
            mask = usual.mask
        types = np.array(own.types)
        blend = doubted(blend, words, part.texts, part.language)
        blend = without_openers(blend, words, part.texts, part.language)
        blend = introduced(blend, words, part.texts, part.language)
        if part.language in HAS_CASE_ENDINGS:
            blend = made_persons(blend, _unnamed(blend, listed_in_a_case(part.texts, chain.lists)))
        types[:, COLUMNS] = blend
        types[:, _ADDRESS] = 0
        begins = _begins(labels, said, own)
        return WordPredictions(types, begins, np.maximum(mask, types.max(1)) if masks else mask)

    def _network(self, part: ForeignWords, known: dict[bytes, Logits]) -> WordPredictions:
        network = load_network(self.folder, self.digest)
        return network.judge(network.vocabulary.cut_again(part.words, part.texts), known, True)


@dataclass(frozen=True, slots=True)
class ForeignWords:
    """Words of one language that follow one another: their places, and how each is spelled."""

    language: str
    words: WordPieces
    texts: Sequence[str]


def in_lists(judged: WordPredictions, words: WordPieces, text: str) -> WordPredictions:
    """The predictions for English, with those who stand in a list of people made persons."""
    types = np.array(judged.types)
    types[:, COLUMNS] = introduced(types[:, COLUMNS], words, words.texts(text), ENGLISH)
    return WordPredictions(types, judged.begins, judged.mask)


def after_titles(judged: WordPredictions, words: WordPieces, text: str) -> WordPredictions:
    """The predictions for English, with whoever is called "Mr" or "Dr", or has a full name of the lists, made a person."""
    chances = judged.types[:, COLUMNS]
    places = after_english_titles(text, words.starts, chances) + full_english_names(
        text, words.starts, chances
    )
    if not places:
        return judged
    types = np.array(judged.types)
    types[:, COLUMNS] = made_persons(types[:, COLUMNS], places)
    return WordPredictions(types, judged.begins, judged.mask)


def _unnamed(chances: Floats, places: Iterator[int]) -> list[int]:
    """The places of words that the readers take for nothing."""
    return [at for at in places if chances[at].sum() < NAMED_ABROAD["recall"]]


def _nothing(count: int) -> WordPredictions:
    """The answer of a reader that does not know a script."""
    none = np.zeros(count, np.float32)
    return WordPredictions(np.zeros((count, len(TYPES)), np.float32), none, none)


def _line_starts(words: WordPieces) -> Ints:
    return np.unique(np.concatenate(([0], np.flatnonzero(words.gaps >= _LINE))))


def judged_types(judged: WordPredictions) -> Floats:
    """How probable each of the chain's kinds is to a network. A street is a place to the chain."""
    types = np.array(judged.types[:, COLUMNS])
    types[:, KINDS.index("LOCATION")] += judged.types[:, _ADDRESS]
    return types


def _begins(labels: Floats, said: Floats, network: WordPredictions) -> Floats:
    """How surely a name begins: as the chain has it where it sees a name at all."""
    best = said.argmax(1)
    rows = np.arange(len(best))
    chance = labels[rows, 1 + 2 * best] / np.maximum(said[rows, best], 1e-9)
    return np.asarray(np.where(said[rows, best] > 0.1, chance, network.begins), np.float32)


def segments(
    starts: Ints, stretches: Sequence[LanguageStretch], reads: Callable[[str], bool]
) -> Iterator[tuple[int, int, str]]:
    """Words `[first, last)` of one language, and its code; English and what nothing `reads` are one, "". Words of
    a script that nothing reads stay with the English model, which knows nothing of it: see `coverage`."""
    if not len(starts) or not stretches:
        yield 0, len(starts), ""
        return
    codes = [one.language if reads(one.language) else "" for one in stretches]
    numbers = {code: number for number, code in enumerate(dict.fromkeys(codes))}
    of_stretch = np.array([numbers[code] for code in codes], np.int64)
    ends = np.array([one.end for one in stretches], np.int64)
    of_word = of_stretch[np.minimum(np.searchsorted(ends, starts, side="right"), len(ends) - 1)]
    bounds = [0, *(np.flatnonzero(of_word[1:] != of_word[:-1]) + 1).tolist(), len(starts)]
    names = list(numbers)
    for first, last in pairwise(bounds):
        yield first, last, names[int(of_word[first])]


@lru_cache(maxsize=2)
def load_others(folder: Path) -> OtherLanguages:
    """The settings of a folder; weights are read when a text needs them."""
    try:
        row = json.loads((folder / SETTINGS).read_bytes())
        own = {code: _settings(given) for code, given in row.get("own", {}).items()}
        return OtherLanguages(folder, _settings(row), own, str(row["digest"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            "The settings of the names finder for other languages cannot be read.", _HINT
        ) from None


def _settings(row: Mapping[str, Mapping[str, Any]]) -> BlendSettings:
    weights = {name: float(row["weights"][name]) for name in READERS}
    thresholds = {name: dict(values) for name, values in row["thresholds"].items()}
    weighing = row.get("weighing")
    return BlendSettings(weights, thresholds, None if weighing is None else np.array(weighing, np.float32))


@lru_cache(maxsize=2)
def load_network(folder: Path, expected: str) -> NamesModel:
    """The network for other languages with its own word pieces."""
    try:
        damaged = network_digest(folder) != expected
    except OSError:
        raise InputError("The names model for other languages cannot be read.", _HINT) from None
    if damaged:
        raise InputError("The names model for other languages is damaged: its digest is another.", _HINT)
    vocabulary = Vocabulary.load(folder / PIECES)
    return NamesModel(session(folder / NETWORK), vocabulary, NamesSettings(expected), b"languages")


def network_digest(folder: Path) -> str:
    """Of the network and its word pieces together."""
    whole = hashlib.sha256()
    for name in (NETWORK, PIECES):
        whole.update((folder / name).read_bytes())
    return whole.hexdigest()
