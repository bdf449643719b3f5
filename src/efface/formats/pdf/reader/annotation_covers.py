"""What annotations lay over a page: boxes, ink, dark highlights, and marks that ask for a redaction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Stream

from efface.formats.pdf.object_values import integer, real
from efface.formats.pdf.reader.covers import (
    Box,
    Colour,
    Cover,
    Ring,
    bounds,
    colour_of,
    cover,
    moved,
    rectangle,
    stroke,
)
from efface.formats.pdf.reader.interpreter import Interpreter
from efface.formats.pdf.reader.matrix import Matrix, apply
from efface.formats.pdf.reader.state import matrix

_LAST = 1 << 60  # annotations are painted after all text
_HIDDEN = 2 | 32  # flags: hidden, no view
_OPAQUE = 0.9  # text under an annotation of less opacity can be read
_DARK = 0.25  # text under a highlight of no more brightness cannot be read
_ASKING = ("/Redact", "/StrikeOut")  # the text below is meant to go, whatever the mark looks like
_ON_TEXT = ("/Highlight", "/Underline", "/Squiggly")
_MOST = 5_000  # annotations, and lines of one, that are looked at


def annotation_covers(interpreter: Interpreter, page: pikepdf.Page) -> list[Cover]:
    """The opaque areas of a page's annotations, in the page's coordinates."""
    annotations = page.obj.get("/Annots")
    found: list[Cover] = []
    if not isinstance(annotations, Array):
        return found
    for annotation in list(annotations)[:_MOST]:
        if isinstance(annotation, Dictionary) and not integer(annotation.get("/F")) & _HIDDEN:
            found += _covers(interpreter, annotation)
    return found


def _covers(interpreter: Interpreter, annotation: Dictionary) -> Iterator[Cover]:
    kind = annotation.get("/Subtype")
    rect = _box(annotation.get("/Rect"))
    if rect is None or kind in ("/Link", "/Popup"):
        return
    if kind in _ASKING:
        yield from _ring_covers(_quads(annotation) or [rectangle(rect)], None)
        return
    normal = _appearance(annotation)
    if normal is not None:
        yield from _appearing(interpreter, normal, rect)
        return
    if real(annotation.get("/CA"), 1.0) < _OPAQUE:
        return
    yield from _default_covers(annotation, str(kind), rect)


def _default_covers(annotation: Dictionary, kind: str, rect: Box) -> Iterator[Cover]:
    """What viewers draw for an annotation without an appearance."""
    colour, inside = _colour(annotation.get("/C")), _colour(annotation.get("/IC"))
    if kind in ("/Square", "/Circle", "/Polygon") and inside is not None:
        yield from _ring_covers([rectangle(rect)], inside)
    elif kind in _ON_TEXT and kind == "/Highlight" and colour is not None and max(colour) <= _DARK:
        yield from _ring_covers(_quads(annotation) or [rectangle(rect)], colour)
    elif kind == "/Ink":
        yield from _ring_covers(_strokes(annotation), colour)


def _appearance(annotation: Dictionary) -> Stream | None:
    looks = annotation.get("/AP")
    normal: Any = looks.get("/N") if isinstance(looks, Dictionary) else None
    if isinstance(normal, Dictionary) and not isinstance(normal, Stream):
        normal = normal.get(str(annotation.get("/AS", "")))
    return normal if isinstance(normal, Stream) else None


def _appearing(interpreter: Interpreter, normal: Stream, rect: Box) -> Iterator[Cover]:
    """The areas that an appearance paints, moved to where the annotation is."""
    own = _box(normal.get("/BBox"))
    if own is None:
        return
    turned = bounds([apply(matrix(normal.get("/Matrix")), x, y) for x, y in rectangle(own)])
    wide, tall = turned[2] - turned[0], turned[3] - turned[1]
    if wide <= 0 or tall <= 0:
        return
    across, up = (rect[2] - rect[0]) / wide, (rect[3] - rect[1]) / tall
    to_page: Matrix = (across, 0.0, 0.0, up, rect[0] - turned[0] * across, rect[1] - turned[1] * up)
    for one in interpreter.stream(normal.objgen, normal.objgen).covers:
        rings = [moved(ring, to_page) for ring in one.rings]
        made = cover(rings, _LAST, one.colour, rect)
        if made is not None:
            yield made


def _ring_covers(rings: list[Ring], colour: Colour | None) -> Iterator[Cover]:
    for ring in rings:
        made = cover([ring], _LAST, colour, None)
        if made is not None:
            yield made


def _quads(annotation: Dictionary) -> list[Ring]:
    points = _numbers(annotation.get("/QuadPoints"))
    found: list[Ring] = []
    for at in range(0, len(points) - 7, 8):
        corners = [(points[at + step], points[at + step + 1]) for step in range(0, 8, 2)]
        found.append(rectangle(bounds(corners)))
    return found


def _strokes(annotation: Dictionary) -> list[Ring]:
    style = annotation.get("/BS")
    width = real(style.get("/W"), 1.0) if isinstance(style, Dictionary) else 1.0
    found: list[Ring] = []
    lines = annotation.get("/InkList")
    for line in list(lines)[:_MOST] if isinstance(lines, Array) else ():
        values = _numbers(line)
        points = list(zip(values[::2], values[1::2], strict=False))
        for one, other in pairwise(points):
            found += stroke(one, other, width)
    return found


def _numbers(value: Any) -> list[float]:
    return [real(item) for item in list(value)[: 8 * _MOST]] if isinstance(value, Array) else []


def _colour(value: Any) -> Colour | None:
    return colour_of(_numbers(value))


def _box(value: Any) -> Box | None:
    numbers = _numbers(value)
    return bounds([(numbers[0], numbers[1]), (numbers[2], numbers[3])]) if len(numbers) == 4 else None
