"""What GreedySanitize learned about a collection, applied to texts: one run of classifiers a category."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from efface.alignment import Alignment
from efface.core import Edit, apply_edits
from efface.learners.classifier import Classifier, Costs
from efface.learners.features import Flags, Lexicon, Sentences, Space, View
from efface.learners.greedy import Round, apply
from efface.learners.tokens import Tokens, tokenize

_PASSES = 16  # a text that still changes after so many is left to the pipeline, which refuses it


@dataclass(frozen=True, slots=True)
class Settings:
    """How the classifiers were learned. `related` is the confidence of rules for related words; 0 is none."""

    loss_ratio: float = 10.0
    learner: str = "selection"
    seed: int = 0
    related: float = 0.0
    min_remaining: int = 1_000

    @property
    def costs(self) -> Costs:
        return Costs(self.loss_ratio, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """The rounds for one type of identifiers, the last of which no longer paid and is not applied."""

    type: str
    rounds: tuple[Round, ...]

    @property
    def classifiers(self) -> tuple[Classifier, ...]:
        return tuple(step.classifier for step in self.rounds if step.pays)


class Found(NamedTuple):
    """A stretch of text that the classifiers of a type remove."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True, eq=False)
class GreedyModel:
    """Categories over one space of features."""

    space: Space
    categories: tuple[Category, ...]
    settings: Settings

    def find(self, text: str) -> tuple[Found, ...]:
        """All that goes: nothing is left that the classifiers would find in the text with it replaced.

        Replacing words changes the context of others, so the text is read again as it would leave.
        """
        edits: list[Edit] = []
        for _ in range(_PASSES):
            alignment = Alignment(tuple(edits))
            fresh = [alignment.back(edit) for edit in self._pass(apply_edits(text, edits))]
            if not fresh:
                break
            edits = sorted([*edits, *fresh], key=lambda edit: edit.start)
        return tuple(Found(edit.start, edit.end, edit.type) for edit in edits)

    def _pass(self, text: str) -> Iterator[Edit]:
        tokens = tokenize(text)
        if not len(tokens):
            return
        view = self.view(tokens)
        taken = np.zeros(len(tokens), np.bool_)
        for category in self.categories:
            flags = apply(category.classifiers, view) & ~taken
            taken |= flags
            for start, end in runs(flags, tokens, text):
                yield Edit(start, end, category.type, "", "", f"[{category.type}]")

    def view(self, tokens: Tokens) -> View:
        """A text as the classifiers see it."""
        lexicon = Lexicon()
        sentences = Sentences.of((tokens,), lexicon)
        return View(sentences, self.space, self.space.rows(lexicon.words))


def runs(flags: Flags, tokens: Tokens, text: str) -> Iterator[tuple[int, int]]:
    """Where neighbouring tokens are removed together: the span of each run, never across a line."""
    places = np.flatnonzero(flags).tolist()
    first = None
    for at, following in zip(places, [*places[1:], -1], strict=False):
        first = at if first is None else first
        end = int(tokens.ends[at])
        if following == at + 1 and "\n" not in text[end : int(tokens.starts[following])]:
            continue
        yield int(tokens.starts[first]), end
        first = None
