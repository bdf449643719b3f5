"""When two names of an index of people are one person's, and how else people write a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from efface.knowledge.classes.names import is_ordinary
from efface.text.folding import fold_term
from efface.text.person_words import PARTICLES

# "King, Jr." is no surname before a first name.
_BEHIND_NAMES = frozenset(
    {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "md", "m.d.", "phd", "ph.d.", "esq", "esq."}
)
_SHORTEST_FAMILY_NAME = 4  # shorter ones with an initial are other words


def person_key(name: str) -> str:
    """The key of a person in an index. It ignores case, accents, spaces and the order of a list."""
    return fold_term(in_speaking_order(name))


def in_speaking_order(name: str) -> str:
    """The first name before the family name: "Jolie, Angelina" is "Angelina Jolie"."""
    family, comma, first = name.partition(",")
    is_turned = comma and family.strip() and first.strip() and "," not in first
    if not is_turned or fold_term(first.strip()) in _BEHIND_NAMES:
        return name
    return f"{first.strip()} {family.strip()}"


def written_otherwise(name: str) -> tuple[str, ...]:
    """The name in both orders, without middle names, and with an initial: `brandtclara` and `cbrandt` name Clara Brandt.

    An initial beside an everyday word may be two words (`a way` of Anna Way), so such names have it in one word only, if that
    is none (`jsmith`, not `away`).
    """
    spoken = in_speaking_order(name)
    words = [word for word in spoken.split() if word.strip(",").lower() not in _BEHIND_NAMES]
    if len(words) < 2:
        return (spoken,)
    first, last = words[0], words[-1]
    turned = " ".join([last, *words[:-1]])
    forms = [spoken, turned, *map(" ".join, permutations((first, last)))]
    if len(last) >= _SHORTEST_FAMILY_NAME:
        initialled = (first[0], last)
        if not is_ordinary(fold_term(last)):
            forms += map(" ".join, permutations(initialled))
        joined = map("".join, permutations(initialled))
        forms += (each.lower() for each in joined if not is_ordinary(fold_term(each)))
    return tuple(dict.fromkeys((*forms, *_family_names(words))))


def _family_names(words: Sequence[str]) -> Iterator[str]:
    """Family names that begin with particles: `van der Berg` of Jan van der Berg, in whichever order the name is."""
    start = 0
    for at, word in enumerate(words):
        if fold_term(word) in PARTICLES:
            continue
        if at > start:
            yield " ".join(words[start : at + 1])
        start = at + 1
