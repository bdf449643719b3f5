"""The weights and the thresholds of `risk: subject`, from court cases that each network judges had not seen."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from training.names.cases import CasesRecipe, parts
from training.names.data import Labelled
from training.names.export import export
from training.names.learn import loaded
from training.names.network import LAYERS

from efface.evaluate.gold import Gold, GoldCase
from efface.evaluate.scoring import ALL, TOKEN, Predicted, ScoreTally, score
from efface.evaluate.systems import predicted
from efface.finders.names.finder import ReadingMode, candidates, considered, place, read
from efface.finders.names.model import NamesModel, NamesSettings, session
from efface.finders.names.subject import CONSTANT, FEATURES, features
from efface.finders.names.tokens import Vocabulary
from efface.policy.bind import bind
from efface.policy.model import parse

LIMITS = [round(0.06 + 0.02 * step, 2) for step in range(33)]
LEAST_PRECISION = 0.80  # what `risk: subject` aims at with the recall preset,
MARGIN = 0.02  # and by how much more than it, since other cases differ
STRENGTH = 0.003  # of the data against small weights; .001 does a little worse over the cases left out
ROUNDS = 6  # in which some cases are left out, to choose the thresholds
_LEAST_SPREAD = 0.05
_PRESET = "recall"

Floats = npt.NDArray[np.float32]
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A case with its mentions as an unseeing network left them, and how many tokens of each are masked."""

    case: GoldCase
    mentions: list[Predicted]
    rows: Floats
    kept: Floats  # tokens that the annotators left,
    masked: Floats  # and that they masked
    patterns: list[Predicted]


def weigh(
    cases: Sequence[Labelled],
    work: Path,
    vocabulary: Vocabulary,
    recipe: CasesRecipe,
    limits: Mapping[str, float],
) -> tuple[Weights, dict[str, float]]:
    """The weights, and the threshold of each preset. `limits` are the recall preset's, by type."""
    judged: list[Judgement] = []
    with tempfile.TemporaryDirectory() as folder:
        for part in range(len(recipe.fold_seeds)):
            path = Path(folder) / f"fold{part}.onnx"
            export(loaded(work / f"fold{part}.pt", LAYERS), path)
            model = NamesModel(session(path), vocabulary, NamesSettings("", thresholds={_PRESET: limits}))
            judged += [_judgement(text, model) for text in parts(cases)[part]]
    return fitted(judged), thresholds(judged)


def _judgement(text: Labelled, model: NamesModel) -> Judgement:
    case = _case(text)
    page = read(text.text, ReadingMode(model, candidates, _PRESET, whole=True))
    found, surfaces, keys = considered(page)
    places = [place(page, one) for one in found]
    hidden = [(gold.start, gold.end) for gold in case.annotations[0] if gold.is_masked]
    counts = np.array([_tokens(text.text, start, end, hidden) for start, end in places], np.float32)
    counts = counts.reshape(len(places), 2)
    bound = bind(parse("efface: 1\nfind: {names: {risk: subject}}\n"))
    bound = replace(bound, finders={"patterns": bound.finders["patterns"]})
    mentions = [Predicted(*ends, one.type) for ends, one in zip(places, found, strict=True)]
    rows = features(surfaces, found, keys)
    return Judgement(case, mentions, rows, counts[:, 0], counts[:, 1], predicted(text.text, bound))


def _tokens(text: str, start: int, end: int, hidden: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """How many tokens are left and how many are masked."""
    tokens = [match.span() for match in TOKEN.finditer(text, start, end)]
    masked = sum(any(low <= a and b <= high for low, high in hidden) for a, b in tokens)
    return len(tokens) - masked, masked


def _case(text: Labelled) -> GoldCase:
    marked = zip(text.spans, text.masks or (), strict=True)
    gold = tuple(Gold(start, end, kind, "", mask[2]) for (start, end, kind), mask in marked)
    return GoldCase(text.name, text.text, (gold,))


def fitted(judged: Sequence[Judgement]) -> Weights:
    """A logistic regression over the mentions, each as heavy as it has tokens."""
    rows = np.concatenate([one.rows for one in judged])
    counts = [
        np.concatenate(column) for column in zip(*((one.kept, one.masked) for one in judged), strict=True)
    ]
    mean, spread = rows.mean(0), np.maximum(rows.std(0), _LEAST_SPREAD)
    scaled = (rows - mean) / spread
    used = [count > 0 for count in counts]
    model = LogisticRegression(C=STRENGTH, max_iter=3000)
    model.fit(
        np.concatenate([scaled[some] for some in used]),
        np.repeat([0, 1], [some.sum() for some in used]),
        sample_weight=np.concatenate([count[some] for count, some in zip(counts, used, strict=True)]),
    )
    weights = model.coef_[0] / spread
    constant = float(model.intercept_[0] - (weights * mean).sum())
    named = zip(FEATURES, weights.tolist(), strict=True)
    return {CONSTANT: round(constant, 4)} | {name: round(weight, 4) for name, weight in named}


def thresholds(judged: Sequence[Judgement]) -> dict[str, float]:
    """The limit from which on the precision is enough, and the one with the best F0.5."""
    results = dict.fromkeys(LIMITS, ScoreTally())
    for turn in range(ROUNDS):
        weights = fitted([one for at, one in enumerate(judged) if at % ROUNDS != turn])
        column = np.array([weights[name] for name in FEATURES], np.float32)
        for one in judged[turn::ROUNDS]:
            sure = 1 / (1 + np.exp(-(one.rows @ column + weights[CONSTANT])))
            for limit in LIMITS:
                said = [mention for mention, p in zip(one.mentions, sure, strict=True) if p >= limit]
                results[limit] += score(one.case, [*said, *one.patterns]).tallies["token", ALL]
    for limit, tally in results.items():
        print(limit, round(tally.recall, 3), round(tally.precision, 3), flush=True)
    enough = [results[limit].precision >= LEAST_PRECISION + MARGIN for limit in LIMITS]
    recall = min((limit for at, limit in enumerate(LIMITS) if all(enough[at:])), default=0.5)
    precision = max(results, key=lambda limit: results[limit].f(0.5))
    return {"recall": recall, "precision": max(precision, recall)}
