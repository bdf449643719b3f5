"""What goes at each strength: behind the slider of the review page and the curves of a report."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Finding, Guarantee, Outcome, Reading, Report
from efface.errors import EffaceError
from efface.pipeline import Bound, find
from efface.report.plot import Line, Tradeoff

JUDGED = ("absence", "identifiers")  # guarantees on finds that a person may overrule
_LEVELS = 10
_MOST = 24  # levels
_SECONDS = 1.0  # for each level
_IN_ALL = 6.0  # seconds for the levels of a report
_THRESHOLDS = tuple(step / 20 for step in range(21))

Place = tuple[int, int]
Level = tuple[float, set[Place]]


def lever(guarantees: Iterable[Guarantee]) -> Guarantee | None:
    """The guarantee whose k the slider moves; without one the slider moves the threshold of the finders."""
    return next((g for g in guarantees if isinstance(getattr(g, "k", None), int)), None)


def with_k(guarantee: Guarantee, k: int) -> Guarantee:
    changed: Guarantee = replace(guarantee, k=k)  # type: ignore[type-var]
    return changed


def wanted(reading: Reading, guarantee: Guarantee) -> set[Place]:
    """What the guarantee would take out by itself."""
    try:
        findings = guarantee.assess(reading)
        edits = guarantee.plan(reading, findings).edits if findings else ()
    except EffaceError:
        return set()
    return {(edit.start, edit.end) for edit in edits}


def thresholds(findings: Iterable[Finding]) -> Iterator[Level]:
    """What goes when finders must be so sure."""
    scored = [(m.score, (m.start, m.end)) for f in findings for term in f.terms for m in term.mentions]
    for value in _THRESHOLDS:
        yield value, {place for score, place in scored if score >= value}


def crowds(reading: Reading, guarantee: Guarantee) -> Iterator[Level]:
    """What goes for each k. A k that no choice of words gives is left out."""
    from efface.guarantees.confusability import Confusability

    asked = getattr(guarantee, "k", 2)
    top = max(_LEVELS, asked + 2)
    if isinstance(guarantee, Confusability):
        top = min(top, len(guarantee.model.sensitive.names))
        slider = guarantee.sensitivity(reading, top)
        for k in _ks(asked, top):
            steps = slider.needed(k)
            if steps is not None:
                yield k, {(span.start, span.end) for span in slider.spans(k, steps)}
        return
    for k in _ks(asked, top):
        level = replace(with_k(guarantee, k), time_limit=_SECONDS)  # type: ignore[type-var]
        yield k, wanted(reading, level)


def _ks(asked: int, top: int) -> list[int]:
    """From 2 to the top, the policy's own among them; few enough for a mask of 32 bits."""
    step = -(-(top - 1) // _MOST)
    return sorted({k for k in (*range(2, top + 1, step), asked) if 2 <= k <= top})


def disclosures(findings: Sequence[Finding]) -> Iterator[Level]:
    """What goes, if terms may only be removed, so that nothing says more than so many bits.

    The most telling first; of a group the term that stands in the text least often.
    """
    known = [finding for finding in findings if finding.amount < float("inf")]
    gone: set[Place] = {
        (m.start, m.end) for f in findings if f.amount == float("inf") for t in f.terms for m in t.mentions
    }
    for finding in sorted(known, key=lambda one: -one.amount):
        yield finding.amount, set(gone)
        places = [{(m.start, m.end) for m in term.mentions} for term in finding.terms]
        if places and not any(term <= gone for term in places):
            gone |= min(places, key=len)
    if known:
        yield min(finding.limit for finding in known), set(gone)


# --- curves of a report -----------------------------------------------------------------------------------


def tradeoffs(report: Report, bound: Bound) -> tuple[Tradeoff, ...]:
    """Privacy against what is kept, for each guarantee that has a strength. Made only when a report is asked for."""
    document = report.document
    bound = bound.at(document)
    reading: Reading | None = None
    found: list[Tradeoff | None] = []
    for guarantee, outcome in zip(bound.guarantees, report.outcomes, strict=False):
        name = outcome.claim.name
        if name in JUDGED:
            found.append(_thresholds(outcome, document.text))
        elif name == "semantic":
            found.append(_disclosures(outcome, document.text))
        elif isinstance(getattr(guarantee, "k", None), int):
            reading = reading or find(document, bound)
            found.append(_crowds(reading, guarantee))
    return tuple(curve for curve in found if curve is not None)


def _thresholds(outcome: Outcome, text: str) -> Tradeoff | None:
    levels = list(thresholds(outcome.before))
    asked = outcome.claim.parameters.get("threshold", 0.0)
    chosen = float(asked) if isinstance(asked, int | float) else None
    if len({len(places) for _, places in levels}) < 2:
        return None
    return _kept(f"{outcome.claim.name}: the surer a finder must be, the more stays", "how sure a finder must be", levels, text, chosen)  # fmt: skip


def _disclosures(outcome: Outcome, text: str) -> Tradeoff | None:
    levels = _thinned(list(disclosures(outcome.before)))
    if len(levels) < 2:
        return None
    curve = _kept(
        "semantic: the less may be told, the more goes", "bits that may be told", levels, text, levels[-1][0]
    )
    told = outcome.plan.utility if outcome.plan else None
    says = "As if terms could only be removed."
    if told is not None:
        says += f" The released file also generalises, and keeps {told:.0%} of the information content."
    return replace(curve, caption=says)


def _crowds(reading: Reading, guarantee: Guarantee) -> Tradeoff | None:
    """k = 1 asks for nothing."""
    levels: list[Level] = [(1.0, set())]
    began = time.monotonic()
    try:
        for level in crowds(reading, guarantee):
            levels.append(level)
            if time.monotonic() - began > _IN_ALL:
                break
    except EffaceError:
        return None
    name, k = guarantee.claim.name, getattr(guarantee, "k", None)
    if len(levels) < 2:
        return None
    curve = _kept(
        f"{name}: the larger the crowd, the more goes",
        "k, the size of the crowd",
        levels,
        reading.document.text,
        k,
    )
    return replace(curve, lines=(*curve.lines, *_shown(reading, guarantee, levels)))


def _shown(reading: Reading, guarantee: Guarantee, levels: Sequence[Level]) -> Iterator[Line]:
    """How surely a trained reader still tells what should show."""
    from efface.guarantees.confusability import Confusability

    if not isinstance(guarantee, Confusability) or not guarantee.keep:
        return
    slider = guarantee.sensitivity(reading, max(round(k) for k, _ in levels))
    shares = []
    for k, _ in levels:
        chances = dict(slider.at(round(k), slider.needed(round(k)) or 0).utility)
        shares.append(sum(chances.get(name, 0.0) for name in guarantee.keep))
    yield Line("that the category which should show still does", tuple(shares))


def _kept(title: str, axis: str, levels: Sequence[Level], text: str, chosen: float | None) -> Tradeoff:
    ordered = sorted(levels, key=lambda level: level[0])
    shares = tuple(_share(places, len(text)) for _, places in ordered)
    line = Line("share of the text that stays", shares)
    return Tradeoff(title, axis, tuple(value for value, _ in ordered), (line,), chosen)


def _share(places: set[Place], length: int) -> float:
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
