"""What no replacement may do: contain what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from efface.text.folding import fold

_NO_SIGN = re.compile(r"[\W_]+")
_LONG_ENOUGH = 5  # letters and digits; fewer occur in a row by chance once all between them is gone
SHORTEST = 3  # shorter originals occur in anything by chance
_STEPS = (1, 2, 3)  # every sign, every second, every third: others may stand between them
_DIGITS_FOR_LETTERS = str.maketrans("013457", "oleast")  # as in "K0w4l5k4"


def holds(replacement: str, original: str) -> bool:
    """Whether the replacement contains the original, read without regard to case, accents and look-alikes."""
    term = folded(original).strip()
    return len(term) >= SHORTEST and term in folded(replacement)


def spells(replacement: str, original: str) -> bool:
    """Whether a reader can recover the original from the replacement.

    The words may be in any order and direction, with signs between their letters, with digits that look like letters,
    or shifted in the alphabet. More than three quarters of a number count as the number.
    """
    words = [word for word in _NO_SIGN.split(folded(original)) if word]
    term = "".join(words)
    if len(term) < _LONG_ENOUGH:
        return False
    said = folded(replacement)
    letters = _NO_SIGN.sub("", said)
    as_letters = [word.translate(_DIGITS_FOR_LETTERS) for word in words]
    return (
        any(_reads(every_nth, words) for every_nth in _skipping(said))
        or (not term.isdecimal() and _reads(letters.translate(_DIGITS_FOR_LETTERS), as_letters))
        or (term.isdecimal() and _reads_most(letters, term))
        or _distances(term) in _distances(letters)
    )


def _skipping(text: str) -> Iterable[str]:
    """The letters and digits of a text, and those that are left when every second sign, or two of three, are passed over."""
    return (_NO_SIGN.sub("", text[start::step]) for step in _STEPS for start in range(step))


def _reads_most(digits: str, number: str) -> bool:
    """Whether more than three quarters of a number are among the digits in a row."""
    told = len(number) * 3 // 4 + 1
    return any(_reads(digits, [number[start : start + told]]) for start in range(len(number) - told + 1))


def _reads(letters: str, words: Iterable[str]) -> bool:
    """Whether each of the words is among the letters, forward or backward."""
    return all(word in letters or word[::-1] in letters for word in words)


def _distances(text: str) -> str:
    """How far each sign is from the one before it, letters around the alphabet: moving all of them changes nothing."""
    return "".join(chr((ord(after) - ord(before)) % 26) for before, after in pairwise(text))


def folded(text: str) -> str:
    """The folded text alone, without the map to the original."""
    # Most terms are plain; there folding only lowers the case, and this runs twice for every edit.
    plain = text.isascii() and text.isprintable() and "  " not in text
    return text.lower() if plain else fold(text).text
