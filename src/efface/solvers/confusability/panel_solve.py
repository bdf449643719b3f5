"""Words to suppress so that every reader of a panel is confused, at the least loss.

simple   one word after the other, the most gain for its cost first
lp       the same, then linear programs behind the classes that the best plan so far lets pass, while they save words
exact    an integer program that chooses the classes too, within a time limit
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from efface.core import Optimality
from efface.errors import Infeasible
from efface.solvers.confusability.greedy import greedy, trimmed
from efface.solvers.confusability.panel import Flags, Panel
from efface.solvers.confusability.problem import Floats, Ints, Suppression
from efface.solvers.confusability.programs import LinearProgram, ProgramSolution, solve

_MOST_PAIRS = 600  # beyond so many, the linear program takes longer than it saves
_ROUNDS = 6  # linear programs, each behind the classes that the plan before it lets pass
# A word stays if the linear program keeps it by more than this. Each is tried, and the best result counts.
_ROUNDINGS = (0.3, 0.5, 0.7, 0.9)


def solve_panel(panel: Panel, method: str, time_limit: float = 10.0, *, thorough: bool = True) -> Suppression:
    """A plan by `simple`, `lp` or `exact`; Infeasible when there is none.

    With `thorough`, the integer program looks for one where the quick search finds none.
    """
    everything = np.ones(len(panel.sizes), bool)
    if panel.holds(panel.margins(everything)):
        return _solution(panel, everything, 0.0)
    if not len(panel.sizes) or panel.hopeless():
        raise _refusal(panel)
    if method == "exact":
        return _exact(panel, time_limit)
    found = _quick(panel)
    if method == "lp":
        found = _linear(panel, found)
    if found is not None:
        return _solution(panel, found)
    if not thorough:
        raise _refusal(panel)
    return _exact(panel, time_limit)


def deepen(panel: Panel, known: Flags, method: str) -> Suppression | None:
    """A plan that starts from what another one keeps; None when the quick search ends without an answer."""
    if panel.hopeless():
        return None
    found = greedy(panel, kept=known)
    if found is None:
        found = _quick(panel)
    if found is not None and method != "simple":
        found = _linear(panel, found)
    return None if found is None else _solution(panel, found)


def give_back(panel: Panel, known: Flags, accepts: Callable[[Floats], bool]) -> Suppression:
    """What of a plan is not needed for this panel, put back as long as `accepts` says yes to the margins.

    A word that must stay out at first may be put back once another one is, so this is repeated until nothing changes.
    """
    kept = trimmed(panel, known, accepts)
    while (kept != known).any():
        known, kept = kept, trimmed(panel, kept, accepts)
    return _solution(panel, kept)


def _quick(panel: Panel) -> Flags | None:
    found = greedy(panel)
    if found is None:
        found = greedy(panel, rivals=panel.nearest(panel.margins(np.ones(len(panel.sizes), bool))))
    return found


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


def _cheapest(panel: Panel, plans: Iterable[Flags | None]) -> Flags | None:
    known = [kept for kept in plans if kept is not None]
    return min(known, key=panel.cost, default=None)


def _linear(panel: Panel, known: Flags | None) -> Flags | None:
    """The known plan, improved by linear programs that are rounded, repaired and trimmed.

    Each program stands behind the classes that the best plan so far lets pass, and may lead to other classes that are
    cheaper to let pass. Without a known plan the first one stands behind the nearest classes.
    """
    if len(panel.left) > _MOST_PAIRS:
        return known
    best = known
    for _ in range(_ROUNDS):
        found = _rounded_program(panel, best)
        if found is None or (best is not None and panel.cost(found) >= panel.cost(best)):
            break
        best = found
    return best


def _rounded_program(panel: Panel, best: Flags | None) -> Flags | None:
    margins = panel.margins(np.ones(len(panel.sizes), bool) if best is None else best)
    rivals = panel.nearest(margins)
    if best is not None:
        rivals = rivals[margins[rivals] > 0]
    answer = solve(_program(panel.only(rivals), integral=False))
    if answer.point is None:
        return None
    rounded = [answer.point > least for least in _ROUNDINGS]
    starts = {kept.tobytes(): kept for kept in rounded}
    return _cheapest(panel, (greedy(panel, kept=kept) for kept in starts.values()))


def _exact(panel: Panel, time_limit: float) -> Suppression:
    known = _linear(panel, _quick(panel))
    answer = solve(_program(panel, integral=True, time_limit=time_limit))
    found = _rounded(panel, answer)
    best = _cheapest(panel, (known, found))
    if best is None:
        raise _refusal(panel)
    if answer.finished:
        return _solution(panel, best, panel.cost(best))
    bound = None if answer.bound is None else answer.bound + float(panel.costs.sum())
    return _solution(panel, best, bound)


def _rounded(panel: Panel, answer: ProgramSolution) -> Flags | None:
    """The integer program's answer; its tolerance may have let a tie pass, which one more word repairs."""
    if answer.point is None:
        return None
    kept = np.asarray(answer.point > 0.5)
    return trimmed(panel, kept) if panel.holds(panel.margins(kept)) else greedy(panel, kept=kept)


def _program(panel: Panel, *, integral: bool, time_limit: float | None = None) -> LinearProgram:
    """A pair of words that both stay is part of the starting margins. A pair with one removable word goes with that
    word."""
    fixed = (panel.left < 0) & (panel.right < 0)
    start = panel.start.copy()
    start[panel.pair_start :] += fixed @ panel.pair_gains
    moving = np.flatnonzero(~fixed & panel.pair_gains.any(axis=1))  # others say nothing of these classes
    part_gains = np.zeros((len(moving), len(start)))
    part_gains[:, panel.pair_start :] = panel.pair_gains[moving]
    return LinearProgram(
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
