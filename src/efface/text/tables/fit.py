"""Which column a stretch of a row stands in, by the places of the column's labels."""

from __future__ import annotations

from collections.abc import Sequence

_MUCH = 0.2  # a stretch that covers less than this part of a label is not in its column

Extent = tuple[float, float]


def column_of(stretch: Extent, labels: Sequence[Extent]) -> int | None:
    """The column whose label stands above the stretch, else the nearest. None if the stretch reaches over several."""
    start, end = stretch
    overlaps = [min(end, high) - max(start, low) for low, high in labels]
    reached = 0
    for overlap, (low, high) in zip(overlaps, labels, strict=True):
        reached += overlap > _MUCH * (high - low)
    return overlaps.index(max(overlaps)) if reached < 2 else None
