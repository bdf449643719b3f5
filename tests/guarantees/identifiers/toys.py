"""Small corpora made up for the tests, and classifiers that need no learning."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np

from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText
from efface.learners.classifier import Classifier
from efface.learners.features import FeatureLexicon, FeatureView, Flags, SentenceArrays, Space
from efface.learners.tokens import tokenize

GIVEN = "Anna Bruno Clara David Emma Felix Greta Hugo Irene Jonas".split()
SURNAMES = "Keller Lindt Moser Nagel Ohlsen Pfister Quandt Rieder Steiner Tobler".split()
TEMPLATES = (
    "Dear {0} , please send the report to {1} before Friday .",
    "The meeting with Mr. {1} was moved to Monday .",
    "We visited the plant near the river and saw nothing new .",
    "Yesterday {0} {1} called about the invoice from last week .",
    "The contract was signed by {0} and the board agreed .",
    "It rained all day , so the work on the roof had to wait .",
)


def corpus(documents: int = 24, type_: str = "PERSON", seed: int = 0) -> tuple[LabelledText, ...]:
    """Letters with names in them, labelled."""
    rng = np.random.default_rng(seed)
    return tuple(_letter(f"d{number}", rng, type_) for number in range(documents))


def _letter(name: str, rng: np.random.Generator, type_: str) -> LabelledText:
    text, spans = "", []
    for template in rng.permutation(np.array(TEMPLATES)).tolist():
        for word in template.split(" "):
            if word in ("{0}", "{1}"):
                word = str(rng.choice(GIVEN if word == "{0}" else SURNAMES))
                spans.append(LabelledSpan(len(text), len(text) + len(word), type_))
            text += word + " "
        text += "\n\n"
    return LabelledText(name, text, tuple(spans))


def view_of(*texts: str) -> FeatureView:
    lexicon = FeatureLexicon()
    sentences = SentenceArrays.of([tokenize(text) for text in texts], lexicon)
    space = Space.build(sentences, lexicon.words, minimum=1)
    return FeatureView(sentences, space, space.rows(lexicon.words))


def flags(*places: int, n: int) -> Flags:
    found = np.zeros(n, np.bool_)
    found[list(places)] = True
    return found


@dataclass(frozen=True)
class Toy:
    """A classifier that knows the places of its positives."""

    places: frozenset[int]

    def predict(self, view: FeatureView) -> Flags:
        return flags(*self.places, n=len(view)) & ~view.sentences.marked


@dataclass
class Scripted:
    """Rounds that return prepared classifiers in turn, then one that finds nothing."""

    script: list[Classifier]

    def fit(self, view: FeatureView, sensitive: Flags) -> Classifier:
        return self.script.pop(0) if self.script else toy(())

    def judge(self, classifier: Classifier, view: FeatureView) -> Flags:
        return classifier.predict(view)


@dataclass(frozen=True)
class Chosen:
    """Rounds that pick their positives from the truth and what is left."""

    choose: Callable[[Flags, Flags], Flags]

    def fit(self, view: FeatureView, sensitive: Flags) -> Classifier:
        there = ~view.sentences.marked
        return toy(np.flatnonzero(self.choose(sensitive & there, there)).tolist())

    def judge(self, classifier: Classifier, view: FeatureView) -> Flags:
        return classifier.predict(view)


def toy(places: Iterable[int]) -> Classifier:
    return cast(Classifier, Toy(frozenset(places)))
