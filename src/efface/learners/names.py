"""Name dictionaries: what a word is as a name, by lists that may ship with the package."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from efface.text.person_words import given_names

# One letter a list, in the order of the packed file.
LISTS = "gnsrc"  # given name, short form, frequent surname, rarer surname, common word
_GIVEN = frozenset("gn")

# Features of trained models: a list of their own, which changes only with them.
TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir madam lord lady judge justice hon rev sgt capt gen sen rep "
    "president minister chairman officer nurse doctor patient".split()
)


@lru_cache(maxsize=1)
def dictionary() -> Mapping[str, str]:
    """From a lower-case word to the letters of the lists that hold it."""
    packed = files("efface.learners").joinpath("data/names.xz").read_bytes()
    found: dict[str, str] = {}
    for letter, line in zip(LISTS, lzma.decompress(packed).decode().split("\n"), strict=True):
        for word in line.split():
            found[word] = found.get(word, "") + letter
    for word in TITLES:
        found[word] = found.get(word, "") + "t"
    return found


def is_given_name(word: str) -> bool:
    """Whether a folded word is listed as a given name or as the short form of one."""
    return word in given_names() or not _GIVEN.isdisjoint(dictionary().get(word, ""))
