"""The attacker of a whole release: learns from a labelled part of it, then reads the rest in order of promise.

He knows the family of learners that the publisher used, takes the most accurate on held-out sentences, reads
what it finds first and the rest after that, and recognises every identifier that he reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from efface.errors import InputError
from efface.learners.classifier import Classifier, Costs, Learner
from efface.learners.crossfit import parts
from efface.learners.features import Flags, Floats, Lexicon, Sentences, Space, View
from efface.learners.greedy import Counts
from efface.learners.selection import Selection
from efface.learners.tokens import Tokens

FOLDS = 4
_LONGEST = 1 << 32  # tokens before times tokens after: what aligning them may take


@dataclass(frozen=True, eq=False)
class Attack:
    """Tokens of the release in the order in which the attacker reads them, and his classifier's counts."""

    ranked: Flags  # whether the first, second, … token read is an identifier
    counts: Counts
    learners: tuple[str, ...]

    def found(self, budget: int) -> int:
        """Identifiers among the first tokens read; times L this is U_A*."""
        return int(self.ranked[:budget].sum())

    def by_chance(self, budget: int) -> float:
        """Identifiers expected among as many tokens read at random; times L this is U_A."""
        return min(budget, len(self.ranked)) * self.counts.sensitive / max(1, len(self.ranked))

    def ratio(self, budget: int) -> float | None:
        """U_A*/U_A: how much better than chance; nothing to compare where no identifier is left."""
        chance = self.by_chance(budget)
        return self.found(budget) / chance if chance else None

    @property
    def default_budget(self) -> int:
        """All that the classifier finds, and at least one token in a hundred."""
        return min(len(self.ranked), max(self.counts.positives, len(self.ranked) // 100, 1))


@dataclass(frozen=True, eq=False)
class Residue:
    """A released document: its tokens, which of them are identifiers still, and what the original had."""

    tokens: Tokens
    sensitive: Flags
    original_tokens: int
    original_sensitive: int


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    priorities: Floats  # positives above one, others below; marks not at all
    found: Flags
    learner: str


def carry(labels: Flags, before: Tokens, after: Tokens) -> Flags:
    """Labels of the original's tokens for those tokens that are still there after the release."""
    if len(before) * len(after) > _LONGEST:
        raise InputError("A document is too long to compare with its release.", "Split it before labelling.")
    left = np.zeros(len(after), np.bool_)
    for tag, first, last, start, end in Indel.opcodes(before.words, after.words):
        if tag == "equal":
            left[start:end] = labels[first:last]
    return left


def attack_release(residues: Sequence[Residue], seed: int = 0, folds: int = FOLDS) -> Attack:
    """Every part of the release attacked by one who has the labels of the other parts."""
    lexicon = Lexicon()
    sentences = Sentences.of((residue.tokens for residue in residues), lexicon)
    space = Space.build(sentences, lexicon.words)
    view = View(sentences, space, space.rows(lexicon.words))
    sensitive = np.concatenate([residue.sensitive for residue in residues])
    of_document = np.repeat(np.arange(len(residues)), [len(r.tokens.firsts) for r in residues])
    return attack_view(view, sensitive, of_document, Selection(seed), seed, folds)


def attack_view(
    view: View,
    sensitive: Flags,
    of_document: NDArray[np.int64],
    attacker: Learner,
    seed: int = 0,
    folds: int = FOLDS,
) -> Attack:
    """The same for texts already seen through a space; `of_document` has the document of each sentence."""
    part = parts(of_document, folds, seed)
    readings = []
    for number in range(int(part.max(initial=0)) + 1):
        known, inside = view.part(part != number)
        attacked, outside = view.part(part == number)
        classifier = attacker.fit(known, sensitive[inside], Costs())
        readings.append((_read(classifier, attacked), sensitive[outside]))
    return _pooled(readings)


def joined(attacks: Iterable[Attack]) -> Attack:
    """Several parts, each attacked for itself, as one: first what was found in each, then the rest of each."""
    each = list(attacks)
    places = np.concatenate([_places(len(one.ranked), one.counts.positives) for one in each])
    ranked = np.concatenate([one.ranked for one in each])[np.argsort(places, kind="stable")]
    counts = [one.counts for one in each]
    total = Counts(
        sum(c.true_positives for c in counts),
        sum(c.false_positives for c in counts),
        sum(c.false_negatives for c in counts),
        sum(c.true_negatives for c in counts),
    )
    return Attack(ranked, total, tuple(name for one in each for name in one.learners))


def _places(total: int, positives: int) -> Floats:
    first = np.arange(positives) / max(1, positives)
    return np.concatenate([first, 1 + np.arange(total - positives) / max(1, total - positives)])


def _read(classifier: Classifier, attacked: View) -> _Reading:
    scores = classifier.scores(attacked)
    found = scores >= 0
    order = np.empty(len(scores))
    order[np.argsort(scores, kind="stable")] = np.arange(len(scores)) / max(1, len(scores))
    return _Reading(np.where(attacked.sentences.marked, -1.0, found + order), found, classifier.learner)


def _pooled(readings: Sequence[tuple[_Reading, Flags]]) -> Attack:
    priorities = np.concatenate([reading.priorities for reading, _ in readings])
    truth = np.concatenate([sensitive for _, sensitive in readings])
    found = np.concatenate([reading.found for reading, _ in readings])
    there = priorities >= 0
    order = np.argsort(-priorities[there], kind="stable")
    return Attack(
        (truth[there])[order],
        Counts.of(found, truth, there),
        tuple(reading.learner for reading, _ in readings),
    )
