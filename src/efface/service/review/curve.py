"""The slider's curve: computed once, so that the page repaints without asking."""

from __future__ import annotations

from typing import Any

from efface.service.review.flow import Prepared
from efface.strength import JUDGED, Place, crowds, lever, thresholds, wanted


def curve(prepared: Prepared) -> dict[str, Any]:
    """The levels, and for each place a mask of the levels at which it goes. What other guarantees want goes always."""
    guarantees, reading = prepared.bound.guarantees, prepared.reading
    first = lever(guarantees)
    if first is None:
        judged = (f for g in guarantees if g.claim.name in JUDGED for f in g.assess(reading))
        levels = list(thresholds(judged))
    else:
        levels = list(crowds(reading, first))
    always = {place for g in guarantees if g is not first for place in wanted(reading, g)}
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
