"""Words with a capital only because a line or a sentence begins with them (`text/function_words.py`) are no names.

The readers learned from news, where nobody says "Hallo", signs with "Beijos" or notes "Llamar a Rosa": there a word that
they do not know, and that has a capital, is a name. None of these words is a given name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import WordPieces
from efface.text.folding import fold_term
from efface.text.function_words import OPENERS

Floats = npt.NDArray[np.float32]

_NEW_LINE = 2  # the gap before a word that begins a line
_MARKS = frozenset(".!?:;»«“”\"'()-–—*•>|")  # what a sentence may begin after
_NONE: frozenset[str] = frozenset()


def without_openers(chances: Floats, words: WordPieces, texts: Sequence[str], language: str) -> Floats:
    """How probable each kind is, nothing for the words that are known to open a line or a sentence and do so here."""
    known = OPENERS.get(language, _NONE)
    places = [at for at in range(len(texts)) if _opens(at, words, texts) and fold_term(texts[at]) in known]
    if not places:
        return chances
    left = np.array(chances)
    left[places] = 0
    return left


def _opens(at: int, words: WordPieces, texts: Sequence[str]) -> bool:
    begins = not at or words.gaps[at] >= _NEW_LINE or texts[at - 1] in _MARKS
    return bool(begins and texts[at][:1].isupper())
