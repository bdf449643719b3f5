"""A reader who knows the method and has tried it out: what all readers' ranks together tell one who learned from releases.

python -m experiments.inference_blocking.method_reader [--documents 240] [-k 5]

A model learns from 900 pages of Industry-Sector, cut to 1,500 characters. Other pages are released. For each class and
each release the attacker sees every reader's rank and score, and a classifier that learned from four fifths of the
releases, with their true classes, says which class looks most like a hidden one. Chance among all 48 classes is 2 %; k
classes that look alike would leave 1 / k.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from efface.attacks.known_method import RankedText, joint_ranks, rank_guess_left_out
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, train
from experiments.inference_blocking.all_readers import Setting, released, split, words_kept

_LEARNED, _LENGTH, _FOLDS = 900, 1500, 5
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One release as the attacker sees it."""

    ranked: RankedText
    features: Floats  # a row a class
    kept: float

    @property
    def labels(self) -> NDArray[np.bool_]:
        return np.asarray(np.arange(len(self.features)) == self.ranked.truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=240)
    parser.add_argument("-k", type=int, default=5)
    options = parser.parse_args()
    known, pages = split()
    model = train(_cut(known[:_LEARNED]), TrainingSettings(sensitive="industry", utility=("sector",)))
    print(
        "| released | words kept | rank, left out | all ranks, sum | all ranks, worst | learned | among five |"
    )
    print("|---|---|---|---|---|---|---|")
    for secret in (False, True):
        setting = Setting("secret rank" if secret else "no secret rank", options.k, secret=secret)
        print(_row(setting, _cases(model, _cut(pages[: options.documents]), setting)), flush=True)


def _cut(pages: Sequence[LabelledDocument]) -> list[LabelledDocument]:
    return [replace(page, text=page.text[:_LENGTH]) for page in pages]


def _cases(model: ClassModel, pages: Sequence[LabelledDocument], setting: Setting) -> list[Case]:
    found = []
    for page in pages:
        text = released(model, page, setting)
        if text is None:
            continue
        ranked = RankedText.of(model, text, page.sensitive)
        features = _features(ranked, list(model.all_scores(text).values()), setting.k)
        found.append(Case(ranked, features, words_kept(page.text, text)))
    return found


def _features(text: RankedText, scores: Sequence[Floats], k: int) -> Floats:
    """What may tell a hidden class: its ranks, in the order of readers and sorted, how even they are, and its scores."""
    ranks = text.ranks
    table = np.array(scores)
    spread = table.std(axis=1, keepdims=True) + 1e-9
    standard = (table - table.mean(axis=1, keepdims=True)) / spread
    rows = [ranks, np.sort(ranks, axis=0), ranks.sum(axis=0), ranks.std(axis=0), (ranks < k).sum(axis=0)]
    rows += [
        ((ranks >= k) & (ranks <= 2 * k)).sum(axis=0),
        standard,
        standard.sum(axis=0),
        standard.std(axis=0),
    ]
    return np.asarray(np.vstack(rows).T, np.float64)


def learned_places(cases: Sequence[Case]) -> NDArray[np.int64]:
    """The place of the true class for a classifier that learned from the other folds; a tie is the attacker's."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    folds = np.random.default_rng(0).permutation(len(cases)) % _FOLDS
    places = np.zeros(len(cases), np.int64)
    for fold in range(_FOLDS):
        seen = [case for case, own in zip(cases, folds, strict=True) if own != fold]
        learner = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=8, learning_rate=0.08)
        learner.fit(np.vstack([c.features for c in seen]), np.concatenate([c.labels for c in seen]))
        for number in np.flatnonzero(folds == fold).tolist():
            chances = learner.predict_proba(cases[number].features)[:, 1]
            places[number] = 1 + int((chances > chances[cases[number].ranked.truth]).sum())
    return places


def _row(setting: Setting, cases: Sequence[Case]) -> str:
    texts = [case.ranked for case in cases]
    together = [float((places == 1).mean()) for places in joint_ranks(texts, setting.k).values()]
    learned = learned_places(cases)
    shares = [float(np.mean([case.kept for case in cases])), rank_guess_left_out(texts), *together]
    shares += [float((learned == 1).mean()), float((learned <= 5).mean())]
    return "| " + " | ".join([setting.title, *(f"{100 * share:.1f}" for share in shares)]) + " |"


if __name__ == "__main__":
    main()
