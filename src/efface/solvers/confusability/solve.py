"""Words to suppress so that k - 1 other classes score strictly higher than the true one, at the least loss.

Pure optimisation over arrays. A *unit* is what is suppressed (a word, with all its places); an *entry* is
what the classifier counts (a word or an n-gram), and it vanishes with any of its units.

  simple   the paper's SIMPLEREDACTOR: words scored against the rivals, suppressed in order until it holds
  lp       the paper's K-REDACTOR: a linear program, rounded to whole words, repaired, trimmed
  exact    the same as an integer program that chooses the rivals too, within a time limit
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from efface.core import Optimality
from efface.errors import Infeasible
from efface.solvers.confusability.problem import Floats, Ints, Suppression, SuppressionProblem
from efface.solvers.confusability.programs import LinearProgram, solve
from efface.solvers.confusability.rounding import give_back, repair, round_off, to_units, trim

METHODS = ("simple", "lp", "exact")

_LOOKED_AT = 24  # classes, best ranked first, among which cheaper rivals are sought
_FOLLOWED = 64  # classes, best ranked first, whose margins are followed step by step


def solve_confusion(problem: SuppressionProblem, method: str, time_limit: float = 10.0) -> Suppression:
    """A plan by `simple`, `lp` or `exact`; Infeasible when there is none."""
    if problem.holds(
        problem.margins(problem.sizes)
    ):  # nothing need go, whatever the objective would like gone
        return Suppression(problem.sizes, 0.0, 0.0, Optimality.PROVED, _ahead(problem, problem.sizes))
    _refuse_hopeless(problem)
    found: Suppression | None
    if method == "simple":
        found = simple(problem)
    elif method == "lp":
        found = lp(problem)
    else:
        found = exact(problem, time_limit)
    found = found or lp(problem) or exact(problem, time_limit)
    if found is None:
        raise Infeasible(
            "No choice of words to suppress hides the document's class among k.", _advice(problem)
        )
    return found


def _advice(problem: SuppressionProblem) -> str:
    """What can be done: a smaller k only where there is one."""
    smaller = "Choose a smaller k, or do" if problem.k > 2 else "Do"
    return f"{smaller} not release the document, or train with more classes that resemble its own."


def _refuse_hopeless(problem: SuppressionProblem) -> None:
    """A class that stays behind even with only its own best words left can be no rival."""
    if not len(problem.sizes):
        raise Infeasible(
            "The document has no word that the model knows, so its class ranks as its frequency in the corpus "
            "says, and nothing that could be suppressed changes that.",
            "Do not release the document, or train with as many documents of k - 1 other classes or more.",
        )
    best = problem.start + problem.counts @ np.maximum(problem.leads, 0)
    if int((best > 0).sum()) < problem.k - 1:
        raise Infeasible(
            "Fewer than k - 1 other classes can ever score higher than the document's own.", _advice(problem)
        )


def _solution(problem: SuppressionProblem, kept: Ints, lower_bound: float | None = None) -> Suppression:
    cost = problem.cost(kept)
    bound = _floor(problem) if lower_bound is None else max(_floor(problem), lower_bound)
    proved = cost - bound <= 1e-9 * max(1.0, abs(cost))
    known = Optimality.BOUNDED if lower_bound is not None else Optimality.HEURISTIC
    optimality = Optimality.PROVED if proved else known
    return Suppression(kept, cost, min(bound, cost), optimality, _ahead(problem, kept))


def _floor(problem: SuppressionProblem) -> float:
    """A lower bound: no plan costs less than suppressing exactly the units that the objective wants gone."""
    return float(np.minimum(problem.values, 0) @ problem.sizes)


def _ahead(problem: SuppressionProblem, kept: Ints) -> tuple[int, ...]:
    return tuple(np.flatnonzero(problem.margins(kept) > 0).tolist())


# --- rivals -----------------------------------------------------------------------------------------------


def rival_choices(problem: SuppressionProblem) -> Iterator[tuple[Ints, float]]:
    """Sets of k - 1 rivals to hide behind, each with a cost that it cannot undercut.

    The best ranked come first, then those that are cheapest to reach one by one.
    """
    ranked = problem.ranked(problem.sizes)
    if len(ranked) < problem.k - 1:
        return
    top = ranked[: problem.k - 1]
    yield top, -np.inf
    near = ranked[:_LOOKED_AT]
    costs = _single_costs(problem, near)
    order = np.argsort(costs, kind="stable")[: problem.k - 1]
    if set(near[order]) != set(top):
        yield near[order], float(costs[order].max(initial=0.0)) + _floor(problem)


def _single_costs(problem: SuppressionProblem, classes: Ints) -> Floats:
    """What it costs at least to let each class pass alone: a fractional knapsack, the best bargain first."""
    worth = np.maximum(problem.values * problem.sizes, 0)
    # Only what counts against a class can be gained; with n-grams this is more than there is, never less.
    gains = by_unit(problem, np.maximum(-problem.counts[:, None] * problem.leads[:, classes], 0))
    behind = problem.grain - problem.margins(problem.sizes)[classes]
    order = np.argsort(-gains / (worth[:, None] + 1e-12), axis=0)
    none = np.zeros((1, len(classes)))
    gained = np.vstack([none, np.cumsum(np.take_along_axis(gains, order, 0), axis=0)])
    paid = np.vstack([none, np.cumsum(worth[order], axis=0)])
    costs = [np.interp(lack, had, cost) for lack, had, cost in zip(behind, gained.T, paid.T, strict=True)]
    return np.where(behind > gained[-1], np.inf, costs)


def by_unit(problem: SuppressionProblem, shares: Floats) -> Floats:
    """Each entry's share (a row an entry) given to every unit that can make it vanish."""
    if problem.parts is None:
        return shares
    given = np.zeros((len(problem.sizes), shares.shape[1]))
    for share, part in zip(shares, problem.parts, strict=True):
        given[list(part)] += share
    return given


# --- simple -----------------------------------------------------------------------------------------------


def simple(problem: SuppressionProblem) -> Suppression | None:
    """Suppress in order until it holds, behind the rivals for which that removes least."""
    best: Suppression | None = None
    for rivals, _ in rival_choices(problem):
        order = suppression_order(problem, rivals)
        steps = steps_needed(problem, order)
        if steps is None:
            continue
        kept = problem.sizes.copy()
        kept[order[:steps]] = 0
        if not problem.whole:
            give_back(problem, kept, order[:steps][::-1])
        if best is None or kept.sum() > best.kept.sum():
            best = _solution(problem, kept)
    return best


def suppression_order(problem: SuppressionProblem, rivals: Ints) -> Ints:
    """Units by (1 - P(s)) log P(x|s) - sum over rivals of P(r) log P(x|r), largest first.

    P is normalised over the true class and its rivals, so that the weights of both sides are equal.
    """
    weights = problem.priors[rivals] / (problem.priors[rivals].sum() + problem.priors[problem.truth])
    effects = by_unit(problem, problem.counts[:, None] * problem.leads[:, rivals])
    scores = -(effects @ weights) / problem.sizes
    return np.argsort(-scores, kind="stable")


def steps_needed(problem: SuppressionProblem, order: Ints) -> int | None:
    """How many units go, in this order, before it first holds, seen among the nearest classes."""
    near = problem.against(problem.ranked(problem.sizes)[:_FOLLOWED])
    ahead = (margins_along(near, order) > 0).sum(axis=1) >= problem.k - 1
    return int(np.argmax(ahead)) if ahead.any() else None


def margins_along(problem: SuppressionProblem, order: Ints) -> Floats:
    """The margins before anything is suppressed and after each step; a row a step."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    shares = problem.counts[:, None] * problem.leads
    if problem.parts is None:
        lost = shares[order]
    else:
        lost = np.zeros((len(order), shares.shape[1]))
        np.add.at(lost, [min(place[list(part)]) for part in problem.parts], shares)
    first = problem.margins(problem.sizes)
    return np.vstack([first, first - np.cumsum(lost, axis=0)])


# --- lp and exact -----------------------------------------------------------------------------------------


def lp(problem: SuppressionProblem) -> Suppression | None:
    """The best rounded linear program over the choices of rivals."""
    best: Suppression | None = None
    for rivals, floor in rival_choices(problem):
        if best is not None and best.cost <= floor:
            break
        kept = lp_against(problem.against(rivals))
        if kept is None:
            continue
        found = _solution(problem, trim(problem, kept))
        if best is None or found.cost < best.cost:
            best = found
    return best


def lp_against(problem: SuppressionProblem) -> Ints | None:
    """Linear program, rounding, repair and trimming when all other classes in the problem must pass."""
    fractions = solve(_program(problem, integral=False))
    if fractions.point is None:
        return None
    kept = repair(problem, round_off(problem, fractions.point))
    return None if kept is None else trim(problem, kept)


def exact(problem: SuppressionProblem, time_limit: float = 10.0) -> Suppression | None:
    """The cheapest plan over all choices of rivals, or the best found in time with its bound."""
    known = lp(problem)
    ceiling = np.inf if known is None else known.cost
    narrow = problem.against(_affordable(problem, ceiling))
    answer = solve(_program(narrow, integral=True, time_limit=time_limit))
    found: Ints | None = None
    if answer.point is not None:
        found = repair(narrow, to_units(narrow, np.round(answer.point)))
    if found is None or problem.cost(found) > ceiling:
        found = None if known is None else known.kept
    if found is None:
        return None
    kept = trim(problem, found)
    if answer.finished:
        return _solution(problem, kept, problem.cost(kept))
    # What the narrowed search cannot reach costs more than the ceiling, so its bound is everybody's.
    bound = None if answer.bound is None else answer.bound + float(problem.sizes @ problem.values)
    return _solution(problem, kept, bound)


def _affordable(problem: SuppressionProblem, ceiling: float) -> Ints:
    """Classes that can pass at no more than the ceiling; a better plan lets no other class pass."""
    others = problem.others()
    costs = _single_costs(problem, others) + _floor(problem)
    return np.asarray(others[costs <= ceiling + 1e-9 * max(1.0, abs(ceiling))])


def _program(
    problem: SuppressionProblem, *, integral: bool, time_limit: float | None = None
) -> LinearProgram:
    steps = problem.sizes if problem.whole else np.ones_like(problem.sizes)
    per_entry = problem.counts if problem.parts is not None or problem.whole else np.ones_like(problem.counts)
    others = problem.others()
    shares = per_entry[:, None] * problem.leads[:, others]
    none = np.zeros((len(problem.sizes) if problem.parts is not None else 0, len(others)))
    return LinearProgram(
        worth=problem.values * steps,
        upper=problem.sizes // np.maximum(steps, 1),
        gains=shares if problem.parts is None else none,
        needed=problem.grain - problem.start[others],
        group=np.zeros(len(others), np.int64),
        weight=np.ones(len(others), np.int64),
        required=np.array([problem.k - 1]),
        parts=problem.parts or (),
        part_gains=none if problem.parts is None else shares,
        integral=integral,
        time_limit=time_limit,
    )
