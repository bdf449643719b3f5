"""Slots that a class fills badly though it is the right class, so that a placeholder stands there.

What is beside a word decides: `the mayor of a city` cannot be `the politician of a city`, `the Beirut barracks` are no `city
barracks`, and `his wife` is not `his woman`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from efface.guarantees.semantic.english.class_words import (
    HEALTH_CLASSES,
    KIN_CLASSES,
    NAMED_CLASSES,
    OWNED_CLASSES,
    PEOPLE_CLASSES,
    PERSON,
    has_mass_members,
)
from efface.guarantees.semantic.english.wording import is_plural
from efface.knowledge.corpus.text_runs import TOKEN
from efface.knowledge.taxonomy.countability import countability
from efface.knowledge.taxonomy.pos_tagger import NOUNS, english

_AROUND = 120  # characters on each side that are tagged
_AFTER_BRACKET = 3  # characters before a place among which a bracket closes right before it
_BESIDE = re.compile(r"[^\S\n]*\n?[^\S\n]*")  # a blank, or the end of a line that a page wrapped
_OWNERS = frozenset("my your his her its our their whose".split())
_DETERMINED = frozenset(("D", "G", "Z"))  # a determiner, a possessive, a number
# What goes on after a place or a name: `Budapest metropolitan area`, `Boeing 747`.
_GOES_ON = NOUNS | {"a", "Z", "H"}
_POSSESSOR = re.compile(r"^.*['’]s? ")  # the possessor of `husband's condition`
_LIST_BEFORE = re.compile(r"(?:,|\b(?:and|or))\s+$")
_LIST_AFTER = re.compile(r"\s+(?:and|or)\b")
# A place, and not an illness that is one: `through the fistula` is not `through the condition`.
_WHERE = re.compile(
    r"\b(?:through|into|onto|inside|behind|beside|near|under|over|across|between)\s+(?:(?:the|an?|his|her|their|my|your)\s+)?$"
)
# What is said to be something: `is not bribery` is not `is not the crime`.
_SAID_TO_BE = re.compile(r"\b(?:is|are|was|were|be|been|being|not)\s+$")
# A name among others that may stay (`in Hamburg, Tianjin and Alabama`, `in New York and Milan`), within a longer one (`Siemens & Halske`), or after a gloss.
_AMONG_NAMES_BEFORE = re.compile(r"(?:,|&|\)|\b[A-Z][^\W_]*\s+(?:and|or))\s+$")
_AMONG_NAMES_AFTER = re.compile(r",\s+[A-Z]|\s*&|\s+(?:and|or)\s+[A-Z]")
# The largest or the only one is so in a place that has a name: `the second largest city in a country` is none in particular.
_OF_ALL = re.compile(
    r"\b(?:[a-z]{3,}est|most|only|first|second|third|main|capital)\b[^.;:!?\n]{0,60}\b(?:in|of|on|at)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# Which ones are meant: `the victims` are not `the people`.
_POINTED_AT = re.compile(
    r"(?:\b(?:the|this|that|these|those|other|my|your|his|her|its|our|their|whose)|['’]s?)\s+(?:[a-z-]+\s+){0,2}$",
    re.IGNORECASE,
)
# The word itself is spoken of: `Volkswagen is German for …`.
_TRANSLATED = re.compile(r"\s+(?:(?:is|was)\s+[A-Z][a-z]+\s+for\b|means?\b|stands?\s+for\b)")


@dataclass(frozen=True, slots=True)
class Slot:
    """The words beside a place and their classes as `pos_tagger` names them; empty where a mark or nothing is there."""

    before: str
    before_tag: str
    further_tag: str  # of what is before the adjectives before the place
    listed_tag: str  # of what is before a comma before the place
    after: str
    after_tag: str


def slot_of(text: str, start: int, end: int) -> Slot:
    """What is beside a place in a text."""
    left = list(TOKEN.finditer(text, max(0, start - _AROUND), start))
    right = list(TOKEN.finditer(text, end, end + _AROUND))
    own = text[start:end].split()
    words = [each.group() for each in (*left, *right)]
    words[len(left) : len(left)] = own
    tags = english().tags(words)
    before, before_tag = "", ""
    if left and _BESIDE.fullmatch(text, left[-1].end(), start):
        before, before_tag = left[-1].group(), tags[len(left) - 1]
    after, after_tag = "", ""
    if right and _BESIDE.fullmatch(text, end, right[0].start()):
        after, after_tag = right[0].group(), tags[len(left) + len(own)]
    further = next((tag for tag in reversed(tags[: len(left)]) if tag not in ("a", "r", "H")), "")
    is_listed = len(left) > 1 and left[-1].group() == ","
    return Slot(before, before_tag, further, tags[len(left) - 2] if is_listed else "", after, after_tag)


def fills_slot(text: str, start: int, end: int, label: str) -> bool:
    """Whether a class can stand in a place."""
    slot = slot_of(text, start, end)
    several = is_plural(text[start:end].rsplit(maxsplit=1)[-1])
    if _is_refused_by_neighbours(text, start, end, slot, label):
        return False
    if label in NAMED_CLASSES and _is_refused_as_name(text, start, end, several=several):
        return False
    if _is_owned(slot) and _POSSESSOR.sub("", label) not in OWNED_CLASSES:
        return False
    if label == PERSON and (not several or _is_in_list(text, start, end) or _is_pointed_at(text, start)):
        return False  # `people and teachers`, `your other people`
    if label in KIN_CLASSES and _is_pointed_at(text, start):
        return False  # `the relative, a retired policeman`
    if not several and _is_set_phrase(text[start:end], slot, label):
        return False
    return _is_open_before(slot, several=several)


def _is_refused_by_neighbours(text: str, start: int, end: int, slot: Slot, label: str) -> bool:
    """Whether the words before or behind a place go on with the words that stood there."""
    is_health = label in HEALTH_CLASSES
    if slot.after.lower() == "of" and not is_health:
        return True  # `the politician of a city`
    before = max(0, start - _AROUND)
    if is_health and _WHERE.search(text, before, start):
        return True
    if slot.after_tag in _GOES_ON or _TRANSLATED.match(text, end):
        return True
    if _SAID_TO_BE.search(text, before, start):
        return True
    return text[max(0, start - _AFTER_BRACKET) : start].rstrip().endswith(")")


def _is_refused_as_name(text: str, start: int, end: int, *, several: bool) -> bool:
    """Whether a class of things with names cannot stand for this one."""
    if text[start].isupper() and (several or _is_among_names(text, start, end)):
        return True  # Baptists are no religions
    return _OF_ALL.search(text, max(0, start - _AROUND), start) is not None


def _is_pointed_at(text: str, start: int) -> bool:
    return _POINTED_AT.search(text, max(0, start - _AROUND), start) is not None


def _is_set_phrase(stood: str, slot: Slot, label: str) -> bool:
    """Whether a counted noun stands without an article, as in set phrases and as a name only: `by ambulance`, `taken to
    hospital`, `Father knows`."""
    has_article = slot.before_tag in _DETERMINED or slot.before_tag == "a" or _is_owned(slot)
    if has_article or " " in stood or (not stood.islower() and label in NAMED_CLASSES):
        return False
    travels = (
        slot.before.lower() == "by" and not has_mass_members(label) and not countability().is_mass(stood)
    )
    return travels or label in PEOPLE_CLASSES or countability().is_counted(stood)


def _is_in_list(text: str, start: int, end: int) -> bool:
    before = _LIST_BEFORE.search(text, max(0, start - _AROUND), start)
    return before is not None or _LIST_AFTER.match(text, end) is not None


def _is_among_names(text: str, start: int, end: int) -> bool:
    before = _AMONG_NAMES_BEFORE.search(text, max(0, start - _AROUND), start)
    return before is not None or _AMONG_NAMES_AFTER.match(text, end) is not None


def _is_owned(slot: Slot) -> bool:
    return slot.before.lower() in _OWNERS or slot.before_tag == "G"


def _is_open_before(slot: Slot, *, several: bool) -> bool:
    """Whether what is before a place leaves room for a phrase: no noun (`painter Rubens`), no year (`the 1983 Beirut …`), and no
    adjective without an article (`chronic hepatitis`) or with an article further left (`a contagious, airborne disease`)."""
    if slot.before_tag in NOUNS or slot.before.isdecimal():
        return False
    if slot.listed_tag in ("a", "vn") and not several:
        return False
    return slot.before_tag != "a" or several or slot.further_tag in _DETERMINED
