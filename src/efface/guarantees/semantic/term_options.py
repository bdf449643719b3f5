"""What may replace a term where it stands in a text."""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Term
from efface.guarantees.semantic.edits import GROUPED
from efface.guarantees.semantic.english.class_words import PERSON
from efface.guarantees.semantic.english.surfaces import surfaces_of
from efface.guarantees.semantic.english.wording import is_owned
from efface.guarantees.semantic.terms import REMOVED, Generaliser, Option


def options_of(generaliser: Generaliser, term: Term, text: str, *, full: bool) -> Sequence[Option]:
    """What may replace a term in a text; unless `full`, only a placeholder."""
    surfaces = surfaces_of(term, text)
    if full and is_noun_phrase(term):
        options = generaliser.options(term.key, surfaces)  # a noun cannot replace a verb
        owned = any(is_owned(text, mention.start) for mention in term.mentions)
        return [each for each in options if not _is_owned_person(each.label, owned=owned)]
    return (generaliser.own(term.key, surfaces), REMOVED)


def is_noun_phrase(term: Term) -> bool:
    """Whether a mention of a term is a noun phrase, which a noun may replace."""
    return any(mention.because == GROUPED for mention in term.mentions)


def is_brand(label: str, entity: str) -> bool:
    """Whether a synonym with a capital is a name of its own: who works at Bayer does not work at a medicine."""
    return label[0].isupper() and not label.isupper() and entity[0].islower() and label.lower() != entity


def _is_owned_person(label: str, *, owned: bool) -> bool:
    """`his person` and `Sam's person` would read wrong."""
    return label.endswith(f"s {PERSON}") or (owned and label == PERSON)
