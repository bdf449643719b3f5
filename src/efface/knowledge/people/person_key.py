"""When two names of an index of people are one person's."""

from __future__ import annotations

from efface.text.folding import fold_term

# "King, Jr." is no surname before a first name.
_BEHIND_NAMES = frozenset(
    {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "md", "m.d.", "phd", "ph.d.", "esq", "esq."}
)


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
