"""What GreedySanitize learned about a collection, applied to texts: one run of classifiers a category."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from efface.core import Edit, apply_edits
from efface.learners.classifier import Classifier, Costs, LinearChain
from efface.learners.features import FeatureLexicon, FeatureView, Flags, SentenceArrays, Space, WordSums
from efface.learners.greedy import Round, apply
from efface.learners.tokens import Tokens, tokenize
from efface.text.alignment import Alignment

_APART = "\n\n"
_EMPTY_LINE = re.compile(r"\n\s*\n\s*")
_PASSES = 16  # a text that still changes after so many is left to the pipeline, which refuses it


@dataclass(frozen=True, slots=True)
class IdentifierSettings:
    """How the classifiers were learned. `related` is the confidence of rules for related words; 0 means no rules.

    `aim` is what a round's classifier is learned for: the loss T, or accuracy as in the paper, where the costs
    decide when to stop and nothing else.
    """

    loss_ratio: float = 10.0
    learner: str = "selection"
    seed: int = 0
    related: float = 0.0
    min_remaining: int = 1_000
    aim: str = "loss"

    @property
    def costs(self) -> Costs:
        return Costs(self.loss_ratio, 1.0)

    @property
    def aimed(self) -> Costs:
        return self.costs if self.aim == "loss" else Costs()


@dataclass(frozen=True, slots=True, eq=False)
class TypeRounds:
    """The rounds for one type of identifiers. The last one did not pay and is not applied."""

    type: str
    rounds: tuple[Round, ...]

    @property
    def classifiers(self) -> tuple[Classifier, ...]:
        return tuple(step.classifier for step in self.rounds if step.pays)


class FoundIdentifier(NamedTuple):
    """A stretch of text that the classifiers of a type remove."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, eq=False)
class GreedyModel:
    """Categories over one space of features."""

    space: Space
    categories: tuple[TypeRounds, ...]
    settings: IdentifierSettings

    def find(self, text: str) -> tuple[FoundIdentifier, ...]:
        """All that goes: nothing is left that the classifiers would find in the text with it replaced.

        Replacing words changes the context of others, so paragraphs where something goes are read again as
        they would leave.
        """
        edits = self._edits(text)
        left = [_TextStretch(0, text, edits)] if self._reads_names else _paragraphs(text, edits)
        done: list[_TextStretch] = []
        for _ in range(_PASSES):
            if not left:
                break
            fresh = self._in_each([stretch.edited for stretch in left])
            growing = []
            for stretch, more in zip(left, fresh, strict=True):
                if more:
                    growing.append(stretch.grown(more))
                else:
                    done.append(stretch)
            left = growing
        return tuple(sorted(one for stretch in (*done, *left) for one in stretch.found()))

    def _in_each(self, texts: Sequence[str]) -> list[tuple[Edit, ...]]:
        """What is found in each of some paragraphs, read as one text."""
        starts = [0, *accumulate(len(text) + len(_APART) for text in texts)]
        return _edits_by_bounds(self._edits(_APART.join(texts)), starts)

    def _edits(self, text: str) -> tuple[Edit, ...]:
        """What the classifiers find in a text, once."""
        tokens = tokenize(text)
        if not len(tokens):
            return ()
        view = self.view(tokens)
        taken = np.zeros(len(view), np.bool_)
        edits: list[Edit] = []
        for category in self.categories:
            flags = apply(category.classifiers, view) & ~taken
            taken |= flags
            mark = f"[{category.type}]"
            edits += [Edit(a, b, category.type, "", "", mark) for a, b in runs(flags, tokens, text)]
        return tuple(sorted(edits, key=lambda edit: edit.start))

    def view(self, tokens: Tokens) -> FeatureView:
        """A text as the classifiers see it."""
        lexicon = FeatureLexicon()
        sentences = SentenceArrays.of((tokens,), lexicon)
        return FeatureView(sentences, self.space, self._sums.rows(lexicon.words))

    @cached_property
    def _chains(self) -> tuple[LinearChain, ...]:
        applied = (one for category in self.categories for one in category.classifiers)
        return tuple(chain for one in applied for part in one.parts for chain in part)

    @cached_property
    def _sums(self) -> WordSums:
        return WordSums(self.space, [chain.weights for chain in self._chains if chain.form.has_weights])

    @property
    def _reads_names(self) -> bool:
        """Whether words are judged by a model that looks beyond the sentence."""
        return any(chain.form.asks_names_model for chain in self._chains)


@dataclass(frozen=True, slots=True)
class _TextStretch:
    """A part of a text that is judged independently of the rest, with the edits found in it so far."""

    start: int
    text: str
    edits: tuple[Edit, ...]

    @property
    def edited(self) -> str:
        return apply_edits(self.text, self.edits)

    def grown(self, fresh: Sequence[Edit]) -> _TextStretch:
        """The stretch with further edits. Their places refer to the text after the earlier edits."""
        alignment = Alignment(self.edits)
        edits = sorted([*self.edits, *map(alignment.back, fresh)], key=lambda edit: edit.start)
        return _TextStretch(self.start, self.text, tuple(edits))

    def found(self) -> Iterator[FoundIdentifier]:
        return (
            FoundIdentifier(self.start + edit.start, self.start + edit.end, edit.type) for edit in self.edits
        )


def _paragraphs(text: str, edits: Sequence[Edit]) -> list[_TextStretch]:
    """The paragraphs where something goes: sentences end with them, and no classifier of sentences sees further."""
    bounds = [0, *(match.end() for match in _EMPTY_LINE.finditer(text)), len(text)]
    both = zip(pairwise(bounds), _edits_by_bounds(edits, bounds), strict=True)
    return [_TextStretch(start, text[start:end], inside) for (start, end), inside in both if inside]


def _edits_by_bounds(edits: Sequence[Edit], bounds: Sequence[int]) -> list[tuple[Edit, ...]]:
    """The edits between two neighbouring bounds each, counted from the first of the two."""
    found: list[list[Edit]] = [[] for _ in bounds[1:]]
    for edit in edits:
        number = bisect_right(bounds, edit.start) - 1
        start = bounds[number]
        found[number].append(Edit(edit.start - start, edit.end - start, edit.type, "", "", edit.replacement))
    return [tuple(inside) for inside in found]


def runs(flags: Flags, tokens: Tokens, text: str) -> Iterator[tuple[int, int]]:
    """Where neighbouring tokens are removed together: the span of each run, never across a line.

    A run begins and ends with a word: a sign alone identifies no one, and quotes and brackets are syntax of files.
    """
    run: list[int] = []
    for at in [*np.flatnonzero(flags).tolist(), -1]:
        if run and (at != run[-1] + 1 or "\n" in text[int(tokens.ends[run[-1]]) : int(tokens.starts[at])]):
            words = [one for one in run if tokens.words[one][0].isalnum()]
            if words:
                yield int(tokens.starts[words[0]]), int(tokens.ends[words[-1]])
            run = []
        run.append(at)
