"""A proof does not depend on what the terms are called, and a limit counts processor time."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from experiments.erase.generator import make_document, make_world

from efface.core import Optimality
from efface.solvers.ksafety.solve import Instance, solve


@pytest.mark.parametrize(("others", "number"), [(2, 2), (3, 1)])
def test_small_crowds_are_proved_whatever_the_terms_are_called(others: int, number: int) -> None:
    """At the paper's default point; before, some names of the terms led to no proof within ten seconds."""
    made = make_document(make_world(2008), 50, 0.8, np.random.default_rng([2008, 7, number]))
    removed = set()
    for seed in range(2):
        names = list(made.terms)
        random.Random(seed).shuffle(names)
        renamed = Instance.from_signatures(names, made.signatures, made.counts, made.protected)
        solution = solve(renamed, others + 1, "exact", 10.0)
        assert solution.optimality is Optimality.PROVED
        removed.add(len(solution.removed))
    assert len(removed) == 1


def test_a_busy_machine_does_not_use_the_limit_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock on the wall may run as fast as it likes. The plan of this document is not proved at once."""
    hours = iter(range(0, 10**9, 3600))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(hours)))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(hours)))
    made = make_document(make_world(2008), 50, 0.8, np.random.default_rng([2008, 7, 0]))
    assert solve(made, 6, "exact", 1e-6).optimality is Optimality.BOUNDED
    assert solve(made, 6, "exact", 10.0).optimality is Optimality.PROVED
