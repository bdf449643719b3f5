"""All subsets of a window of terms at once, by transforms over the subset lattice.

A window of w terms has 2^w subsets; subset S is the number whose bits are its terms. Counting the holders of
every S, and closing the dangerous ones upwards, costs w passes over an array instead of one search a subset.
Families of subsets are bit strings: S is bit S % 64 of word S // 64. So a window has at least six terms;
a shorter one is filled up with terms that no entity holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Ints

Family = NDArray[np.uint64]
Number = TypeVar("Number", np.uint8, np.float64)
Element = TypeVar("Element", bound=np.generic)

SMALLEST = 6  # terms whose subsets fill one word
BLOCK = 1 << 17  # values that fit into a processor's cache
SHORT = 5  # terms whose strides are too short for a vector loop


# For each of the lowest six terms the subsets, within a word, that lack it.
def _lacking(term: int) -> np.uint64:
    return np.uint64(sum(1 << subset for subset in range(64) if not subset >> term & 1))


_LACKING = [_lacking(term) for term in range(SMALLEST)]


def _sweep(values: NDArray[Element], combine: Callable[[NDArray[Element], NDArray[Element]], object]) -> None:
    """For each term in turn let the subsets that lack it meet the same subsets with it, in place."""
    size = len(values)
    if size > BLOCK:  # depth first, so that most passes stay within the cache
        lacking, holding = values[: size // 2], values[size // 2 :]
        _sweep(lacking, combine)
        _sweep(holding, combine)
        combine(lacking, holding)
        return
    terms = size.bit_length() - 1
    short = min(SHORT, terms)
    turned = np.ascontiguousarray(values.reshape(-1, 1 << short).T)
    for term in range(short):
        pairs = turned.reshape(-1, 2, size >> (short - term))
        combine(pairs[:, 0], pairs[:, 1])
    values[:] = turned.T.reshape(-1)
    for term in range(short, terms):
        pairs = values.reshape(-1, 2, 1 << term)
        combine(pairs[:, 0], pairs[:, 1])


def dangerous(held: Ints, counts: Ints, protected: Ints, width: int, k: int) -> Family:
    """The subsets of the window that hold a dangerous set: one inside a protected context with a crowd under k.

    `held` and `protected` are the contexts restricted to the window, as numbers.
    """
    capped = np.minimum(counts, k)
    crowds: NDArray[np.unsignedinteger] = np.zeros(
        1 << width, dtype=np.uint16 if capped.sum() < 1 << 16 else np.uint32
    )
    np.add.at(crowds, held, capped.astype(crowds.dtype))
    _sweep(crowds, lambda lacking, holding: np.add(lacking, holding, out=lacking))
    rare = np.packbits(crowds < k, bitorder="little").view(np.uint64)
    return _upwards(rare & _downwards(_family(protected, width)))


def _family(members: Ints, width: int) -> Family:
    family = np.zeros(1 << (width - SMALLEST), dtype=np.uint64)
    np.bitwise_or.at(family, members >> SMALLEST, np.uint64(1) << (members & 63).astype(np.uint64))
    return family


def _downwards(family: Family) -> Family:
    """Every subset of a member."""
    for term, lacking in enumerate(_LACKING):
        family |= (family >> np.uint64(1 << term)) & lacking
    _sweep(family, lambda lacking, holding: np.bitwise_or(lacking, holding, out=lacking))
    return family


def _upwards(family: Family) -> Family:
    """Every superset of a member."""
    for term, lacking in enumerate(_LACKING):
        family |= (family & lacking) << np.uint64(1 << term)
    _sweep(family, lambda lacking, holding: np.bitwise_or(lacking, holding, out=holding))
    return family


def contains(family: Family, subsets: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of the subsets are members."""
    bits: NDArray[np.uint64] = family[subsets >> SMALLEST] >> (subsets & np.uint32(63)).astype(np.uint64)
    return (bits & np.uint64(1)).astype(np.bool_)


def outside(family: Family) -> NDArray[np.bool_]:
    """For every subset whether it is not a member."""
    return ~np.unpackbits(family.view(np.uint8), bitorder="little").view(np.bool_)


def subset_weights(weights: NDArray[Number]) -> NDArray[Number]:
    """The weight of every subset."""
    total = np.zeros(1, dtype=weights.dtype)
    for weight in weights:
        total = np.concatenate([total, total + weight])
    return total


def heaviest(safe: NDArray[np.bool_], weights: NDArray[Number]) -> NDArray[Number]:
    """For every subset the weight of its heaviest safe subset."""
    best = subset_weights(weights)
    best *= safe
    _sweep(best, lambda lacking, holding: np.maximum(lacking, holding, out=holding))
    return best
