"""Those who are named together with a person that was cut: "Precious and Blessing", who signs "gem x" where Gem was cut,
and the nickname in a name: "Smudger" Holroyd.

Such a name may be an ordinary word, which a finder leaves. Beside a person it is another person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Edit, SpanSet
from efface.learners.names import is_given_name
from efface.pipeline.propagation.strings import PERSON, name_parts
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.person_words import ROLES, TITLES, WORD_NAMES

COMPANION = "named together with a person"
NICKNAME = "a nickname before a name"
SIGNED = "signed with a name that was cut"
_ONE = rf"{CAPITAL}{SMALL}+"
# "Tom and Will", "Tom, Will and". A capital behind the name makes it a longer one.
_AFTER = re.compile(
    rf"(?:,? (?:and|&) (?P<last>{_ONE})(?![\w-]|[ \u00a0]{CAPITAL}{SMALL})|, (?P<next>{_ONE})(?=[,;.)\r\n]| and | & |\Z))"
)
_BEFORE = re.compile(rf"(?<![\w'’.-])(?P<name>{_ONE})(?:,? (?:and|&) |, )\Z")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[ \u00a0]\Z")
_IN_TIME = frozenset(
    "in on since by until till of from every last next this each during after before".split()
)
_REACH = 32  # characters before a person
_MOST_ROUNDS = 6  # names of a list that no finder saw, one after the other
# A nickname stands in quotation marks right before a surname.
_NICKNAME = re.compile(
    rf"[\"“”‘'](?P<name>{CAPITAL}[^\W\d_]{{1,15}}(?: {CAPITAL}[^\W\d_]{{1,15}})?)[\"”’'][ \u00a0]\Z"
)
_KISSES = re.compile(r"(?<=[a-z])[ \u00a0]?(?<![a-z]x)x{1,5}[ \t]*$", re.MULTILINE)
_SIGNATURE = re.compile(r"(?<![\w'’-])(?P<name>[a-z]{2,15})\Z")


def with_companions(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and those of the people who are named together with theirs."""
    everything = list(edits)
    latest = [edit for edit in edits if edit.type == PERSON and edit.replacement is None]
    if not latest:
        return everything
    for _ in range(_MOST_ROUNDS):
        cut = SpanSet(everything)
        added = {}
        for edit in _beside(text, latest):
            if not cut.touches(edit.start, edit.end):
                added[edit.start, edit.end] = edit
        if not added:
            break
        latest = list(added.values())
        everything.extend(latest)
    everything.extend(_signatures(text, everything))
    return everything


def _beside(text: str, people: Sequence[Edit]) -> Iterator[Edit]:
    for person in people:
        yield from _nicknames(text, person)
        after = _AFTER.match(text, person.end)
        if after is not None:
            group = "last" if after["last"] else "next"
            if _is_name(text, *after.span(group)):
                yield _edit(text, *after.span(group), COMPANION)
        low = max(0, person.start - _REACH)
        before = _BEFORE.search(text[low : person.start])
        if before is not None:
            start, end = low + before.start("name"), low + before.end("name")
            if _is_name(text, start, end):
                yield _edit(text, start, end, COMPANION)


def _nicknames(text: str, person: Edit) -> Iterator[Edit]:
    """Nicknames in quotation marks before a person's name."""
    low = max(0, person.start - _REACH)
    found = _NICKNAME.search(text[low : person.start])
    if found is not None:
        yield _edit(text, low + found.start("name"), low + found.end("name"), NICKNAME)


def _is_name(text: str, start: int, end: int) -> bool:
    """Whether a word is one by which people are called, and no time: "in May and June Clarke left"."""
    word = fold_term(text[start:end])
    if word in TITLES or not (is_given_name(word) or word in WORD_NAMES):
        return False
    if word in ROLES and word not in WORD_NAMES:  # Princess is a name, too
        return False
    if word not in CALENDAR_WORDS:
        return True
    before = _WORD_BEFORE.search(text[max(0, start - _REACH) : start])
    return before is None or before[1].lower() not in _IN_TIME


def _signatures(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """Names in small letters before kisses, where the name was cut elsewhere."""
    places = []
    for kisses in _KISSES.finditer(text):
        name = _SIGNATURE.search(text, max(0, kisses.start() - _REACH), kisses.start())
        if name is not None:
            places.append(name.span("name"))
    if not places:
        return []
    people = {text[edit.start : edit.end] for edit in edits if edit.type == PERSON}
    names = {fold_term(part) for surface in people for part in name_parts(surface)}
    cut = SpanSet(edits)
    return [
        _edit(text, *place, SIGNED)
        for place in places
        if fold_term(text[slice(*place)]) in names and not cut.touches(*place)
    ]


def _edit(text: str, start: int, end: int, reason: str) -> Edit:
    return Edit(start, end, PERSON, fold_term(text[start:end]), reason)
