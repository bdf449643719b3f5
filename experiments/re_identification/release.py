"""What efface releases of an abstract under one setting, and the guesses of one who knows the method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from efface.core import Document, Reading, apply_edits
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import ClassModel

_KEY = SecretRank(b"re-identification experiment")


@dataclass(frozen=True, slots=True)
class Setting:
    """How efface is run. k = 1 removes the person's names and nothing else."""

    k: int
    secret: bool = True
    rare: int | None = None
    readers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        if self.k == 1:
            return "efface, names alone"
        parts = [f"efface, k = {self.k}"]
        if self.readers:
            parts.append("naive Bayes only")
        parts.append("secret rank" if self.secret else "no secret rank")
        if self.rare is not None:
            parts.append(f"rare: {self.rare}")
        return ", ".join(parts)


def release(model: ClassModel, text: str, person: str, setting: Setting) -> str | None:
    """The abstract as it may leave; None when it is refused."""
    promise = Confusability(
        model,
        max(2, setting.k),
        readers=setting.readers,
        objective="count",
        secret=_KEY if setting.secret else None,
        rare=setting.rare,
    ).bind(text, person)
    reading = Reading(Document("abstract", "text", text), ())
    findings = promise.assess(reading)
    if setting.k == 1:
        spans = promise.names(text)
        pieces, position = [], 0
        for span in spans:
            pieces += [text[position : span.start], "[WORD_1]"]
            position = span.end
        return "".join([*pieces, text[position:]])
    try:
        plan = promise.plan(reading, findings)
    except Infeasible:
        return None
    released = apply_edits(text, [replace(edit, replacement="[WORD_1]") for edit in plan.edits])
    if promise.assess(Reading(Document("abstract", "text", released), ())):
        return None
    return released


def margin_guess(model: ClassModel, released: Mapping[str, str]) -> float:
    """The class just behind the smallest step between ranks k … 3k, for the reader where that pays most."""
    hits: dict[str, list[bool]] = {}
    for person, text in released.items():
        place = model.sensitive.index(person)
        for name, scores in model.all_scores(text).items():
            order = np.argsort(-scores, kind="stable")[:40]
            steps = -np.diff(scores[order])
            guess = order[4 + int(np.argmin(steps[4:])) + 1]
            hits.setdefault(name, []).append(bool(guess == place))
    return max((float(np.mean(found)) for found in hits.values()), default=0.0)


def second_order_guess(model: ClassModel, released: Mapping[str, str]) -> float:
    """The class whose ranks over all readers are the most even among those that no reader puts first."""
    hits = []
    for person, text in released.items():
        every = list(model.all_scores(text).values())
        ranks = np.array([(-scores).argsort(kind="stable").argsort(kind="stable") + 1 for scores in every])
        within = (ranks.min(axis=0) >= 5) & (ranks.max(axis=0) <= 60)
        spread = np.where(within, ranks.std(axis=0), np.inf)
        hits.append(bool(int(np.argmin(spread)) == model.sensitive.index(person)))
    return float(np.mean(hits)) if hits else 0.0
