"""Plans against several readers, beside brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Optimality
from efface.errors import Infeasible
from efface.knowledge.classes.model import GRAIN
from efface.solvers.confusability.panel import Panel
from efface.solvers.confusability.panel_solve import solve_panel
from efface.solvers.confusability.solve import METHODS


@st.composite
def panels(draw: st.DrawFn) -> Panel:
    """Two or three readers, up to six words, some pairs for the last reader; steps so coarse that ties occur."""
    readers, words = draw(st.integers(2, 3)), draw(st.integers(0, 6))
    sizes = [draw(st.integers(1, 4)) for _ in range(readers)]
    columns = sum(sizes)
    steps = st.integers(-5, 5).map(lambda step: step * 2**16 * GRAIN)

    def numbers(height: int, width: int) -> np.ndarray:
        rows = draw(
            st.lists(st.lists(steps, min_size=width, max_size=width), min_size=height, max_size=height)
        )
        return np.array(rows, np.float64).reshape(height, width)

    places = st.integers(-1, words - 1)
    pairs = draw(st.lists(st.tuples(places, places), max_size=4)) if words else []
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return Panel(
        gains=numbers(words, columns),
        start=numbers(1, columns)[0],
        reader=np.repeat(np.arange(readers), sizes),
        needed=np.array([draw(st.integers(1, size)) for size in sizes]),
        weight=np.array(draw(st.lists(st.integers(1, 2), min_size=columns, max_size=columns))),
        values=np.array(draw(st.lists(st.integers(-1, 4), min_size=words, max_size=words)), np.float64),
        sizes=np.array(draw(st.lists(st.integers(1, 3), min_size=words, max_size=words)), np.int64),
        grain=GRAIN,
        left=ends[:, 0],
        right=ends[:, 1],
        pair_gains=numbers(len(pairs), sizes[-1]),
        pair_start=columns - sizes[-1],
    )


def holds(panel: Panel, kept: tuple[bool, ...]) -> bool:
    """The definition, word by word and pair by pair."""
    passed = [0] * len(panel.needed)
    for column in range(len(panel.start)):
        margin = float(panel.start[column])
        margin += sum(float(panel.gains[word, column]) for word, stays in enumerate(kept) if stays)
        for pair, ends in enumerate(zip(panel.left, panel.right, strict=True)):
            if column >= panel.pair_start and all(end < 0 or kept[end] for end in ends):
                margin += float(panel.pair_gains[pair, column - panel.pair_start])
        passed[panel.reader[column]] += int(panel.weight[column]) * (margin > 0)
    return all(count >= need for count, need in zip(passed, panel.needed, strict=True))


def best_cost(panel: Panel) -> float | None:
    costs = [
        float(sum(panel.costs[word] for word, stays in enumerate(kept) if not stays))
        for kept in product((False, True), repeat=len(panel.sizes))
        if holds(panel, kept)
    ]
    return min(costs, default=None)


@given(panels(), st.sampled_from(METHODS))
@settings(deadline=None, derandomize=True, max_examples=80)
def test_a_plan_confuses_every_reader_and_refusal_means_there_is_none(panel: Panel, method: str) -> None:
    best = best_cost(panel)
    try:
        found = solve_panel(panel, method)
    except Infeasible:
        assert best is None
        return
    kept = tuple(bool(count) for count in found.kept)
    assert holds(panel, kept)
    assert best is not None
    if holds(panel, (True,) * len(kept)):
        assert all(kept)
        return
    assert found.cost == pytest.approx(sum(c for c, k in zip(panel.costs, kept, strict=True) if not k))
    assert found.cost >= best - 1e-9
    assert found.lower_bound <= best + 1e-9
    if method == "exact":
        assert found.cost == pytest.approx(best)
        assert found.optimality is Optimality.PROVED


@given(panels())
@settings(deadline=None, derandomize=True, max_examples=60)
def test_the_linear_programs_never_cost_more_than_the_quick_plan(panel: Panel) -> None:
    try:
        quick = solve_panel(panel, "simple")
    except Infeasible:
        return
    assert solve_panel(panel, "lp").cost <= quick.cost + 1e-9
