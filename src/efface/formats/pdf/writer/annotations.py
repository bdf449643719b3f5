"""Annotations that lie on removed text: their outlines must not keep its width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.covers import bounds
from efface.formats.pdf.reader.layout import Quad

Box = tuple[float, float, float, float]
_ON_TEXT = ("/Link", "/Highlight", "/Underline", "/StrikeOut", "/Squiggly")


def blur(page: pikepdf.Page, regions: Sequence[Quad]) -> None:
    """A link or highlight over a removal takes the removal's rounded outline."""
    annotations = page.obj.get("/Annots")
    if not isinstance(annotations, Array) or not regions:
        return
    boxes = [_bounds(region) for region in regions]
    for annotation in annotations:
        if isinstance(annotation, Dictionary) and annotation.get("/Subtype") in _ON_TEXT:
            _blur_one(annotation, boxes)


def _blur_one(annotation: Dictionary, boxes: Sequence[Box]) -> None:
    """One annotation. A wide one keeps its outline, widened to whole removals; a narrow one takes theirs."""
    rect = _rectangle(annotation.get("/Rect"))
    if rect is None:
        return
    touched = [box for box in boxes if _overlap(rect, box)]
    if not touched:
        return
    narrowest = min(box[2] - box[0] for box in touched)
    is_wide = rect[2] - rect[0] > 1.5 * narrowest
    covered = _union([rect, *touched]) if is_wide else _union(touched)
    annotation["/Rect"] = Array(covered)
    if "/QuadPoints" in annotation:
        left, bottom, right, top = covered
        annotation["/QuadPoints"] = Array([left, top, right, top, left, bottom, right, bottom])
    if "/AP" in annotation:
        del annotation["/AP"]


def _bounds(quad: Quad) -> Box:
    left, bottom, right, top = bounds(quad)
    return round(left, 2), round(bottom, 2), round(right, 2), round(top, 2)


def _rectangle(value: Any) -> Box | None:
    if not isinstance(value, Array) or len(value) != 4:
        return None
    a, b, c, d = (real(item) for item in value)
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _union(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)
