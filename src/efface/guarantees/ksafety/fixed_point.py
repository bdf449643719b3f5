"""Notes that are proved because enough other notes are.

A release is held if at least k candidates lead to it, and a candidate leads to it only if their own note is held. This
is a circle, so it is solved as a whole: take all notes that can be reached from this one, drop every note with a place
for which fewer than k candidates are left, and repeat until nothing is dropped. What is left is the largest set of
notes that prove each other.

Where more notes are reached than are judged, none of them counts. This errs on the safe side for every note: a note
that is reached from here reaches no note that this one does not reach, so whoever is counted here as held is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import TypeVar

MOST_NOTES = 500  # of candidates that are judged before efface gives up
TOO_FEW = "fewer than k candidates lead to this release for a reader who reruns efface"
TOO_MANY = "too many notes of candidates would have to be judged to know who leads to this release"

N = TypeVar("N", bound=Hashable)


def doubt(first: N, led_to: Callable[[N], list[Counter[N]] | None], k: int) -> str:
    """Why this note is not proved; empty where it is.

    `led_to` gives, for each place of a note, the notes of its candidates with how many candidates have each; None for
    a note that cannot be proved at all.
    """
    places = _reached(first, led_to)
    if places is None:
        return TOO_MANY
    return "" if first in _largest_proved(places, k) else TOO_FEW


def _reached(
    first: N, led_to: Callable[[N], list[Counter[N]] | None]
) -> dict[N, list[Counter[N]] | None] | None:
    """Every note that is reached over candidates, with its places; None if there are too many."""
    reached: dict[N, list[Counter[N]] | None] = {}
    waiting = [first]
    while waiting:
        note = waiting.pop()
        if note in reached:
            continue
        if len(reached) >= MOST_NOTES:
            return None
        places = reached[note] = led_to(note)
        waiting += [other for place in places or () for other in place if other not in reached]
    return reached


def _largest_proved(places: dict[N, list[Counter[N]] | None], k: int) -> set[N]:
    """Each round drops a note or ends, so there are at most as many rounds as notes."""
    proved = {note for note, found in places.items() if found is not None}
    while True:
        dropped = {note for note in proved if not _is_proved_by(proved, places[note] or [], k)}
        if not dropped:
            return proved
        proved -= dropped


def _is_proved_by(proved: set[N], places: list[Counter[N]], k: int) -> bool:
    return all(_held_by(proved, place) >= k for place in places)


def _held_by(proved: set[N], place: Counter[N]) -> int:
    return sum(count for note, count in place.items() if note in proved)
