"""Whether a score of 0.8 means that four of five such mentions are right: the bins of a reliability plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from efface.evaluate.gold import GoldCase
from efface.evaluate.scoring import CoveredShare, Predicted

BINS = 10  # bins of the scores, as reliability plots usually have them


@dataclass(frozen=True, slots=True)
class Bin:
    """Mentions with scores in `[low, high)`: how many, their mean score, and the share that was right."""

    low: float
    high: float
    count: int
    score: float
    right: float


def reliability(pairs: Iterable[tuple[float, bool]]) -> list[Bin]:
    """The bins that hold anything."""
    members: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for score, right in pairs:
        members[min(int(score * BINS), BINS - 1)].append((score, right))
    return [_bin(number, inside) for number, inside in enumerate(members) if inside]


def _bin(number: int, inside: Sequence[tuple[float, bool]]) -> Bin:
    """How sure the system was in this bin on average, and how often it was right."""
    said = sum(score for score, _ in inside)
    right = sum(right for _, right in inside)
    return Bin(number / BINS, (number + 1) / BINS, len(inside), said / len(inside), right / len(inside))


def expected_error(bins: Iterable[Bin]) -> float:
    """The mean distance between score and share of right ones, weighted by how many there are."""
    bins = list(bins)
    count = sum(bin_.count for bin_ in bins)
    return sum(bin_.count * abs(bin_.score - bin_.right) for bin_ in bins) / count if count else 0.0


def judged(case: GoldCase, predicted: Iterable[Predicted]) -> Iterable[tuple[float, bool]]:
    """Each mention's score, and whether at least half of it was marked by an annotator."""
    marked = CoveredShare(gold for annotation in case.annotations for gold in annotation if gold.is_masked)
    for one in predicted:
        yield one.score, marked.half(one)
