"""The lightest removal, proved: small problems by looking at every subset, large ones by windows.

D - X is safe exactly when X hits every dangerous set, so this is a minimum hitting set whose sets are never
written down. Independent parts are solved one by one. The search begins with `btop`'s plan, so what it
ends with is never worse; only where that would take a minute does it begin with a plan like it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from efface.solvers.ksafety import lattice
from efface.solvers.ksafety.bits import columns, distinct, matrix_of, pack, union
from efface.solvers.ksafety.btop import BLOCKERS, btop
from efface.solvers.ksafety.crowd import CrowdTally, holders
from efface.solvers.ksafety.pruning import Flags, ReducedProblem, Weights, components
from efface.solvers.ksafety.safety import UNKNOWN, Safety
from efface.solvers.ksafety.search import SearchResult
from efface.solvers.ksafety.windows import WindowSearch, judge, open_window, optimum

NARROW = 17  # terms in a window that opens in a millisecond
MIDDLE = 20  # ... in ten
WIDE = 25  # ... in a second; for equal weights only, since its tables would be large
WIDE_WINDOWS = 4  # wide windows that a problem may need; a larger one takes narrower ones
SHUFFLES = 8  # random divisions into windows that are tried beside that into clusters
BUDGET = 2000  # nodes to look at with narrow windows before wider ones are opened
ORDERS = 3  # orders of the terms that are tried
SHARE = 0.2  # the share of the time that each order gets
FEWER = 8  # how many times less than all blockers are looked at for a plan to begin with
POLISHES = 2000  # divided by the number of terms


def exact(problem: ReducedProblem, deadline: float) -> SearchResult:
    """The heaviest safe set, or the heaviest found in time with a bound on all others."""
    kept = np.zeros(len(problem.weights), dtype=np.bool_)
    bound, parts = 0.0, sorted(components(problem), key=len)
    for left, terms in zip(range(len(parts), 0, -1), parts, strict=True):
        now = time.thread_time()
        found = _solve(problem.restricted(terms), now + (deadline - now) / left)
        kept[terms] = found.kept
        bound += found.bound
    return SearchResult(kept, bound, f"{len(parts)} independent parts" if len(parts) > 1 else "")


def _solve(everything: ReducedProblem, deadline: float) -> SearchResult:
    alike = bool((everything.weights == everything.weights[0]).all())
    unit = float(everything.weights[0]) if alike else 1.0
    weights = everything.weights / unit
    if len(weights) <= MIDDLE:
        kept = _by_lattice(everything, weights)
        return SearchResult(kept, float(everything.weights[kept].sum()))
    found = _by_orders(everything, weights, deadline)
    return SearchResult(found.kept, max(found.bound * unit, float(everything.weights[found.kept].sum())))


def _by_orders(everything: ReducedProblem, weights: Weights, deadline: float) -> SearchResult:
    """How long a proof takes depends on the order of the terms. A few orders get a share of the time each, and the one
    with the best bound gets the rest.

    Steps 0, 1, … try one order each; step -1 is the last run, with the best order so far. No safe set keeps more weight
    than a bound, so the least bound is best, and the plan is proved once its weight reaches it. `kept` is in the order
    of `everything`, `found.kept` in the order that was tried.
    """
    size = len(weights)
    problem = everything.hardest()
    kept = restore(problem, _begin(everything, problem), weights)
    begun = time.thread_time()
    orders = [np.arange(size), *(np.random.default_rng(seed).permutation(size) for seed in range(ORDERS - 1))]
    tried: list[tuple[float, int]] = []  # bounds, and the orders that gave them
    for step in (*range(ORDERS), -1):
        number = min(tried)[1] if step < 0 else step
        until = deadline if step < 0 else min(deadline, begun + (step + 1) * SHARE * (deadline - begun))
        if tried and time.thread_time() >= until:  # the first is tried in any case: it gives a bound
            continue
        order = orders[number]
        hardest = problem.reordered(order)
        parts = _partition(everything.reordered(order), hardest, weights[order])
        found = _by_windows(hardest, parts, weights[order], kept[order], until)
        tried.append((found.bound, number))
        better = np.zeros(size, dtype=np.bool_)
        better[order] = found.kept
        if weights[better].sum() >= weights[kept].sum():
            kept = better
        if min(tried)[0] <= float(weights[kept].sum()) + 1e-9:
            break
    return SearchResult(kept, min(tried)[0])


def _begin(everything: ReducedProblem, hardest: ReducedProblem) -> Flags:
    """A safe plan to begin with: `btop`'s, so that what is found is never worse. Where all blockers are too many to
    look at in time, `btop` sees some of the protected contexts, and more of those that its plan leaves exposed."""
    if len(everything.protected) * len(everything.rivals) <= BLOCKERS:
        return btop(everything)
    shown, held = pack(hardest.protected), pack(hardest.rivals)
    step = max(1, BLOCKERS // (FEWER * len(held)))
    rows = np.random.default_rng(0).permutation(len(shown))[:step]
    kept = np.ones(len(hardest.weights), dtype=np.bool_)
    while len(rows):
        some = replace(hardest, protected=hardest.protected[rows], secrets=hardest.secrets[rows])
        kept = btop(some)
        asked, place = distinct(shown & pack(kept[None, :]))
        exposed = (holders(asked, held, hardest.counts) < hardest.k)[place]
        if not exposed.any():
            break
        rows = np.concatenate([rows, np.flatnonzero(exposed)[:step]])
    return kept


def _by_lattice(problem: ReducedProblem, weights: Weights) -> Flags:
    """Returns the heaviest safe set. Among equals it is the one without the terms that come last in string order."""
    safe = lattice.outside(judge(problem, range(len(weights))))[: 1 << len(weights)]
    weight = lattice.subset_weights(weights) * safe
    first = int((weight >= weight.max() - 1e-9 * weights.sum()).argmax())
    return np.array([first >> term & 1 for term in range(len(weights))], dtype=np.bool_)


def restore(problem: ReducedProblem, kept: Flags, priority: Weights) -> Flags:
    """Keep again what can be: of the terms that are safe beside the rest always the one of highest priority."""
    windows = [range(start, min(start + 32, len(kept))) for start in range(0, len(kept), 32)]
    safety = Safety.of(problem, windows)
    wanted, last = columns(~kept[None, :], windows), UNKNOWN
    while True:
        wanted = safety.compatible(columns(kept[None, :], windows), wanted, np.array([last]))
        possible = matrix_of(wanted, windows)[0]
        if not possible.any():
            return kept
        last = int(np.where(possible, priority, -1.0).argmax())
        kept = kept.copy()
        kept[last] = True
        wanted[last // 32] &= ~np.uint32(1 << last % 32)


def _polish(problem: ReducedProblem, weights: Weights, kept: Flags, deadline: float) -> Flags:
    """Drop some of the kept terms at random, restore others, and stay with what is no worse."""
    random = np.random.default_rng(0)
    for _ in range(POLISHES // len(kept)):
        if time.thread_time() > deadline:
            break
        dropped = kept & (random.random(len(kept)) < random.choice([0.1, 0.3, 0.5]))
        other = restore(problem, kept & ~dropped, random.random(len(kept)))
        if weights[other].sum() >= weights[kept].sum():
            kept = other
    return kept


def _by_windows(
    problem: ReducedProblem, parts: list[list[int]], weights: Weights, kept: Flags, deadline: float
) -> SearchResult:
    """Search with narrow windows for a while, then with the widest that can be afforded."""
    search = WindowSearch(problem, [open_window(problem, part, weights) for part in parts], weights, kept)
    bound = search.run(deadline, BUDGET)
    if bound > search.best:
        search.adopt(_polish(problem, weights, search.kept, deadline))
    wide = _wider(parts, weights, deadline)
    if bound > search.best and wide:
        windows = [open_window(problem, part, weights) for part in wide]
        search = WindowSearch(problem, windows, weights, search.kept)
    bound = min(bound, search.run(deadline, None))
    return SearchResult(search.kept, bound)


def _wider(parts: list[list[int]], weights: Weights, deadline: float) -> list[list[int]]:
    """All terms in fewer and wider windows, if there is time to open them; else no windows."""
    size = len(weights)
    widest = WIDE if (weights == 1).all() and size <= WIDE * WIDE_WINDOWS else MIDDLE
    count = -(-size // widest)
    width = -(-size // count)
    if count >= len(parts) or time.thread_time() + 6e-8 * count * 2**width > deadline:
        return []
    order = [term for part in parts for term in part]
    return [sorted(order[start : start + width]) for start in range(0, size, width)]


def _partition(everything: ReducedProblem, hardest: ReducedProblem, weights: Weights) -> list[list[int]]:
    """Tries a few partitions into narrow windows. Returns the one whose optima add up to least."""
    return min(
        _candidates(everything),
        key=lambda parts: sum(optimum(judge(hardest, part), weights[part]) for part in parts),
    )


def _candidates(problem: ReducedProblem) -> Iterator[list[list[int]]]:
    size = len(problem.weights)
    count = -(-size // NARROW)
    yield _clusters(problem, count)
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(size)
        yield [sorted(order[start::count].tolist()) for start in range(count)]


def _clusters(problem: ReducedProblem, count: int) -> list[list[int]]:
    """Windows of terms that are rare together within a protected context: those that exclude one another."""
    tally = CrowdTally.of(problem.counts, problem.k)
    held = tally.bits(problem.rivals.T)
    together = np.array([tally.add(held & held[term]) for term in range(len(held))])
    shared = np.array([union(problem.protected[has]) for has in problem.protected.T])
    rarity = np.where(shared, problem.k / np.maximum(together, 0.5), 0.0)
    np.fill_diagonal(rarity, 0.0)
    left = np.arange(len(rarity))
    windows = []
    for remaining in range(count, 0, -1):
        near = rarity[np.ix_(left, left)]
        chosen = np.zeros(len(left), dtype=np.bool_)
        pull = near.sum(axis=1)
        for _ in range(-(-len(left) // remaining)):
            place = int(np.where(chosen, -1.0, pull).argmax())
            pull = pull + near[place] if chosen.any() else near[place]
            chosen[place] = True
        windows.append([int(term) for term in left[chosen]])
        left = left[~chosen]
    return windows
