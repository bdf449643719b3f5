"""The tail of the binomial distribution against its definition, and against scipy where that is installed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.guarantees.semantic.binomial_tail import beta_tail


@given(st.integers(1, 60), st.data())
def test_it_is_the_sum_of_the_binomial_terms(number: int, data: st.DataObject) -> None:
    reached = data.draw(st.integers(0, number))
    rate = data.draw(st.floats(0.001, 0.999))
    terms = (math.comb(number, n) * rate**n * (1 - rate) ** (number - n) for n in range(reached, number + 1))
    found = beta_tail(np.array([reached]), np.array([number - reached + 1]), rate)
    assert found[0] == pytest.approx(sum(terms), rel=1e-9, abs=1e-12)


def test_it_agrees_with_scipy_on_large_counts() -> None:
    special = pytest.importorskip("scipy.special")
    chance = np.random.default_rng(1)
    a, b = chance.integers(1, 20_000, 500), chance.integers(1, 20_000, 500)
    x = chance.random(500)
    assert beta_tail(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-7, abs=1e-12)
