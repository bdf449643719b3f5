"""The first word of a person's name that is an ordinary word with a capital: "Big Dave", "Early Whitfield".

Within a sentence nothing but a name gives such a word its capital. What people are called by (titles, roles, jobs) has one, too.
"""

from __future__ import annotations

import re

from efface.learners.names import is_given_name
from efface.pipeline.mention_filters.jobs import WORK
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import ROLES, TITLES

_BEFORE = re.compile(rf"(?<![\w'’-])[a-z]{{2,16}}[,;]?[ \u00a0](?P<word>{CAPITAL}{SMALL}{{2,10}})[ \u00a0]\Z")
_REACH = 34  # characters before a name
_NAME = re.compile(rf"{CAPITAL}{SMALL}+")
# What stands before names in the texts of offices and courts and is no part of them.
_NO_NAMES = frozenset(WORK) | frozenset(
    "bishop case caseworker class detective dear operation pastor project public team trial trooper victim".split()
)


def whole_person(text: str, start: int, end: int) -> int:
    """Where a person's name of one word begins, with the ordinary word before it that can only be of the name."""
    if _NAME.fullmatch(text, start, end) is None:
        return start
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    if before is None or not _may_belong(fold_term(before["word"])):
        return start
    return start - len(before["word"]) - 1


def _may_belong(word: str) -> bool:
    is_told = word in TITLES or word in ROLES or word in LABELS or word in CALENDAR_WORDS or word in _NO_NAMES
    return not is_told and is_ordinary(word) and not is_given_name(word)
