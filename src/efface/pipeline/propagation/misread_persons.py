"""Persons whom a finder took for a firm or a place: their names are a person's, so every part of them follows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from efface.core import Edit
from efface.pipeline.propagation.strings import ABBREVIATIONS, FOLLOWED, PERSON, bare
from efface.text.folding import fold_term
from efface.text.legal_forms import LEGAL_FORMS
from efface.text.ordinary_words import Usage, is_ordinary, usage
from efface.text.person_words import COURTESY_TITLE, given_names

_OTHERS = frozenset({"ORGANIZATION", "LOCATION", "NRP"})
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_SHAPE = re.compile(rf"{_WORD}(?: (?:[^\W\d_]\.|{_WORD})){{1,2}}")
_ONE_WORD = re.compile(_WORD)
_WITH_INITIALS = re.compile(rf"(?P<initials>[A-Z]\.(?:[ \u00a0]?[A-Z]\.)*)[ \u00a0]?(?P<word>{_WORD})")
_INITIAL_BEFORE = re.compile(r"(?<![^\W_])(?<!\.)(?P<initial>[A-Z])\.[*_]{0,3}[ \u00a0]?[*_]{0,3}\Z")
_INITIAL_AFTER = re.compile(r", ?(?P<initial>[A-Z])\.(?![ \u00a0]?[A-Z0-9]|\d)")
_DIRECTIONS = frozenset("NSEW")
_TITLE_REACH = 12  # characters before a name in which its title stands: the longest, and a space
_TITLE_BEFORE = re.compile(
    rf"\b(?:{COURTESY_TITLE}|Prof|Professor|Sir|Dame|Messrs|Herr|Frau|Se[nñ]or|Se[nñ]ora)\.?[ \u00a0]\Z"
)
_PRONOUN_AFTER = re.compile(
    r"(?:'s|’s)?(?:,| |\. )(?:[^.\n]{0,40} )?(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im|herself|himself|who)\b"
)
# Beginnings and ends of places and firms.
_PLACES = LEGAL_FORMS | frozenset(
    "san santa santo saint st ste los las el la le al new north south east west fort port mount rio sao puerto costa "
    "villa lake cape company group bank holdings trading university college hospital school".split()
)


def with_persons(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits; those of firms and places whose name is a person's are a person's, everywhere in the text."""
    places: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.type in _OTHERS and edit.replacement is None and not edit.reason.endswith(FOLLOWED):
            places.setdefault(bare(text[edit.start : edit.end]), []).append(edit)
    persons = _names_of_persons(text, edits, places)
    if not persons:
        return list(edits)
    retyped: dict[Edit, Edit] = {}
    for name in persons:
        for edit in places[name]:
            retyped[edit] = replace(edit, type=PERSON)
    return [retyped.get(edit, edit) for edit in edits]


def _names_of_persons(text: str, edits: Sequence[Edit], places: Mapping[str, Sequence[Edit]]) -> set[str]:
    """Which names of firms and places are a person's."""
    alone = {fold_term(bare(text[edit.start : edit.end])) for edit in edits if edit.type == PERSON}
    persons = set()
    for name, found in places.items():
        if _is_person(text, name, found) or _is_made_of_people(name, alone):
            persons.add(name)
    if not persons:
        return persons
    # Once Jane London is a person, Jane M. London is one too.
    short_forms = {_initial_and_surname(name) for name in persons}
    for name in places:
        if _initial_and_surname(name) in short_forms and _is_plain_name(name):
            persons.add(name)
    return persons


def _initial_and_surname(name: str) -> tuple[str, str]:
    first, last = name.split(maxsplit=1)[0], re.split(r"[\s.]+", name)[-1]
    return ("" if first == last else first[0]), last


def _is_plain_name(name: str) -> bool:
    """Whether nothing in a name of two or three words says that it is a place's or a firm's."""
    return bool(_SHAPE.fullmatch(name)) and _PLACES.isdisjoint(map(fold_term, name.split()))


def _is_made_of_people(name: str, alone: Collection[str]) -> bool:
    """Whether each word of a name is by itself a person's elsewhere in the text: Cosmo, and Netherby."""
    return _is_plain_name(name) and all(fold_term(word) in alone for word in name.split(" "))


def _is_person(text: str, name: str, found: Sequence[Edit]) -> bool:
    """Whether a name is a person's: by initials or a title at it, or by its given name or a pronoun after it."""
    return _is_surname(text, name, found) or _is_full_name(text, name, found)


def _is_surname(text: str, name: str, found: Iterable[Edit]) -> bool:
    """Whether a place of one word is a person: by initials in it or beside it, or a title before it."""
    match = _WITH_INITIALS.fullmatch(name)
    word = match["word"] if match else name
    if not _ONE_WORD.fullmatch(word) or not _is_capitalised(word):
        return False
    if fold_term(word) in _PLACES or is_ordinary(fold_term(word)):
        return False
    places = [edit for edit in found if edit.type == "LOCATION"]
    if match:
        return bool(places) and _are_a_persons(match["initials"])
    return any(_has_initial(text, edit) or _has_title_before(text, edit) for edit in places)


def _are_a_persons(initials: str) -> bool:
    """Whether initials are not those of a country or a point of the compass: "U.S.", "N."."""
    letters = "".join(filter(str.isalpha, initials))
    return letters not in _DIRECTIONS and ".".join(letters.lower()) not in ABBREVIATIONS


def _has_initial(text: str, edit: Edit) -> bool:
    """Whether an initial stands at a word: "J. London", "London, J."; not "W. London", nor the C of a list."""
    before = _INITIAL_BEFORE.search(text[max(0, edit.start - _TITLE_REACH) : edit.start])
    if before and before["initial"] not in _DIRECTIONS and not _is_list_mark(text, edit, before):
        return True
    after = _INITIAL_AFTER.match(text, edit.end)
    return after is not None and after["initial"] not in _DIRECTIONS


def _is_list_mark(text: str, edit: Edit, found: re.Match[str]) -> bool:
    """Whether the letter before a name counts the lines of a list: the letter before or after it begins one, too."""
    at = edit.start - len(found.group())
    if text[:at].rstrip(" \t").endswith("\n") or not text[:at].strip():
        letter = ord(found["initial"])
        return re.search(rf"(?m)^[ \t]*[{chr(letter - 1)}{chr(letter + 1)}]\.", text) is not None
    return False


def _is_full_name(text: str, name: str, found: Sequence[Edit]) -> bool:
    """Whether a name of two or three words is a person's: by its given name, a title before it, a pronoun after it."""
    written = name.split(" ")
    if not _SHAPE.fullmatch(name) or not all(map(_is_capitalised, written)):
        return False
    words = [fold_term(word) for word in written]
    if not _PLACES.isdisjoint(words):
        return False
    if any(usage(word) is Usage.ALWAYS for word in words):
        return False
    if any(_has_title_before(text, edit) for edit in found):
        return True
    if usage(words[-1]) is not Usage.NEVER:
        return False
    return words[0] in given_names() or any(_PRONOUN_AFTER.match(text, edit.end) for edit in found)


def _has_title_before(text: str, edit: Edit) -> bool:
    return _TITLE_BEFORE.search(text[max(0, edit.start - _TITLE_REACH) : edit.start]) is not None


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and (word[1:].islower() or len(word) == 2 or any(mark in word for mark in "-'’"))
