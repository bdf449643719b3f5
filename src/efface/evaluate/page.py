"""The evaluation as one HTML page without scripts; the reliability plot is drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import product

from efface.evaluate.calibration import Bin, expected_error
from efface.evaluate.evaluation import Evaluation, tab_figures
from efface.evaluate.scoring import LEVELS

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:right;"
    "border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}"
)
SIZE = 320  # pixels of a diagram's side


def page(result: Evaluation) -> str:
    """The whole page."""
    parts = [
        f"<p>{result.cases} cases, {result.words:,} words, format {escape(result.form)}.</p>",
        _scores(result),
        _figures(result),
        "<h2>Reliability</h2>",
        f"<p>Expected calibration error {expected_error(result.bins):.3f}. A point on the diagonal means "
        "that mentions with this score are right this often.</p>",
        plot(result.bins),
        _comparison(result),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Evaluation</title><style>{_STYLE}</style>'
    return f"{head}<h1>Evaluation</h1>{''.join(parts)}</html>\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in head)]
    for row in rows:
        lines.append("".join(f"<td>{escape(cell)}</td>" for cell in row))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _scores(result: Evaluation) -> str:
    rows = []
    for kind, level in product(result.types, LEVELS):
        tally = result.result.tallies.get((level, kind))
        if tally:
            shares = (tally.recall, tally.precision, tally.f(1), tally.f(2))
            rows.append([kind, level, *(f"{share:.3f}" for share in shares), f"{tally.gold:.0f}"])
    return _table(["type", "level", "recall", "precision", "F1", "F2", "gold"], rows)


def _figures(result: Evaluation) -> str:
    figures = tab_figures(result.result)
    return (
        _table(["measure", "value"], [[name, f"{value:.3f}"] for name, value in figures.items()])
        if figures
        else ""
    )


def _comparison(result: Evaluation) -> str:
    if not result.differences:
        return ""
    rows = [
        [
            d.measure,
            f"{d.first:.3f}",
            f"{d.second:.3f}",
            f"{d.difference:+.3f}",
            f"{d.low:+.3f} to {d.high:+.3f}",
            f"{d.p_value:.4f}",
        ]
        for d in result.differences
    ]
    head = ["measure (tokens)", "first", "second", "difference", "95 %", "p"]
    return f"<h2>Comparison</h2>{_table(head, rows)}"


def plot(bins: Iterable[Bin]) -> str:
    """Score against share of right mentions; the area of a point is how many mentions it stands for."""
    bins = list(bins)
    most = max((bin_.count for bin_ in bins), default=1)
    points = "".join(
        f'<circle cx="{40 + bin_.score * SIZE:.1f}" cy="{10 + (1 - bin_.right) * SIZE:.1f}" '
        f'r="{3 + 9 * (bin_.count / most) ** 0.5:.1f}" fill="#36c" fill-opacity=".6">'
        f"<title>{bin_.count} mentions: score {bin_.score:.2f}, right {bin_.right:.2f}</title></circle>"
        for bin_ in bins
    )
    ticks = "".join(
        f'<text x="{40 + at * SIZE / 5:.0f}" y="{SIZE + 26}" text-anchor="middle">{at / 5:.1f}</text>'
        f'<text x="34" y="{14 + SIZE - at * SIZE / 5:.0f}" text-anchor="end">{at / 5:.1f}</text>'
        for at in range(6)
    )
    return (
        f'<svg width="{SIZE + 60}" height="{SIZE + 50}" font-size="11" role="img" aria-label="Reliability plot">'
        f'<rect x="40" y="10" width="{SIZE}" height="{SIZE}" fill="none" stroke="#999"/>'
        f'<line x1="40" y1="{SIZE + 10}" x2="{SIZE + 40}" y2="10" stroke="#bbb" stroke-dasharray="4"/>'
        f'{ticks}{points}<text x="{40 + SIZE // 2}" y="{SIZE + 42}" text-anchor="middle">score</text></svg>'
    )
