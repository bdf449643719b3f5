"""From text to the words and word pieces that the model reads, with the way back to the text.

The model's base is uncased and knows neither accents nor layout. So each word is folded before it is cut
into pieces, and how it was written (capitals, digits) and what stood before it (nothing, a space, a new
line) go to the model as a feature of their own. Offsets are kept by the word: a mention begins and ends
with a word, whatever accents, invisible characters or pieces it has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from efface.errors import InputError
from efface.folding import UNSPACED, fold_term

PAD, UNKNOWN, START, END = 0, 100, 101, 102  # of the vocabulary
LONGEST = 48  # characters; a longer word is no name and is read as unknown
MOST_PIECES = 8  # the first one is judged; a word is known well enough by this many
REMEMBERED = 200_000  # words whose pieces are kept

# Accents and invisible characters that belong to the word before them.
_WITHIN = r"\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff"
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}](?:[^\W_{UNSPACED}]|[{_WITHIN}])*|[^\w\s{_WITHIN}]|_")

GAPS = 4  # nothing, a space, a new line, an empty line
CASES = 8  # none, lower, Title, UPPER, one capital, mIxed, with digits, punctuation
FEATURES = GAPS * CASES
LOWER, TITLE, UPPER, LETTER, MIXED, DIGITS, SIGN = range(1, CASES)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: where each begins and ends, its pieces, how it is written, what precedes it."""

    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    pieces: list[tuple[int, ...]] = field(repr=False)
    cases: list[int] = field(repr=False)
    gaps: list[int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)


class Vocabulary:
    """Word pieces by greedy longest match, as BERT's tokenizer cuts them, with a memory for words.

    The `tokenizers` library does the same; it is not used because it brings a client for downloads along.
    """

    __slots__ = ("_known", "_pieces")

    def __init__(self, pieces: Mapping[str, int]) -> None:
        self._pieces = pieces
        self._known: dict[str, tuple[tuple[int, ...], int]] = {}

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """One piece a line; its number is its line's."""
        try:
            lines = path.read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            raise InputError(
                "The names model's vocabulary cannot be read.", "Install efface again, or name another model."
            ) from None
        return cls({piece: number for number, piece in enumerate(lines) if piece})

    def words(self, text: str) -> Words:
        """The words of a text, in order."""
        known, look_up = self._known, self._look_up
        starts: list[int] = []
        ends: list[int] = []
        pieces: list[tuple[int, ...]] = []
        cases: list[int] = []
        gaps: list[int] = []
        last = 0
        for match in _WORD.finditer(text):
            start, end = match.span()
            word = match.group()
            cut, case = known.get(word) or look_up(word)
            starts.append(start)
            ends.append(end)
            pieces.append(cut)
            cases.append(case)
            gaps.append(
                0
                if start == last
                else 1
                if start == last + 1 != 1 and text[last] == " "
                else gap(text[last:start])
            )
            last = end
        if gaps:
            gaps[0] = 3
        return Words(starts, ends, pieces, cases, gaps)

    def _look_up(self, word: str) -> tuple[tuple[int, ...], int]:
        if len(word) > LONGEST:
            return (UNKNOWN,), case_of(word[:LONGEST])
        found = self.cut(word), case_of(word)
        if len(self._known) < REMEMBERED:
            self._known[word] = found
        return found

    def cut(self, word: str) -> tuple[int, ...]:
        """The pieces of one word."""
        folded = word.lower() if word.isascii() else fold_term(word).replace(" ", "")
        found: list[int] = []
        start = 0
        while start < len(folded) and len(found) < MOST_PIECES:
            end = len(folded)
            while end > start:
                piece = self._pieces.get(folded[start:end] if start == 0 else f"##{folded[start:end]}")
                if piece is not None:
                    break
                end -= 1
            else:
                return (UNKNOWN,)
            found.append(piece)
            start = end
        return tuple(found) or (UNKNOWN,)


def gap(between: str) -> int:
    """What stands between two words: nothing, a space, a new line, an empty line."""
    lines = between.count("\n") or between.count("\r")
    return min(1 + lines, 3) if between else 0


def case_of(word: str) -> int:
    """How a word is written."""
    if not word[0].isalnum():
        return SIGN
    if not word.isalpha() and any(map(str.isdigit, word)):
        return DIGITS
    if word.islower():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else LETTER
    return TITLE if word.istitle() else MIXED
