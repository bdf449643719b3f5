"""What the value of a labelled field is: a name, an address, a postcode, or nothing that a label could mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Mention
from efface.finders.fields.field_labels import (
    POSTCODE_SHAPE,
    holds_person,
    is_address,
    is_address_line,
    is_postcode,
    type_of,
    whose_part,
)
from efface.text.folding import fold_term
from efface.text.form_labels import is_label
from efface.text.spans import Span

PERSON, LOCATION, ORGANIZATION = "PERSON", "LOCATION", "ORGANIZATION"
DATE_TIME, ID_NUMBER, POSTCODE = "DATE_TIME", "ID_NUMBER", "POSTCODE"
NEAR = 300  # characters in which another label tells whose "Name" is meant
SCORE = 0.95  # a label leaves little doubt
LABELLED = "the label of the field says that it is a name"
_EMPTY = frozenset(
    "n/a na none nil unknown not known tbc tba tbd null undefined anonymous withheld redacted string text varchar "
    "required optional missing blank same as above see true false yes no x".split()
)
WORD = re.compile(r"[^\W\d_]+")
_REMARK = re.compile(r"\s*[(\[,;–-]\s*[a-zà-ÿ0-9+].*$", re.DOTALL)  # "(wife)", ", +44 7700"
_EMPHASIS = re.compile(r"(?P<mark>[*_`]{1,3})(?P<name>[^*_`]+)(?P=mark)")  # emphasis of Markdown
MASK = re.compile(r"[*\s]+")
_NO_NAME = re.compile(r"@|://|\*\*|##|XX+$")  # addresses, and what a mask left
_MOST_WORDS = 5  # of a name in a field
_LONGEST_ADDRESS = 120  # characters of an address in one field
PARTIES = frozenset(  # these may be a firm
    "client customer claimant plaintiff defendant applicant respondent donor tenant landlord beneficiary insured solicitor "
    "consultant assignee referrer participant attendee".split()
)


def with_full_names(fields: Sequence[tuple[str, Mention]]) -> Iterator[Mention]:
    """The names of one row or record. A surname and the given names beside it are one person, and no other."""
    for label, mention in fields:
        whose, part = whose_part(label)
        others = [other for name, other in fields if part and whose_part(name) == (whose, _OTHER_PART[part])]
        if len(others) == 1 and " " not in others[0].key:
            pair = (others[0].key, mention.key) if part == "surname" else (mention.key, others[0].key)
            yield replace(mention, key=" ".join(pair))
        else:
            yield mention


_OTHER_PART = {"surname": "given", "given": "surname"}


def cell_mention(text: str, place: Span, label: str) -> Mention | None:
    if is_address(label) or is_address_line(label, "address"):
        return address_mention(text, place)
    if is_postcode(label):
        is_told = POSTCODE_SHAPE.fullmatch(text, place.start, place.end) is not None
        return next(unmasked_mentions(text, POSTCODE, [place]), None) if is_told else None
    value = text[place.start : place.end].strip()
    if value.lower() in PARTIES or whose_part(value)[1]:
        return None  # "Defendant" below "Claimant", in the heading of a judgment; "Forename" below "Surname", in a form
    # A Judge or a Ward in a column of surnames is a person, and no label.
    return name_mention(text, place, type_of(label), lower=not holds_person(label), may_be_label=False)


def address_mention(text: str, place: Span) -> Mention | None:
    """The address in a cell, whole: a street without its number is still where somebody lives."""
    value = text[place.start : place.end].rstrip()
    is_told = any(map(str.isalpha, value)) and value != value.lower()
    if not is_told or len(value) > _LONGEST_ADDRESS or is_label(value) or _NO_NAME.search(value):
        return None
    if _EMPTY.issuperset(map(fold_term, WORD.findall(value))):
        return None
    return Mention(place.start, place.start + len(value), LOCATION, fold_term(value), SCORE, LABELLED)


def unmasked_mentions(text: str, type_: str, places: Iterable[Span]) -> Iterator[Mention]:
    for place in places:
        key = fold_term(text[place.start : place.end])
        if not MASK.fullmatch(text, place.start, place.end):
            yield Mention(place.start, place.end, type_, key, SCORE, LABELLED)


def name_mention(
    text: str, place: Span, type_: str, *, lower: bool, may_be_label: bool = True
) -> Mention | None:
    """The name in a field, if there is one. Only tables and data write names in lower case."""
    start = place.start
    value = _REMARK.sub("", text[start : place.end].rstrip())
    if (bold := _EMPHASIS.fullmatch(value)) is not None:
        start, value = start + bold.start("name"), bold["name"]
    words = WORD.findall(value)
    if not words or len(words) > _MOST_WORDS or (may_be_label and is_label(value)) or _NO_NAME.search(value):
        return None
    if _EMPTY.issuperset(map(fold_term, words)) or not (value[:1].isalpha() or value[:1] in "'’\"“(["):
        return None
    if value == value.lower() != value.upper() and not (lower and len(words) < 3 and len(value) > 1):
        return None
    return Mention(start, start + len(value), type_ or PERSON, fold_term(value), SCORE, LABELLED)
