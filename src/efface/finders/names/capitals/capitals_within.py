"""Words with a capital within a sentence: what the capital adds to the little that the readers know of a word.

"She left for Pellucid" and "au marché de Vimoutiers": a word that no list knows, and that has its capital without need, is
rather a name than not, also where the readers are far from sure of one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.repeats import NOUNS_HAVE_CAPITALS
from efface.finders.names.tokens import DIGITS, LOWER, TITLE, WordPieces
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import TITLES

Floats = npt.NDArray[np.float32]

# How probable a name must be of such a word, in English and in other languages. Chosen on the letters of `benchmarks/letters`
# that were written before; lower ones found goods and subjects of schools more often than names.
WITHIN_ENGLISH, WITHIN_OTHERS = 0.15, 0.2
_SHORTEST = 4  # letters
_SPACE = 1  # the gap
_OPENING = frozenset("([\"“‘'«")


def least_chances(words: WordPieces, texts: Sequence[str], language: str, usual: float) -> Floats:
    """How probable a name each word must be to be taken for one: `usual`, and less with a capital within a sentence.
    `language` is "" for English. Where all nouns have capitals, they say nothing."""
    least = np.full(len(texts), usual, np.float32)
    if language not in NOUNS_HAVE_CAPITALS:
        lower = WITHIN_OTHERS if language else WITHIN_ENGLISH
        places = np.flatnonzero(words.cases == TITLE).tolist()
        told = [at for at in places if _tells(at, words, texts) and _may_be_name(texts[at], language)]
        least[told] = min(usual, lower)
    return least


def _tells(at: int, words: WordPieces, texts: Sequence[str]) -> bool:
    """Whether a word stands behind a small one or a number, with nothing but an opening bracket or quotation mark between."""
    before = at - 1
    if before > 0 and texts[before] in _OPENING and words.gaps[at] == 0:
        at, before = before, before - 1
    return bool(before >= 0 and words.gaps[at] == _SPACE and words.cases[before] in (LOWER, DIGITS))


def _may_be_name(word: str, language: str) -> bool:
    folded = fold_term(word)
    if len(word) < _SHORTEST or folded in TITLES or folded in CALENDAR_WORDS or folded in LABELS:
        return False
    return bool(language) or usage(folded) is Usage.NEVER
