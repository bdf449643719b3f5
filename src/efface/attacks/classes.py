"""Adversaries who guess the class of what was released: the planner's own kind, and stronger ones.

  naive-bayes    the model itself; for documents it learned from, a model that never saw them (leave one out)
  reader NAME    the other readers of the model
  rank-guess     who knows the method, and always names the class at one rank of a reader's list
  redacted       linear support vectors that learned from released documents and their classes, but for a fold of them

Those of `class_readers` come from scikit-learn; nothing in efface planned against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.attacks.class_readers import STRONGER, Attacker, level_with, linear_svm, rank
from efface.errors import UsageError
from efface.knowledge.classes.model import ClassModel, LabelledDocument
from efface.knowledge.classes.readers import NAIVE_BAYES

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AttackedDocument:
    """A released text, the class it hides, and the original when it is at hand."""

    released: str
    truth: str
    original: str | None = None
    utility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Success:
    """How often the class was among the first guesses, before and after, and by knowing only the priors."""

    attacker: str
    guesses: int
    before: float | None
    after: float
    chance: float
    documents: int
    planned: bool = False  # the guarantee plans against a reader of this kind


@dataclass(frozen=True, slots=True, eq=False)
class RankedDocuments:
    """An attacker's ranks of the true classes, before (when the originals are known) and after."""

    before: Ints | None
    after: Ints
    # How many classes share the rank of the true one after the release. None: the true one has it alone.
    level: Ints | None = None

    def success(self, attacker: str, guesses: int, chance: float, *, planned: bool = False) -> Success:
        return Success(
            attacker,
            guesses,
            None if self.before is None else float((self.before <= guesses).mean()),
            float((self.after <= guesses).mean()),
            chance,
            len(self.after),
            planned,
        )

    def rank_guess(self, guesses: int) -> float:
        """The success of one who always names classes at the same ranks, the best ones, chosen afterwards.

        Of classes that share a rank one is named at random for each guess that is spent on it.
        """
        level = np.ones_like(self.after) if self.level is None else self.level
        gains: list[float] = []  # of one more guess at a rank
        for number in range(guesses):
            undecided = level > number
            gains += np.bincount(self.after[undecided], 1 / level[undecided]).tolist()
        return sum(sorted(gains, reverse=True)[:guesses]) / max(1, len(self.after))


def chance(shares: Iterable[int], guesses: int) -> float:
    """The success of one who reads nothing and names the most frequent classes."""
    counts = sorted(shares, reverse=True)
    return sum(counts[:guesses]) / max(1, sum(counts))


# --- naive Bayes ------------------------------------------------------------------------------------------


def attack_with_model(
    model: ClassModel, cases: Sequence[AttackedDocument], *, learned: bool = False
) -> RankedDocuments:
    """The model as the attacker. `learned`: it was trained on the originals, and must do without each."""
    if not cases:
        raise UsageError("There is nothing to attack.", "Give released documents and their classes.")
    ranks = [_model_ranks(model, case, learned) for case in cases]
    before, after, level = zip(*ranks, strict=True)
    return RankedDocuments(
        None if None in before else np.array(before, np.int64),
        np.array(after, np.int64),
        np.array(level, np.int64),
    )


def _model_ranks(model: ClassModel, case: AttackedDocument, learned: bool) -> tuple[int | None, int, int]:
    truth = model.sensitive.index(case.truth)
    if learned:
        if case.original is None:
            raise UsageError("To leave a document out, its original is needed.", "Give the originals too.")
        model = model.without(LabelledDocument(case.original, case.truth, case.utility))
    before = None if case.original is None else rank(model.scores(case.original), truth)
    scores = model.scores(case.released)
    return before, rank(scores, truth), level_with(scores, truth)


def attack_with_readers(model: ClassModel, cases: Sequence[AttackedDocument]) -> dict[str, RankedDocuments]:
    """Every other reader of the model as the attacker. One that learned from the originals has seen them."""
    after: dict[str, list[int]] = {}
    before: dict[str, list[int]] = {}
    level: dict[str, list[int]] = {}
    for case in cases:
        truth = model.sensitive.index(case.truth)
        for name, scores in model.all_scores(case.released).items():
            after.setdefault(name, []).append(rank(scores, truth))
            level.setdefault(name, []).append(level_with(scores, truth))
        for name, scores in model.all_scores(case.original).items() if case.original is not None else ():
            before.setdefault(name, []).append(rank(scores, truth))
    whole = all(case.original is not None for case in cases)
    return {
        name: RankedDocuments(
            np.array(before[name], np.int64) if whole else None,
            np.array(ranks, np.int64),
            np.array(level[name], np.int64),
        )
        for name, ranks in after.items()
        if name != NAIVE_BAYES
    }


def cross_fit(
    corpus: Sequence[LabelledDocument],
    places: Iterable[int],
    folds: int = 5,
    seed: int = 0,
) -> Iterator[tuple[str, list[int], Attacker]]:
    """Attackers that know the corpus but for a part of these places, and that part, until all had their turn.

    Leaving out one document at a time would mean one training a document; a fold at once is the next best.
    """
    shuffled = np.random.default_rng(seed).permutation(np.array(sorted(places), np.int64))
    for part in np.array_split(shuffled, max(1, min(folds, len(shuffled)))):
        out = set(part.tolist())
        rest = [document for place, document in enumerate(corpus) if place not in out]
        for name, attacker in STRONGER.items():
            yield name, part.tolist(), attacker(rest, seed)


def attack_cases(
    corpus: Sequence[LabelledDocument], cases: Sequence[AttackedDocument], folds: int = 5, seed: int = 0
) -> dict[str, RankedDocuments]:
    """The stronger attackers, trained on a corpus, on cases whose originals may be in it.

    A document of the corpus is attacked by one who learned without it (and without its fold).
    """
    if not cases:
        raise UsageError("There is nothing to attack.", "Give released documents and their classes.")
    inside = _cases_of_corpus(corpus, cases)
    outside = sorted(set(range(len(cases))) - set(inside.values()))
    tables = {name: _RankTable.of(cases) for name in STRONGER}
    if inside:
        for name, part, attacker in cross_fit(corpus, inside, folds=folds, seed=seed):
            tables[name].fill(attacker, [inside[place] for place in part])
    if outside:
        for name, learn in STRONGER.items():
            tables[name].fill(learn(corpus, seed), outside)
    return {name: table.ranked() for name, table in tables.items()}


@dataclass(frozen=True, slots=True)
class _RankTable:
    """The ranks that one attacker gives to the true classes of cases, before and after they were sanitized."""

    cases: Sequence[AttackedDocument]
    before: Ints
    after: Ints

    @classmethod
    def of(cls, cases: Sequence[AttackedDocument]) -> _RankTable:
        return cls(cases, np.zeros(len(cases), np.int64), np.zeros(len(cases), np.int64))

    def fill(self, attacker: Attacker, numbers: Sequence[int]) -> None:
        """Attack the cases with these numbers."""
        attacked = [self.cases[number] for number in numbers]
        truths = [case.truth for case in attacked]
        self.after[numbers] = attacker.ranks([case.released for case in attacked], truths)
        self.before[numbers] = attacker.ranks([case.original or "" for case in attacked], truths)

    def ranked(self) -> RankedDocuments:
        has_originals = all(case.original is not None for case in self.cases)
        return RankedDocuments(self.before if has_originals else None, self.after)


def _cases_of_corpus(corpus: Sequence[LabelledDocument], cases: Sequence[AttackedDocument]) -> dict[int, int]:
    """Place in the corpus to number of the case, for the cases whose originals are in it."""
    places = {document.text: place for place, document in enumerate(corpus)}
    inside: dict[int, int] = {}
    for number, case in enumerate(cases):
        if case.original is not None and case.original in places:
            inside.setdefault(places[case.original], number)
    return inside


def attack_from_redacted(
    cases: Sequence[AttackedDocument],
    teaching: Sequence[LabelledDocument] = (),
    folds: int = 5,
    seed: int = 0,
) -> RankedDocuments:
    """Attacks with a reader that learned from the released documents outside the fold that it attacks.

    `teaching` adds labelled documents, such as a corpus that the attacker redacted for the purpose. None of them may
    be among the cases.
    """
    after = np.zeros(len(cases), np.int64)
    shuffled = np.random.default_rng(seed).permutation(len(cases))
    for part in np.array_split(shuffled, max(1, min(folds, len(cases)))):
        out = set(part.tolist())
        rest = [LabelledDocument(c.released, c.truth) for n, c in enumerate(cases) if n not in out]
        attacker = linear_svm([*teaching, *rest], seed)
        attacked = [cases[number] for number in part]
        released = [case.released for case in attacked]
        truths = [case.truth for case in attacked]
        after[part] = attacker.ranks(released, truths)
    return RankedDocuments(None, after)
