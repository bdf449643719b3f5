"""Known words whose two halves are in different places of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from efface.text.folding import fold_term
from efface.text.ordinary_words import is_ordinary

_LEAST = 6  # letters of a word that is known by its halves


def may_be_halved(word: str) -> bool:
    """Whether a folded word is known by its halves: it is long enough, and of letters only."""
    return len(word) >= _LEAST and word.isalpha()


class HalvedWords:
    """The folded words that are looked for."""

    def __init__(self, words: Sequence[str]) -> None:
        self._places = {word: at for at, word in enumerate(words) if may_be_halved(word)}
        self._sorted = sorted(self._places)

    def __bool__(self) -> bool:
        return bool(self._places)

    def may_begin(self, half: str) -> bool:
        """Whether one of the words begins with the half and goes on."""
        folded = fold_term(half)
        at = bisect_right(self._sorted, folded)
        return at < len(self._sorted) and self._sorted[at].startswith(folded)

    def place_of(self, *halves: str) -> int | None:
        """Which of the words the halves make; None if it is none, or if they only stand one above the other."""
        place = self._places.get(fold_term("".join(halves)))
        return place if place is not None and _are_meant(halves) else None


def _are_meant(halves: Sequence[str]) -> bool:
    """Whether the halves belong together. Two ordinary words, one above the other, do not."""
    ordinary = [half for half in halves if is_ordinary(half.lower())]
    return len(ordinary) < len(halves) and not any(map(str.islower, ordinary))
