"""The regularised incomplete beta function, by which tails of the binomial distribution are computed.

Numerical Recipes, section 6.4: a continued fraction, which converges fast on one side of the mean; the other side
follows by symmetry. numpy alone: a library of 140 MB for one function is not worth it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 500  # of the continued fraction; it converges in far fewer
_TINY = 1e-300  # in the place of a zero that would be divided by
_log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])


def beta_tail(a: NDArray[Any], b: NDArray[Any], x: NDArray[Any] | float) -> Floats:
    """I_x(a, b) for each a and b: with a = s and b = n - s + 1, the chance of s or more of n at rate x.

    For a = 0 it is 1: no success at all is always reached.
    """
    ones, others = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    rates = np.broadcast_to(np.asarray(x, np.float64), ones.shape)
    found = np.ones(ones.shape)
    inside = (ones > 0) & (rates > 0) & (rates < 1)
    found[(ones > 0) & (rates <= 0)] = 0.0
    found[inside] = _incomplete_beta(ones[inside], others[inside], rates[inside])
    return found


def _incomplete_beta(a: Floats, b: Floats, x: Floats) -> Floats:
    if not len(a):
        return a
    logs = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b) + a * np.log(x) + b * np.log1p(-x)
    front = np.exp(logs)
    low = x < (a + 1) / (a + b + 2)  # where the fraction converges fast without a reflection
    near = front * _fraction(a, b, x) / a
    far = 1.0 - front * _fraction(b, a, 1.0 - x) / b
    return np.asarray(np.clip(np.where(low, near, far), 0.0, 1.0))


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """The continued fraction of the incomplete beta function, by the modified method of Lentz."""
    c = np.ones_like(a)
    d = 1.0 / _away_from_0(1.0 - (a + b) * x / (a + 1))
    value = d
    for step in range(1, _STEPS + 1):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            d = 1.0 / _away_from_0(1.0 + term * d)
            c = _away_from_0(1.0 + term / c)
            value = value * d * c
        if np.all(np.abs(d * c - 1.0) < 1e-14):
            break
    return value


def _away_from_0(numbers: Floats) -> Floats:
    return np.where(np.abs(numbers) < _TINY, _TINY, numbers)
