"""From probabilities of words to mentions: runs of words of one type, each with a score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.finders.names.model import TYPES, WordPredictions
from efface.finders.names.tokens import SIGN

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]

_OPENING = frozenset("([{\"'“‘«<")  # never the first of a mention
_SPACE, _LINE = 0.5, 0.25  # how surely a mention must begin after a space, and a person's on a new line
_PERSON = TYPES.index("PERSON")
_CLOSING = frozenset(")]}\"'”’»>,;:!?-–—/&|*")  # never the last


@dataclass(frozen=True, slots=True)
class DecodedMention:
    """The words `[first, last)`, what they are, and how sure that is; `mask` is how surely they identify."""

    first: int
    last: int
    type: str
    score: float
    mask: float


def decode(
    judged: WordPredictions, thresholds: Mapping[str, float], cases: Small, gaps: Small
) -> Iterator[DecodedMention]:
    """Runs of words whose most probable type reaches its threshold. A hyphen or apostrophe between two
    words of one type belongs to them. Where the words of a run disagree, its type is what they say together."""
    limits = np.array([thresholds[kind] for kind in TYPES], np.float32)
    best = judged.types.argmax(1)
    marked = judged.types[np.arange(len(best)), best] >= limits[best]
    labels = np.where(marked, best, -1)
    _bridge(labels, cases, gaps)
    ends = _ends(labels, judged.begins, gaps)
    if not len(ends):
        return
    # reduceat sums from each place to the next one; what lies between two runs is every second sum.
    shares = np.add.reduceat(np.vstack((judged.types, np.zeros_like(judged.types[:1]))), ends)[::2]
    masks = np.add.reduceat(np.append(judged.mask, 0), ends)[::2]
    firsts, lasts = ends[::2].tolist(), ends[1::2].tolist()
    for first, last, kind, share, mask in zip(
        firsts, lasts, shares.argmax(1).tolist(), shares.max(1).tolist(), masks.tolist(), strict=True
    ):
        yield DecodedMention(first, last, TYPES[kind], share / (last - first), mask / (last - first))


def _ends(labels: Ints, begins: npt.NDArray[np.float32], gaps: Small) -> Ints:
    """First, last, first, last … of the runs. One ends where the next begins: where the model says so and there
    is a space (less surely with a new line, if it is a person), and where the type changes with the line."""
    before = np.concatenate(([-1], labels[:-1]))
    enough = np.where((gaps >= 2) & (labels == _PERSON), _LINE, _SPACE)
    new = (begins >= enough) & ((gaps > 0) | (before != labels))
    first = (labels >= 0) & ((before < 0) | new | ((before != labels) & (gaps >= 2)))
    starts = np.flatnonzero(first)
    stops = np.flatnonzero((labels < 0) | first)
    lasts = np.append(stops, len(labels))[np.searchsorted(stops, starts, side="right")]
    return np.column_stack((starts, lasts)).ravel()


def _bridge(labels: Ints, cases: Small, gaps: Small) -> None:
    """Signs without spaces between two words of one type take their type."""
    empty = np.flatnonzero((labels[1:-1] < 0) & (labels[:-2] >= 0) & (labels[:-2] == labels[2:])) + 1
    joined = empty[(cases[empty] == SIGN) & (gaps[empty] == 0) & (gaps[empty + 1] == 0)]
    labels[joined] = labels[joined - 1]


_LONG_WORD = 5  # letters of a word that is no abbreviation
# "Sandy.", "08:40." and "1980.", not "Inc.", "J.R." and the German "3."
_SENTENCE_END = re.compile(r"(?:[^\W\d_A-Z]{4}|:[0-9]{2}|[0-9]{4})\.\Z")


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without quotation marks, brackets and commas at its ends; brackets that belong together stay."""
    while start < end and (text[start] in _OPENING or text[start].isspace() or text[start] in ",.;:!?)-"):
        start += 1
    while start < end and (text[end - 1] in _CLOSING or text[end - 1] in "([" or text[end - 1].isspace()):
        if text[end - 1] == ")" and text.count("(", start, end) >= text.count(")", start, end):
            break
        end -= 1
    if _SENTENCE_END.search(text, max(start, end - _LONG_WORD), end) is not None:
        end -= 1
    return start, end
