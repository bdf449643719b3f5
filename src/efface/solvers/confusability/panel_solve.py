"""Words to suppress so that every reader of a panel is confused, at the least loss.

simple   one word after the other, the most gain for its cost first
lp       the same, then a linear program behind the classes that it let pass; the cheaper of the two
exact    an integer program that chooses the classes too, within a time limit
"""

from __future__ import annotations

import numpy as np

from efface.core import Optimality
from efface.errors import Infeasible
from efface.solvers.confusability.greedy import greedy, trimmed
from efface.solvers.confusability.panel import Flags, Panel
from efface.solvers.confusability.problem import Ints, Suppression
from efface.solvers.confusability.programs import Answer, Program, solve

_MOST_PAIRS = 150  # beyond so many, the linear program takes longer than it saves


def solve_panel(panel: Panel, method: str, time_limit: float = 10.0) -> Suppression:
    """A plan by `simple`, `lp` or `exact`; Infeasible when there is none."""
    everything = np.ones(len(panel.sizes), bool)
    if panel.holds(panel.margins(everything)):
        return _solution(panel, everything, 0.0)
    if not len(panel.sizes) or panel.hopeless():
        raise _refusal(panel)
    if method == "exact":
        return _exact(panel, time_limit)
    found = _cheaper(panel, greedy(panel), _linear(panel) if method == "lp" else None)
    if found is None:
        found = greedy(panel, rivals=panel.nearest(panel.margins(everything)))
    return _exact(panel, time_limit) if found is None else _solution(panel, found)


def _refusal(panel: Panel) -> Infeasible:
    if not len(panel.sizes):
        return Infeasible(
            "The document has no word that the model knows, and nothing that could be suppressed changes how "
            "they rank its class.",
            "Do not release the document, or train with more classes that resemble its own.",
        )
    return Infeasible(
        "No choice of words to suppress hides the document's class from every reader.",
        "Choose a smaller k or fewer `readers`, or do not release the document.",
    )


def _cheaper(panel: Panel, one: Flags | None, two: Flags | None) -> Flags | None:
    known = [kept for kept in (one, two) if kept is not None]
    return min(known, key=panel.cost, default=None)


def _linear(panel: Panel) -> Flags | None:
    """The linear program behind the columns that are nearest at first, rounded, repaired and trimmed."""
    if len(panel.left) > _MOST_PAIRS:
        return None
    rivals = panel.nearest(panel.margins(np.ones(len(panel.sizes), bool)))
    answer = solve(_program(panel.only(rivals), integral=False))
    if answer.point is None:
        return None
    return greedy(panel, kept=answer.point > 0.5, rivals=None)


def _exact(panel: Panel, time_limit: float) -> Suppression:
    known = _cheaper(panel, greedy(panel), _linear(panel))
    answer = solve(_program(panel, integral=True, time_limit=time_limit))
    found = _rounded(panel, answer)
    best = _cheaper(panel, known, found)
    if best is None:
        raise _refusal(panel)
    if answer.finished:
        return _solution(panel, best, panel.cost(best))
    bound = None if answer.bound is None else answer.bound + float(panel.costs.sum())
    return _solution(panel, best, bound)


def _rounded(panel: Panel, answer: Answer) -> Flags | None:
    """The integer program's answer; its tolerance may have let a tie pass, which one more word repairs."""
    if answer.point is None:
        return None
    kept = np.asarray(answer.point > 0.5)
    return trimmed(panel, kept) if panel.holds(panel.margins(kept)) else greedy(panel, kept=kept)


def _program(panel: Panel, *, integral: bool, time_limit: float | None = None) -> Program:
    """Pairs of which no word can go are part of the start; those of one word that can follow that word."""
    fixed = (panel.left < 0) & (panel.right < 0)
    start = panel.start.copy()
    start[panel.pair_start :] += fixed @ panel.pair_gains
    moving = np.flatnonzero(~fixed)
    part_gains = np.zeros((len(moving), len(start)))
    part_gains[:, panel.pair_start :] = panel.pair_gains[moving]
    return Program(
        worth=panel.costs,
        upper=np.ones(len(panel.sizes), np.int64),
        gains=panel.gains,
        needed=panel.grain - start,
        group=panel.reader,
        weight=panel.weight,
        required=panel.needed,
        parts=tuple(_units(int(panel.left[pair]), int(panel.right[pair])) for pair in moving),
        part_gains=part_gains,
        integral=integral,
        time_limit=time_limit,
    )


def _units(left: int, right: int) -> tuple[int, ...]:
    return tuple(sorted({left, right} - {-1}))


def _solution(panel: Panel, kept: Flags, lower_bound: float | None = None) -> Suppression:
    cost = panel.cost(kept)
    floor = float(np.minimum(panel.costs, 0).sum())
    bound = floor if lower_bound is None else max(floor, lower_bound)
    proved = cost - bound <= 1e-9 * max(1.0, abs(cost))
    known = Optimality.BOUNDED if lower_bound is not None else Optimality.HEURISTIC
    ahead: Ints = np.flatnonzero(panel.margins(kept) > 0)
    return Suppression(
        np.where(kept, panel.sizes, 0),
        cost,
        min(bound, cost),
        Optimality.PROVED if proved else known,
        tuple(ahead.tolist()),
    )
