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
from efface.finders.addressed_names import addressed_names
from efface.finders.context.dates_in_context import dates_in_context
from efface.finders.context.firms_in_context import firms_in_context
from efface.finders.context.speakers import speakers
from efface.finders.initialled_names import initialled_names
from efface.finders.people_in_notes import people_in_notes
from efface.finders.places_in_context import places_in_context
from efface.learners.names import dictionary, is_given_name
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import COURTESY_TITLES, TITLES

_PERSON, _NUMBER, _PLACE, _FIRM, _DATE = "PERSON", "ID_NUMBER", "LOCATION", "ORGANIZATION", "DATE_TIME"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
NICKNAME = "the words before it introduce a nickname"

# After these a person's name follows, whatever stands before them. Those of the first group speak of the subject.
_OF_SUBJECT = "|".join(
    (
        r"(?:goes|going|went|go)(?: now| also| online| usually)? by"
        r"(?: the (?:nick|street |stage |user)?(?:name|handle|alias|moniker)(?: of)?)?",
        r"(?:calls|called|calling|call) (?:him|her|my|your)self",
        r"answers to(?: the name(?: of)?)?",
        r"real name:?",
    )
)
_OF_OTHERS = "|".join(
    (
        r"(?:his|her|my|whose|him the|her the) (?:nick|street |stage |pet )name(?:,|:| is| was| of)?",
        r"(?:knows|knew|know) (?:him|her|them)(?: only| just)? as",
        r"I(?: only)? (?:know|knew)(?: only)? as",
        r"referred to (?:him|her|them|me) as",
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
_CAPITAL = rf"{CAPITAL}(?:[\w'’-]{{0,30}}\w)?"
_NAME = (
    rf"(?:[\"“](?P<double>{_WORD}(?: {_WORD}){{0,3}})[\"”]"
    rf"|[‘'](?P<single>{_WORD}(?: {_WORD}){{0,3}})[’'](?!\w)"
    rf"|(?P<plain>{_CAPITAL}(?: {_CAPITAL}){{0,2}})(?![\w@]))"
)
INTRODUCED = re.compile(
    rf"(?<![\w-])(?i:(?P<personal>{_OF_SUBJECT}|{_OF_OTHERS})|(?P<open>{_OF_ANYTHING})|(?P<called>{_CALLED}))[ \u00a0]{_NAME}"
)
# Where such a phrase may begin. An expression that begins with one of a set of letters is searched for much faster.
_OPENING = re.compile(
    r"[AaCcGgHhIiKkMmNnRrWw\u0130\u0131\u212a](?<![\w-].)(?=(?i:oes |oing |ent |o |all|nswers |eal |is |er |y |hose |im |"
    r" (?:only |know|knew)|now|new|eferred |\.?k\.?a|lias|icknamed|amed))"
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
_LINK = re.compile(
    rf"[\"”’'),]{{0,3}}[ \u00a0]?[(\[]?(?:(?:{'|'.join(sorted(_BETWEEN - {','}))})[, ]{{1,2}}){{0,4}}"
    rf"(?i:{_OF_SUBJECT}|{_OF_ANYTHING})[ \u00a0][\"“‘']?"
)
_LONGEST_LINK = 70  # characters
_FREQUENT_SURNAME = "s"  # a list of the dictionary

_OF_PLACES = frozenset("of in at from to near around the".split())  # "the centre of Alexandria"
_BEFORE = 60  # characters before a phrase in which the person stands
_PIECE = re.compile(r"[^\W\d_]+|[^\w\s]")
_QUOTES = re.compile(rf"[ ][\"“]{CAPITAL}")  # what every quoted nickname begins with, and is fast to look for
_QUOTED = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(_KINDS_OF_PEOPLE))})[ ][\"“](?P<double>{_CAPITAL}(?: {_CAPITAL})?)[\"”]"
)
# "Nobby" Clarke.
_BEFORE_SURNAME = re.compile(
    rf"[\"“](?P<double>{_CAPITAL})[\"”][ \u00a0](?P<surname>{CAPITAL}[^\W\d_]+)(?![\w-])"
)


@dataclass(frozen=True, slots=True)
class IntroducedNames:
    """core.Finder of nicknames, initials and collar numbers of people, and of places, organisations and times, by the words beside them."""

    types: frozenset[str] = frozenset({_PERSON, _NUMBER, _PLACE, _FIRM, _DATE})

    traits: ClassVar[FinderTraits] = FinderTraits(reads_context_words=True)

    def find(self, text: str) -> Iterator[Mention]:
        people = (*_nicknames(text), *initialled_names(text), *people_in_notes(text), *speakers(text))
        people = (*people, *addressed_names(text))
        others = (*places_in_context(text), *firms_in_context(text), *dates_in_context(text))
        for mention in (*people, *others):
            if mention.type in self.types:
                yield mention


def names_same_person(text: str, end: int, start: int) -> bool:
    """Whether the words between the end of one name and the start of the next say that both are one person's."""
    return 0 < start - end <= _LONGEST_LINK and _LINK.fullmatch(text, end, start) is not None


def introductions(text: str) -> Iterator[re.Match[str]]:
    """The phrases that introduce a name, with the name. None overlaps with another."""
    end = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < end:
            continue
        phrase = INTRODUCED.match(text, opening.start())
        if phrase is not None:
            end = phrase.end()
            yield phrase


def _nicknames(text: str) -> Iterator[Mention]:
    """Nicknames: behind words that introduce one, or in quotes within or before a name."""
    told = -1  # the end of the last introduced name. Another may go on from there: "alias Maz, a.k.a. Big M"
    for phrase in introductions(text):
        goes_on = told >= 0 and _BETWEEN.issuperset(_last_sentence_words(text, told, phrase.start()))
        if phrase["personal"] or goes_on or _speaks_of_person(text, phrase):
            name = _name_in(text, phrase)
            if name is not None:
                told = phrase.end()
                yield name
    for quoted in _QUOTED.finditer(text) if _QUOTES.search(text) else ():
        if usage(quoted["double"].lower()) is not Usage.ALWAYS:
            yield _nickname(text, *quoted.span("double"))
    for quoted in _BEFORE_SURNAME.finditer(text):
        if _FREQUENT_SURNAME in dictionary().get(fold_term(quoted["surname"]), ""):
            yield _nickname(text, *quoted.span("double"))


def _speaks_of_person(text: str, phrase: re.Match[str]) -> bool:
    """Whether a person stands right before the phrase: "Dean Purvis, also", "the man", "who was"."""
    words = _last_sentence_words(text, max(0, phrase.start() - _BEFORE), phrase.start())
    between: set[str] = set()
    while words and words[-1].lower() in _BETWEEN:
        between.add(words.pop().lower())
    if not words:
        return False
    if not phrase["called"]:
        return _is_person(words)
    has_article = not _ARTICLES.isdisjoint(map(str.lower, words[-4:]))
    if has_article and words[-1].lower() in _KINDS_OF_PEOPLE:  # "a man called Spider"
        return True
    is_being = phrase["called"].lower() == "called" and not between.isdisjoint(_BEING)
    return is_being and _is_person(words)  # "she is called Spider"


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
    word = fold_term(name[0])
    if word in COURTESY_TITLES or is_given_name(word) or _is_rare_name(words):
        return True
    return len(name) == 1 and _FREQUENT_SURNAME in dictionary().get(word, "")


def _is_rare_name(words: list[str]) -> bool:
    """Whether the last two words are no words of the language: "Siphokazi Mthembu", "Nwachukwu, Ifeoma"."""
    last = [word for word in words[-3:] if word != ","][-2:]
    return len(last) == 2 and all(
        word[0].isupper() and usage(fold_term(word)) is Usage.NEVER for word in last
    )


def _last_sentence_words(text: str, start: int, end: int) -> list[str]:
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
