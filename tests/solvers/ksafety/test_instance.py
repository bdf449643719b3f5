"""Instances however they are made, large ones, impossible ones, and the paper's reduction."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from efface.core import Optimality
from efface.errors import EffaceError, Infeasible, UsageError
from efface.solvers.ksafety.bits import pack
from efface.solvers.ksafety.solve import METHODS, Instance, crowds, is_safe, solve
from tests.solvers.ksafety.definition import Case, cases

usual = settings(max_examples=100, deadline=None, derandomize=True)


@given(cases(feasible=False))
@usual
def test_signatures_say_what_contexts_say(case: Case) -> None:
    """One row an entity, the terms in another order, those that match nothing only counted."""
    terms = sorted(case.document, reverse=True)
    held = np.array([[term in context for term in terms] for context in case.entities.values()])
    held = held.reshape(len(case.entities), len(terms))
    secret = np.array([entity in case.protected for entity in case.entities])
    nothing = ~held.any(axis=1) & ~secret
    instance = Instance.from_signatures(
        terms,
        pack(held[~nothing]),
        np.ones(int((~nothing).sum())),
        secret[~nothing],
        empty=int(nothing.sum()),
        weights=case.weights,
    )
    same = case.instance
    assert instance.terms == same.terms and (instance.weights == same.weights).all()
    order, other = (np.lexsort(x.signatures.T) for x in (instance, same))
    for name in ("signatures", "counts", "protected"):
        assert (getattr(instance, name)[order] == getattr(same, name)[other]).all()
    if instance.entities >= case.k:
        assert all(
            solve(instance, case.k, method).removed == solve(same, case.k, method).removed
            for method in METHODS
        )


@given(cases(feasible=False))
@usual
def test_too_few_entities_are_refused_or_everything_goes(case: Case) -> None:
    if not case.protected or len(case.entities) >= case.k:
        assert case.safe(frozenset(solve(case.instance, case.k).kept))
        return
    with pytest.raises(Infeasible) as refusal:
        solve(case.instance, case.k)
    assert "fewer than k entities" in refusal.value.message
    assert not any(word in refusal.value.message for word in (*case.entities, *case.document))
    pointing = frozenset[str]().union(*(case.entities[entity] for entity in case.protected))
    solution = solve(case.instance, case.k, everything=True)
    assert frozenset(solution.removed) == pointing & case.document
    assert solution.optimality == Optimality.PROVED and solution.method == "everything"


def test_everything_goes_only_when_nothing_else_helps() -> None:
    instance = Instance.from_contexts({"p": ["a"], "x": ["a"]}, ["p"], ["a", "b"])
    assert solve(instance, 2, everything=True).removed == ()
    assert solve(instance, 3, everything=True).removed == ("a",)


GOOD: dict[str, Any] = {
    "terms": ["a", "b"],
    "signatures": np.array([[3]], np.uint64),
    "counts": [2],
    "protected": [1],
}
WRONG: dict[str, dict[str, Any]] = {
    "terms twice": {"terms": ["a", "a"]},
    "too many words": {"signatures": np.array([[3, 0]], np.uint64)},
    "too few counts": {"counts": []},
    "too few flags": {"protected": []},
    "more secrets than entities": {"protected": [3]},
    "less than none": {"empty": -1},
    "free term": {"weights": {"a": 0.0}},
    "priceless term": {"weights": {"b": float("inf")}},
}


@pytest.mark.parametrize("name", list(WRONG))
def test_wrong_signatures(name: str) -> None:
    Instance.from_signatures(**GOOD)
    with pytest.raises(UsageError):
        Instance.from_signatures(**(GOOD | WRONG[name]))


def test_wrong_calls() -> None:
    instance = Instance.from_contexts({"p": ["a"]}, ["p"], ["a"])
    calls: list[dict[str, Any]] = [{"k": 0}, {"k": 1, "method": "magic"}, {"k": 1, "window": 0}]
    for wrong in calls:
        with pytest.raises(UsageError):
            solve(instance, **wrong)
    with pytest.raises(EffaceError):
        Instance.from_contexts({"p": ["a"]}, ["q"], ["a"])
    with pytest.raises(UsageError):
        crowds(instance, ["z"])
    with pytest.raises(UsageError):
        instance.group_of(["z"])


def test_bits_beyond_the_last_term_mean_nothing() -> None:
    rows = np.array([[0b101], [0b001], [0b1000]], np.uint64)
    instance = Instance.from_signatures(["a", "b"], rows, [1, 1, 1], [1, 0, 0])
    assert crowds(instance, ["a", "b"]) == {instance.group_of(["a"]): 2}


def test_auto_says_why() -> None:
    random = np.random.default_rng(2)
    held = random.random((300, 24)) < 0.5
    instance = Instance.from_signatures(
        [f"t{n:02}" for n in range(24)], pack(held), np.ones(300), random.random(300) < 0.3
    )
    for limit, method in ((10.0, "exact"), (0.1, "btop")):
        solution = solve(instance, 6, time_limit=limit)
        assert solution.method == method and f"auto: {method}" in solution.note


@pytest.mark.parametrize("seed", range(12))
def test_theorem_4_1(seed: int) -> None:
    """A graph's independent sets are the safe sets of its reduction: K = 1, edges protected."""
    random = np.random.default_rng(seed)
    vertices = [f"v{number}" for number in range(4 + seed % 6)]
    edges = [pair for pair in combinations(vertices, 2) if random.random() < 0.4]
    entities = {f"vertex {v}": [v] for v in vertices} | {f"edge {u} {v}": [u, v] for u, v in edges}
    instance = Instance.from_contexts(entities, [name for name in entities if "edge" in name], vertices)
    largest = max(
        size
        for size in range(len(vertices) + 1)
        for chosen in combinations(vertices, size)
        if not any(u in chosen and v in chosen for u, v in edges)
    )
    for method in ("levelwise", "best-first", "exact"):
        kept = solve(instance, 2, method).kept
        assert len(kept) == largest
        assert not any(u in kept and v in kept for u, v in edges)


@pytest.mark.parametrize("size", [63, 64, 65, 129, 320])
def test_many_terms(size: int) -> None:
    """Independent pieces of three terms, each with a known answer, over any number of words."""
    terms = [f"t{number:03}" for number in range(size)]
    entities: dict[str, list[str]] = {}
    best = 0
    for start in range(0, size - 2, 3):
        one, two, three = terms[start : start + 3]
        entities |= {f"p{start}": [one, two, three], f"x{start}": [one, two], f"y{start}": [three]}
        best += 1  # keep one and two, or lose them both
    instance = Instance.from_contexts(entities, [name for name in entities if name[0] == "p"], terms)
    solution = solve(instance, 2)
    assert solution.optimality == Optimality.PROVED and solution.cost == best
    for method in ("bfreq", "bsize", "btop") if size < 100 else ("btop",):
        assert is_safe(instance, solve(instance, 2, method).kept, 2)


def test_many_terms_in_one_piece() -> None:
    """Terms over three words that cannot be told apart into pieces: safe, never worse than btop, and bounded."""
    random = np.random.default_rng(5)
    base = random.random(140) < 0.5
    held = (random.random((200, 140)) < 0.3) | (base & (random.random((200, 1)) < 0.5))
    instance = Instance.from_signatures(
        [f"t{n:03}" for n in range(140)], pack(held), np.ones(200), random.random(200) < 0.05
    )
    greedy = solve(instance, 4, "btop")
    solution = solve(instance, 4, "exact", time_limit=0.3)
    assert is_safe(instance, solution.kept, 4)
    assert 0 < solution.lower_bound <= solution.cost <= greedy.cost


@pytest.mark.parametrize("weighted", [False, True])
def test_the_order_does_not_matter_in_larger_instances(weighted: bool) -> None:
    """Entities and terms in any order, the same plan; here the windows are searched."""
    random = np.random.default_rng(7)
    held = random.random((300, 32)) < 0.45
    secret = random.random(300) < 0.25
    terms = np.array([f"t{n:02}" for n in range(32)])
    weights = {str(term): float(random.integers(1, 4)) for term in terms} if weighted else None
    plans = set()
    for _ in range(2):
        rows, columns = random.permutation(300), random.permutation(32)
        bits = pack(held[np.ix_(rows, columns)])
        instance = Instance.from_signatures(
            terms[columns].tolist(), bits, np.ones(300), secret[rows], weights=weights
        )
        solution = solve(instance, 5, "exact", time_limit=60)
        assert solution.optimality == Optimality.PROVED
        plans.add(solution.removed)
    assert len(plans) == 1


@pytest.mark.parametrize("seed", range(4))
def test_btop_is_btop_naive_on_larger_instances(seed: int) -> None:
    random = np.random.default_rng(seed)
    held = random.random((100, 30 + 15 * seed)) < (0.6, 0.5, 0.4, 0.3)[seed]
    held = held[random.integers(0, len(held), 240)]  # so that equals abound
    terms = [f"t{n:02}" for n in range(held.shape[1])]
    weights = {term: float(random.integers(1, 5)) for term in terms} if seed % 2 else None
    instance = Instance.from_signatures(
        terms, pack(held), np.ones(240), random.random(240) < 0.2, weights=weights
    )
    slow, fast = (solve(instance, 9, method) for method in ("btop-naive", "btop"))
    assert slow.removed == fast.removed and len(fast.removed) > 3


def test_weights_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(UsageError, match="differ too much"):
        Instance.from_contexts({"a": ["x"]}, ["a"], ["x", "y"], {"x": 1e7})
