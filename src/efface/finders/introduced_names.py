"""Names that the words before them introduce: "known as Spider", "goes by Ghost", "Mrs. M", "PC 4417 Hollis".

Such a name is often an ordinary word or a single letter, so a finder that goes by sentences misses it. What introduces
it must speak of a person: a disease is "known as" something too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from efface.core import FinderTraits, Mention
from efface.learners.names import dictionary
from efface.text.folding import fold_term
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import TITLES

_PERSON, _NUMBER = "PERSON", "ID_NUMBER"
_SCORE = 0.9
NICKNAME = "the words before it introduce a nickname"
_INITIAL = "an initial behind a title"
_COLLAR = "a number behind an officer's rank"

# After these a person's name follows, whatever stands before them.
_OF_PEOPLE = "|".join(
    (
        r"(?:goes|going|went|go)(?: now| also| online| usually)? by"
        r"(?: the (?:nick|street |stage |user)?(?:name|handle|alias|moniker)(?: of)?)?",
        r"(?:his|her|my|whose|him the|her the) (?:nick|street |stage |pet )name(?:,|:| is| was| of)?",
        r"(?:calls|called|calling|call) (?:him|her|my|your)self",
        r"(?:knows|knew|know) (?:him|her|them)(?: only| just)? as",
        r"I(?: only)? (?:know|knew)(?: only)? as",
        r"referred to (?:him|her|them|me) as",
        r"answers to(?: the name(?: of)?)?",
        r"real name:?",
    )
)
# After these it follows if a person is named before them.
_OF_ANYTHING = "|".join(
    (
        r"known(?: to [^.,;:()\n\"“]{1,30}?| locally| online| professionally| affectionately| simply)? (?:as|by)"
        r"(?: the (?:nick)?name(?: of)?)?",
        r"a\.?k\.?a\.?:?",
        r"alias(?:es)?:?|nicknamed",
        r"referred to as",
    )
)
_CALLED = "called|named"  # a patient may have called the police, too
_WORD = r"[^\W\d_](?:[\w'’-]{0,30}\w)?"
_CAPITAL = r"[^\W\d_a-z](?:[\w'’-]{0,30}\w)?"
_NAME = (
    rf"(?:[\"“](?P<double>{_WORD}(?: {_WORD}){{0,3}})[\"”]"
    rf"|[‘'](?P<single>{_WORD}(?: {_WORD}){{0,3}})[’'](?!\w)"
    rf"|(?P<plain>{_CAPITAL}(?: {_CAPITAL}){{0,2}})(?![\w@]))"
)
_INTRODUCED = re.compile(
    rf"(?<![\w-])(?i:(?P<personal>{_OF_PEOPLE})|(?P<open>{_OF_ANYTHING})|(?P<called>{_CALLED}))[ \u00a0]{_NAME}"
)
_KINDS_OF_PEOPLE = frozenset(
    "man woman male female boy girl lad guy bloke chap gentleman person someone somebody youth teenager suspect patient "
    "client witness victim defendant accused complainant informant neighbour neighbor colleague friend mate boyfriend "
    "girlfriend partner husband wife son daughter brother sister mother father mum mom dad uncle aunt auntie cousin "
    "nephew niece grandson granddaughter stepson stepdaughter stepfather stepmother tenant employee officer driver dealer "
    "student pupil associate".split()
)
_PRONOUNS = frozenset("he she him her who whom".split())
_ARTICLES = frozenset("a an another one".split())
_BEING = frozenset("is was be been being".split())
# Words that may stand between the person and "known as".
_BETWEEN = _BEING | frozenset(
    "has had have also often usually sometimes otherwise better best formerly previously now then commonly generally "
    "widely variously affectionately popularly only still and or s ,".split()
)
_GIVEN = frozenset("gn")  # lists of the dictionary: given names, and their short forms
_COURTESY = frozenset("mr mrs ms miss dr".split())
_OF_PLACES = frozenset("of in at from to near around the".split())  # "the centre of Alexandria"
_BEFORE = 60  # characters before a phrase in which the person stands
_PIECE = re.compile(r"[^\W\d_]+|[^\w\s]")
_QUOTED = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(_KINDS_OF_PEOPLE))})[ ][\"“](?P<double>{_CAPITAL}(?: {_CAPITAL})?)[\"”]"
)
_ONE_LETTER = re.compile(
    r"(?<![\w.])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Master|Auntie|Aunt|Uncle)\.?[ \u00a0](?P<letter>[A-Z])(?!\.?[\w&/+-])(?!['’](?!s\b))"
)
_SURNAME = re.compile(r"\.?[ \u00a0](?:[A-Z]\.?[ \u00a0]?)*(?P<word>[^\W\d_a-z][^\W\d_]+)")
_RANK = (
    r"(?<![\w.])(?:PC|WPC|PCSO|PS|WPS|DC|WDC|DS|DI|DCI|Sgt|Insp|Constable|Officer|Trooper|Deputy)[ \u00a0]"
)
_OFFICER = re.compile(
    rf"{_RANK}(?:(?P<before>[0-9]{{2,5}})(?=[ \u00a0]{_CAPITAL})|{_CAPITAL}[ \u00a0][(#]?(?P<behind>[0-9]{{3,5}})(?![\w:/%]|[.,][0-9]))"
)


@dataclass(frozen=True, slots=True)
class IntroducedNames:
    """core.Finder of nicknames, initials and collar numbers of people by the words before them."""

    types: frozenset[str] = frozenset({_PERSON, _NUMBER})

    traits: ClassVar[FinderTraits] = FinderTraits(reads_context_words=True)

    def find(self, text: str) -> Iterator[Mention]:
        for mention in (*_nicknames(text), *_behind_titles(text)):
            if mention.type in self.types:
                yield mention


def _nicknames(text: str) -> Iterator[Mention]:
    told = -1  # where the last introduced name ends: "alias Maz, a.k.a. Big M"
    for phrase in _INTRODUCED.finditer(text):
        goes_on = told >= 0 and _BETWEEN.issuperset(_pieces(text, told, phrase.start()))
        if phrase["personal"] or goes_on or _speaks_of_person(text, phrase):
            name = _name_in(text, phrase)
            if name is not None:
                told = phrase.end()
                yield name
    for quoted in _QUOTED.finditer(text):
        if usage(quoted["double"].lower()) is not Usage.ALWAYS:
            yield _nickname(text, *quoted.span("double"))


def _speaks_of_person(text: str, phrase: re.Match[str]) -> bool:
    """Whether a person stands right before the phrase: "Dean Purvis, also", "the man", "who was"."""
    words = _pieces(text, max(0, phrase.start() - _BEFORE), phrase.start())
    between: set[str] = set()
    while words and words[-1].lower() in _BETWEEN:
        between.add(words.pop().lower())
    if not words:
        return False
    if not phrase["called"]:
        return _is_person(words)
    is_any = words[-1].lower() in _KINDS_OF_PEOPLE and not _ARTICLES.isdisjoint(
        map(str.lower, words[-4:])
    )  # "a man called Spider"
    is_being = phrase["called"].lower() == "called" and not between.isdisjoint(
        _BEING
    )  # "she is called Spider"
    return is_any or (is_being and _is_person(words))


def _is_person(words: list[str]) -> bool:
    """Whether the last of the words are a pronoun, what somebody is, or a person's name."""
    if words[-1].lower() in _PRONOUNS | _KINDS_OF_PEOPLE:
        return True
    first = len(words)
    while first and words[first - 1][0].isupper():
        first -= 1
    name = words[first:]
    if not name or (len(name) == 1 and first and words[first - 1].lower() in _OF_PLACES):
        return False
    known = dictionary().get(fold_term(name[0]), "")
    return (
        fold_term(name[0]) in _COURTESY or not _GIVEN.isdisjoint(known) or (len(name) == 1 and "s" in known)
    )


def _pieces(text: str, start: int, end: int) -> list[str]:
    """The words of a stretch after the last sentence in it, and its commas."""
    found: list[str] = []
    for piece in _PIECE.findall(text, start, end):
        if piece in ".!?;:":
            found.clear()
        elif piece[0].isalpha() or piece == ",":
            found.append(piece)
    return found


def _name_in(text: str, phrase: re.Match[str]) -> Mention | None:
    """The name behind a phrase. In quotes it may be in lower case."""
    group = next(name for name in ("double", "single", "plain") if phrase[name])
    words = phrase[group].split()
    if group == "plain" and (fold_term(words[0]) in TITLES or phrase[group].lower() in _PRONOUNS | {"i"}):
        return None
    return _nickname(text, *phrase.span(group))


def _nickname(text: str, start: int, end: int) -> Mention:
    return Mention(start, end, _PERSON, fold_term(text[start:end]), _SCORE, NICKNAME)


def _behind_titles(text: str) -> Iterator[Mention]:
    """ "Mrs. M", unless a surname follows the initial, and the collar numbers of officers."""
    for found in _ONE_LETTER.finditer(text):
        surname = _SURNAME.match(text, found.end())
        if surname is None or usage((surname["word"] or "").lower()) is Usage.ALWAYS:
            key = fold_term(found.group())
            yield Mention(found.start(), found.end(), _PERSON, key, _SCORE, _INITIAL)
    for found in _OFFICER.finditer(text):
        start, end = found.span("before" if found["before"] else "behind")
        yield Mention(start, end, _NUMBER, text[start:end], _SCORE, _COLLAR)
