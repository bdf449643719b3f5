"""Annotations that lie on removed text: their outlines must not keep its width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary

from efface.formats.pdf.fonts import real
from efface.formats.pdf.layout import Quad

_ON_TEXT = ("/Link", "/Highlight", "/Underline", "/StrikeOut", "/Squiggly")


def blur(page: pikepdf.Page, regions: Sequence[Quad]) -> None:
    """A link or highlight over a removal takes the removal's rounded outline."""
    annotations = page.obj.get("/Annots")
    if not isinstance(annotations, Array) or not regions:
        return
    boxes = [_bounds(region) for region in regions]
    for annotation in annotations:
        if not isinstance(annotation, Dictionary) or annotation.get("/Subtype") not in _ON_TEXT:
            continue
        rect = _rectangle(annotation.get("/Rect"))
        touched = [box for box in boxes if rect and _overlap(rect, box)]
        if not touched or rect is None:
            continue
        wide = min(box[2] - box[0] for box in touched)
        covered = _union([rect, *touched]) if rect[2] - rect[0] > 1.5 * wide else _union(touched)
        annotation["/Rect"] = Array(covered)
        if "/QuadPoints" in annotation:
            left, bottom, right, top = covered
            annotation["/QuadPoints"] = Array([left, top, right, top, left, bottom, right, bottom])
        if "/AP" in annotation:
            del annotation["/AP"]


def _bounds(quad: Quad) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return round(min(xs), 2), round(min(ys), 2), round(max(xs), 2), round(max(ys), 2)


def _rectangle(value: Any) -> tuple[float, float, float, float] | None:
    if not isinstance(value, Array) or len(value) != 4:
        return None
    a, b, c, d = (real(item) for item in value)
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _union(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
