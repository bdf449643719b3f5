"""One plan an entity, the same for every viewer: viewers who put their copies together learn nothing of an entity that
is denied to both.

What goes because of an entity depends on the text and the entities only. Let e be denied to two viewers. Both lose
X(e), so X(e) is in neither copy, and the terms of e in the two copies together are at most C(e) without X(e), which at
least k entities share. The same holds for any number of viewers.

When the entities change, X(e) does. Copies from before the change are then judged with the new ones, entity by entity
and again the same for every viewer: let Z be C(e) without X(e). If fewer than k entities have Z and what any old copy
showed of e, so much goes that every old copy showed all that is left of Z.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations

import numpy as np

from efface.core import Term
from efface.guarantees.abilities import EarlierCopies
from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.removal_cost import StruckPlace, place_of, stroke
from efface.knowledge.entities.signatures import Signatures

_MOST_PLACES = 12  # all subsets of so many places can be looked at


def struck(exposure: Exposure, weights: Mapping[str, float], before: EarlierCopies | None = None) -> set[str]:
    """What goes for the protected entities in too small a crowd: for each group of them its own plan. `before` are
    everybody's copies of an earlier state of the entities."""
    assert exposure.k is not None
    shared = _in_small_crowds(exposure)
    going: set[str] = set()
    for group in exposure.unsafe:
        mine = _plan(exposure, group, weights, shared)
        going |= mine
        if before is not None:
            going |= _keys_new_to_copies(exposure, group, mine, before)
    return going


def _keys_new_to_copies(exposure: Exposure, group: int, mine: set[str], before: EarlierCopies) -> set[str]:
    """What of a group's plan would be new to old copies; nothing where all of them together leave a crowd of k."""
    keys = exposure.keys(group)
    union = [key for key in keys if key not in mine or key in before.most]
    if _crowd(exposure.signatures, union) >= (exposure.k or 0):
        return set()
    return {key for key in keys if key not in before.least}


def _in_small_crowds(exposure: Exposure) -> dict[str, int]:
    """How many groups in too small a crowd have each term, protected or not. Terms of many groups are struck first."""
    signatures = exposure.signatures
    small = signatures.groups[exposure.crowds < (exposure.k or 0)]
    counts = {}
    for at, key in enumerate(signatures.terms):
        counts[key] = int((small[:, at // 64] >> np.uint64(at % 64) & np.uint64(1)).sum())
    return counts


def _plan(
    exposure: Exposure, group: int, weights: Mapping[str, float], shared: Mapping[str, int]
) -> set[str]:
    """The lightest places of a group whose removal leaves it a crowd of k; of equal ones those that serve most."""
    keys = exposure.keys(group)
    by_place: dict[StruckPlace, list[Term]] = {}
    for term in exposure.terms:
        if term.key in keys:
            by_place.setdefault(place_of(term), []).append(term)
    if len(by_place) > _MOST_PLACES:
        return _greedy(exposure, [_keys_at(by_place, [place]) for place in sorted(by_place)])
    least = exposure.k or 0
    for chosen in _subsets_by_price(by_place, weights, shared):
        gone = _keys_at(by_place, chosen)
        left = [key for key in keys if key not in gone]
        if _crowd(exposure.signatures, left) >= least:
            return gone
    return set(keys)


def _subsets_by_price(
    by_place: Mapping[StruckPlace, Sequence[Term]], weights: Mapping[str, float], shared: Mapping[str, int]
) -> list[tuple[StruckPlace, ...]]:
    """All sets of places, the lightest first. There are 2 ** `_MOST_PLACES` at most."""

    def price(chosen: Sequence[StruckPlace]) -> tuple[float, int, Sequence[StruckPlace]]:
        strokes, served = 0.0, 0
        for place in chosen:
            strokes += max(stroke(term, weights) for term in by_place[place])
            served += sum(shared[term.key] for term in by_place[place])
        return strokes, -served, chosen

    sizes = range(1, len(by_place) + 1)
    subsets = chain.from_iterable(combinations(sorted(by_place), size) for size in sizes)
    return sorted(subsets, key=price)


def _keys_at(by_place: Mapping[StruckPlace, Sequence[Term]], places: Sequence[StruckPlace]) -> set[str]:
    keys: set[str] = set()
    for place in places:
        keys.update(term.key for term in by_place[place])
    return keys


def _greedy(exposure: Exposure, units: list[set[str]]) -> set[str]:
    """Strike whatever enlarges the crowd most, until it is large enough."""
    gone: set[str] = set()
    left = list(units)
    while left:
        rest = set().union(*left)
        if _crowd(exposure.signatures, sorted(rest)) >= (exposure.k or 0):
            return gone
        best = max(left, key=lambda unit: (_crowd(exposure.signatures, sorted(rest - unit)), sorted(unit)))
        left.remove(best)
        gone |= best
    return gone


def _crowd(signatures: Signatures, keys: Sequence[str]) -> int:
    place = {key: at for at, key in enumerate(signatures.terms)}
    return signatures.crowd(signatures.mask([place[key] for key in keys]))
