"""Systems to be judged: a policy's finders, or predictions from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from efface.core import Document
from efface.errors import InputError
from efface.evaluate.gold import CANONICAL, GoldCase, canonical, json_rows
from efface.evaluate.scoring import Predicted
from efface.operators.resolve import resolve
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find

System = Callable[[Sequence[GoldCase]], list[list[Predicted]]]


def of_policy(bound: BoundPolicy) -> System:
    """What the policy's finders mark: one disjoint set of spans, as it would be removed."""

    def run(cases: Sequence[GoldCase]) -> list[list[Predicted]]:
        return [predicted(case.text, bound) for case in cases]

    return run


def predicted(text: str, bound: BoundPolicy) -> list[Predicted]:
    """The disjoint spans of one text."""
    reading = find(Document("", "text", text), bound)
    mentions = [mention for term in reading.terms for mention in term.mentions]
    edits = resolve(m.edit(m.because) for m in mentions)
    return [Predicted(edit.start, edit.end, edit.type, edit.score) for edit in edits]


def of_file(path: Path) -> System:
    """Predictions, one case a line in the order of the gold standard: `{"spans": [{start, end, type, score}]}`."""
    try:
        rows = [list(map(_span, row["spans"])) for row in json_rows(path)]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(f"{path} is no file of predictions.", "See docs/names.md for its form.") from None

    def run(cases: Sequence[GoldCase]) -> list[list[Predicted]]:
        if len(rows) != len(cases):
            raise InputError(
                f"{path} has predictions for {len(rows)} cases, the gold standard has {len(cases)}.",
                "Give one line for every case, in its order.",
            )
        return rows

    return run


def _span(row: dict[str, Any]) -> Predicted:
    start, end = int(row["start"]), int(row["end"])
    return Predicted(start, end, str(row.get("type", "MISC")), float(row.get("score", 1.0)))


def of_known_types(cases: Sequence[GoldCase], form: str) -> frozenset[str]:
    """Types on which a gold standard can judge: all for the benchmark of anonymisation, else those it marks."""
    if form == "tab":
        return frozenset(CANONICAL.values()) | {"CODE"}
    return frozenset(gold.type for case in cases for marked in case.annotations for gold in marked)


def only(predictions: list[list[Predicted]], types: frozenset[str]) -> list[list[Predicted]]:
    """The predictions of these types."""
    kept = []
    for case in predictions:
        kept.append([one for one in case if canonical(one.type) in types])
    return kept


def information() -> Callable[[str], float]:
    """Bits that a word carries: -log2 of the share of Wikipedia articles that hold it."""
    from efface.knowledge.corpus.counts import count, wikipedia
    from efface.text.folding import fold_term

    corpus = wikipedia()
    known: dict[str, float] = {}

    def weigh(word: str) -> float:
        key = fold_term(word)
        if key not in known:
            known[key] = math.log2((corpus.documents + 1) / (count(corpus, [key]) + 1)) if key else 0.0
        return known[key]

    return weigh
