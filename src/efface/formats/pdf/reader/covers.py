"""Areas that are painted opaquely: what was shown before lies under them.

Paths are kept as operands until they are filled, so that lines and curves of drawings cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.matrix import Matrix, Point, apply

Box = tuple[float, float, float, float]
Colour = tuple[float, float, float]
Ring = tuple[Point, ...]

_MAX_STEPS = 400  # steps of a path; a longer one is a drawing, not a box
_THICK = 4.0  # points of a line that covers text like a box
_EVERYTHING: Box = (-1e9, -1e9, 1e9, 1e9)


@dataclass(frozen=True, slots=True)
class Cover:
    """An area, how many shows were painted before it, and its colour where that is known."""

    rings: tuple[Ring, ...]
    box: Box
    after: int
    colour: Colour | None

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        left, bottom, right, top = self.box
        return left <= x <= right and bottom <= y <= top and _winding(self.rings, x, y) != 0


def _winding(rings: Iterable[Ring], x: float, y: float) -> int:
    count = 0
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay <= y) != (by <= y):
                side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
                count += (side > 0) - (side < 0)
            ax, ay = bx, by
    return count


def cover(rings: Sequence[Ring], after: int, colour: Colour | None, clip: Box | None) -> Cover | None:
    """The area as far as it is not clipped; None when nothing is left."""
    points = [point for ring in rings for point in ring]
    if len(points) < 3:
        return None
    box = bounds(points)
    if clip is not None:
        box = intersection(box, clip)
    return Cover(tuple(rings), box, after, colour) if box[0] < box[2] and box[1] < box[3] else None


def bounds(points: Sequence[Point]) -> Box:
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def moved(ring: Sequence[Point], to: Matrix) -> Ring:
    return tuple(apply(to, x, y) for x, y in ring)


def intersection(one: Box, other: Box | None) -> Box:
    a, b, c, d = other or _EVERYTHING
    return max(one[0], a), max(one[1], b), min(one[2], c), min(one[3], d)


def square(ctm: Matrix) -> Ring:
    """The unit square of an image."""
    return moved(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), ctm)


def rectangle(box: Box) -> Ring:
    left, bottom, right, top = box
    return (left, bottom), (right, bottom), (right, top), (left, top)


class Path:
    """The path under construction, in operands."""

    __slots__ = ("clips", "steps")

    def __init__(self) -> None:
        self.steps: list[tuple[str, Any]] = []
        self.clips = False

    def add(self, operator: str, operands: Any) -> None:
        if len(self.steps) <= _MAX_STEPS:
            self.steps.append((operator, operands))

    def rings(self, ctm: Matrix) -> list[Ring]:
        """The closed outlines; curves by the points they pass. Nothing of a path with too many steps."""
        return self.outlines(ctm) if self.is_whole else []

    @property
    def is_whole(self) -> bool:
        """Whether all steps were kept."""
        return len(self.steps) <= _MAX_STEPS

    def outlines(self, ctm: Matrix) -> list[Ring]:
        """The closed outlines of the steps that were kept."""
        return [moved(ring, ctm) for ring in self._outlines() if len(ring) > 1]

    def _outlines(self) -> list[list[Point]]:
        """The corners of each subpath. A curve is followed by its middle and its end."""
        outlines: list[list[Point]] = []
        for operator, operands in self.steps:
            values = [real(value) for value in operands]
            if operator == "re" and len(values) == 4:
                x, y, width, height = values
                outlines.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
                outlines.append([])
            elif operator == "m" and len(values) == 2:
                outlines.append([(values[0], values[1])])
            elif operator in "lcvy" and len(values) >= 2 and outlines:
                if operator == "c" and outlines[-1] and len(values) == 6:
                    outlines[-1].append(_middle(outlines[-1][-1], values))
                outlines[-1].append((values[-2], values[-1]))
        return outlines

    def strokes(self, ctm: Matrix, width: float) -> list[Ring]:
        """The areas of thick lines."""
        a, b, c, d, _, _ = ctm
        thick = width * max(hypot(a, b), hypot(c, d))
        if thick < _THICK:
            return []
        found: list[Ring] = []
        for ring in self.rings(ctm):
            for one, other in pairwise(ring):
                found += stroke(one, other, thick)
        return found


def stroke(one: Point, other: Point, thick: float) -> list[Ring]:
    """The area of a straight line."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = hypot(dx, dy)
    if length < 1e-6 or thick < _THICK:
        return []
    x, y = -dy / length * thick / 2, dx / length * thick / 2
    return [
        (
            (one[0] + x, one[1] + y),
            (other[0] + x, other[1] + y),
            (other[0] - x, other[1] - y),
            (one[0] - x, one[1] - y),
        )
    ]


def _middle(start: Point, values: Sequence[float]) -> Point:
    """The point halfway along a curve."""
    ax, ay, bx, by, cx, cy = values
    return (start[0] + 3 * ax + 3 * bx + cx) / 8, (start[1] + 3 * ay + 3 * by + cy) / 8


def colour_of(values: Sequence[float]) -> Colour | None:
    """Red, green and blue of one, three or four components."""
    if len(values) == 1:
        return (values[0],) * 3
    if len(values) == 3:
        return values[0], values[1], values[2]
    if len(values) == 4:
        black = 1 - values[3]
        return (1 - values[0]) * black, (1 - values[1]) * black, (1 - values[2]) * black
    return None


def is_white(colour: Colour | None) -> bool:
    return colour is not None and min(colour) >= 0.97
