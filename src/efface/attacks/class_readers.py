"""Readers of classes that nothing was planned against, from scikit-learn, with its own reading of words.

linear-svm     linear support vectors on TF-IDF of words
logistic       logistic regression on TF-IDF of words and pairs of words
nearest        the most similar training document of each class, by cosine
bigrams        linear support vectors on TF-IDF of pairs of words alone
letters        linear support vectors on TF-IDF of runs of three to five letters
embeddings     linear support vectors on the mean of the words' vectors (the packaged ones, of a sentence encoder)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efface.knowledge.classes.model import LabelledDocument

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
TextScorer = Callable[[Sequence[str]], Floats]  # texts to a score for each class, a row a text


@dataclass(frozen=True, slots=True)
class Attacker:
    """The classes it knows and how it scores texts."""

    classes: tuple[str, ...]
    scores: TextScorer

    def ranks(self, texts: Sequence[str], truths: Sequence[str]) -> Ints:
        """The true class's place in the attacker's list; ties go to the attacker, an unknown is last."""
        places = {name: place for place, name in enumerate(self.classes)}
        return np.array(
            [
                rank(row, places[truth]) if truth in places else len(places) + 1
                for row, truth in zip(self.scores(texts) if texts else (), truths, strict=True)
            ],
            np.int64,
        )


TrainAttacker = Callable[[Sequence[LabelledDocument], int], Attacker]


def rank(scores: Floats, truth: int) -> int:
    """The place of the true class, ties for the attacker. Where every class scores the same, it is the last: the scores
    disclose nothing, and the first guess would be right by chance only."""
    if len(scores) > 1 and (scores == scores[0]).all():
        return len(scores)
    return 1 + int((scores > scores[truth]).sum())


def level_with(scores: Floats, truth: int) -> int:
    """How many classes have the true one's score, itself included."""
    return int((scores == scores[truth]).sum())


def linear_svm(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    return _linear(documents, _svm(seed), _tfidf((1, 1)))


def bigrams(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    return _linear(documents, _svm(seed), _tfidf((2, 2)))


def letters(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    return _linear(documents, _svm(seed), _tfidf((3, 5), analyzer="char_wb"))


def logistic(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    """Fitted by stochastic gradient: as good here, and it scales to many classes and pairs of words."""
    from sklearn.linear_model import SGDClassifier

    learner = SGDClassifier(loss="log_loss", alpha=1e-6, max_iter=30, tol=1e-3, random_state=seed)
    return _linear(documents, learner, _tfidf((1, 2)))


def embeddings(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:
    return _linear(documents, _svm(seed), _AveragedVectors())


def nearest(documents: Sequence[LabelledDocument], seed: int = 0) -> Attacker:  # noqa: ARG001 - no chance in it
    vectorizer = _tfidf((1, 1))
    known = _fitted(vectorizer, documents)
    names, members = np.unique([d.sensitive for d in documents], return_inverse=True)
    if known is None:
        return _blind(names.tolist())
    order = np.argsort(members, kind="stable")
    starts = np.searchsorted(members[order], np.arange(len(names)))
    known = known[order]

    def scores(texts: Sequence[str]) -> Floats:
        alike = (vectorizer.transform(texts) @ known.T).toarray()
        return np.asarray(np.maximum.reduceat(alike, starts, axis=1), np.float64)

    return Attacker(tuple(str(name) for name in names), scores)


STRONGER: Mapping[str, TrainAttacker] = {
    "linear-svm": linear_svm,
    "logistic": logistic,
    "nearest": nearest,
    "bigrams": bigrams,
    "letters": letters,
    "embeddings": embeddings,
}


def _svm(seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(random_state=seed)


def _linear(documents: Sequence[LabelledDocument], learner: Any, vectorizer: Any) -> Attacker:
    names = sorted({d.sensitive for d in documents})
    known = _fitted(vectorizer, documents)
    if known is None or len(names) < 2:
        return _blind(names)
    learner.fit(known, [d.sensitive for d in documents])

    def scores(texts: Sequence[str]) -> Floats:
        found = np.asarray(learner.decision_function(vectorizer.transform(texts)), np.float64)
        return found if found.ndim == 2 else np.stack([-found, found], axis=1)  # two classes: one column

    return Attacker(tuple(str(name) for name in learner.classes_), scores)


def _fitted(vectorizer: Any, documents: Sequence[LabelledDocument]) -> Any:
    """The documents in numbers; None where no feature occurs in two of them."""
    try:
        return vectorizer.fit_transform([d.text for d in documents])
    except ValueError:
        return None


def _blind(names: Sequence[str]) -> Attacker:
    """One who learned nothing: every class is the same to it."""
    return Attacker(tuple(names), lambda texts: np.zeros((len(texts), len(names))))


def _tfidf(ngrams: tuple[int, int], **more: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, ngram_range=ngrams, min_df=2, max_features=100_000, **more)


class _AveragedVectors:
    """A text as the mean of its words' vectors, rare words counting more."""

    def fit_transform(self, texts: Sequence[str]) -> Floats:
        from sklearn.feature_extraction.text import TfidfVectorizer

        from efface.knowledge.vectors.word_vectors import packaged_vectors

        self._counted = TfidfVectorizer(sublinear_tf=True, min_df=2)
        self._counted.fit(texts)
        self._vectors = packaged_vectors().of(self._counted.get_feature_names_out().tolist())
        return self.transform(texts)

    def transform(self, texts: Sequence[str]) -> Floats:
        found = np.asarray(self._counted.transform(texts) @ self._vectors, np.float64)
        length = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.where(length > 0, length, 1.0))
