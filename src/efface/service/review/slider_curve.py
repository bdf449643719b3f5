"""The slider's curve: computed once, so that the page repaints without asking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from efface.core import Finding, Guarantee
from efface.guarantees.abilities import wanted_places
from efface.report.strength import is_overrulable, lever, thresholds
from efface.service.review.run_with_decisions import ReviewInput
from efface.text.spans import Place


def curve(prepared: ReviewInput) -> dict[str, Any]:
    """The levels, and for each place a mask of the levels that remove it. Places that other guarantees remove are
    removed at all levels."""
    first = lever(prepared.bound.guarantees)
    if first is None:
        overrulable = [guarantee for guarantee in prepared.bound.guarantees if is_overrulable(guarantee)]
        levels = list(thresholds(_findings(prepared, overrulable)))
        always: set[Place] = set()
        name = overrulable[0].claim.name if overrulable else ""
        head = {"kind": "threshold", "guarantee": name, "policy": 0.0}
    else:
        levels = list(first.levels(prepared.reading))
        always = _wanted_besides(prepared, first)
        head = {"kind": "k", "guarantee": first.claim.name, "policy": first.strength}
    masks: dict[Place, int] = {}
    for number, (_, places) in enumerate(levels):
        for place in places | always:
            masks[place] = masks.get(place, 0) | 1 << number
    rows = [[start, end, mask] for (start, end), mask in sorted(masks.items())]
    return {**head, "levels": [value for value, _ in levels], "places": rows}


def _findings(prepared: ReviewInput, guarantees: Iterable[Guarantee]) -> Iterator[Finding]:
    for guarantee in guarantees:
        yield from guarantee.assess(prepared.reading)


def _wanted_besides(prepared: ReviewInput, lever: Guarantee) -> set[Place]:
    """The places that are removed at every setting of the slider."""
    places: set[Place] = set()
    for guarantee in prepared.bound.guarantees:
        if guarantee is not lever:
            places.update(wanted_places(prepared.reading, guarantee))
    return places
