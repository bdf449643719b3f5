"""Stretches of a text that the model reads at once: they end where a sentence or a line does, and see a little of
what precedes them.

Each is read alone. A row that is padded to the length of another one reads a little differently, so a release would be
judged otherwise in rounds that remember windows than when it is verified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import EMPTY_LINE, END, GAPS, PAD, START, WordPieces

SIZE = 160  # pieces in a window, with its two marks
BEFORE = 12  # pieces before a window's own that it reads as context
_ENDS = 0.6  # a window is cut at a sentence's end if one is in its last part

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
    marks = np.repeat((words.cases * GAPS + words.gaps).astype(np.int32), lengths)
    pieces = words.pieces
    if not read.all():
        inside = np.repeat(read, lengths)
        marks, pieces, lengths = marks[inside], pieces[inside], lengths[read]
    numbers, heads = np.flatnonzero(read), np.concatenate(([0], lengths.cumsum()))
    apart = words.gaps[read] >= EMPTY_LINE
    for begin, first, last in _windows(heads, np.flatnonzero(ends[read]) + 1, apart):
        low, high = heads[begin], heads[last]
        yield WindowRow(
            np.concatenate(([START], pieces[low:high], [END])).astype(np.int32),
            np.concatenate(([0], marks[low:high], [0])).astype(np.int32),
            heads[first:last] - low + 1,
            numbers[first:last],
        )


def _windows(heads: Ints, stops: Ints, apart: Bools) -> Iterator[tuple[int, int, int]]:
    """Words `[first, last)`, read from `begin` on. `stops` are the words before which a sentence ended; one that
    stands `apart` from what precedes it needs no context."""
    count, first = len(heads) - 1, 0
    while first < count:
        begin = first if apart[first] else int(np.searchsorted(heads, heads[first] - BEFORE))
        room = heads[begin] + SIZE - 2
        last = int(np.searchsorted(heads, room, side="right")) - 1
        if last < count:
            low = heads[first] + (room - heads[first]) * _ENDS
            stop = int(stops[np.searchsorted(stops, last, side="right") - 1]) if last >= stops[0] else 0
            last = stop if stop > first and heads[stop] >= low else last
        yield begin, first, last
        first = last


def arrays(row: WindowRow) -> tuple[Ints, Ints, Ints]:
    """A window as the model takes it: pieces, features, and which of them are there."""
    ids = row.ids.astype(np.int64)[None, :]
    return ids, row.features.astype(np.int64)[None, :], (ids != PAD).astype(np.int64)
