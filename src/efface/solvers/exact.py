"""The lightest removal, proved: small problems by looking at every subset, large ones by windows.

D - X is safe exactly when X hits every dangerous set, so this is a minimum hitting set whose sets are never
written down. Independent parts are solved one by one. The search begins with `btop`'s plan, so what it
ends with is never worse; only where that would take minutes does it begin with a plainer one.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from efface.solvers import lattice
from efface.solvers.bits import columns, distinct, matrix_of, pack, union
from efface.solvers.btop import btop
from efface.solvers.crowd import Tally, holders
from efface.solvers.pruning import Flags, Problem, Weights, components
from efface.solvers.safety import UNKNOWN, Safety
from efface.solvers.search import Found
from efface.solvers.windows import Search, judge, open_window, optimum

NARROW = 17  # terms in a window that opens in a millisecond
MIDDLE = 20  # ... in ten
WIDE = 25  # ... in a second; for equal weights only, since its tables would be large
WIDE_WINDOWS = 4
SHUFFLES = 8
BUDGET = 2000  # nodes to look at with narrow windows before wider ones are opened
POLISHES = 2000  # divided by the number of terms
BLOCKERS = 100_000_000  # protected contexts times rivals; at most for a plan of btop's to begin with


def exact(problem: Problem, deadline: float) -> Found:
    """The heaviest safe set, or the heaviest found in time with a bound on all others."""
    kept = np.zeros(len(problem.weights), dtype=np.bool_)
    bound, parts = 0.0, sorted(components(problem), key=len)
    for left, terms in zip(range(len(parts), 0, -1), parts, strict=True):
        now = time.monotonic()
        found = _solve(problem.restricted(terms), now + (deadline - now) / left)
        kept[terms] = found.kept
        bound += found.bound
    return Found(kept, bound, f"{len(parts)} independent parts" if len(parts) > 1 else "")


def _solve(everything: Problem, deadline: float) -> Found:
    alike = bool((everything.weights == everything.weights[0]).all())
    unit = float(everything.weights[0]) if alike else 1.0
    weights = everything.weights / unit
    if len(weights) <= MIDDLE:
        kept = _by_lattice(everything, weights)
        return Found(kept, float(everything.weights[kept].sum()))
    problem = everything.hardest()
    plan = restore(problem, _begin(everything, problem), weights)
    found = _by_windows(problem, _partition(everything, problem, weights), weights, plan, deadline)
    return Found(found.kept, max(found.bound * unit, float(problem.weights[found.kept].sum())))


def _begin(everything: Problem, hardest: Problem) -> Flags:
    """A safe plan to begin with: `btop`'s, so that what is found is never worse. Where its table of blockers would
    be too large, the rarest terms go, as few as it takes."""
    if len(everything.protected) * len(everything.rivals) <= BLOCKERS:
        return btop(everything)
    shown, held = pack(hardest.protected), pack(hardest.rivals)
    rarest = np.argsort(hardest.counts @ hardest.rivals, kind="stable")

    def safe(removed: int) -> bool:
        kept = pack((~np.isin(np.arange(len(rarest)), rarest[:removed]))[None, :])
        asked, _ = distinct(shown & kept)
        return bool((holders(asked, held, hardest.counts) >= hardest.k).all())

    fewest = bisect_left(range(len(rarest)), True, key=safe)
    return ~np.isin(np.arange(len(rarest)), rarest[:fewest])


def _by_lattice(problem: Problem, weights: Weights) -> Flags:
    """Of the heaviest safe sets the one without the terms that come last in string order."""
    safe = lattice.outside(judge(problem, range(len(weights))))[: 1 << len(weights)]
    weight = lattice.subset_weights(weights) * safe
    first = int((weight >= weight.max() - 1e-9 * weights.sum()).argmax())
    return np.array([first >> term & 1 for term in range(len(weights))], dtype=np.bool_)


def restore(problem: Problem, kept: Flags, priority: Weights) -> Flags:
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


def _polish(problem: Problem, weights: Weights, kept: Flags, deadline: float) -> Flags:
    """Drop some of the kept terms at random, restore others, and stay with what is no worse."""
    random = np.random.default_rng(0)
    for _ in range(POLISHES // len(kept)):
        if time.monotonic() > deadline:
            break
        dropped = kept & (random.random(len(kept)) < random.choice([0.1, 0.3, 0.5]))
        other = restore(problem, kept & ~dropped, random.random(len(kept)))
        if weights[other].sum() >= weights[kept].sum():
            kept = other
    return kept


def _by_windows(
    problem: Problem, parts: list[list[int]], weights: Weights, kept: Flags, deadline: float
) -> Found:
    """Search with narrow windows for a while, then with the widest that can be afforded."""
    search = Search(problem, [open_window(problem, part, weights) for part in parts], weights, kept)
    bound = search.run(deadline, BUDGET)
    if bound > search.best:
        search.adopt(_polish(problem, weights, search.kept, deadline))
    wide = _wider(parts, weights, deadline)
    if bound > search.best and wide:
        windows = [open_window(problem, part, weights) for part in wide]
        search = Search(problem, windows, weights, search.kept)
    bound = min(bound, search.run(deadline, None))
    return Found(search.kept, bound)


def _wider(parts: list[list[int]], weights: Weights, deadline: float) -> list[list[int]]:
    """The same terms in fewer windows, if there is time to open them."""
    size = len(weights)
    widest = WIDE if (weights == 1).all() and size <= WIDE * WIDE_WINDOWS else MIDDLE
    count = -(-size // widest)
    width = -(-size // count)
    if count >= len(parts) or time.monotonic() + 6e-8 * count * 2**width > deadline:
        return []
    order = [term for part in parts for term in part]
    return [sorted(order[start : start + width]) for start in range(0, size, width)]


def _partition(everything: Problem, hardest: Problem, weights: Weights) -> list[list[int]]:
    """Of a few partitions into narrow windows the one whose optima add up to least."""
    return min(
        _candidates(everything),
        key=lambda parts: sum(optimum(judge(hardest, part), weights[part]) for part in parts),
    )


def _candidates(problem: Problem) -> Iterator[list[list[int]]]:
    size = len(problem.weights)
    count = -(-size // NARROW)
    yield _clusters(problem, count)
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(size)
        yield [sorted(int(term) for term in order[start::count]) for start in range(count)]


def _clusters(problem: Problem, count: int) -> list[list[int]]:
    """Windows of terms that are rare together within a protected context: those that exclude one another."""
    tally = Tally.of(problem.counts, problem.k)
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
