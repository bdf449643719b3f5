"""Persons whom a finder took for a firm or a place: their names are a person's, so every part of them follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from efface.core import Edit
from efface.pipeline.propagation.strings import FOLLOWED, PERSON, bare
from efface.text.folding import fold_term
from efface.text.ordinary_words import Usage, usage

_OTHERS = frozenset({"ORGANIZATION", "LOCATION", "NRP"})
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_SHAPE = re.compile(rf"{_WORD}(?: (?:[^\W\d_]\.|{_WORD})){{1,2}}")
_TITLE_REACH = 12  # characters before a name in which its title stands: the longest, and a space
_TITLE_BEFORE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Messrs|Herr|Frau|Se[nñ]or|Se[nñ]ora)\.?[ \u00a0]$"
)
_PRONOUN_AFTER = re.compile(
    r"(?:'s|’s)?(?:,| |\. )(?:[^.\n]{0,40} )?(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im|herself|himself|who)\b"
)
# Beginnings and ends of places and firms that are no English words.
_PLACES = frozenset(
    "san santa santo saint st ste los las el la le al new north south east west fort port mount rio sao puerto costa "
    "villa lake cape ltd llc inc plc gmbh ag sa sarl bv nv co corp company group bank holdings trading university "
    "college hospital school".split()
)


def with_persons(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits; those of firms and places whose name is a person's are a person's, everywhere in the text."""
    places: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.type in _OTHERS and edit.replacement is None and not edit.reason.endswith(FOLLOWED):
            places.setdefault(bare(text[edit.start : edit.end]), []).append(edit)
    persons = {name for name, found in places.items() if _is_person(text, name, found)}
    if not persons:
        return list(edits)
    retyped: Mapping[Edit, Edit] = {
        edit: replace(edit, type=PERSON) for name in persons for edit in places[name]
    }
    return [retyped.get(edit, edit) for edit in edits]


def _is_person(text: str, name: str, found: Iterable[Edit]) -> bool:
    """Whether a name of two or three words is a person's: by its given name, a title before it, a pronoun after it."""
    written = name.split(" ")
    if not _SHAPE.fullmatch(name) or not all(map(_is_capitalised, written)):
        return False
    words = [fold_term(word) for word in written]
    if not _PLACES.isdisjoint(words):
        return False
    if any(usage(word) is Usage.ALWAYS for word in words):
        return False
    places = list(found)
    if any(_has_title_before(text, edit) for edit in places):
        return True
    if usage(words[-1]) is not Usage.NEVER:
        return False
    return words[0] in _given_names() or any(_PRONOUN_AFTER.match(text, edit.end) for edit in places)


def _has_title_before(text: str, edit: Edit) -> bool:
    return _TITLE_BEFORE.search(text[max(0, edit.start - _TITLE_REACH) : edit.start]) is not None


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and (word[1:].islower() or len(word) == 2 or any(mark in word for mark in "-'’"))


@cache
def _given_names() -> frozenset[str]:
    """Given names of several countries in lower case; `tools/library_tables.py` takes them from Faker."""
    return frozenset((files("efface.text") / "data" / "given_names.txt").read_text("utf-8").splitlines())
