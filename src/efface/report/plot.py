"""Lines over a few points, as SVG without script, with the numbers in a table for who does not see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 14, 22, 40
_STYLES = 12  # line1 to line12 in look.css, no two alike
_APART = 34  # the distance between two numbers on the axis


@dataclass(frozen=True, slots=True)
class PlotLine:
    """A name, and a share (0 to 1) for each place on the axis; None where nothing is known."""

    name: str
    shares: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """What is kept at each strength. Numbers only: no term, class or entity is named."""

    title: str
    axis: str
    places: tuple[float, ...]
    lines: tuple[PlotLine, ...]
    chosen: float | None = None  # the strength that the policy asks for
    caption: str = ""


def plot(data: Tradeoff) -> str:
    """The figure: lines, their names, and a table of the numbers."""
    drawn = "".join(_line(data, number, line) for number, line in enumerate(data.lines))
    said = f"{data.title}: {', '.join(line.name for line in data.lines)} over {data.axis}"
    picture = (
        f"<svg class='plot' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{escape(said, quote=True)}'>"
        f"{_grid(data)}{_chosen(data)}{drawn}</svg>"
    )
    names = "".join(
        f"<li><svg class='plot' viewBox='0 0 26 8'><polyline class='line{_style(number)}' points='0,4 26,4'/></svg>"
        f"{escape(line.name)}</li>"
        for number, line in enumerate(data.lines)
    )
    caption = f"<p class='soft small'>{escape(data.caption)}</p>" if data.caption else ""
    return (
        f"<figure><figcaption>{escape(data.title)}</figcaption><ul class='plot-names'>{names}</ul>{picture}"
        f"{caption}<details><summary>The numbers</summary>{_table(data)}</details></figure>"
    )


def _style(number: int) -> int:
    return number % _STYLES + 1


def _x(data: Tradeoff, place: float) -> float:
    low, high = min(data.places), max(data.places)
    share = (place - low) / (high - low) if high > low else 0.5
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _TOP + (1 - max(0.0, min(1.0, share))) * (_HEIGHT - _TOP - _BOTTOM)


def _line(data: Tradeoff, number: int, line: PlotLine) -> str:
    known = [(p, s) for p, s in zip(data.places, line.shares, strict=True) if s is not None]
    points = " ".join(f"{_x(data, p):.1f},{_y(s):.1f}" for p, s in known)
    style = f"line{_style(number)}"
    dots = "".join(
        f"<circle class='{style}' cx='{_x(data, p):.1f}' cy='{_y(s):.1f}' r='4'>"
        f"<title>{escape(line.name)}: {s:.1%} at {p:g}</title></circle>"
        for p, s in known
    )
    return f"<polyline class='{style}' points='{points}'/>{dots}"


def _grid(data: Tradeoff) -> str:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    pieces = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        kind = "grid" if share else "axis"
        pieces.append(f"<line class='{kind}' x1='{_LEFT}' x2='{right}' y1='{y:.1f}' y2='{y:.1f}'/>")
        pieces.append(f"<text x='{_LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{share:.0%}</text>")
    for place in _ticks(data):
        pieces.append(
            f"<text x='{_x(data, place):.1f}' y='{bottom + 16}' text-anchor='middle'>{place:g}</text>"
        )
    pieces.append(
        f"<text x='{(_LEFT + right) / 2:.0f}' y='{_HEIGHT - 6}' text-anchor='middle'>{escape(data.axis)}</text>"
    )
    return "".join(pieces)


def _ticks(data: Tradeoff) -> Iterator[float]:
    """Places whose numbers do not run into each other."""
    last = -_WIDTH
    for place in data.places:
        if _x(data, place) - last >= _APART:
            yield place
            last = round(_x(data, place))


def _chosen(data: Tradeoff) -> str:
    if data.chosen is None or not min(data.places) <= data.chosen <= max(data.places):
        return ""
    x = _x(data, data.chosen)
    return (
        f"<line class='chosen' x1='{x:.1f}' x2='{x:.1f}' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>"
        f"<text x='{min(max(x, 30), _WIDTH - 34):.1f}' y='{_TOP - 8}' text-anchor='middle'>the policy</text>"
    )


def _table(data: Tradeoff) -> str:
    names = [data.axis, *(line.name for line in data.lines)]
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in names)
    rows = []
    for at, place in enumerate(data.places):
        cells = "".join(f"<td>{_percent(line.shares[at])}</td>" for line in data.lines)
        rows.append(f"<tr><td>{place:g}</td>{cells}</tr>")
    return f"<div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
