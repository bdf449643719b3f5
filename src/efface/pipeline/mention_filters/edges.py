"""Where a mention ends: names that a finder cut too short or too long by what stands beside them.

"High" of "High Street" goes with what it is, "River T. Ms Pond" are two people, and in "09.02.23 DF" the letters are no
part of the date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.folding import fold_term

_PERSON, _PLACE, _FIRM, _DATE = "PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME"
_STREETS = (
    "Street|Road|Lane|Avenue|Close|Crescent|Terrace|Drive|Mews|Parade|Boulevard|Gardens|Grove|Yard|Cottage|Farm|House|"
    "Lodge|Court|Estate|Ward|Square|Hill|Bridge|Station"
)
_FIRMS = (
    "Haulage|Ltd|Limited|LLP|Solicitors|Hospital|Infirmary|Surgery|Clinic|Hospice|School|Academy|College|University|"
    "Nursery|Council|Bank|Church|Inn|Arms|Hotel|Trust|Foundation|Motors|Logistics|Transport|Builders|Electrical|"
    "Plumbing|Engineering|Holdings|Partners|Consulting|Services|Pharmacy|Bakery|Foods"
)
_KIND = re.compile(rf"(?:['’]s)?[ \u00a0](?:(?P<street>{_STREETS})|(?P<firm>{_FIRMS}))(?![^\W_])")
_TITLED = re.compile(r"(?<=[.,;])\s+(?=(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?[ \u00a0][^\W\d_a-z])")
_DATED_LETTERS = re.compile(r"(?<=\d)[ \u00a0](?P<letters>[A-Z]{2,4})\Z")
_HOURS = frozenset("am pm ad bc ce bce gmt bst utc cet cest est edt pst pdt ist hrs h".split())
_LONGEST_KIND = 20  # characters behind a mention in which its kind stands


def with_right_edges(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, each as long as the name or the date is."""
    for mention in mentions:
        if mention.type == _DATE:
            yield _without_letters(text, mention)
        else:
            for piece in _before_titles(text, mention):
                yield _with_kind(text, piece)


def _without_letters(text: str, mention: Mention) -> Mention:
    """A date without the initials behind it."""
    found = _DATED_LETTERS.search(text, max(mention.start, mention.end - 6), mention.end)
    if found is None or found["letters"].lower() in _HOURS or found["letters"].lower() in MONTH_NUMBERS:
        return mention
    return _piece(text, mention, mention.start, found.start(), mention.type)


def _before_titles(text: str, mention: Mention) -> Iterator[Mention]:
    """The people of a mention that a sentence ends in: the next begins with a title."""
    start, type_ = mention.start, mention.type
    for gap in _TITLED.finditer(text, mention.start, mention.end):
        yield _piece(text, mention, start, gap.start(), type_)
        start, type_ = gap.end(), _PERSON
    yield _piece(text, mention, start, mention.end, type_)


def _with_kind(text: str, mention: Mention) -> Mention:
    """A place or a firm with the word for what it is: "High Street". One word that was taken for a person is one too."""
    kind = _KIND.match(text, mention.end, mention.end + _LONGEST_KIND)
    if kind is None or mention.type not in (_PERSON, _PLACE, _FIRM):
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
