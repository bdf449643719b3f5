"""From a fractional answer to whole words: round, repair what rounding broke, give back what is needless."""

from __future__ import annotations

from itertools import product

import numpy as np

from efface.solvers.confusability.problem import Floats, Ints, SuppressionProblem, all_stay

_ROUNDED_TOGETHER = 8  # fractional words whose roundings are all tried


def to_units(problem: SuppressionProblem, point: Floats) -> Ints:
    """Occurrences kept, from the program's own scale."""
    steps = problem.sizes if problem.whole else np.ones_like(problem.sizes)
    return np.asarray(np.clip(point.astype(np.int64) * steps, 0, problem.sizes))


def round_off(problem: SuppressionProblem, point: Floats) -> Ints:
    """Whole words: the cheapest rounding of the few fractional ones that holds, else the nearest."""
    near = np.round(point)
    loose = np.flatnonzero(np.abs(point - near) > 1e-7)
    best = to_units(problem, near)
    if len(loose) > _ROUNDED_TOGETHER:
        return best
    cheapest = np.inf
    for ends in product((np.floor, np.ceil), repeat=len(loose)):
        near[loose] = [end(point[unit]) for end, unit in zip(ends, loose, strict=True)]
        kept = to_units(problem, near)
        cost = problem.cost(kept)
        if cost < cheapest and problem.holds(problem.margins(kept)):
            best, cheapest = kept, cost
    return best


def repair(problem: SuppressionProblem, kept: Ints) -> Ints | None:
    """Change one word after the other, always the one that brings the nearest rivals furthest ahead."""
    kept = kept.copy()
    margins = problem.margins(kept)
    short = float(_shortfalls(problem, margins[None])[0])
    while short > 0:
        changes, effects = _changes(problem, kept)
        shorts = _shortfalls(problem, margins + effects)
        if not len(shorts) or shorts.min() >= short:
            return None
        # Of the changes that close the gap the cheapest; when none does, the one that closes most of it.
        losses = -changes * problem.values
        closes = shorts <= 0
        ranking = np.where(closes, losses, np.inf) if closes.any() else shorts
        unit = int(np.argmin(ranking))
        kept[unit] += changes[unit]
        margins, short = margins + effects[unit], float(shorts[unit])
    return kept


def _shortfalls(problem: SuppressionProblem, margins: Floats) -> Floats:
    """How much the k - 1 nearest rivals lack together; a row of margins a case."""
    lacking = np.maximum(problem.grain - margins[:, problem.others()], 0)
    rivals = problem.k - 1
    if lacking.shape[1] < rivals:
        return np.full(len(margins), np.inf)
    return np.asarray(np.partition(lacking, rivals - 1)[:, :rivals].sum(axis=1))


def _changes(problem: SuppressionProblem, kept: Ints) -> tuple[Ints, Floats]:
    """For each unit the one change possible (suppress or give back) and what it does to the margins."""
    present = kept > 0
    if problem.whole:
        changes = np.where(present, -problem.sizes, problem.sizes)
    else:
        changes = np.where(present, -1, 1)
    if problem.parts is None:
        return changes, changes[:, None] * problem.leads
    effects = np.zeros((len(kept), problem.leads.shape[1]))
    for share, part in zip(problem.counts[:, None] * problem.leads, problem.parts, strict=True):
        missing = [unit for unit in part if not present[unit]]
        if not missing:
            effects[list(part)] -= share
        elif len(missing) == 1:
            effects[missing[0]] += share
    return changes, effects


def trim(problem: SuppressionProblem, kept: Ints) -> Ints:
    """Gives back needless removals, the most valuable first, except those that the objective wants."""
    kept = kept.copy()
    gone = np.flatnonzero((kept < problem.sizes) & (problem.values >= 0))
    worth = problem.values[gone] * (problem.sizes - kept)[gone]
    give_back(problem, kept, gone[np.argsort(-worth, kind="stable")])
    return kept


def give_back(problem: SuppressionProblem, kept: Ints, units: Ints) -> None:
    """Take the units back one by one while it still holds, as many occurrences of each as possible."""
    margins = problem.margins(kept)
    by_unit = _entries_of(problem)
    for unit in units:
        missing = int(problem.sizes[unit] - kept[unit])
        for step in (missing,) if problem.whole else range(missing, 0, -1):
            if problem.parts is None:
                after = margins + step * problem.leads[unit]
            else:
                revived = [entry for entry, rest in by_unit[unit] if all_stay(kept, rest)]
                after = margins + problem.counts[revived] @ problem.leads[revived]
            if problem.holds(after):
                kept[unit] += step
                margins = after
                break


def _entries_of(problem: SuppressionProblem) -> list[list[tuple[int, tuple[int, ...]]]]:
    """For each unit its entries, each with the other units that entry needs."""
    found: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in problem.sizes]
    for entry, part in enumerate(problem.parts or ()):
        for unit in part:
            found[unit].append((entry, tuple(other for other in part if other != unit)))
    return found
