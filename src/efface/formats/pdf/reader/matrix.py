"""Affine matrices as PDF writes them: six numbers, row vectors, so `multiply(inner, outer)`."""

from __future__ import annotations

from math import hypot

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_HUGE = 1e12  # beyond this a coordinate is damage or an attack, not a place


def multiply(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies `inner` first."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def translate(x: float, y: float, matrix: Matrix) -> Matrix:
    """`matrix` with its origin moved by (x, y) of its own units."""
    a, b, c, d, e, f = matrix
    return (a, b, c, d, x * a + y * c + e, x * b + y * d + f)


def apply(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return (x * a + y * c + e, x * b + y * d + f)


def invert(matrix: Matrix) -> Matrix | None:
    """The inverse, or None when the matrix flattens the plane."""
    a, b, c, d, e, f = matrix
    determinant = a * d - b * c
    if abs(determinant) < 1e-12 * max(1e-6, hypot(a, b) * hypot(c, d)):
        return None
    return (
        d / determinant,
        -b / determinant,
        -c / determinant,
        a / determinant,
        (c * f - d * e) / determinant,
        (b * e - a * f) / determinant,
    )


def sane(matrix: Matrix) -> bool:
    """Whether all numbers are finite and of a size that a page can use."""
    a, b, c, d, e, f = matrix
    return abs(a) + abs(b) + abs(c) + abs(d) + abs(e) + abs(f) < _HUGE


def number(value: float) -> str:
    """A coordinate as PDF syntax: at most six decimals, no exponent."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def numbers(*values: float) -> str:
    return " ".join(map(number, values))
