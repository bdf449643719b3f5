"""From probabilities of words to mentions: runs of words of one type, each with a score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.terms.names.model import TYPES, Judged
from efface.terms.names.tokens import SIGN

Small = npt.NDArray[np.int8]

_OPENING = frozenset("([{\"'“‘«<")  # never the first of a mention
_CLOSING = frozenset(")]}\"'”’»>,;:!?-–—/&|*")  # never the last


@dataclass(frozen=True, slots=True)
class Found:
    """The words `[first, last)`, what they are, and how sure that is; `mask` is how surely they identify."""

    first: int
    last: int
    type: str
    score: float
    mask: float


def decode(judged: Judged, thresholds: Mapping[str, float], cases: Small, gaps: Small) -> Iterator[Found]:
    """Runs of words whose most probable type reaches its threshold. A hyphen or apostrophe between two
    words of one type belongs to them."""
    limits = np.array([thresholds[kind] for kind in TYPES], np.float32)
    best = judged.types.argmax(1)
    marked = judged.types[np.arange(len(best)), best] >= limits[best]
    labels = np.where(marked, best, -1)
    _bridge(labels, cases, gaps)
    at, count = 0, len(labels)
    marks = np.flatnonzero(labels >= 0)
    for place in marks:
        if place < at:
            continue
        kind, last = labels[place], int(place) + 1
        while last < count and labels[last] == kind and judged.begins[last] < 0.5:
            last += 1
        at = last
        score = float(judged.types[place:last, kind].mean())
        yield Found(int(place), last, TYPES[kind], score, float(judged.mask[place:last].mean()))


def _bridge(labels: npt.NDArray[np.int64], cases: Small, gaps: Small) -> None:
    """Signs that stand without spaces between two words of one type take their type."""
    empty = np.flatnonzero((labels[1:-1] < 0) & (labels[:-2] >= 0) & (labels[:-2] == labels[2:])) + 1
    for at in empty:
        if cases[at] == SIGN and gaps[at] == 0 and gaps[at + 1] == 0:
            labels[at] = labels[at - 1]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without quotation marks, brackets and commas at its ends; brackets that belong together stay."""
    while start < end and (text[start] in _OPENING or text[start].isspace() or text[start] in ",.;:!?)-"):
        start += 1
    while start < end and (text[end - 1] in _CLOSING or text[end - 1] in "([" or text[end - 1].isspace()):
        if text[end - 1] == ")" and "(" in text[start:end]:
            break
        end -= 1
    return start, end
