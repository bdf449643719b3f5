"""When two names of an index of people are one person's, and how else people write a name."""

from __future__ import annotations

from itertools import permutations

from efface.knowledge.classes.names import is_ordinary
from efface.text.folding import fold_term

# "King, Jr." is no surname before a first name.
_BEHIND_NAMES = frozenset(
    {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "md", "m.d.", "phd", "ph.d.", "esq", "esq."}
)
_SHORTEST_FAMILY_NAME = 4  # shorter ones with an initial are other words


def person_key(name: str) -> str:
    """The name by which a person is known in an index. Case, accents and spaces tell no two people apart, nor does the
    order of a list."""
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

    An initial beside an everyday word may be that word (`away` of Anna Way), so such names have no form with one.
    """
    spoken = in_speaking_order(name)
    words = [word for word in spoken.split() if word.strip(",").lower() not in _BEHIND_NAMES]
    if len(words) < 2:
        return (spoken,)
    first, last = words[0], words[-1]
    turned = " ".join([last, *words[:-1]])
    forms = [spoken, turned, *map(" ".join, permutations((first, last)))]
    if len(last) >= _SHORTEST_FAMILY_NAME and not is_ordinary(fold_term(last)):
        forms += map(" ".join, permutations((first[0], last)))
    return tuple(dict.fromkeys(forms))
