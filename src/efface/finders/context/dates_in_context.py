"""Months and days that the word before them tells, where no year stands: "since January", "on the 14th", "in januari".
Days of a month in words: "veintidós de mayo de dos mil veinticinco". Days with a name of their own: "Whit Monday"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.core import Mention
from efface.finders.context.feast_days import FEAST_DAY
from efface.text.calendar_names import MONTHS
from efface.text.folding import fold_term
from efface.text.search.first_letters import apart_from

_DATE = "DATE_TIME"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
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
_OF_TIMES_OR_PEOPLE = (
    *_OF_TIMES,
    "by",
    "before",
    "after",
    "from",
    "ab",
    "bis",
    "en",
    "em",
    "vanaf",
    "tot",
    *"for of für vom zum pour de di do van voor para per".split(),
)
_ALONE = r"(?![\w@]|[-'’]\w|\.\w)"


def _either(names: Iterable[str]) -> str:
    forms = {form for name in names for form in (name, name.capitalize(), name.upper()) if form not in _WORDS}
    return apart_from(r"\w", sorted(forms, key=len, reverse=True))


_MONTH = re.compile(rf"(?:{_either(_FULL - _NAMES)}){_ALONE}")
_MONTH_OR_NAME = re.compile(rf"(?:{_either(_NAMES)}){_ALONE}")
_BEFORE = re.compile(rf"(?<![\w-])(?i:{'|'.join(_OF_TIMES_OR_PEOPLE)})[ \u00a0-]\Z")
_BEFORE_NAME = re.compile(rf"(?<![\w-])(?i:{'|'.join(_OF_TIMES)})[ \u00a0-]\Z")
_LONGEST = 10  # characters of a word before
# What has a floor, a hole or a century goes on with it.
_DAY = re.compile(
    r"(?<=the )(?:(?<=[Oo]n the )|(?<=[Uu]ntil the )|(?<=[Ss]ince the )|(?<=[Bb]y the )|(?<=[Tt]ill the ))"
    r"(?:3[01]|[12][0-9]|[1-9])(?:st|nd|rd|th)(?=[.,;:)!?]|\s*$|[ \u00a0](?:and|at|but|because|when|where|with|she|he|they|we|I)\b)",
    re.MULTILINE,
)
# "yours of the 3rd inst.", "on Tues"
_SHORT_FORM = re.compile(
    r"(?<![\w.-])(?:(?:3[01]|[12][0-9]|[1-9])(?:st|nd|rd|th)[ \u00a0](?:inst|ult|prox)|Tues|Weds|Thurs)(?![\w-])"
)
# The day of a month in words, before it, and the year behind it, in the languages of the months above.
_NUMBERS = (
    # English, German, Dutch
    r"(?:twenty|thirty)[- ][a-z]{3,8}|[a-z]{3,6}(?:teen|ie)th|first|second|third|f(?:our|if)th|sixth|seventh|eighth|ninth|tenth"
    r"|eleventh|twelfth|[a-zäöüß]{0,16}(?:ers|zwei|drit|vier|fünf|sechs|sieb|siebzehn|ach|neun|zehn|elf|zwölf|zigs|ßigs)te[nr]?"
    r"|eerste|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|[a-zë]{2,12}tien|[a-zë]{3,14}tig(?:ste)?"
    # French
    r"|premier|deux|trois|quatre|cinq|six|sept|huit|neuf|dix(?:-[a-z]{4})?|onze|douze|treize|quatorze|quinze|seize"
    r"|vingt(?:(?: et |-)[a-z]{2,6})?|trente(?:(?: et |-)une?)?"
    # Spanish, Portuguese
    r"|uno|primer[oa]|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci[a-zé]{4,6}"
    r"|veint[a-zéóú]{1,8}|treinta(?: y uno)?|primeiro|um|dois|três|quatro|sete|oito|nove|dez|treze|doze|dez[a-z]{4,7}"
    r"|vinte(?: e [a-zê]{2,6})?|trinta(?: e um)?"
    # Italian
    r"|primo|due|tre|quattro|cinque|sei|sette|otto|dieci|undici|dodici|tredici|quattordici|quindici|sedici"
    r"|dici[a-z]{4,6}|vent[a-z]{1,8}|trent[a-z]{1,4}"
)
# As deeds are dated: "il giorno 12 del mese di maggio", "a los tres días del mes de julio".
_OF_THE_MONTH = (
    r"(?:3[01]|[12][0-9]|0?[1-9])[ \u00a0](?:d[ií]as[ \u00a0])?(?:del mese di|del mes de|do m[êe]s de)"
)
_IN_WORDS = (
    rf"(?:{_NUMBERS})(?:[ \u00a0](?:(?:d[ií]as[ \u00a0])?(?:del mese di|del mes de|do m[êe]s de)|of|de|di))?"
)
_DAY_IN_WORDS = re.compile(rf"(?<![\w-])(?i:{_IN_WORDS}|{_OF_THE_MONTH})[ \u00a0]\Z")
_LONGEST_DAY = 40  # characters of a day in words
_YEAR_IN_WORDS = re.compile(
    r",?[ \u00a0](?:(?:of|de|del)[ \u00a0])?(?:(?:1[89]|20)[0-9]{2}(?![0-9])|(?i:dos mil|dois mil|mil novecientos|mil novecentos)"
    r"(?: (?:e )?[a-zéóúê]{3,12}(?: [ye] [a-zêó]{3,6})?)?|(?i:deux mille|mille neuf cent|two thousand|nineteen)"
    r"(?: and)?(?:[ -][a-z]{3,9}(?:-[a-z]{2,7}| et une?)?)?"
    r"|(?i:duemila|millenovecento|zweitausend|neunzehnhundert|tweeduizend|negentienhonderd)[a-zäöüßë]{0,22})"
)


def dates_in_context(text: str) -> Iterator[Mention]:
    """Months behind a word that speaks of times, and days of a month that is understood."""
    for months, before in ((_MONTH, _BEFORE), (_MONTH_OR_NAME, _BEFORE_NAME)):
        for found in months.finditer(text):
            if before.search(text[max(0, found.start() - _LONGEST) : found.start()]):
                yield _mention(text, *found.span())
            earlier = max(0, found.start() - _LONGEST_DAY)
            day = _DAY_IN_WORDS.search(text[earlier : found.start()])
            if day is not None:
                year = _YEAR_IN_WORDS.match(text, found.end())
                yield _mention(text, earlier + day.start(), year.end() if year else found.end())
    for expression in (_DAY, _SHORT_FORM, FEAST_DAY):
        for found in expression.finditer(text):
            yield _mention(text, *found.span())


def _mention(text: str, start: int, end: int) -> Mention:
    return Mention(start, end, _DATE, fold_term(text[start:end]), _SCORE, TOLD)
