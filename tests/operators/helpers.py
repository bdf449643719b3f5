"""Edits from plain tables."""

from __future__ import annotations

from efface.core import Edit, apply_edits
from efface.operators import Operator, Operators
from efface.text.folding import fold_term

KEY = bytes(range(32))


def edit(start: int, end: int, type_name: str = "PERSON", key: str = "k", **more: object) -> Edit:
    return Edit(start, end, type_name, key, "test", **more)  # type: ignore[arg-type]


def edits_of(text: str, *terms: tuple[str, str]) -> list[Edit]:
    """An edit for every occurrence of each (type, term), its key the folded term."""
    found = []
    for type_name, term in terms:
        start = text.find(term)
        while start >= 0:
            found.append(Edit(start, start + len(term), type_name, fold_term(term), "test"))
            start = text.find(term, start + len(term))
    return sorted(found, key=lambda e: e.start)


def filled(
    operator: Operator, text: str, *terms: tuple[str, str], key: bytes = KEY, subject: str = ""
) -> str:
    """The text after this operator has filled every occurrence of the terms."""
    return apply_edits(text, Operators(operator, {}, key, subject).fill(edits_of(text, *terms), text))


def one(operator: Operator, type_name: str, term: str, key: bytes = KEY, subject: str = "") -> str:
    """What stands in the place of a term that is the whole text."""
    return filled(operator, term, (type_name, term), key=key, subject=subject)
