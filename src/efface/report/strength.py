"""What is removed at each strength: the data of the review page's slider and of a report's curves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Finding, Guarantee, Outcome, Reading, Report
from efface.errors import EffaceError
from efface.guarantees.abilities import HasStrength, Level, LimitsDisclosure, ShowsCategory, judges_finds
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.report.plot import PlotLine, Tradeoff
from efface.text.spans import Place

_IN_ALL = 6.0  # seconds for the levels of a report
_THRESHOLDS = tuple(step / 20 for step in range(21))


def lever(guarantees: Iterable[Guarantee]) -> HasStrength | None:
    """The guarantee whose strength the slider moves; without one it moves the threshold of the finders."""
    for guarantee in guarantees:
        if isinstance(guarantee, HasStrength) and guarantee.strength is not None:
            return guarantee
    return None


def is_overrulable(guarantee: Guarantee) -> bool:
    """Whether the guarantee is on finds that a reviewer may overrule."""
    return judges_finds(guarantee) and guarantee.is_overrulable


def thresholds(findings: Iterable[Finding]) -> Iterator[Level]:
    """The places that are removed at each threshold of the finders."""
    scored = [(m.score, (m.start, m.end)) for f in findings for term in f.terms for m in term.mentions]
    for value in _THRESHOLDS:
        yield value, {place for score, place in scored if score >= value}


# --- curves of a report -----------------------------------------------------------------------------------


def tradeoffs(report: Report, bound: BoundPolicy) -> tuple[Tradeoff, ...]:
    """Privacy against kept text, for each guarantee with a strength. Computed only when a report is asked for."""
    document = report.document
    bound = bound.at(document)
    reading: Reading | None = None
    found: list[Tradeoff | None] = []
    for guarantee, outcome in zip(bound.guarantees, report.outcomes, strict=False):
        name = outcome.claim.name
        if is_overrulable(guarantee):
            found.append(_thresholds(outcome, document.text))
        elif isinstance(guarantee, LimitsDisclosure):
            found.append(_disclosures(outcome, guarantee.levels_of(outcome.before), document.text))
        elif isinstance(guarantee, HasStrength) and guarantee.strength is not None:
            reading = reading or find(document, bound)
            found.append(_crowds(reading, guarantee, name))
    return tuple(curve for curve in found if curve is not None)


def _thresholds(outcome: Outcome, text: str) -> Tradeoff | None:
    levels = list(thresholds(outcome.before))
    asked = outcome.claim.parameters.get("threshold", 0.0)
    chosen = float(asked) if isinstance(asked, int | float) else None
    if len({len(places) for _, places in levels}) < 2:
        return None
    return _kept_text_tradeoff(f"{outcome.claim.name}: the surer a finder must be, the more stays", "how sure a finder must be", levels, text, chosen)  # fmt: skip


def _disclosures(outcome: Outcome, found: Iterator[Level], text: str) -> Tradeoff | None:
    levels = _thinned(list(found))
    if len(levels) < 2:
        return None
    title = f"{outcome.claim.name}: the less may be told, the more goes"
    curve = _kept_text_tradeoff(title, "bits that may be told", levels, text, levels[-1][0])
    told = outcome.plan.utility if outcome.plan else None
    says = "As if terms could only be removed."
    if told is not None:
        says += f" The released file also generalises, and keeps {told:.0%} of the information content."
    return replace(curve, caption=says)


def _crowds(reading: Reading, guarantee: HasStrength, name: str) -> Tradeoff | None:
    """k = 1 asks for nothing."""
    levels: list[Level] = [(1.0, set())]
    began = time.monotonic()
    try:
        for level in guarantee.levels(reading):
            levels.append(level)
            if time.monotonic() - began > _IN_ALL:
                break
    except EffaceError:
        return None
    if len(levels) < 2:
        return None
    title = f"{name}: the larger the crowd, the more goes"
    curve = _kept_text_tradeoff(
        title, "k, the size of the crowd", levels, reading.document.text, guarantee.strength
    )
    return replace(curve, lines=(*curve.lines, *_category_lines(reading, guarantee, levels)))


def _category_lines(reading: Reading, guarantee: HasStrength, levels: Sequence[Level]) -> Iterator[PlotLine]:
    """How surely a trained reader still recognises what should show."""
    if not isinstance(guarantee, ShowsCategory):
        return
    ks = [round(k) for k, _ in levels]
    shares = guarantee.shown(reading, ks)
    if shares:
        yield PlotLine("that the category which should show still does", tuple(shares[k] for k in ks))


def _kept_text_tradeoff(
    title: str, axis: str, levels: Sequence[Level], text: str, chosen: float | None
) -> Tradeoff:
    ordered = sorted(levels, key=lambda level: level[0])
    shares = tuple(_share_outside(places, len(text)) for _, places in ordered)
    line = PlotLine("share of the text that stays", shares)
    return Tradeoff(title, axis, tuple(value for value, _ in ordered), (line,), chosen)


def _share_outside(places: set[Place], length: int) -> float:
    """The share of a text outside of these places, which may overlap."""
    gone = last = 0
    for start, end in sorted(places):
        gone += max(0, end - max(start, last))
        last = max(last, end)
    return 1 - gone / length if length else 1.0


def _thinned(levels: Sequence[Level]) -> list[Level]:
    """At most twenty, the last among them, each strength once: so much may stay that the least must go."""
    by_value: dict[float, set[Place]] = {}
    for value, places in levels[:-1]:
        by_value.setdefault(round(value, 2), places)
    for value, places in levels[-1:]:
        by_value[round(value, 2)] = places
    rows = list(by_value.items())
    step = -(-len(rows) // 19) if rows else 1
    return [*rows[:-1:step], rows[-1]] if rows else []
