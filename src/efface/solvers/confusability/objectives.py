"""What a word that stays is worth to the categories that should show. Formulas over arrays; rows are words.

With u the document's categories (one or several), o the others, P(u) priors, and P(w|u), P(w|o) the chance of
a word (mixtures weighted by prior when there are several):

  OVALogOdds  (1 - P(u)) log P(w|u) - sum over o of P(o) log P(w|o), averaged over the document's categories
  OddsRatio   log [ P(w|u) (1 - P(w|o)) / ((1 - P(w|u)) P(w|o)) ]
  FreqLogP    freq(w) log [ P(w|u) / P(w|o) ], freq(w) the word's count in the training corpus
  InfoGain    sum over all categories c of
              P(c) { P(w|c) log [P(w|c) / P(w)] + (1 - P(w|c)) log [(1 - P(w|c)) / (1 - P(w))] }
  count       1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CategoryWorth:
    """What the categories say about the words of one document."""

    rows: Floats  # log P(word | category)
    priors: Floats  # P(category)
    frequencies: Ints  # of the words in the training corpus
    mine: Ints  # the document's categories

    def sides(self) -> tuple[Floats, Floats]:
        """P(w | the document's categories) and P(w | the others). Without other categories nothing distinguishes
        them."""
        mine = np.zeros(len(self.priors), bool)
        mine[self.mine] = True
        inside = _mixture(self.chances(), self.priors * mine)
        return inside, inside if mine.all() else _mixture(self.chances(), self.priors * ~mine)

    def chances(self) -> Floats:
        """P(w | category), never quite 1: the odds of a word that is all there is would be infinite."""
        return np.minimum(np.exp(self.rows), 1 - 1e-9)


def _mixture(chances: Floats, weights: Floats) -> Floats:
    return np.asarray(chances @ weights / weights.sum())


def ova_log_odds(useful: CategoryWorth) -> Floats:
    others = np.delete(np.arange(len(useful.priors)), useful.mine)
    against = useful.rows[:, others] @ useful.priors[others]
    # The weights of both sides are equal: with one category, 1 - P(u) is the sum of the others' priors.
    weight = useful.priors[others].sum()
    return np.asarray(weight * useful.rows[:, useful.mine].mean(axis=1) - against)


def odds_ratio(useful: CategoryWorth) -> Floats:
    inside, outside = useful.sides()
    return np.asarray(np.log(inside / (1 - inside)) - np.log(outside / (1 - outside)))


def freq_log_p(useful: CategoryWorth) -> Floats:
    inside, outside = useful.sides()
    return np.asarray(useful.frequencies * np.log(inside / outside))


def info_gain(useful: CategoryWorth) -> Floats:
    chances = useful.chances()
    overall = _mixture(chances, useful.priors)[:, None]
    present = chances * np.log(chances / overall)
    absent = (1 - chances) * np.log((1 - chances) / (1 - overall))
    return np.asarray((present + absent) @ useful.priors)


def count(useful: CategoryWorth) -> Floats:
    return np.ones(len(useful.rows))


OBJECTIVES: dict[str, Callable[[CategoryWorth], Floats]] = {
    "OVALogOdds": ova_log_odds,
    "OddsRatio": odds_ratio,
    "FreqLogP": freq_log_p,
    "InfoGain": info_gain,
    "count": count,
}
