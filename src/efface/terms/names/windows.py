"""Stretches of a text that the model reads at once: they end where a sentence or a line does, overlap a
little, and come in batches of like length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.terms.names.tokens import END, GAPS, PAD, START, Words

SIZE = 160  # pieces in a window
BEFORE = 24  # words before a window's own that it reads as context
BATCH = 512  # pieces in a batch: more is no faster and takes more memory
_ENDS = 0.6  # a window is cut at a sentence's end if one is in its last part

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Window:
    """The words `[first, last)`, read from `begin` on; `pieces` is its length with the two marks."""

    begin: int
    first: int
    last: int
    pieces: int


def windows(words: Words, stops: frozenset[int]) -> Iterator[Window]:
    """Windows over all words; `stops` are the pieces that end a sentence."""
    lengths = [len(pieces) for pieces in words.pieces]
    count = len(lengths)
    first = 0
    while first < count:
        begin, used = first, 2
        while begin > 0 and first - begin < BEFORE and used + lengths[begin - 1] <= SIZE // 3:
            begin -= 1
            used += lengths[begin]
        last, best, low = first, 0, used + (SIZE - used) * _ENDS
        while last < count and used + lengths[last] <= SIZE:
            used += lengths[last]
            last += 1
            if used >= low and (last == count or words.gaps[last] >= 2 or words.pieces[last - 1][0] in stops):
                best = last
        if best and last < count:
            used -= sum(lengths[best:last])
            last = best
        yield Window(begin, first, last, used)
        first = last


@dataclass(frozen=True, slots=True)
class Row:
    """A window as the model takes it, and where in it the first pieces of its own words are."""

    ids: Small
    features: Small
    places: Small

    @property
    def key(self) -> bytes:
        """The same for windows that read the same."""
        return self.ids.tobytes() + self.features.tobytes()


def row(words: Words, window: Window) -> Row:
    """The window's pieces between the two marks, and their features."""
    pieces, marks, places = [START], [0], []
    for at in range(window.begin, window.last):
        if at >= window.first:
            places.append(len(pieces))
        cut = words.pieces[at]
        pieces.extend(cut)
        marks.extend([words.cases[at] * GAPS + words.gaps[at]] * len(cut))
    return Row(
        np.array([*pieces, END], np.int32), np.array([*marks, 0], np.int32), np.array(places, np.int32)
    )


def batches(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows of like length together."""
    batch: list[Row] = []
    for one in sorted(rows, key=lambda one: len(one.ids)):
        if batch and len(one.ids) * (len(batch) + 1) > BATCH:
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
