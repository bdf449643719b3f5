"""From probabilities of words to mentions: runs of words of one type, each with a score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from efface.finders.names.model import TYPES, WordPredictions
from efface.finders.names.tokens import SIGN
from efface.text.letter_classes import SMALL

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

_OPENING = frozenset("([{\"'“‘«<")  # never the first of a mention
_SPACE, _LINE = 0.5, 0.25  # how surely a mention must begin after a space, and a person's on a new line
_PERSON, _DATE = TYPES.index("PERSON"), TYPES.index("DATE_TIME")
_NAME_KINDS = tuple(map(TYPES.index, ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "NRP")))
# How probable it must be that a word is of some name, to take it for one whose kind is not sure. Chosen on the tuning parts of
# the training sources, where .35 finds half a point more and is wrong in .7 points more than no such rule.
NAMED = {"recall": 0.35, "precision": 0.75}
_DATE_OR_NAME = 0.6  # how sure both kinds must be, where a date and a name meet, to be two mentions
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
    ends = _run_bounds(labels, judged, gaps)
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


def with_unsure_kinds(
    judged: WordPredictions,
    limits: Mapping[str, float],
    least: float | Floats,
    kinds: Sequence[int] = _NAME_KINDS,
) -> WordPredictions:
    """The predictions, with a word lifted to its kind's threshold that is a name by at least `least`, though its kind is
    not sure: "Papworth" may be a person, a place or a hospital, but hardly a word. `least` is one for all words or one for each;
    `kinds` are columns of the types."""
    types = np.array(judged.types)
    columns = list(kinds)
    thresholds = [limits[TYPES[kind]] for kind in columns]
    types[:, columns] = lifted_to_limits(types[:, columns], thresholds, least)
    return WordPredictions(types, judged.begins, judged.mask)


def lifted_to_limits(chances: Floats, limits: Sequence[float], least: float | Floats) -> Floats:
    """How probable each kind is, at least its threshold for the best kind of a word whose kinds together reach `least`."""
    named = np.flatnonzero(chances.sum(1) >= least)
    best = chances[named].argmax(1)
    lifted = np.array(chances)
    lifted[named, best] = np.maximum(lifted[named, best], np.array(limits, np.float32)[best])
    return lifted


def _run_bounds(labels: Ints, judged: WordPredictions, gaps: Small) -> Ints:
    """First, last, first, last … of the runs. One ends where the next begins: where the model says so and there
    is a space (less surely with a new line, if it is a person), where the type changes with the line, and where a date
    meets a name: "on 7 March Anna Kowalska wrote"."""
    before = np.concatenate(([-1], labels[:-1]))
    enough = np.where((gaps >= 2) & (labels == _PERSON), _LINE, _SPACE)
    new = (judged.begins >= enough) & ((gaps > 0) | (before != labels))
    changes = (before != labels) & ((gaps >= 2) | _meets_date(labels, judged, gaps))
    first = (labels >= 0) & ((before < 0) | new | changes)
    starts = np.flatnonzero(first)
    stops = np.flatnonzero((labels < 0) | first)
    lasts = np.append(stops, len(labels))[np.searchsorted(stops, starts, side="right")]
    return np.column_stack((starts, lasts)).ravel()


def _meets_date(labels: Ints, judged: WordPredictions, gaps: Small) -> Bools:
    """For each word whether it is a date behind a name, or a name behind a date, and both are sure."""
    sure = judged.types.max(1) >= _DATE_OR_NAME
    is_date = labels == _DATE
    meets = np.zeros(len(labels), bool)
    meets[1:] = (is_date[1:] != is_date[:-1]) & sure[1:] & sure[:-1] & (gaps[1:] > 0)
    return meets


def _bridge(labels: Ints, cases: Small, gaps: Small) -> None:
    """Signs without spaces between two words of one type take their type."""
    empty = np.flatnonzero((labels[1:-1] < 0) & (labels[:-2] >= 0) & (labels[:-2] == labels[2:])) + 1
    joined = empty[(cases[empty] == SIGN) & (gaps[empty] == 0) & (gaps[empty + 1] == 0)]
    labels[joined] = labels[joined - 1]


_LONG_WORD = 5  # letters of a word that is no abbreviation
# "Sandy.", "08:40." and "1980.", not "Inc.", "J.R." and the German "3."
_SENTENCE_END = re.compile(rf"(?:{SMALL}{{4}}|:[0-9]{{2}}|[0-9]{{4}})\.\Z")


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
