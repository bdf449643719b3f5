"""Months and days that the word before them tells, where no year stands: "since January", "on the 14th", "in januari"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.core import Mention
from efface.text.calendar_names import MONTHS
from efface.text.folding import fold_term

_DATE = "DATE_TIME"
_SCORE = 0.9
TOLD = "the word before it says that a time is meant"

_LANGUAGES = ("en", "de", "fr", "it", "es", "nl", "pt")
_FULL = frozenset(name for language in _LANGUAGES for name in MONTHS[language][0])
# People are called so, or it is another word, so fewer words tell.
_NAMES = frozenset(
    "april may june august mai avril aprile abril juni juin mei agosto marzo mars march".split()
)
_WORDS = frozenset("may march mars mai mei".split())  # in small letters
_OF_TIMES = (
    "in since until till during last next this early late mid seit im ende anfang mitte depuis fin début courant desde dal "
    "sinds eind begin"
).split()
_OF_TIMES_OR_PEOPLE = (*_OF_TIMES, "by", "before", "after", "from", "ab", "bis", "en", "em", "vanaf", "tot")
_ALONE = r"(?![\w@]|[-'’]\w|\.\w)"


def _either(names: Iterable[str]) -> str:
    forms = {form for name in names for form in (name, name.capitalize(), name.upper()) if form not in _WORDS}
    return "|".join(sorted(forms, key=len, reverse=True))


# The first letters are looked at first, since most places have none of them.
_MONTH = re.compile(rf"(?=[A-Za-zäéûç])\b(?:{_either(_FULL - _NAMES)}){_ALONE}")
_MONTH_OR_NAME = re.compile(rf"\b(?:{_either(_NAMES)}){_ALONE}")
_BEFORE = re.compile(rf"(?<![\w-])(?i:{'|'.join(_OF_TIMES_OR_PEOPLE)})[ \u00a0-]\Z")
_BEFORE_NAME = re.compile(rf"(?<![\w-])(?i:{'|'.join(_OF_TIMES)})[ \u00a0-]\Z")
_LONGEST = 10  # characters of a word before
# What has a floor, a hole or a century goes on with it.
_DAY = re.compile(
    r"(?<=the )(?:(?<=[Oo]n the )|(?<=[Uu]ntil the )|(?<=[Ss]ince the )|(?<=[Bb]y the )|(?<=[Tt]ill the ))"
    r"(?:3[01]|[12][0-9]|[1-9])(?:st|nd|rd|th)(?=[.,;:)!?]|\s*$|[ \u00a0](?:and|at|but|because|when|where|with|she|he|they|we|I)\b)",
    re.MULTILINE,
)


def dates_in_context(text: str) -> Iterator[Mention]:
    """Months behind a word that speaks of times, and days of a month that is understood."""
    for months, before in ((_MONTH, _BEFORE), (_MONTH_OR_NAME, _BEFORE_NAME)):
        for found in months.finditer(text):
            if before.search(text[max(0, found.start() - _LONGEST) : found.start()]):
                yield _mention(text, *found.span())
    for found in _DAY.finditer(text):
        yield _mention(text, *found.span())


def _mention(text: str, start: int, end: int) -> Mention:
    return Mention(start, end, _DATE, fold_term(text[start:end]), _SCORE, TOLD)
