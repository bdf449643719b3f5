"""Planners against brute force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Optimality
from efface.errors import Infeasible
from efface.solvers.confusability.curve import Curve
from efface.solvers.confusability.problem import SuppressionProblem
from efface.solvers.confusability.programs import solve
from efface.solvers.confusability.rounding import trim
from efface.solvers.confusability.solve import (
    METHODS,
    _program,
    exact,
    lp_against,
    rival_choices,
    simple,
    solve_confusion,
    steps_needed,
    suppression_order,
)
from tests.guarantees.confusability.oracle import ahead, best_cost
from tests.guarantees.confusability.strategies import problems

any_problem = st.one_of(problems(), problems(whole=False), problems(grams=True))


@given(any_problem, st.sampled_from(METHODS))
@settings(deadline=None, derandomize=True, max_examples=100)
def test_a_plan_holds_and_refusal_means_there_is_none(problem: SuppressionProblem, method: str) -> None:
    best = best_cost(problem)
    try:
        found = solve_confusion(problem, method)
    except Infeasible:
        assert best is None
        return
    assert best is not None
    assert ahead(problem, found.kept.tolist()) >= problem.k - 1
    if ahead(problem, problem.sizes.tolist()) < problem.k - 1:
        assert found.cost == pytest.approx(problem.cost(found.kept))
        assert found.cost >= best - 1e-9
        assert found.lower_bound <= best + 1e-9
        if found.optimality is Optimality.PROVED:
            assert found.cost == pytest.approx(best)


@given(st.one_of(problems(), problems(whole=False), problems(grams=True), problems(grams=True)))
@settings(deadline=None, derandomize=True, max_examples=100)
def test_exact_equals_brute_force(problem: SuppressionProblem) -> None:
    best, found = best_cost(problem), exact(problem)
    assert (best is None) == (found is None)
    if found is not None:
        assert found.cost == pytest.approx(best)
        assert found.optimality is Optimality.PROVED


@given(any_problem)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_a_rounded_lp_is_never_better_than_exact_with_the_same_rivals(problem: SuppressionProblem) -> None:
    for rivals, floor in rival_choices(problem):
        same = problem.against(rivals)
        kept, best = lp_against(same), exact(same)
        if best is None:
            assert kept is None
            continue
        assert best.cost >= floor - 1e-9
        if kept is not None:
            assert ahead(same, kept.tolist()) >= same.k - 1
            assert same.cost(kept) >= best.cost - 1e-9


@given(any_problem)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_nothing_needless_stays_suppressed(problem: SuppressionProblem) -> None:
    found = exact(problem)
    if found is None:
        return
    everything = np.where(problem.values < 0, 0, found.kept)
    if ahead(problem, everything.tolist()) < problem.k - 1:
        everything = found.kept
    kept = trim(problem, everything)
    assert (kept >= everything).all()
    assert ahead(problem, kept.tolist()) >= problem.k - 1
    assert (kept[problem.values < 0] == everything[problem.values < 0]).all()


@given(problems(worth=False))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_simple_stops_at_the_first_step_that_holds(problem: SuppressionProblem) -> None:
    found = simple(problem)
    fewest = []
    for rivals, _ in rival_choices(problem):
        order = suppression_order(problem, rivals)
        for steps in range(len(order) + 1):
            kept = problem.sizes.copy()
            kept[order[:steps]] = 0
            if ahead(problem, kept.tolist()) >= problem.k - 1:
                fewest.append(int((problem.sizes - kept).sum()))
                assert steps_needed(problem, order) == steps
                break
    assert (found is None) == (not fewest)
    if found is not None:
        assert int((problem.sizes - found.kept).sum()) == min(fewest)


@given(problems())
@settings(deadline=None, derandomize=True, max_examples=60)
def test_the_order_is_the_paper_s_score(problem: SuppressionProblem) -> None:
    """(1 - P(s)) log P(x|s) - sum of P(r) log P(x|r); with log P(x|s) = 0 the leads are log P(x|r)."""
    rivals = np.array([c for c in range(len(problem.start)) if c != problem.truth][:2])
    mass = problem.priors[rivals].sum() + problem.priors[problem.truth]
    scores = [
        -sum(problem.priors[r] / mass * problem.leads[unit, r] for r in rivals)
        for unit in range(len(problem.sizes))
    ]
    order = suppression_order(problem, rivals)
    assert sorted(order.tolist()) == list(range(len(scores)))
    assert [scores[unit] for unit in order] == pytest.approx(sorted(scores, reverse=True))


@given(st.one_of(problems(), problems(grams=True)), st.integers(1, 6))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_the_curve_tells_what_is_left_at_every_step(problem: SuppressionProblem, up_to: int) -> None:
    useful = np.log(np.linspace(0.1, 0.9, max(1, 2 * len(problem.counts))))[: 2 * len(problem.counts)]
    useful = useful.reshape(len(problem.counts), 2)
    base = np.log([0.25, 0.75])
    curve = Curve.of(problem, useful, base, up_to)
    for k in range(1, up_to + 1):
        order, needed = curve.orders[k - 1], curve.needed[k - 1]
        held = []
        for steps in range(len(order) + 1):
            kept = problem.sizes.copy()
            kept[order[:steps]] = 0
            margins, chances = curve.at(k, steps)
            assert curve.ahead(margins) == ahead(problem, kept.tolist())
            weights = np.exp(base + problem.amounts(kept) @ useful)
            assert chances == pytest.approx(weights / weights.sum())
            held.append(curve.ahead(margins) >= k - 1)
        assert needed == (held.index(True) if any(held) else None)


def small(**changes: Any) -> SuppressionProblem:
    """Truth 0 leads both others by two words; the second word costs more."""
    problem = SuppressionProblem(
        leads=np.array([[0.0, -2.0, -1.0], [0.0, -1.0, -2.0], [0.0, 1.0, 1.0]]),
        counts=np.array([1, 1, 1]),
        start=np.zeros(3),
        priors=np.full(3, 1 / 3),
        values=np.ones(3),
        sizes=np.array([1, 1, 1]),
        truth=0,
        k=2,
        grain=2.0**-18,
    )
    return replace(problem, **changes)


def test_a_pair_of_words_counts_as_long_as_both_stay() -> None:
    """Only the pair speaks for the truth. A program that could forget it while both words stay would."""
    pair = small(
        leads=np.array([[0.0, -5.0, -5.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]),
        parts=((0, 1), (0,), (1,)),
        counts=np.ones(3, np.int64),
        sizes=np.ones(2, np.int64),
        values=np.array([2.0, 1.0]),
    )
    for method in METHODS:
        assert ahead(pair, solve_confusion(pair, method).kept.tolist()) >= 1
    best = exact(pair)
    assert best is not None
    assert best.kept.tolist() == [1, 0]
    point = solve(_program(pair, integral=True)).point
    assert point is not None
    assert point.tolist() == [1, 0]


def test_a_tie_is_not_enough() -> None:
    tied = small(
        leads=np.array([[0.0, -1.0, -1.0]]), counts=np.array([1]), sizes=np.array([1]), values=np.ones(1)
    )
    assert ahead(tied, (0,)) == 0
    for method in METHODS:
        with pytest.raises(Infeasible):
            solve_confusion(tied, method)


def test_more_rivals_than_classes_is_refused() -> None:
    for method in METHODS:
        with pytest.raises(Infeasible):
            solve_confusion(small(k=4), method)


def test_other_rivals_are_taken_when_they_cost_less() -> None:
    """Class 1 is nearer, but only the precious word stands between; class 2 is one cheap word away."""
    problem = small(
        leads=np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -3.0], [0.0, 0.5, 0.5]]),
        values=np.array([9.0, 1.0, 1.0]),
    )
    for method in ("lp", "exact"):
        assert solve_confusion(problem, method).kept.tolist() == [1, 0, 1]


def test_what_already_holds_is_left_alone_whatever_the_objective_would_like_gone() -> None:
    problem = small(start=np.array([0.0, 9.0, 9.0]), values=-np.ones(3))
    for method in METHODS:
        assert solve_confusion(problem, method).kept.tolist() == [1, 1, 1]


def test_out_of_time_still_gives_a_plan_with_its_bound() -> None:
    rng = np.random.default_rng(1)
    units, classes = 200, 30
    leads = np.round(rng.normal(-0.3, 1, (units, classes)) * 2**18) / 2**18
    leads[:, 0] = 0
    problem = SuppressionProblem(
        leads, np.ones(units, np.int64), np.zeros(classes), np.full(classes, 1 / classes),
        rng.random(units), np.ones(units, np.int64), 0, 10, 2.0**-18,
    )  # fmt: skip
    found = solve_confusion(problem, "exact", time_limit=0.0)
    assert ahead(problem, found.kept.tolist()) >= 9
    assert found.lower_bound <= found.cost
    assert found.optimality is not Optimality.PROVED
