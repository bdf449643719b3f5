"""ERASE's greedy heuristics: remove the term with the best score until every protected entity is safe.

For a protected entity and any other, the terms that the first shows and the second lacks are a blocker:
once they are all removed, the two look alike. A protected entity is safe when K = k-1 blockers are covered
by what was removed. Blockers are counted per entity, not per distinct set. With weights a score is
divided by the term's; of equal scores the term that is last in string order goes, as the exact solvers have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import pack
from efface.solvers.ksafety.pruning import Flags, ReducedProblem, Weights

Sizes = NDArray[np.unsignedinteger]
Scorer = Callable[[ReducedProblem, Sizes], Weights]

BLOCK = 1 << 24  # blockers whose sizes are looked at together
EQUAL = 1 - 1e-12  # scores that differ by less are the same sum in another order


def bfreq(problem: ReducedProblem) -> Flags:
    """Score: in how many blockers the term appears."""
    return _remove(problem, _frequency)


def bsize(problem: ReducedProblem) -> Flags:
    """Score: the blockers in which it appears, each counted as one over the terms it still needs."""
    return _remove(problem, _shares)


def btop_naive(problem: ReducedProblem) -> Flags:
    """Score as for `bsize`, but of each unsafe entity only the K smallest blockers with the term count.
    All blockers are looked at again after each removal."""
    copies = np.minimum(problem.counts, problem.k)  # one row an entity; more than k copies change nothing
    entities = np.repeat(problem.rivals, copies, axis=0)
    return _remove(
        replace(problem, rivals=entities, counts=np.ones(len(entities), dtype=np.int64)), _top_shares
    )


def _remove(problem: ReducedProblem, scorer: Scorer) -> Flags:
    kept = np.ones(len(problem.weights), dtype=np.bool_)
    while True:
        exposed, score = False, np.zeros(len(kept))
        for part in _blocks(problem):
            sizes = blocker_sizes(part, kept)
            exposed |= not _safe(part, sizes).all()
            score += scorer(part, sizes)
        if not exposed:
            return kept
        kept[best_term(score, problem.weights, kept)] = False


def _blocks(problem: ReducedProblem) -> Iterator[ReducedProblem]:
    """The problem for a few protected contexts at a time. Scores and what is exposed add up."""
    step = max(1, BLOCK // max(1, len(problem.rivals)))
    for start in range(0, len(problem.protected), step):
        part = slice(start, start + step)
        yield replace(problem, protected=problem.protected[part], secrets=problem.secrets[part])


def blocker_sizes(problem: ReducedProblem, kept: Flags) -> Sizes:
    """For each protected context and each rival the terms that are still to be removed (an entity's own: 0)."""
    shown, held = pack(problem.protected & kept), pack(problem.rivals)
    sizes = np.zeros((len(shown), len(held)), dtype=np.uint8 if len(kept) < 256 else np.uint16)
    for word in range(shown.shape[1]):
        sizes += np.bitwise_count(shown[:, word, None] & ~held[None, :, word])
    return sizes


def _safe(problem: ReducedProblem, sizes: Sizes) -> Flags:
    """Which protected contexts have a crowd of k: at least k entities have a blocker of size 0 for them."""
    row, rival = np.nonzero(sizes == 0)
    safe: Flags = np.bincount(row, weights=problem.counts[rival], minlength=len(sizes)) >= problem.k
    return safe


def best_term(score: Weights, weights: Weights, kept: Flags) -> int:
    """The kept term with the best score for its weight."""
    value = np.where(kept, score / weights, -1.0)
    return last_of(value >= value.max() * EQUAL)


def last_of(flags: Flags) -> int:
    """The place of the last one that is set."""
    return int(np.flatnonzero(flags)[-1])


def _frequency(problem: ReducedProblem, _: Sizes) -> Weights:
    lacking = problem.counts @ ~problem.rivals
    showing = problem.secrets @ problem.protected
    return (showing * lacking).astype(np.float64)


def _shares(problem: ReducedProblem, sizes: Sizes) -> Weights:
    share = np.zeros(sizes.shape)
    np.divide(problem.counts[None, :], sizes, out=share, where=sizes > 0)
    share *= problem.secrets[:, None]
    score: Weights = np.einsum("pt,pt->t", share @ (~problem.rivals).astype(np.float64), problem.protected)
    return score


def _top_shares(problem: ReducedProblem, sizes: Sizes) -> Weights:
    """Each row of `rivals` is one entity here."""
    unsafe = ~_safe(problem, sizes)
    levels = int(sizes.max()) + 1
    score = np.zeros(len(problem.weights))
    for term in range(len(score)):
        rows = np.flatnonzero(problem.protected[:, term] & unsafe)
        lacking = np.flatnonzero(~problem.rivals[:, term])
        place = sizes[np.ix_(rows, lacking)] + levels * np.arange(len(rows))[:, None]
        found = np.bincount(place.ravel(), minlength=len(rows) * levels)
        smallest = np.minimum(found.reshape(len(rows), levels)[:, 1:].cumsum(axis=1), problem.k - 1)
        by_size = problem.secrets[rows] @ np.diff(smallest, axis=1, prepend=0)
        score[term] = (by_size / np.arange(1, levels)).sum()
    return score
