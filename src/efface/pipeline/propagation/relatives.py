"""Given names before a surname that was cut: where Rob Day was found, "Summer Day" is a person too.

A finder that goes by sentences may miss her, and then only her surname would go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Edit, SpanSet
from efface.learners.names import is_given_name
from efface.pipeline.propagation.strings import PERSON, name_parts
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import PARTICLES, ROLES, TITLES

RELATIVE = "a given name at a surname that was cut"
_WORD = rf"{CAPITAL}[^\W\d_]+"
_PAIR = re.compile(rf"(?<![\w'’.-])(?P<given>{_WORD})[ \u00a0](?=(?P<surname>{_WORD})(?![^\W_]))")
# "Day, Summer" is one person where a cell or a line is no longer.
_TURNED = re.compile(rf"(?<![\w'’.-])(?P<surname>{_WORD}), (?P<given>{_WORD})(?=[ ]*(?:[|\t;)\"\r\n]|\Z))")


def with_relatives(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and those of the given names that stand at a surname of theirs."""
    surnames = set(_surnames(text, edits))
    if not surnames:
        return list(edits)
    cut = SpanSet(edits)
    people = SpanSet(edit for edit in edits if edit.type == PERSON)
    added = []
    for pattern in (_PAIR, _TURNED):
        for found in pattern.finditer(text):
            if fold_term(found["surname"]) not in surnames or not _is_given(found["given"]):
                continue
            surname, given = found.span("surname"), found.span("given")
            if cut.touches(*given) or (cut.touches(*surname) and not people.covers(*surname)):
                continue
            start, end = min(surname[0], given[0]), max(surname[1], given[1])
            key = fold_term(f"{found['given']} {found['surname']}")
            added.append(Edit(start, end, PERSON, key, RELATIVE))
    return [*edits, *added]


def without_kept(edits: list[Edit], asked: Sequence[Edit], kept: SpanSet) -> list[Edit]:
    """The edits without those that only follow from others and lie in kept text: Summer Day may stay where Rob Day
    is removed."""
    if not kept:
        return edits
    cut = SpanSet(asked)
    return [e for e in edits if cut.touches(e.start, e.end) or not kept.covers(e.start, e.end)]


def _surnames(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    """The folded surnames of the persons that are cut."""
    for surface in {text[edit.start : edit.end] for edit in edits if _is_found_person(edit)}:
        parts = name_parts(surface.partition(",")[0])
        if parts and len(parts[-1]) > 1:
            yield fold_term(parts[-1])


def _is_found_person(edit: Edit) -> bool:
    return edit.type == PERSON and edit.replacement is None


def _is_given(word: str) -> bool:
    folded = fold_term(word)
    if folded in TITLES or folded in ROLES or folded in PARTICLES or usage(folded) is Usage.ALWAYS:
        return False
    return is_given_name(folded)
