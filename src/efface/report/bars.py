"""Bars one can look at: before, after, and the mark of a limit. Plain SVG, no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

LIMIT = "<span><i class='limit'></i>limit</span>"
LEGEND = (
    "<p class='legend'><span><i class='before'></i>before</span><span><i class='after'></i>after</span>"
    f"{LIMIT}</p>"
)
_WIDTH = 300  # units of the drawing; the page stretches it


def bars(name: str, before: float | None, after: float, limit: float | None, top: float) -> str:
    """One row of bars. `top` is the value that fills the width; what is infinite fills it too."""
    pieces = [_bar("before", before, 1, top), _bar("after", after, 11, top), _limit_line(limit, top)]
    said = f"{name}: {shown(before)} before, {shown(after)} after, limit {shown(limit)}"
    return (
        f"<svg class='bars' viewBox='0 0 {_WIDTH} 20' preserveAspectRatio='none' role='img' "
        f"aria-label='{escape(said, quote=True)}'>{''.join(pieces)}</svg>"
    )


def top_of(values: Sequence[float | None]) -> float:
    """The largest finite value."""
    return max((value for value in values if value is not None and math.isfinite(value)), default=1.0) or 1.0


def shown(value: float | None) -> str:
    """A number for people."""
    if value is None:
        return "-"
    return "∞" if math.isinf(value) else f"{value:.3g}"


def _position(value: float, top: float) -> float:
    return _WIDTH * max(0.0, min(1.0, value / top if math.isfinite(value) else 1.0))


def _bar(kind: str, value: float | None, y: int, top: float) -> str:
    if value is None:
        return ""
    return f"<rect class='{kind}' x='0' y='{y}' width='{_position(value, top):.1f}' height='8' rx='2'/>"


def _limit_line(limit: float | None, top: float) -> str:
    if limit is None or not math.isfinite(limit):
        return ""
    at = min(_position(limit, top), _WIDTH - 1)
    return f"<line class='limit' x1='{at:.1f}' x2='{at:.1f}' y1='0' y2='20'/>"
