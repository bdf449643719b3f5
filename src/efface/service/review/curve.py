"""The slider's curve: computed once, so that the page repaints without asking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from efface.core import Guarantee
from efface.errors import EffaceError
from efface.guarantees.confusability import Confusability
from efface.service.review.deciding import JUDGED
from efface.service.review.flow import Prepared, lever, with_k

_LEVELS = 10
_SECONDS = 1.0  # for each level
_THRESHOLDS = tuple(step / 20 for step in range(21))

Place = tuple[int, int]


def curve(prepared: Prepared) -> dict[str, Any]:
    """The levels, and for each place a mask of the levels at which it goes. What other guarantees want goes always."""
    first = lever(prepared.bound)
    levels = list(_thresholds(prepared)) if first is None else list(_crowds(prepared, first))
    always = {place for g in prepared.bound.guarantees if g is not first for place in _wanted(prepared, g)}
    masks: dict[Place, int] = {}
    for number, (_, places) in enumerate(levels):
        for place in places | (always if first is not None else set()):
            masks[place] = masks.get(place, 0) | 1 << number
    return {
        "kind": "threshold" if first is None else "k",
        "guarantee": "absence" if first is None else first.claim.name,
        "policy": 0.0 if first is None else getattr(first, "k", 0),
        "levels": [value for value, _ in levels],
        "places": [[start, end, mask] for (start, end), mask in sorted(masks.items())],
    }


def _wanted(prepared: Prepared, guarantee: Guarantee) -> set[Place]:
    try:
        findings = guarantee.assess(prepared.reading)
        edits = guarantee.plan(prepared.reading, findings).edits if findings else ()
    except EffaceError:
        return set()
    return {(edit.start, edit.end) for edit in edits}


def _thresholds(prepared: Prepared) -> Iterator[tuple[float, set[Place]]]:
    scored = [
        (m.score, (m.start, m.end))
        for g in prepared.bound.guarantees
        if g.claim.name in JUDGED
        for finding in g.assess(prepared.reading)
        for term in finding.terms
        for m in term.mentions
    ]
    for value in _THRESHOLDS:
        yield value, {place for score, place in scored if score >= value}


def _crowds(prepared: Prepared, first: Guarantee) -> Iterator[tuple[float, set[Place]]]:
    top = max(_LEVELS, getattr(first, "k", 2) + 2)
    if isinstance(first, Confusability):
        top = min(top, len(first.model.sensitive.names))
        slider = first.sensitivity(prepared.reading, top)
        for k in range(2, top + 1):
            steps = slider.needed(k)
            if steps is not None:
                yield k, {(span.start, span.end) for span in slider.spans(k, steps)}
        return
    for k in range(2, top + 1):
        level = with_k(first, k)
        yield k, _wanted(prepared, replace(level, time_limit=_SECONDS))  # type: ignore[type-var]
