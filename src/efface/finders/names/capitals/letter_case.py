"""What small letters say against a name: who writes names with capitals does not write one without.

The readers of other languages also learned from text in lower case, where any word may be a name. In text with capitals a
small word is one only inside a name ("van", "de la") or when it is joined to one ("Ankara'da").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.chain import KINDS
from efface.finders.names.tokens import LETTER, LOWER, MIXED, SIGN, TITLE, UPPER, WordPieces
from efface.text.person_words import PARTICLES

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

WITHIN = 3  # small words at most that stand within a name
ABBREVIATION = 3  # letters at most of a word with a full stop that ends no sentence
DOUBT = 0.2  # what is left of a small word's chance to be a name
# From this share of capitalised words within sentences on, the text writes names with a capital.
HABIT = 0.01
# "Ministerie van Justitie", but "Ministère de la justice", "Helsingin yliopisto".
CAPITALS_THROUGHOUT = frozenset({"nl"})
_PERSON = KINDS.index("PERSON")
_CAPITALS = (TITLE, UPPER, LETTER, MIXED)
_LINE = 2  # the gap before a word that begins a line


def doubted(chances: Floats, words: WordPieces, texts: Sequence[str], language: str) -> Floats:
    """How probable each of `KINDS` is, with small words doubted where names have capitals: as persons, and as anything in a
    language whose organisations have capitals throughout. A full stop that ends a sentence is of no name."""
    chances = np.where(ends_of_sentences(words, texts)[:, None], np.float32(0), chances)
    capital = np.isin(words.cases, _CAPITALS)
    if not writes_capitals(words, capital):
        return chances
    small = (words.cases == LOWER) & (words.gaps > 0)
    particle = np.array([text in PARTICLES for text in texts], bool)
    doubtful = small & ~_within_names(chances.argmax(1), small, capital, particle)
    left = np.array(chances)
    columns = slice(None) if language in CAPITALS_THROUGHOUT else slice(_PERSON, _PERSON + 1)
    left[doubtful, columns] *= np.float32(DOUBT)
    return left


def writes_capitals(words: WordPieces, capital: Flags) -> bool:
    """Whether enough words have a capital that do not begin a line and follow no sign."""
    before = np.concatenate(([SIGN], words.cases[:-1]))
    inside = (before != SIGN) & (words.gaps < _LINE)
    return int((capital & inside).sum()) >= max(1.0, HABIT * len(words))


def ends_of_sentences(words: WordPieces, texts: Sequence[str]) -> Flags:
    """The full stops after a small letter and before a capital. After a short word they may be of an abbreviation ("Dr.",
    "St."), and after a capital of initials."""
    found = np.zeros(len(texts), bool)
    for at in range(1, len(texts) - 1):
        if texts[at] == "." and words.gaps[at] == 0 and words.gaps[at + 1] > 0:
            before = texts[at - 1]
            found[at] = len(before) > ABBREVIATION and before[-1].islower() and texts[at + 1][0].isupper()
    return found


def _within_names(best: npt.NDArray[np.int64], small: Flags, capital: Flags, particle: Flags) -> Flags:
    """The small words between two words with capitals that are of one kind, and particles before a person's. Between two
    persons' names only particles are: "Soraya vertelde Soufiane" are two people."""
    kept = np.zeros(len(small), bool)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], small.astype(np.int8), [0]))))
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if last == len(small) or not capital[last]:
            continue
        between = (
            best[last] != _PERSON
            and last - first <= WITHIN
            and first > 0
            and capital[first - 1]
            and best[first - 1] == best[last]
        )
        while not between and first < last and not (best[last] == _PERSON and particle[first:last].all()):
            first += 1
        kept[first:last] = True
    return kept
