"""The features of one word: its letters, shape, prefixes and suffixes, and the lists of names that contain it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits

from efface.learners.names import dictionary
from efface.learners.tokens import BEGIN, END, MARK

_RUNS = re.compile(r"(.)\1+")
_SHAPES = str.maketrans(ascii_uppercase + ascii_lowercase + digits, "X" * 26 + "x" * 26 + "9" * 10)
_LENGTHS = tuple(f"l{size}" for size in range(10))
_PADS = {BEGIN: "<", END: ">", MARK: "#"}


@dataclass(frozen=True, slots=True)
class Traits:
    """Features of a word seen in its own place, from the next place, and from two places away.

    `kind` is a coarse class of words; pairs of kinds side by side are features too.
    """

    own: tuple[str, ...]
    near: tuple[str, ...]
    far: tuple[str, ...]
    kind: str


def traits(word: str) -> Traits:
    pad = _PADS.get(word)
    if pad is not None:
        return Traits((pad,), (pad,), (pad,), pad)
    lower = word.lower()
    shape = _shape(word)
    short = _shortened(shape)
    lists = dictionary().get(lower, "")
    named = tuple(f"d{letter}" for letter in lists) if lists else ()
    far = ("w" + lower, "s" + short, *named)
    near = ("x" + lower[-3:], *far)
    own = ["S" + shape[:12], "D" + lists, _LENGTHS[min(len(word), 9)], *far]
    if word[0].isalnum():
        for size in range(1, min(5, len(lower))):
            own.append("p" + lower[:size])
            own.append("x" + lower[-size:])
    return Traits(tuple(own), near, far, _kind(word, short, lists))


def _shape(word: str) -> str:
    if word.isascii():
        return word[:24].translate(_SHAPES)
    return "".join(
        "X" if c.isupper() else "x" if c.isalpha() else "9" if c.isdigit() else c for c in word[:24]
    )


@lru_cache(maxsize=4096)
def _shortened(shape: str) -> str:
    return _RUNS.sub(r"\1", shape)


def _kind(word: str, short: str, lists: str) -> str:
    """The class of a word as a feature: its signs, its case, and the lists of names that hold it."""
    if not word[0].isalnum():
        return word[0] if word[0].isascii() else "?"
    if not word.isalpha():
        return "9" if word.isdigit() else "a9"
    case = short if short in ("X", "x", "Xx") else "mix"
    if len(word) == 1:
        case += "1"
    return case + "".join(letter for letter in "gnsrct" if letter in lists)
