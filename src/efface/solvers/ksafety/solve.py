"""Keep as much of a document as possible while every protected entity stays one of at least k that fit it.

`solve` is the only entrance. k is the size of the crowd, the protected entity included (ERASE's K is k - 1).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress

import numpy as np

from efface.core import Optimality
from efface.errors import Infeasible, UsageError
from efface.solvers.ksafety import greedy
from efface.solvers.ksafety.bits import union, unpack
from efface.solvers.ksafety.btop import btop
from efface.solvers.ksafety.exact import exact
from efface.solvers.ksafety.instance import Instance, crowds, is_safe
from efface.solvers.ksafety.pruning import Flags, ReducedProblem, prune
from efface.solvers.ksafety.search import SearchResult, best_first, levelwise

__all__ = ["METHODS", "Instance", "Solution", "crowds", "is_safe", "solve"]

SolverMethod = Callable[[ReducedProblem, float, int | None], SearchResult]

SMALL = 20  # open terms whose subsets can all be looked at
HASTY = 0.5  # seconds in which a search for a proof is not worth beginning


def _heuristic(choose: Callable[[ReducedProblem], Flags]) -> SolverMethod:
    return lambda problem, _deadline, _window: SearchResult(choose(problem), float(problem.weights.sum()))


METHODS: dict[str, SolverMethod] = {
    "levelwise": lambda problem, deadline, _: levelwise(problem, deadline),
    "best-first": best_first,
    "bfreq": _heuristic(greedy.bfreq),
    "bsize": _heuristic(greedy.bsize),
    "btop-naive": _heuristic(greedy.btop_naive),
    "btop": _heuristic(btop),
    "exact": lambda problem, deadline, _: exact(problem, deadline),
}
_SEARCHES = {"levelwise", "best-first", "exact"}


@dataclass(frozen=True, slots=True)
class Solution:
    """What to keep and what to remove. No safe plan removes less than `lower_bound` (in weight)."""

    kept: tuple[str, ...]
    removed: tuple[str, ...]
    optimality: Optimality
    lower_bound: float
    seconds: float
    method: str
    note: str
    cost: float


def solve(
    instance: Instance,
    k: int,
    method: str = "auto",
    time_limit: float = 10.0,
    window: int | None = None,
    everything: bool = False,
) -> Solution:
    """A k-safe set of the document's terms. `window` is best-first's L; `everything` says what to do when
    fewer than k entities exist: remove all terms of protected contexts instead of refusing."""
    if k < 1 or (window is not None and window < 1) or method not in ("auto", *METHODS):
        raise UsageError(
            "There is no such method, or k or window is less than 1.",
            f"Choose one of auto, {', '.join(METHODS)}.",
        )
    begun = time.thread_time()
    if instance.protected.any() and instance.entities < k:
        return _all_of_it(instance, begun, everything)
    pruned = prune(instance, k)
    size = len(pruned.problem.weights)
    if method == "auto":
        method, why = _pick(size, time_limit)
    else:
        why = ""
    found = (
        METHODS[method](pruned.problem, begun + time_limit, window)
        if size
        else SearchResult(np.ones(0, np.bool_), 0.0)
    )
    kept = ~pruned.forced
    kept[pruned.open] = found.kept
    least = float(
        instance.weights[pruned.forced].sum() + max(0.0, pruned.problem.weights.sum() - found.bound)
    )
    note = "; ".join(part for part in (why, f"{size} terms open after pruning", found.note) if part)
    return _solution(instance, kept, least, method, note, begun)


def _pick(size: int, time_limit: float) -> tuple[str, str]:
    if size > SMALL and time_limit < HASTY:
        return "btop", f"auto: btop, since {time_limit:g} s are too few to search for a proof"
    if size > SMALL:
        return "exact", "auto: exact, which begins with btop's plan and proves what it can in time"
    return "exact", "auto: exact, since all subsets of the open terms can be looked at"


def _all_of_it(instance: Instance, begun: float, everything: bool) -> Solution:
    if not everything:
        raise Infeasible(
            "There are fewer than k entities in all, so no choice of terms can hide a protected one among k.",
            "Lower k, add entities, or let the policy remove everything that points to a protected entity.",
        )
    contexts = unpack(instance.signatures[instance.protected > 0], len(instance.terms))
    kept = ~union(contexts)
    least = float(instance.weights[~kept].sum())
    note = "fewer than k entities exist: every term of a protected context goes"
    return _solution(instance, kept, least, "everything", note, begun)


def _solution(
    instance: Instance, kept: Flags, least: float, method: str, note: str, begun: float
) -> Solution:
    cost = float(instance.weights[~kept].sum())
    tolerance = 1e-9 * float(instance.weights.sum())
    if least >= cost - tolerance:
        optimality, least = Optimality.PROVED, cost
    else:
        optimality = Optimality.BOUNDED if method in _SEARCHES else Optimality.HEURISTIC
    stays = tuple(compress(instance.terms, kept))
    goes = tuple(compress(instance.terms, ~kept))
    return Solution(stays, goes, optimality, least, time.thread_time() - begun, method, note, cost)
