"""Adversaries who guess the class of what was released: the planner's own kind, and stronger ones.

  naive-bayes    the model itself; for documents it learned from, a model that never saw them (leave one out)
  linear-svm     linear support vectors on TF-IDF of words
  logistic       logistic regression on TF-IDF of words and pairs of words
  nearest        the most similar training document of each class, by cosine

The last three come from scikit-learn, with its own reading of words; nothing in efface planned against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efface.errors import UsageError
from efface.knowledge.classes_model import ClassModel, LabelledDocument

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Scorer = Callable[[Sequence[str]], Floats]  # texts to a score for each class, a row a text


@dataclass(frozen=True, slots=True)
class Case:
    """A released text, the class it hides, and the original when it is at hand."""

    released: str
    truth: str
    original: str | None = None
    utility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attacker:
    """The classes it knows and how it scores texts."""

    classes: tuple[str, ...]
    scores: Scorer

    def ranks(self, texts: Sequence[str], truths: Sequence[str]) -> Ints:
        """The true class's place in the attacker's list; ties go to the attacker, an unknown is last."""
        places = {name: place for place, name in enumerate(self.classes)}
        return np.array(
            [
                _rank(row, places[truth]) if truth in places else len(places) + 1
                for row, truth in zip(self.scores(texts) if texts else (), truths, strict=True)
            ],
            np.int64,
        )


@dataclass(frozen=True, slots=True)
class Success:
    """How often the class was among the first guesses, before and after, and by knowing only the priors."""

    attacker: str
    guesses: int
    before: float | None
    after: float
    chance: float
    documents: int


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """An attacker's ranks of the true classes, before (when the originals are known) and after."""

    before: Ints | None
    after: Ints

    def success(self, attacker: str, guesses: int, chance: float) -> Success:
        return Success(
            attacker,
            guesses,
            None if self.before is None else float((self.before <= guesses).mean()),
            float((self.after <= guesses).mean()),
            chance,
            len(self.after),
        )


def _rank(scores: Floats, truth: int) -> int:
    return 1 + int((scores > scores[truth]).sum())


def chance(shares: Iterable[int], guesses: int) -> float:
    """The success of one who reads nothing and names the most frequent classes."""
    counts = sorted(shares, reverse=True)
    return sum(counts[:guesses]) / max(1, sum(counts))


# --- naive Bayes ------------------------------------------------------------------------------------------


def attack_with_model(model: ClassModel, cases: Sequence[Case], *, learned: bool = False) -> Ranks:
    """The model as the attacker. `learned`: it was trained on the originals, and must do without each."""
    if not cases:
        raise UsageError("There is nothing to attack.", "Give released documents and their classes.")
    pairs = [_model_ranks(model, case, learned) for case in cases]
    before = [first for first, _ in pairs if first is not None]
    return Ranks(
        np.array(before, np.int64) if len(before) == len(pairs) else None,
        np.array([after for _, after in pairs], np.int64),
    )


def _model_ranks(model: ClassModel, case: Case, learned: bool) -> tuple[int | None, int]:
    truth = model.sensitive.index(case.truth)
    if learned:
        if case.original is None:
            raise UsageError("To leave a document out, its original is needed.", "Give the originals too.")
        model = model.without(LabelledDocument(case.original, case.truth, case.utility))
    before = None if case.original is None else _rank(model.scores(case.original), truth)
    return before, _rank(model.scores(case.released), truth)


# --- scikit-learn -----------------------------------------------------------------------------------------


def linear_svm(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    from sklearn.svm import LinearSVC

    return _linear(documents, LinearSVC(random_state=seed), ngrams=1)


def logistic(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    """Fitted by stochastic gradient: as good here, and it scales to many classes and pairs of words."""
    from sklearn.linear_model import SGDClassifier

    learner = SGDClassifier(loss="log_loss", alpha=1e-6, max_iter=30, tol=1e-3, random_state=seed)
    return _linear(documents, learner, ngrams=2)


def _linear(documents: Sequence[LabelledDocument], learner: Any, ngrams: int) -> Attacker:
    vectorizer = _tfidf(ngrams)
    learner.fit(vectorizer.fit_transform([d.text for d in documents]), [d.sensitive for d in documents])

    def scores(texts: Sequence[str]) -> Floats:
        found = np.asarray(learner.decision_function(vectorizer.transform(texts)), np.float64)
        return found if found.ndim == 2 else np.stack([-found, found], axis=1)  # two classes: one column

    return Attacker(tuple(str(name) for name in learner.classes_), scores)


def nearest(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:  # noqa: ARG001 - no chance in it
    vectorizer = _tfidf(1)
    known = vectorizer.fit_transform([d.text for d in documents])
    names, members = np.unique([d.sensitive for d in documents], return_inverse=True)
    order = np.argsort(members, kind="stable")
    starts = np.searchsorted(members[order], np.arange(len(names)))
    known = known[order]

    def scores(texts: Sequence[str]) -> Floats:
        alike = (vectorizer.transform(texts) @ known.T).toarray()
        return np.asarray(np.maximum.reduceat(alike, starts, axis=1), np.float64)

    return Attacker(tuple(str(name) for name in names), scores)


def _tfidf(ngrams: int) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, ngram_range=(1, ngrams), min_df=2, max_features=100_000)


STRONGER: Mapping[str, Callable[[Sequence[LabelledDocument], int], Attacker]] = {
    "linear-svm": linear_svm,
    "logistic": logistic,
    "nearest": nearest,
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
    corpus: Sequence[LabelledDocument], cases: Sequence[Case], folds: int = 5, seed: int = 0
) -> dict[str, Ranks]:
    """The stronger attackers, trained on a corpus, on cases whose originals may be in it.

    A document of the corpus is attacked by one who learned without it (and without its fold).
    """
    if not cases:
        raise UsageError("There is nothing to attack.", "Give released documents and their classes.")
    places = {document.text: place for place, document in enumerate(corpus)}
    inside: dict[int, int] = {}  # place in the corpus to number of the case
    for number, case in enumerate(cases):
        if case.original is not None and case.original in places:
            inside.setdefault(places[case.original], number)
    outside = sorted(set(range(len(cases))) - set(inside.values()))
    befores = {name: np.zeros(len(cases), np.int64) for name in STRONGER}
    afters = {name: np.zeros(len(cases), np.int64) for name in STRONGER}

    def attack(name: str, attacker: Attacker, numbers: Sequence[int]) -> None:
        truths = [cases[number].truth for number in numbers]
        afters[name][numbers] = attacker.ranks([cases[number].released for number in numbers], truths)
        originals = [cases[number].original or "" for number in numbers]
        befores[name][numbers] = attacker.ranks(originals, truths)

    for name, part, attacker in cross_fit(corpus, inside, folds=folds, seed=seed) if inside else ():
        attack(name, attacker, [inside[place] for place in part])
    for name, learn in STRONGER.items() if outside else ():
        attack(name, learn(corpus, seed), outside)
    known = all(case.original is not None for case in cases)
    return {name: Ranks(befores[name] if known else None, afters[name]) for name in STRONGER}
