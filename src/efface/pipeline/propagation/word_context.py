"""Whether an unwelcome string is an ordinary word where it is, and how far the address around it reaches."""

from __future__ import annotations

import re
from dataclasses import replace

from efface.core import Edit
from efface.text.calendar_names import ENGLISH_MONTHS
from efface.text.disguises.glued_tokens import is_in_file_name
from efface.text.ordinary_words import Usage, usage

# Words that open a sentence without being anybody's name there.
_OPENERS = frozenset(
    "a an and any are as at be but by can do for from had has have he her here his how i if in is it its just may "
    "me might my no nor not now of on or our out over she since so some such than that the their them then there "
    "these they this those to too under until up was we were what when where which while who why will with would "
    "you your".split()
)

_BEFORE_SENTENCE = re.compile(r"(?:^|[.!?:]|\n\s*\n|[•▪–—]|(?:^|\s)[*-])[\s\"'“”‘’«»()\[\]*•▪–—-]*\Z")
_FIELD_BEFORE = re.compile(r"(?:^|\n)[^\n:]{1,30}:[ \t]*\Z")  # "Surname: Young"
_TITLE_BEFORE = re.compile(
    r"(?<!\w)(?:mr|mrs|ms|messrs|dr|prof|st|rev|hon|gen|col|capt|lt|sgt|sen|rep|gov|vs?)\.\s*$|(?<!\w)vs?\s+\Z",
    re.IGNORECASE,
)
_INITIAL_BEFORE = re.compile(r"(?<!\w)[^\W\d_]\.[ \u00a0]?\Z")
_VERBS = frozenset("are be can do may me might will would".split())  # openers that no finite verb follows
_FINITE = re.compile(r"['’]s\b|[.,;)]|\s+(?:\w+ed|said|told|went|came|wrote|met|was|is|has|had)\b")
# Openers before an 's: "he's" is two words, "An's" is somebody's.
_CONTRACTED = frozenset("he here how it she that there this what when where who why".split())
_POSSESSIVE = re.compile(r"['’]s\b")
# Openers that a noun follows, and no verb: "My said" is a person.
_BEFORE_NOUN = frozenset("an its my our their your".split())
_DOES = re.compile(
    r"\s+(?:said|told|went|came|wrote|met|was|is|has|had|says|\w+ed\s+(?:to|that|with|the|on|in|at|for)\b)"
)
# What follows the article: a vowel, an "h", a number or letters that are spelled.
_AFTER_ARTICLE = re.compile(r"\s+[\W_]?(?:[aeiouhAEIOUH\d]|[A-Z]{2,}|[FLMNRSX]\b|[^\x00-\x7f])")
# What a person does, and what is between two persons: the word before it is a name.
_AFTER_NAME = re.compile(
    r"\s+(?:\w+ed|says|told|said|went|came|wrote|met|was|is|has|had|did|does|will|would|can|could|may|might|must|and|or|"
    r"who|whose|gave|took|left|sent|made|got|saw|knew|ran|felt|thinks|wants|reports|denies|brought|bought|rang|bit|spoke|"
    r"drove|ate|drank|slept|sat|threw|paid|kept|lost|forgot|began|thought|heard|understood|chose|swore|wept|lives|works|hopes)\b"
)
_CASE_AFTER = re.compile(r"\s+(?:(?:vs?|versus)\.?\s+[^\W\da-z]|et\s+al\b)")  # "Cash v. State"
_NEXT_WORD = re.compile(r"\s+[a-z]")
_DATE_AFTER = re.compile(r"\s+\d")
_DATE_BEFORE = re.compile(
    r"(?:\d(?:st|nd|rd|th)?|\b(?:of|in|since|until|by|early|late|mid)|[-/,])[\s-]*\Z", re.IGNORECASE
)
# A word in lower case between these is somebody, or is a noun.
_CALLED_BEFORE = re.compile(
    r"(?<!\w)(?:did|does|has|tell|told|ask|asked|ring|rang|call|called|text|texted|met|saw|hi|hey|hello|dear|thanks)[ \u00a0]\Z",
    re.IGNORECASE,
)
_NOUN_BEFORE = re.compile(
    r"(?<!\w)(?:the|an?|of|my|his|her|its|our|your|their|this|that|these|those|some|any|no|by|in|with|to)[ \u00a0]\Z",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"\s+(?:says|told|said|went|came|wrote|gave|took|knew|thinks|wants|brought|rang|spoke|drove|lives|works)\b"
)
_BEGINNING = re.compile(r"(?:\A|[\n.!?:]|[\"“(])[ \t]*\Z")
_LOOK = 40  # characters before a word that tell whether a sentence begins with it
_LINE = 200  # characters of a line on each side
_ADDRESS = re.compile(r"@|://|www\.", re.IGNORECASE)
_ADDRESS_ENDS = " \t\r\n\"'<>()[]{},;|“”‘’«»"
_DIRECTION_ENDS = "\u202c\u2069"
_DIRECTION_STARTS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_ADDRESS_REACH = 300  # characters of an address on each side of a name in it


def is_ordinary_here(text: str, start: int, end: int, folded: str, *, is_small_elsewhere: bool) -> bool:
    """Whether an ordinary English word is meant: "he" and "brown", "May 2003", "He said"; but "Mrs Brown".

    `is_small_elsewhere`: the same text has the word in lower case.
    """
    use = usage(folded)
    if use is Usage.NEVER:
        return False
    surface = text[start:end]
    if is_in_file_name(text, start, end):
        return False
    if surface.islower():
        return not _owns_in_small_letters(text, start, end, folded)
    if folded in ENGLISH_MONTHS and _is_date(text, start, end):
        return True
    if _TITLE_BEFORE.search(text[max(0, start - _LOOK) : start]):
        return False
    if _CASE_AFTER.match(text, end):
        return False
    if surface.isupper() and len(surface) > 1:
        return folded in _OPENERS or (
            _is_shouted(text, start, end) and use is Usage.ALWAYS and is_small_elsewhere
        )
    if not _opens_sentence(text, start):
        return False
    if folded in _OPENERS:
        return not _is_name_though_opener(text, end, folded)
    return is_small_elsewhere and _begins_phrase(text, start, end)


def is_called_in_small_letters(text: str, start: int, end: int) -> bool:
    """Whether somebody is meant by a word in lower case, in a text that writes that name so: "did grace ring?"."""
    before = text[max(0, start - _LOOK) : start]
    if _CALLED_BEFORE.search(before):
        return True
    return _NOUN_BEFORE.search(before) is None and _ACTS.match(text, end) is not None


def _owns_in_small_letters(text: str, start: int, end: int, folded: str) -> bool:
    """Whether a message that writes names small begins with one: "robin's at the vets". A bird has an article."""
    if folded in _CONTRACTED or _POSSESSIVE.match(text, end) is None:
        return False
    return _BEGINNING.search(text[max(0, start - _LOOK) : start]) is not None


def _is_name_though_opener(text: str, end: int, folded: str) -> bool:
    """Whether what follows a word that opens sentences makes it a name: "Will said", "An's wife", "An came"."""
    if folded in _VERBS:
        return _FINITE.match(text, end) is not None
    if folded not in _CONTRACTED and _POSSESSIVE.match(text, end):
        return True
    if folded == "an" and _AFTER_ARTICLE.match(text, end) is None:
        return True
    return folded in _BEFORE_NOUN and _DOES.match(text, end) is not None


def _begins_phrase(text: str, start: int, end: int) -> bool:
    """Whether the first word of a sentence goes on as an ordinary one: "Young people", not "Young said"."""
    if _INITIAL_BEFORE.search(text[max(0, start - _LOOK) : start]) or _AFTER_NAME.match(text, end):
        return False
    return _NEXT_WORD.match(text, end) is not None


def _is_date(text: str, start: int, end: int) -> bool:
    return bool(_DATE_AFTER.match(text, end) or _DATE_BEFORE.search(text[max(0, start - 12) : start]))


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOK) : start]
    if (start <= _LOOK or "\n" in before) and _FIELD_BEFORE.search(before):
        return False
    return _BEFORE_SENTENCE.search(before) is not None if before.strip() or start > _LOOK else True


def _is_shouted(text: str, start: int, end: int) -> bool:
    """Whether the whole line is in capitals, so that case means nothing."""
    low = text.rfind("\n", max(0, start - _LINE), start) + 1
    high = text.find("\n", end, end + _LINE)
    line = text[max(low, start - _LINE) : high if high >= 0 else end + _LINE]
    return line.isupper()


def address_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The e-mail address or link that a name is in, if any."""
    low, high = start, end
    while low > max(0, start - _ADDRESS_REACH) and text[low - 1] not in _ADDRESS_ENDS:
        low -= 1
    while high < min(len(text), end + _ADDRESS_REACH) and text[high] not in _ADDRESS_ENDS:
        high += 1
    while high > end and text[high - 1] in ".:!?":
        high -= 1
    return (low, high) if _ADDRESS.search(text, low, high) else None


def without_direction_ends(text: str, edit: Edit) -> Edit:
    """An edit without the sign behind it that ends a change of direction: without it the rest of the line runs backwards."""
    surface = text[edit.start : edit.end]
    ending = surface.rstrip(_DIRECTION_ENDS)
    if len(ending) == len(surface) or not _DIRECTION_STARTS.isdisjoint(surface):
        return edit
    return replace(edit, end=edit.start + len(ending))
