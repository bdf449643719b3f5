"""From text to the words and word pieces that the model reads, with the way back to the text.

The model's base is uncased and knows neither accents nor layout. So each word is folded before it is cut
into pieces, and how it was written (capitals, digits) and what stood before it (nothing, a space, a new
line) go to the model as a feature of their own. Offsets are kept by the word: a mention begins and ends
with a word, whatever accents, invisible characters or pieces it has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.text.folding import UNSPACED, fold_term
from efface.text.placeholder_blank import BLANK

Ints = npt.NDArray[np.int64]
Pieces = npt.NDArray[np.int32]
Small = npt.NDArray[np.int8]

PAD, UNKNOWN, START, END = 0, 100, 101, 102  # of the vocabulary
LONGEST = 48  # characters; a longer word is no name and is read as unknown
MOST_PIECES = 8  # the first one is judged; a word is known well enough by this many
REMEMBERED = 200_000  # words whose pieces are kept

# Accents and invisible characters that belong to the word before them.
_WITHIN = r"\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff"
WORD = re.compile(
    rf"{BLANK}+|[{UNSPACED}]|[^\W_{UNSPACED}](?:[^\W_{UNSPACED}]|[{_WITHIN}])*|[^\w\s{_WITHIN}]|_"
)

GAPS = 4  # nothing, a space, a new line, an empty line
EMPTY_LINE = 3
CASES = 8  # none, lower, Title, UPPER, one capital, mIxed, with digits, punctuation
FEATURES = GAPS * CASES
CUT, LOWER, TITLE, UPPER, LETTER, MIXED, DIGITS, SIGN = range(CASES)  # CUT: a placeholder, however long


@dataclass(frozen=True, slots=True)
class WordPieces:
    """The words of a text: where each begins and ends, how it is written, what precedes it; the pieces of all
    of them one after another, and where among these each word's own begin (and the last one's end)."""

    starts: Ints = field(repr=False)
    ends: Ints = field(repr=False)
    cases: Small = field(repr=False)
    gaps: Small = field(repr=False)
    pieces: Pieces = field(repr=False)
    heads: Ints = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)

    def texts(self, text: str) -> list[str]:
        """How each word is spelled in the text that it is of."""
        places = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end] for start, end in places]

    def part(self, first: int, last: int) -> WordPieces:
        """The words `[first, last)`."""
        low, high = int(self.heads[first]), int(self.heads[last])
        some = slice(first, last)
        heads = self.heads[first : last + 1] - low
        return WordPieces(
            self.starts[some],
            self.ends[some],
            self.cases[some],
            self.gaps[some],
            self.pieces[low:high],
            heads,
        )


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

    def words(self, text: str) -> WordPieces:
        """The words of a text, in order."""
        known, look_up = self._known, self._look_up
        spans = [match.span() for match in WORD.finditer(text)]
        texts = [text[start:end] for start, end in spans]
        found = [known.get(word) or look_up(word) for word in texts]
        places = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans)).reshape(-1, 2)
        cuts, cases = zip(*found, strict=True) if found else ((), ())
        lengths = np.fromiter(map(len, cuts), np.int64, len(cuts))
        return WordPieces(
            places[:, 0],
            places[:, 1],
            np.array(cases, np.int8),
            gaps(text, places[:, 0], places[:, 1]),
            np.fromiter(chain.from_iterable(cuts), np.int32, int(lengths.sum())),
            np.concatenate(([0], lengths.cumsum())),
        )

    def cut_again(self, words: WordPieces, texts: Sequence[str]) -> WordPieces:
        """The same words, which another vocabulary had cut, in pieces of this one. `texts` has each word."""
        known, look_up = self._known, self._look_up
        found = [(known.get(word) or look_up(word))[0] for word in texts]
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        return WordPieces(
            words.starts,
            words.ends,
            words.cases,
            words.gaps,
            np.fromiter(chain.from_iterable(found), np.int32, int(lengths.sum())),
            np.concatenate(([0], lengths.cumsum())),
        )

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


def gaps(text: str, starts: Ints, ends: Ints) -> Small:
    """What is before each word: nothing, a space, a new line, an empty line (as before the first)."""
    found = np.full(len(starts), 3, np.int8)
    if len(starts) > 1:
        low, high = ends[:-1], starts[1:]
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        feeds, returns = (np.cumsum(codes == ord(mark), dtype=np.int32) for mark in "\n\r")
        # The running count at a word's last character counts nothing of the gap that follows it.
        new, old = feeds[high] - feeds[low - 1], returns[high] - returns[low - 1]
        lines = np.where(new > 0, new, old)
        found[1:] = np.where(high > low, np.minimum(1 + lines, 3), 0)
    return found


def case_of(word: str) -> int:
    """How a word is written."""
    if word[0] == BLANK:
        return CUT
    if not word[0].isalnum():
        return SIGN
    if not word.isalpha() and any(map(str.isdigit, word)):
        return DIGITS
    if word.islower():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else LETTER
    return TITLE if word.istitle() else MIXED
