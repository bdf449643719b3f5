"""Where a mention ends: names that a finder cut too short or too long by what stands beside them.

"High" of "High Street" goes with what it is, "River T. Ms Pond" are two people, and in "09.02.23 DF" the letters are no
part of the date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.text.calendar_names import CALENDAR_WORDS, MONTH_NUMBERS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import COURTESY_TITLE, ROLES, TITLES

_PERSON, _PLACE, _FIRM, _DATE = "PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME"
_PHONE = "PHONE_NUMBER"
_STREETS = (
    "Street|Road|Lane|Avenue|Close|Crescent|Terrace|Drive|Mews|Parade|Boulevard|Gardens|Grove|Yard|Cottage|Farm|House|"
    "Lodge|Court|Estate|Ward|Square|Hill|Bridge|Station"
)
_FIRMS = (
    "Haulage|Ltd|Limited|LLP|Solicitors|Hospital|Infirmary|Surgery|Clinic|Hospice|School|Academy|College|University|"
    "Nursery|Council|Bank|Church|Inn|Arms|Hotel|Trust|Foundation|Motors|Logistics|Transport|Builders|Electrical|"
    "Plumbing|Engineering|Holdings|Partners|Consulting|Services|Pharmacy|Bakery|Foods|Co|Company|plc|PLC|Inc|Primary|Infants|"
    "Nursing Home|Care Home|Practice"
)
_KIND = re.compile(rf"(?:['’]s)?[ \u00a0](?:(?P<street>{_STREETS})|(?P<firm>{_FIRMS}))(?![^\W_])")
_TITLED = re.compile(rf"(?<=[.,;])\s+(?=(?:{COURTESY_TITLE}|Prof)\.?[ \u00a0][^\W\d_a-z])")
_DATED_LETTERS = re.compile(r"(?<=\d)[ \u00a0](?P<letters>[A-Z]{2,4})\Z")
_HOURS = frozenset("am pm ad bc ce bce gmt bst utc cet cest est edt pst pdt ist hrs h".split())
_LINE_BEFORE = re.compile(
    r"(?:(?:[0-9]{1,3}\.){3})?[0-9]{1,5}[.;]?[ \t]*\r?\n[ \t]*(?=[0-9]{4}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./]|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:)"
)
_NUMBERED = re.compile(r"[ \u00a0][0-9]{1,2}\Z")  # the number of the next person in a list
_NEXT_WORD = re.compile(r"[ \u00a0](?P<word>[^\W\d_a-z][^\W\d_A-Z]{2,20})(?!\w|['’-]\w)")
_SHORT_END = re.compile(r"(?<![\w.])(?P<word>[A-Z][a-z]{1,2})\.\Z")  # "Ely."
_ABBREVIATED = frozenset(
    "st ste mt ft rd dr mr mrs ms sr jr sen rep gov gen col sgt lt co inc ltd no ave sq pl ct bd av str".split()
)
# "Mob 07700 900 461" is a label and a number.
_TELEPHONE = re.compile(
    r"(?i:mob|mobile|fax|tel|cell|phone)[.:]?[ \u00a0](?=[+(]?[0-9][0-9 ()\u00a0-]{5,20}\Z)"
)
_LONGEST_KIND = 20  # characters behind a mention in which its kind stands


def with_right_edges(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, each as long as the name or the date is."""
    for mention in mentions:
        if mention.type == _DATE:
            yield _without_letters(text, _without_line_before(text, mention))
        else:
            for piece in _before_titles(text, _without_telephone_label(text, mention)):
                yield _with_surname(text, _with_kind(text, _without_end(text, piece)))


def _without_line_before(text: str, mention: Mention) -> Mention:
    """A date that begins a line, without the number that ends the line before: "host web-03\\nNov 10 08:03:11"."""
    found = _LINE_BEFORE.match(text, mention.start, mention.end)
    if found is None:
        return mention
    return _piece(text, mention, found.end(), mention.end, mention.type)


def _without_letters(text: str, mention: Mention) -> Mention:
    """A date without the initials behind it."""
    found = _DATED_LETTERS.search(text, max(mention.start, mention.end - 6), mention.end)
    if found is None or found["letters"].lower() in _HOURS or found["letters"].lower() in MONTH_NUMBERS:
        return mention
    return _piece(text, mention, mention.start, found.start(), mention.type)


def _without_telephone_label(text: str, mention: Mention) -> Mention:
    """A number that was taken for a name with the label before it, as the number alone."""
    label = _TELEPHONE.match(text[mention.start : mention.end])
    if label is None or mention.type not in (_PERSON, _PLACE, _FIRM):
        return mention
    return _piece(text, mention, mention.start + label.end(), mention.end, _PHONE)


def _before_titles(text: str, mention: Mention) -> Iterator[Mention]:
    """The people of a mention that a sentence ends in: the next begins with a title."""
    start, type_ = mention.start, mention.type
    for gap in _TITLED.finditer(text, mention.start, mention.end):
        yield _piece(text, mention, start, gap.start(), type_)
        start, type_ = gap.end(), _PERSON
    yield _piece(text, mention, start, mention.end, type_)


def _without_end(text: str, mention: Mention) -> Mention:
    """A name without what ends its sentence or begins the next entry of a list."""
    if text[mention.end - 1] == "." and mention.type in (_PERSON, _PLACE):
        stop = _SHORT_END.search(text, max(mention.start, mention.end - 5), mention.end)
        if stop is not None and stop["word"].lower() not in _ABBREVIATED:
            mention = _piece(text, mention, mention.start, mention.end - 1, mention.type)
    return _without_number(text, mention)


def _without_number(text: str, mention: Mention) -> Mention:
    """A person without the number that begins the next entry of a list: "1. Miles Long 2. Robyn Banks"."""
    if mention.type != _PERSON or text[mention.end : mention.end + 1] not in (".", ")"):
        return mention
    number = _NUMBERED.search(text, mention.start, mention.end)
    return _piece(text, mention, mention.start, number.start(), _PERSON) if number else mention


def _with_surname(text: str, mention: Mention) -> Mention:
    """A given name with the surname behind it that is an ordinary word too: "Josie Park"."""
    found = _NEXT_WORD.match(text, mention.end)
    if mention.type != _PERSON or found is None:
        return mention
    given, surname = fold_term(text[mention.start : mention.end]), fold_term(found["word"])
    if not is_given_name(given) or not _is_surname(surname):
        return mention
    return _piece(text, mention, mention.start, found.end(), _PERSON)


def _is_surname(word: str) -> bool:
    """Whether a word with a capital may be somebody's surname, and is no day, no role and no word that is never a name."""
    if word in CALENDAR_WORDS or word in TITLES or word in ROLES or word in LABELS:
        return False
    return usage(word) is not Usage.ALWAYS


def _with_kind(text: str, mention: Mention) -> Mention:
    """A place or a firm with the word for what it is: "High Street". One word that was taken for a person is one too."""
    kind = _KIND.match(text, mention.end, mention.end + _LONGEST_KIND)
    is_article = fold_term(text[mention.start : mention.end]) in ("the", "a", "an")
    if kind is None or is_article or mention.type not in (_PERSON, _PLACE, _FIRM):
        return mention
    if mention.type == _PERSON and len(text[mention.start : mention.end].split()) > 1:
        return mention
    type_ = mention.type
    if type_ == _PERSON:
        type_ = _PLACE if kind["street"] else _FIRM
    return _piece(text, mention, mention.start, kind.end(), type_)


def _piece(text: str, mention: Mention, start: int, end: int, type_: str) -> Mention:
    if (start, end, type_) == (mention.start, mention.end, mention.type):
        return mention
    return replace(mention, start=start, end=end, type=type_, key=fold_term(text[start:end]))
