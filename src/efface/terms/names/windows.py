"""Stretches of a text that the model reads at once: they end where a sentence or a line does, see a little of
what precedes them, and come in batches of like length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.terms.names.tokens import EMPTY_LINE, END, GAPS, PAD, START, Words

SIZE = 160  # pieces in a window, with its two marks
BEFORE = 12  # pieces before a window's own that it reads as context
BATCH = 256  # pieces in a batch: more leaves a processor idle at the end, and takes more memory
PADDING = 8  # how much shorter than the longest a row of a batch may be
_ENDS = 0.6  # a window is cut at a sentence's end if one is in its last part

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Row:
    """A window as the model takes it, where in it the first pieces of its own words are, and which words
    of the text these are."""

    ids: Small
    features: Small
    places: Ints
    words: Ints

    @property
    def key(self) -> bytes:
        """The same for windows that read the same and tell of the same words."""
        return self.ids.tobytes() + self.features.tobytes() + self.places.tobytes()


def rows(words: Words, ends: Bools, read: Bools) -> Iterator[Row]:
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
        yield Row(
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


def batches(given: list[Row]) -> Iterator[list[Row]]:
    """Rows of like length together; the longest come first, so that the last to end are short."""
    batch: list[Row] = []
    for one in sorted(given, key=lambda one: len(one.ids), reverse=True):
        length = len(one.ids)
        if batch and (len(batch[0].ids) * (len(batch) + 1) > BATCH or len(batch[0].ids) - length > PADDING):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def arrays(batch: list[Row]) -> tuple[Ints, Ints, Ints]:
    """A batch padded to its longest row: pieces, features, and which of them are there."""
    length = max(len(one.ids) for one in batch)
    ids = np.full((len(batch), length), PAD, np.int64)
    features = np.zeros((len(batch), length), np.int64)
    for number, one in enumerate(batch):
        ids[number, : len(one.ids)] = one.ids
        features[number, : len(one.ids)] = one.features
    return ids, features, (ids != PAD).astype(np.int64)
