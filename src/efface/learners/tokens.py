"""A text as tokens in sentences. A placeholder of efface is one token: the mark of something removed."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# Pad words of a sentence, and the word for what was removed. No token of a text equals them.
BEGIN, END, MARK = "\x02", "\x03", "\x1a"

_HIDDEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u0300-\u036f"  # invisible, or accents apart
_TOKEN = re.compile(
    r"\[[A-Z][A-Z0-9_]{0,63}(?:\]|:[!-\\^-~]{1,400}\])"
    rf"|[^\W_]+(?:[{_HIDDEN}][^\W_]*)*(?:['’](?![sS](?![^\W_]))[^\W\d_](?:[^\W\d_]|[{_HIDDEN}])+)?"
    r"|[^\w\s]|_"
)
_LINE = re.compile("\n")
_STRIPPED = re.compile(f"[{_HIDDEN}]")
_LONGEST = 120  # tokens; a list without full stops is cut
_SHORT_LINE = 9  # tokens (characters would count a placeholder's length); a shorter line ends by intent
_ENDS = frozenset(".!?")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st jr sr no vs inc co corp ltd gen col sgt capt rev hon sen rep gov art para "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """A text, its words as the features see them, their places, and the first token of every sentence."""

    text: str
    words: tuple[str, ...]
    starts: Ints
    ends: Ints
    firsts: Ints

    def __len__(self) -> int:
        return len(self.words)


def tokenize(text: str) -> Tokens:
    matches = list(_TOKEN.finditer(text))
    words = tuple(_normalized([match[0] for match in matches]))
    starts = np.array([match.start() for match in matches], np.int64)
    ends = np.array([match.end() for match in matches], np.int64)
    firsts = np.array(list(_firsts(text, words, starts)), np.int64)
    return Tokens(text, words, starts, ends, firsts)


def _normalized(surfaces: list[str]) -> list[str]:
    """The words as they are learned. Most are plain, so each of the others is normalized once."""
    normal = {surface: normalize(surface) for surface in set(surfaces) if not _is_own_word(surface)}
    return [normal.get(surface, surface) for surface in surfaces] if normal else surfaces


def _firsts(text: str, words: Sequence[str], starts: Ints) -> Iterator[int]:
    """The first token of every sentence."""
    if not words:
        return
    yield 0
    first = line = 0  # the first token of the sentence, and of the line
    lines = Counter(np.searchsorted(starts, [match.start() for match in _LINE.finditer(text)]).tolist())
    stops = (at + 1 for at, word in enumerate(words) if word in _ENDS)
    for at in sorted({*lines, *stops, len(words)}):
        while at - first > _LONGEST:
            first += _LONGEST
            yield first
        if not 0 < at < len(words):
            continue
        cut = at - first == _LONGEST
        if at in lines:
            cut = cut or at - line < _SHORT_LINE or lines[at] > 1
            line = at
        if cut or (words[at - 1] in _ENDS and _sentence_ends(text, words, starts, first, at)):
            first = at
            yield at


def _is_own_word(surface: str) -> bool:
    """Whether a surface is its own word, as nearly all are."""
    return surface.isascii() and surface[0] != "["


def normalize(surface: str) -> str:
    """The mark for a placeholder, else the word without disguise: composed, plain, nothing invisible in it."""
    if surface.isascii():
        return MARK if len(surface) > 1 and surface[0] == "[" else surface
    return _STRIPPED.sub("", unicodedata.normalize("NFKC", surface)) or surface


def _sentence_ends(text: str, words: Sequence[str], starts: Ints, first: int, at: int) -> bool:
    """Whether the full stop before this word ends a sentence, and no abbreviation."""
    following = words[at][0]
    if not text[int(starts[at]) - 1].isspace() or following.islower() or following in ",;:)":
        return False
    if words[at - 1] != "." or at - first < 2:
        return True
    before = words[at - 2]
    return not (len(before) == 1 and before.isalpha()) and before.lower() not in _ABBREVIATIONS
