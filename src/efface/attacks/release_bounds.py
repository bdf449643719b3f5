"""What theory says of the attacker (Theorems 3 to 6 of the GreedySanitize paper), beside what was measured; most bounds say little.

They hold for one who takes classifiers of the publisher's family; 5 and 6 with probability 1 - delta, and
only under assumptions about the last classifier that the publisher trained, which are estimated here or given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from efface.attacks.release import Attack
from efface.learners.greedy import Counts


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The symbols of the theorems. `p`, `q`: of the publisher's last classifier, `r`, `s`: of the attacker's."""

    loss_ratio: float  # L/C
    n: int  # tokens before anything was removed
    alpha: float  # the share of identifiers among them
    m: int | None = None  # labelled tokens left when training stopped
    v: int | None = None  # the VC dimension of the family: the number of weights and one more
    delta: float = 0.05
    p: float | None = None  # false positives at most p times false negatives, in training
    q: float | None = None  # true positives at least q times the tokens left, in training
    r: float | None = None  # the attacker's true positives are at most r times its true negatives
    s: float | None = None  # the attacker's false positives are at least s times its false negatives

    def estimated(self, attack: Counts, last: Counts | None) -> Assumptions:
        """What was not given, as tight as the counts allow."""
        found: dict[str, float] = {}
        if last is not None:
            found |= {"m": last.total, "p": _over(last.false_positives, last.false_negatives)}
            found["q"] = last.true_positives / max(1, last.total)
        found["r"] = _over(attack.true_positives, attack.true_negatives)
        found["s"] = _over(attack.false_positives, attack.false_negatives)
        missing = {name: value for name, value in found.items() if getattr(self, name) is None}
        return replace(self, **missing)  # type: ignore[arg-type]

    @property
    def innocent(self) -> float:
        return (1 - self.alpha) * self.n

    def deviation(self) -> float:
        """λ(δ, m): how far errors on the training data may lie from the truth."""
        assert self.m is not None and self.v is not None
        ratio = math.log(2 * math.e * self.m / self.v) if self.m else 0.0
        # 41 is the constant of the paper's theorem on learning from a finite sample.
        return math.sqrt(41 / max(1, self.m) * max(0.0, self.v * ratio + math.log(4 / self.delta)))


@dataclass(frozen=True, slots=True)
class TheoremBound:
    """A theorem's bound and what it bounds as measured. Vacuous: no attacker could exceed it anyway."""

    theorem: int
    quantity: str
    bound: float | None
    measured: float | None
    vacuous: bool
    why_not: str = ""  # an assumption fails, so the theorem does not apply


def bounds(attack: Attack, budget: int, given: Assumptions) -> Iterator[TheoremBound]:
    """The four theorems in turn."""
    counts = attack.counts
    everything = round(given.alpha * given.n)
    found = float(counts.true_positives)
    ratio = attack.ratio(budget)
    reach = len(attack.ranked) / max(1, budget, counts.sensitive)  # the most that U_A*/U_A can be
    third = given.innocent / given.loss_ratio
    yield TheoremBound(3, "TP_A", third, found, third >= everything)
    fourth = (given.innocent + 1) / (1 + given.loss_ratio)
    outside = _why_inapplicable(counts, budget)
    yield TheoremBound(4, "U_A*/U_A", fourth, ratio, fourth >= reach, outside)
    factor, gain, missing = _finite_sample_terms(given)
    fifth = factor * given.innocent / gain if gain > 0 else math.inf
    sixth = (given.innocent + 1) * factor / (factor + gain) if gain > 0 else math.inf
    yield TheoremBound(5, "TP_A", None if missing else fifth, found, fifth >= everything, missing)
    yield TheoremBound(6, "U_A*/U_A", None if missing else sixth, ratio, sixth >= reach, missing or outside)


def _why_inapplicable(counts: Counts, budget: int) -> str:
    if budget < counts.positives:
        return "the budget is smaller than what the classifier finds"
    if counts.true_positives * counts.true_negatives < counts.false_positives * counts.false_negatives:
        return "the classifier ranks worse than chance"
    return ""


def _finite_sample_terms(given: Assumptions) -> tuple[float, float, str]:
    """r(1 + 1/s) and (1 + 1/p)·q·L/C - λ, or what they lack."""
    if None in (given.m, given.v, given.p, given.q, given.r, given.s):
        return math.inf, 0.0, "m, v, p, q, r and s are needed: give the model"
    assert given.p is not None and given.q is not None and given.r is not None and given.s is not None
    if given.q == 0:
        return math.inf, 0.0, "the last classifier in training found no identifier"
    factor = given.r * (1 + _over(1, given.s)) if given.r else 0.0
    return factor, (1 + _over(1, given.p)) * given.q * given.loss_ratio - given.deviation(), ""


def _over(above: float, below: float) -> float:
    return above / below if below else (math.inf if above else 0.0)
