"""The cheapest places to strike where words overlap or one word is several values.

The solvers count terms. A stroke takes every value at its place, and what stands inside a longer value goes with it, so a plan
over terms may strike more than it must. This module tries sets of places, the cheapest first. The first sufficient
set is the cheapest of all. After `_TRIES` sets it stops, and the cost of the next set is a lower bound.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from efface.core import Term
from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.removal_cost import StruckPlace, place_of, prices_of

_TRIES = 300  # sets of places that are tried for a cheaper one
_ROUNDING = 1e-9  # costs that differ by less are equal


@dataclass(frozen=True, slots=True)
class Strokes:
    """The terms to strike, or None if the known plan is as cheap; and a lower bound on the cost of every sufficient
    plan."""

    keys: set[str] | None
    bound: float


def cheaper(
    exposure: Exposure, weights: Mapping[str, float], known: float, anyway: Sequence[Term] = ()
) -> Strokes:
    """The cheapest places of all, if they cost less than `known` and are among the first tried. What goes `anyway` may
    have letters of other terms."""
    letters = _Letters.of((*exposure.terms, *anyway))
    priced = sorted(_useful_places(exposure, weights, letters))
    is_enough = _enough(exposure, letters, [place for _, place in priced], anyway)
    for tried, (cost, chosen) in enumerate(_by_cost([price for price, _ in priced])):
        if cost >= known - _ROUNDING:
            return Strokes(None, known)
        if tried == _TRIES:
            return Strokes(None, cost)
        if is_enough(chosen):
            struck = {priced[at][1] for at in chosen}
            return Strokes({term.key for term in exposure.terms if place_of(term) in struck}, cost)
    return Strokes(None, known)


def _useful_places(
    exposure: Exposure, weights: Mapping[str, float], letters: _Letters
) -> Iterator[tuple[float, StruckPlace]]:
    """The places worth striking, with their prices. What shares no letter with a term of somebody in too small a crowd
    only adds to the cost."""
    exposed: set[str] = set()
    for group in exposure.unsafe:
        exposed.update(exposure.keys(group))
    needed = letters.mask(*(place_of(term) for term in exposure.terms if term.key in exposed))
    for place, price in prices_of(exposure.terms, weights).items():
        if letters.mask(place) & needed:
            yield price, place


def _by_cost(prices: Sequence[float]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every set of these, the cheapest first."""
    waiting: list[tuple[float, tuple[int, ...]]] = [(prices[0], (0,))] if prices else []
    while waiting:
        cost, chosen = heapq.heappop(waiting)
        yield cost, chosen
        after = chosen[-1] + 1
        if after < len(prices):
            heapq.heappush(waiting, (cost + prices[after], (*chosen, after)))
            heapq.heappush(waiting, (cost - prices[after - 1] + prices[after], (*chosen[:-1], after)))


def _enough(
    exposure: Exposure, letters: _Letters, places: Sequence[StruckPlace], anyway: Sequence[Term]
) -> Callable[[Sequence[int]], bool]:
    """Whether striking some of the places is enough. Texts and places are sets of bits."""
    terms = [(letters.mask(place_of(term)), term.key) for term in exposure.terms]
    masks = list(map(letters.mask, places))
    unsafe = _masks_of_unsafe(exposure, {key: mask for mask, key in terms})
    struck_anyway = letters.mask(*map(place_of, anyway))
    is_safe = exposure.safety()

    def is_enough(chosen: Sequence[int]) -> bool:
        struck = struck_anyway
        for at in chosen:
            struck |= masks[at]
        left = ~struck
        exposed = _first_that_stays(unsafe, left)
        if exposed is not None:
            # The group is asked first from now on, since it is likely to stay again.
            unsafe.insert(0, unsafe.pop(exposed))
            return False
        return is_safe(key for mask, key in terms if mask & left)

    return is_enough


def _masks_of_unsafe(exposure: Exposure, mask_of: Mapping[str, int]) -> list[list[int]]:
    """The letters of each term by which a group in too small a crowd is known."""
    return [list(map(mask_of.__getitem__, exposure.keys(group))) for group in exposure.unsafe]


def _first_that_stays(groups: Sequence[Sequence[int]], left: int) -> int | None:
    """The place of the first group whose terms all have a letter among those that are left."""
    for at, group in enumerate(groups):
        for mask in group:  # a plain loop, because this is asked of every set of places
            if not mask & left:
                break
        else:
            return at
    return None


@dataclass(frozen=True, slots=True)
class _Letters:
    """The text, cut where a mention begins or ends: a bit for each piece."""

    at: Mapping[int, int]

    @classmethod
    def of(cls, terms: Sequence[Term]) -> _Letters:
        ends = {end for term in terms for span in place_of(term) for end in span}
        return cls({end: number for number, end in enumerate(sorted(ends))})

    def mask(self, *places: StruckPlace) -> int:
        found = 0
        for place in places:
            for start, end in place:
                found |= (1 << self.at[end]) - (1 << self.at[start])
        return found
