"""Stretches of a text that the model reads at once: they end where a paragraph or at least a sentence does, and
see a little of what precedes them. Behind a change the windows meet the old ones again at the end of a paragraph, so what
was read there before need not be read again.

Each is read alone. A row that is padded to the length of another one reads a little differently, so a release would be
judged otherwise in rounds that remember windows than when it is verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import CUT, EMPTY_LINE, END, GAPS, PAD, SIGN, START, WordPieces

SIZE = 160  # pieces in a window, with its two marks
BEFORE = 12  # pieces before a window's own that it reads as context
_ENDS = 0.6  # a window is cut where a paragraph or a sentence ends in its last part

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A window as the model takes it, where in it the first pieces of its own words are, and which words
    of the text these are."""

    ids: Small
    features: Small
    places: Ints
    words: Ints

    @property
    def key(self) -> bytes:
        """A key that windows share when their input and the places of their own words are equal."""
        return self.ids.tobytes() + self.features.tobytes() + self.places.tobytes()


def rows(words: WordPieces, ends: Bools, read: Bools) -> Iterator[WindowRow]:
    """Windows over the words that are to be `read`; `ends` says where sentences end."""
    lengths = np.diff(words.heads)
    cases = np.where(words.cases == CUT, SIGN, words.cases)  # to the network a placeholder is an unknown sign
    marks = np.repeat((cases * GAPS + words.gaps).astype(np.int32), lengths)
    pieces = words.pieces
    if not read.all():
        inside = np.repeat(read, lengths)
        marks, pieces, lengths = marks[inside], pieces[inside], lengths[read]
    numbers, heads = np.flatnonzero(read), np.concatenate(([0], lengths.cumsum()))
    apart = words.gaps[read] >= EMPTY_LINE
    stops = (np.flatnonzero(apart), np.flatnonzero(ends[read]) + 1)
    for begin, first, last in _windows(heads, stops, apart):
        low, high = heads[begin], heads[last]
        yield WindowRow(
            np.concatenate(([START], pieces[low:high], [END])).astype(np.int32),
            np.concatenate(([0], marks[low:high], [0])).astype(np.int32),
            heads[first:last] - low + 1,
            numbers[first:last],
        )


def _windows(heads: Ints, stops: Sequence[Ints], apart: Bools) -> Iterator[tuple[int, int, int]]:
    """Words `[first, last)`, read from `begin` on. `stops` are the words before which something ended, the strongest
    ends first; one that stands `apart` from what precedes it needs no context."""
    count, first = len(heads) - 1, 0
    while first < count:
        begin = first if apart[first] else int(np.searchsorted(heads, heads[first] - BEFORE))
        room = heads[begin] + SIZE - 2
        last = int(np.searchsorted(heads, room, side="right")) - 1
        if last < count:
            low = heads[first] + (room - heads[first]) * _ENDS
            enough = max(first + 1, int(np.searchsorted(heads, low)))
            # The strongest end that leaves the window well filled; without one it is cut where it is full.
            ends = [_last_stop(some, last) for some in stops]
            last = next((end for end in ends if end >= enough), last)
        yield begin, first, last
        first = last


def _last_stop(stops: Ints, bound: int) -> int:
    """The last stop that is not behind `bound`, or 0."""
    at = int(np.searchsorted(stops, bound, side="right"))
    return int(stops[at - 1]) if at else 0


def arrays(row: WindowRow) -> tuple[Ints, Ints, Ints]:
    """A window as the model takes it: pieces, features, and which of them are there."""
    ids = row.ids.astype(np.int64)[None, :]
    return ids, row.features.astype(np.int64)[None, :], (ids != PAD).astype(np.int64)
