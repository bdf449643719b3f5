"""The lightest removal, proved: small problems by looking at every subset, large ones by windows.

D - X is safe exactly when X hits every dangerous set, so this is a minimum hitting set whose sets are never
written down. Independent parts are solved one by one. The plan of `btop` is where the search begins, so
what it ends with is never worse.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from efface.solvers import lattice
from efface.solvers.bits import Ints, columns, matrix_of
from efface.solvers.btop import btop
from efface.solvers.pruning import Flags, Problem, Weights, components
from efface.solvers.safety import UNKNOWN, Safety
from efface.solvers.search import Found
from efface.solvers.windows import Search, open_window

NARROW = 17  # terms in a window that opens in a millisecond
WIDE = 25  # terms in a window that opens in a second
WIDE_WEIGHTED = 20  # the same where weights differ: its tables hold floats
WIDE_WINDOWS = 4
SHUFFLES = 8
BUDGET = 2000  # nodes to look at with narrow windows before wide ones are opened


def exact(problem: Problem, deadline: float) -> Found:
    """The heaviest safe set, or the heaviest found in time with a bound on all others."""
    kept = np.zeros(len(problem.weights), dtype=np.bool_)
    bound, parts = 0.0, list(components(problem))
    for done, terms in enumerate(sorted(parts, key=len)):
        now = time.monotonic()
        share = deadline if done == len(parts) - 1 else now + max(0.0, deadline - now) / 2
        found = _solve(problem.restricted(terms), share)
        kept[terms] = found.kept
        bound += found.bound
    note = f"{len(parts)} independent parts" if len(parts) > 1 else ""
    return Found(kept, bound, note)


def _solve(problem: Problem, deadline: float) -> Found:
    problem = problem.hardest()
    alike = bool((problem.weights == problem.weights[0]).all())
    unit = float(problem.weights[0]) if alike else 1.0
    weights = problem.weights / unit
    if len(weights) <= NARROW:
        kept = _by_lattice(problem, weights)
        return Found(kept, float(problem.weights[kept].sum()))
    found = _by_windows(problem, weights, restore(problem, btop(problem)), deadline)
    return Found(found.kept, max(found.bound * unit, float(problem.weights[found.kept].sum())))


def _by_lattice(problem: Problem, weights: Weights) -> Flags:
    window = open_window(problem, range(len(weights)), weights)
    size = 1 << len(weights)
    weight = lattice.subset_weights(weights) * lattice.outside(window.family)[:size]
    first = int((weight >= window.optimum - 1e-9 * weights.sum()).argmax())
    return np.array([first >> term & 1 for term in range(len(weights))], dtype=np.bool_)


def restore(problem: Problem, kept: Flags) -> Flags:
    """Keep again what can be: the heaviest term first that is safe beside the rest."""
    windows = [range(start, min(start + 32, len(kept))) for start in range(0, len(kept), 32)]
    safety = Safety.of(problem, windows)
    wanted = columns(~kept[None, :], windows)
    while True:
        wanted = safety.compatible(columns(kept[None, :], windows), wanted, np.array([UNKNOWN]))
        open_ = matrix_of(wanted, windows)[0]
        if not open_.any():
            return kept
        term = int(np.where(open_, problem.weights, 0.0).argmax())
        kept = kept.copy()
        kept[term] = True
        wanted[term // 32] &= ~np.uint32(1 << term % 32)


def _by_windows(problem: Problem, weights: Weights, kept: Flags, deadline: float) -> Found:
    """Search with narrow windows for a while, then with wide ones where these are few and there is time."""
    size = len(weights)
    parts = _partition(problem, weights, NARROW)
    search = Search(problem, [open_window(problem, part, weights) for part in parts], weights, kept)
    bound = search.run(deadline, BUDGET)
    several = -(-size // (WIDE if (weights == 1).all() else WIDE_WEIGHTED))
    width = -(-size // several)
    if bound <= search.best or several > WIDE_WINDOWS or time.monotonic() + 5e-8 * several * 2**width > deadline:
        bound = search.run(deadline, None)
        return Found(search.kept, bound)
    order = [term for part in parts for term in part]
    wide = [sorted(order[start : start + width]) for start in range(0, size, width)]
    search = Search(problem, [open_window(problem, part, weights) for part in wide], weights, search.kept)
    bound = min(bound, search.run(deadline, None))
    return Found(search.kept, bound)


def _partition(problem: Problem, weights: Weights, width: int) -> list[list[int]]:
    """The windows whose optima add up to least, of a few partitions."""
    return min(
        _candidates(problem, width),
        key=lambda parts: sum(open_window(problem, part, weights).optimum for part in parts),
    )


def _candidates(problem: Problem, width: int) -> Iterator[list[list[int]]]:
    size = len(problem.weights)
    count = -(-size // width)
    yield _clusters(problem, count)
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(size)
        yield [sorted(int(term) for term in order[start::count]) for start in range(count)]


def _clusters(problem: Problem, count: int) -> list[list[int]]:
    """Windows of terms that are rare together within a protected context: those that exclude one another."""
    capped = np.minimum(problem.counts, problem.k)
    together = (problem.rivals * capped[:, None].astype(np.float64)).T @ problem.rivals
    shared = problem.protected.astype(np.float64).T @ problem.protected > 0
    rarity = np.where(shared, problem.k / np.maximum(together, 0.5), 0.0)
    np.fill_diagonal(rarity, 0.0)
    left: Ints = np.arange(len(rarity))
    windows = []
    for remaining in range(count, 0, -1):
        size = -(-len(left) // remaining)
        near = rarity[np.ix_(left, left)]
        chosen = np.zeros(len(left), dtype=np.bool_)
        pull = near.sum(axis=1)
        for _ in range(size):
            place = int(np.where(chosen, -1.0, pull).argmax())
            pull = near[place] if not chosen.any() else pull + near[place]
            chosen[place] = True
        windows.append([int(term) for term in left[chosen]])
        left = left[~chosen]
    return windows
