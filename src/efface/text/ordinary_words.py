"""Which English words are ordinary, and which of them are also names.

The list is made from counts over Wikipedia articles (`training/words/ordinary.py`): words that many articles
write in lower case.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from importlib.resources import files

_ENDINGS = ("s", "es", "ed", "d", "ing", "ly")


class Usage(Enum):
    """How a word is used in English."""

    NEVER = 0  # no ordinary word: a name, or too rare
    ALSO = 1  # an ordinary word that is a name too: brown, mark
    ALWAYS = 2  # an ordinary word


@cache
def _usages() -> dict[str, Usage]:
    lines = (files("efface.text") / "data" / "ordinary_words.txt").read_text("utf-8").splitlines()
    return {line.removesuffix(" ?"): Usage.ALSO if line.endswith("?") else Usage.ALWAYS for line in lines}


def usage(word: str) -> Usage:
    """How a word in lower case is used. An inflected form of a listed word is ordinary as well."""
    listed = _usages()
    found = listed.get(word)
    if found is not None:
        return found
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 3 and listed.get(stem) is Usage.ALWAYS:
            return Usage.ALWAYS
    return Usage.NEVER


def is_ordinary(word: str) -> bool:
    """Whether a word in lower case can be an ordinary one."""
    return usage(word) is not Usage.NEVER
