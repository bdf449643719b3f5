"""Ten attackers who know the background of every person. They come from scikit-learn, with its own reading of words.

Planned against, in kind: cosine, linear SVM, naive Bayes, pairs of words, latent semantic analysis. Not planned against:
character n-grams, word beginnings, complement naive Bayes, the overlap of rare words, a cosine of binary counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Scores = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class Attacker:
    name: str
    planned: bool  # a reader of its kind is among those that efface plans against
    scores: Scores


def attackers(texts: Sequence[str]) -> list[Attacker]:
    """One score for each person, in the order of their backgrounds."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.naive_bayes import ComplementNB, MultinomialNB
    from sklearn.svm import LinearSVC

    people = np.arange(len(texts))

    def trained(vectorizer: Any, learner: Any) -> Scores:
        learner.fit(vectorizer.fit_transform(texts), people)
        score = getattr(learner, "decision_function", None) or learner.predict_log_proba
        return lambda released: np.asarray(score(vectorizer.transform(released)))

    words = {"sublinear_tf": True}
    letters = {"sublinear_tf": True, "analyzer": "char_wb", "max_features": 60_000}
    return [
        Attacker("cosine of words", True, _cosine(TfidfVectorizer(**words), texts)),
        Attacker("cosine of words and pairs", True, _cosine(TfidfVectorizer(**words, ngram_range=(1, 2)), texts)),
        Attacker("linear SVM", True, trained(TfidfVectorizer(**words), LinearSVC())),
        Attacker("naive Bayes", True, trained(CountVectorizer(stop_words="english"), MultinomialNB(alpha=0.1))),
        Attacker("latent semantic analysis", True, _latent(texts)),
        Attacker("cosine, binary", False, _cosine(TfidfVectorizer(binary=True, stop_words="english"), texts)),
        Attacker("cosine of letters", False, _cosine(TfidfVectorizer(**letters, ngram_range=(3, 5)), texts)),
        Attacker("cosine of word beginnings", False, _cosine(TfidfVectorizer(**words, analyzer=_beginnings), texts)),
        Attacker("complement naive Bayes", False, trained(CountVectorizer(stop_words="english"), ComplementNB())),
        Attacker("overlap of rare words", False, _rare(texts)),
    ]  # fmt: skip


def _beginnings(text: str) -> list[str]:
    """The first five letters of every word, as a crude stem."""
    return [word[:5] for word in re.findall(r"[^\W_]+", text.lower())]


def _cosine(vectorizer: Any, texts: Sequence[str]) -> Scores:
    known = vectorizer.fit_transform(texts)
    return lambda released: np.asarray((vectorizer.transform(released) @ known.T).toarray())


def _latent(texts: Sequence[str]) -> Scores:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    known = vectorizer.fit_transform(texts)
    turned = TruncatedSVD(min(100, len(texts) - 1), random_state=0)
    people = turned.fit_transform(known)
    people /= np.linalg.norm(people, axis=1, keepdims=True) + 1e-9
    return lambda released: np.asarray(turned.transform(vectorizer.transform(released)) @ people.T)


def _rare(texts: Sequence[str]) -> Scores:
    """A word counts for one over the square of how many people it is known of."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(binary=True)
    known = vectorizer.fit_transform(texts)
    frequencies = np.asarray(known.sum(axis=0)).ravel()
    weighed = known.multiply(1.0 / frequencies**2).tocsr()
    return lambda released: np.asarray((vectorizer.transform(released) @ weighed.T).toarray())


def success(attacker: Attacker, released: Sequence[str], truths: Sequence[int]) -> float:
    """The share of texts whose person the first guess names; a tie is shared."""
    hits = []
    for row, truth in zip(attacker.scores(released), truths, strict=True):
        best = np.flatnonzero(row == row.max())
        hits.append(float(truth in best) / len(best))
    return float(np.mean(hits))
