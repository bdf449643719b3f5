"""The slider over k: the order in which words go, and what a trained reader still sees after each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from efface.core import Span
from efface.knowledge.classes.model import ClassModel, CountedText
from efface.solvers.confusability.curve import Curve


@dataclass(frozen=True, slots=True)
class SliderStep:
    """The reader's view after some words are gone: classes best first, and each category's probability."""

    ranking: tuple[str, ...]
    rank: int  # of the true class, ties against us
    utility: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sensitivity:
    """A document's slider. The class's own names are gone at every step."""

    model: ClassModel
    view: CountedText
    names: tuple[Span, ...]
    curve: Curve

    def words(self, k: int) -> tuple[str, ...]:
        """The order in which words go on the way to k."""
        return tuple(self.view.units[unit] for unit in self.curve.orders[k - 1])

    def needed(self, k: int) -> int | None:
        """How many of them must go; None when all of them would not do."""
        return self.curve.needed[k - 1]

    def spans(self, k: int, steps: int) -> tuple[Span, ...]:
        """What is gone in the text after so many words."""
        gone = [Span(*at) for unit in self.curve.orders[k - 1][:steps] for at in self.view.places[unit]]
        return tuple(sorted([*self.names, *gone]))

    def at(self, k: int, steps: int) -> SliderStep:
        margins, utility = self.curve.at(k, steps)
        names = self.model.sensitive.names
        order = np.argsort(-margins, kind="stable")
        return SliderStep(
            tuple(names[label] for label in order),
            1 + self.curve.ahead(margins),
            tuple(zip(self.model.utility.names, utility.tolist(), strict=True)),
        )
