"""The rest of a firm's name beside what a finder read of it: "Crawshaw Adjusting", "Vanquish Card Services", "Ray's Auto".

A model is unsure of the ordinary words in such names. Their capitals tell that they belong to it.
"""

from __future__ import annotations

import re

from efface.learners.names import is_given_name
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import ROLES, TITLES

_MOST_WORDS = 3  # behind what was found
_TITLE_CASE = re.compile(rf"{CAPITAL}{SMALL}*{CAPITAL}?{SMALL}+\Z")  # the last word, "StaffLine" too
_NEXT = re.compile(rf"[ \u00a0](?P<word>{CAPITAL}[^\W\d_]+)(?![\w:@=]|[./'’-]\w|[ \u00a0]?:)")
_BEHIND_OWNER = re.compile(rf"['’]s(?=[ \u00a0]{CAPITAL}[^\W\d_]+)")
# The first half of a word with a hyphen: "Co-op".
_HALF = re.compile(rf"(?<![\w'’-]){CAPITAL}[^\W\d_]{{0,15}}-\Z")
_LONGEST_HALF = 18  # characters
# Words with capitals before it, which no sentence begins with: "for Blue" before "Yonder Travel", "from A1" before "Plumbing".
_BEFORE = re.compile(
    rf"(?:(?<![\w-])(?!of[ \u00a0])[a-z]+,?|\()[ \u00a0](?P<words>(?:(?:{CAPITAL}{SMALL}+|[A-Z][0-9])[ \u00a0]){{1,2}})\Z"
)
_LONGEST_BEFORE = 34  # characters
# What people are or do there, or say of it, and so no part of its name.
_NO_PARTS = frozenset(
    "and or the of act bill law code report office officials official court judge spokesperson analyst engineer employee "
    "employees officer officers personnel lawyer lawyers vice number no ref reference policy account form tel fax phone email "
    "mobile signed yours dear re minister ministers general lead partner regime resolution resolutions "
    "regulations sanctions agreement "
    # Headings have capitals for every word.
    "about after against as at before by concerned during for from in into is on over responsible to under was with".split()
)
_SURE = 0.5  # how sure a finder must be of a firm whose words are ordinary ones: "Kitchen Lead" is none


def whole_firm(text: str, start: int, end: int, score: float) -> tuple[int, int]:
    """The place of a firm with the words in capitals behind it, and with the first half of its first word."""
    if text[start].islower():
        half = _HALF.search(text[max(0, start - _LONGEST_HALF) : start])
        start -= len(half.group()) if half else 0
    if _TITLE_CASE.search(text, start, end) is None or not _is_firm(text[start:end], score):
        return start, end
    start = _first_word(text, start)
    owner = _BEHIND_OWNER.match(text, end) if is_given_name(fold_term(text[start:end])) else None
    end = owner.end() if owner else end
    for _ in range(_MOST_WORDS):
        following = _NEXT.match(text, end)
        if following is None or not _may_belong(following["word"]):
            break
        end = following.end()
    return start, end


def _first_word(text: str, start: int) -> int:
    """Where a firm begins with the words in capitals before what was found."""
    before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    if before is None:
        return start
    for word in reversed(before["words"].split()):
        is_word = is_ordinary(fold_term(word)) and _may_belong(word)
        if not (is_word or word[-1].isdigit()):
            break
        start -= len(word) + 1
    return start


def _is_firm(name: str, score: float) -> bool:
    return (score >= _SURE and fold_term(name) != "the") or not all(
        is_ordinary(fold_term(word)) for word in name.split()
    )


def _may_belong(word: str) -> bool:
    """Whether a word with a capital can go on with a firm's name. Somebody's name, a role, a label and a day cannot."""
    folded = fold_term(word)
    if (
        folded in ROLES
        or folded in TITLES
        or folded in LABELS
        or folded in CALENDAR_WORDS
        or folded in _NO_PARTS
    ):
        return False
    return not is_given_name(folded)
