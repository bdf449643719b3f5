"""The parts of the exact search, each against something slow and plain."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Optimality
from efface.solvers.ksafety import crowd, exact, lattice, windows
from efface.solvers.ksafety.bits import columns, distinct, matrix_of, pack, unpack
from efface.solvers.ksafety.crowd import HolderCounter, holders
from efface.solvers.ksafety.pruning import ReducedProblem, components, prune
from efface.solvers.ksafety.search import suffix_bounds
from efface.solvers.ksafety.solve import Instance, is_safe, solve

usual = settings(max_examples=150, deadline=None, derandomize=True)


def problem_of(seed: int, size: int, entities: int, k: int, density: float, weighted: bool) -> ReducedProblem:
    """A problem as pruning leaves it, over at most `size` terms."""
    random = np.random.default_rng(seed)
    held = random.random((entities, size)) < density
    weights = {f"t{n:03}": float(random.integers(1, 9)) / 4 for n in range(size)} if weighted else None
    secret = random.random(entities) < 0.4
    terms = [f"t{n:03}" for n in range(size)]
    instance = Instance.from_signatures(terms, pack(held), np.ones(entities), secret, weights=weights)
    return prune(instance, k).problem


problems = st.builds(
    problem_of,
    seed=st.integers(0, 10**6),
    size=st.integers(2, 11),
    entities=st.integers(6, 60),
    k=st.integers(2, 6),
    density=st.sampled_from([0.2, 0.4, 0.6, 0.8]),
    weighted=st.booleans(),
)


def safe_sets(problem: ReducedProblem) -> np.ndarray:
    """Whether each subset of the terms may stay, by its number: each is judged against every rival."""
    size = len(problem.weights)
    powers = 1 << np.arange(size)
    rivals, contexts = (matrix.astype(np.int64) @ powers for matrix in (problem.rivals, problem.protected))
    subsets = np.arange(1 << size)
    safe = np.ones(1 << size, np.bool_)
    for context in set(contexts.tolist()):
        missed = (subsets & context)[:, None] & ~rivals[None, :]
        safe &= (missed == 0) @ problem.counts >= problem.k
    return safe


def is_safe_set(problem: ReducedProblem, kept: tuple[int, ...]) -> bool:
    return bool(safe_sets(problem)[sum(1 << term for term in kept)])


def heaviest(problem: ReducedProblem) -> float:
    size = len(problem.weights)
    members = np.arange(1 << size)[:, None] >> np.arange(size) & 1
    return float((members @ problem.weights)[safe_sets(problem)].max())


@given(st.integers(0, 130), st.integers(0, 20), st.integers(0, 10**6))
@usual
def test_bits_there_and_back(terms: int, sets: int, seed: int) -> None:
    matrix = np.random.default_rng(seed).random((sets, terms)) < 0.3
    rows = pack(matrix)
    assert (unpack(rows, terms) == matrix).all()
    parts = [range(start, min(start + 7, terms)) for start in range(0, terms, 7)]
    assert (matrix_of(columns(matrix, parts), parts) == matrix).all()
    groups, place = distinct(rows)
    assert (groups[place] == rows).all() and len({row.tobytes() for row in rows}) == len(groups)


@given(problems)
@usual
def test_census_counts_holders_up_to_its_limit(problem: ReducedProblem) -> None:
    size = len(problem.weights)
    parts = [range(start, min(start + 5, size)) for start in range(0, size, 5)]
    census = HolderCounter.of(
        columns(problem.rivals, parts), [len(p) for p in parts], problem.counts, problem.k
    )
    subsets = np.random.default_rng(size).random((20, size)) < 0.4
    counted = census.count(columns(subsets, parts))
    capped = np.minimum(problem.counts, problem.k)
    for subset, number in zip(subsets, counted, strict=True):
        assert number == capped[(problem.rivals | ~subset).all(axis=1)].sum()


@given(st.integers(0, 10**6), st.integers(1, 130), st.integers(0, 60), st.sampled_from([0, 30, 400]))
@usual
def test_holders_are_counted_with_and_without_sorting(seed: int, terms: int, groups: int, few: int) -> None:
    random = np.random.default_rng(seed)
    held = random.random((groups, terms)) < random.random(terms)
    asked = np.concatenate([held[: groups // 2], random.random((20, terms)) < 2 / terms])
    sizes = random.integers(1, 50, groups)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowd, "FEW", few)
        counted = holders(pack(asked), pack(held), sizes)
    assert counted.tolist() == [int(sizes[(held | ~some).all(axis=1)].sum()) for some in asked]


@given(problems)
@usual
def test_the_hardest_of_a_problem_allows_the_same_plans(problem: ReducedProblem) -> None:
    assert (safe_sets(problem.hardest()) == safe_sets(problem)).all()


@given(problems)
@usual
def test_a_plan_from_some_of_the_protected_contexts_is_safe(problem: ReducedProblem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "BLOCKERS", -1)
        kept = exact._begin(problem, problem.hardest())
    assert is_safe_set(problem, tuple(np.flatnonzero(kept).tolist()))


@given(problems)
@usual
def test_a_window_judges_every_subset(problem: ReducedProblem) -> None:
    size = len(problem.weights)
    safe = lattice.outside(windows.judge(problem, range(size)))
    assert (safe[: 1 << size] == safe_sets(problem)).all()


@given(problems)
@usual
def test_a_window_judges_subsets_beside_a_term(problem: ReducedProblem) -> None:
    size = len(problem.weights)
    if size < 2:
        return
    alone, beside = (windows.judge(problem, range(size - 1), beside=term) for term in (None, size - 1))
    subsets = np.arange(1 << (size - 1), dtype=np.uint32)
    unsafe = lattice.contains(alone, subsets) | lattice.contains(beside, subsets)
    assert (unsafe == ~safe_sets(problem)[1 << (size - 1) :]).all()


def test_a_wide_window_is_judged_as_a_narrow_one() -> None:
    """Beyond the block size the transform recurses; a window's own subwindow must come out the same."""
    problem = problem_of(3, 19, 400, 4, 0.5, weighted=False)
    wide, narrow = windows.judge(problem, range(19)), windows.judge(problem, range(12))
    assert (lattice.outside(wide)[: 1 << 12] == lattice.outside(narrow)).all()
    best = lattice.heaviest(lattice.outside(wide), np.ones(19, dtype=np.uint8))
    sizes = np.bitwise_count(np.arange(1 << 19, dtype=np.uint32)) * lattice.outside(wide)
    for mask in (0, 5, 0b1010101, (1 << 19) - 1, 0b1111000011110000111):
        inside = (np.arange(1 << 19) & ~mask) == 0
        assert best[mask] == sizes[inside].max()


@given(problems, st.integers(2, 5))
@usual
def test_the_search_is_exact_whatever_the_windows(problem: ReducedProblem, width: int) -> None:
    size = len(problem.weights)
    if not size:
        return
    alike = bool((problem.weights == 1).all())
    parts = [tuple(range(start, min(start + width, size))) for start in range(0, size, width)]
    opened = [windows.open_window(problem, part, problem.weights) for part in parts]
    search = windows.WindowSearch(problem, opened, problem.weights, np.zeros(size, dtype=np.bool_))
    bound = search.run(time.thread_time() + 60, None)
    assert bound == pytest.approx(heaviest(problem))
    assert problem.weights[search.kept].sum() == pytest.approx(bound)
    assert is_safe_set(problem, tuple(np.flatnonzero(search.kept)))
    assert alike or search.frontier.step < 1


@given(problems, st.integers(0, 60))
@usual
def test_a_search_cut_short_still_bounds(problem: ReducedProblem, budget: int) -> None:
    size = len(problem.weights)
    if not size:
        return
    parts = [tuple(range(start, min(start + 3, size))) for start in range(0, size, 3)]
    opened = [windows.open_window(problem, part, problem.weights) for part in parts]
    search = windows.WindowSearch(problem, opened, problem.weights, np.zeros(size, dtype=np.bool_))
    best = heaviest(problem)
    assert search.run(time.thread_time() + 60, budget) >= best - 1e-9
    assert search.run(time.thread_time() + 60, None) == pytest.approx(best)  # and goes on where it stopped


@given(problems)
@usual
def test_components_share_no_protected_context(problem: ReducedProblem) -> None:
    parts = list(components(problem))
    assert sorted(term for part in parts for term in part) == list(range(len(problem.weights)))
    for part in parts:
        inside = np.isin(np.arange(len(problem.weights)), part)
        touching = problem.protected[problem.protected[:, inside].any(axis=1)]
        assert not touching[:, ~inside].any()


@given(problems, st.integers(1, 11))
@usual
def test_suffix_bounds_hold_and_are_sharp_at_full_length(problem: ReducedProblem, length: int) -> None:
    size = len(problem.weights)
    bounds = suffix_bounds(problem, min(length, size))
    assert len(bounds) == size + 1 and bounds == sorted(bounds, reverse=True)
    best = heaviest(problem)
    assert bounds[0] >= best - 1e-9
    assert suffix_bounds(problem, size)[0] == pytest.approx(best)


def small_windows(patch: pytest.MonkeyPatch) -> None:
    """Make `exact` take the long way, wide windows included, on problems that can be enumerated."""
    for name, value in {
        "NARROW": 3,
        "MIDDLE": 1,
        "WIDE": 6,
        "BUDGET": 3,
        "SHUFFLES": 1,
        "POLISHES": 20,
    }.items():
        patch.setattr(exact, name, value)


def test_exact_is_exact_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    small_windows(monkeypatch)
    proved = 0
    for seed in range(90):
        size, k, density = 3 + seed % 9, 2 + seed % 4, (0.3, 0.5, 0.7)[seed % 3]
        problem = problem_of(seed, size, 10 + seed % 40, k, density, weighted=seed % 2 == 0)
        if not len(problem.weights):
            continue
        proved += 1
        found = exact.exact(problem, time.thread_time() + 60)
        assert found.bound == pytest.approx(heaviest(problem)), seed
        assert problem.weights[found.kept].sum() == pytest.approx(found.bound), seed
        assert is_safe_set(problem, tuple(np.flatnonzero(found.kept))), seed
    assert proved > 45


@pytest.mark.parametrize("method", ["exact", "best-first", "levelwise"])
def test_out_of_time_means_bounded(method: str) -> None:
    random = np.random.default_rng(0)
    held = random.random((400, 40)) < 0.5
    instance = Instance.from_signatures(
        [f"t{n:02}" for n in range(40)], pack(held), np.ones(400), random.random(400) < 0.2
    )
    hasty = solve(instance, 8, method, time_limit=0.0, window=6)
    greedy = solve(instance, 8, "btop")
    assert hasty.optimality == Optimality.BOUNDED
    assert is_safe(instance, hasty.kept, 8)
    assert hasty.lower_bound < hasty.cost
    if method == "exact":
        assert hasty.cost <= greedy.cost
        assert hasty.lower_bound > greedy.lower_bound  # the windows' optima, at least
