"""Where no word can stand, so that a placeholder does.

A replacement names the class of what stood there. Where the text already says the class, or speaks of the name itself, the
class would be said of itself: `symptoms include a symptom`, `an illness, also called an illness`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from efface.core import Edit
from efface.knowledge.taxonomy.concepts import lexicon
from efface.knowledge.taxonomy.countability import countability

HYPHENS = ("-", "‐", "‑")
_JOINTS = ("–", "+")  # between or after the parts of a compound
_QUOTES = ('"', "”")
_SLASH = "/"
_NEAR = 80  # characters before a mention that are looked at
_CLOSE = 8  # words before `include` among which the class is
_WORD = re.compile(r"[^\W\d_]+")
_DETERMINER = r"(?:an?\s+|the\s+|other\s+|another\s+)?$"
# A word whose members are named next.
_CLASS_BEFORE = re.compile(
    r"([^\W_]+),?\s+(?:of|such as|including|may include|includes?|known as|called)\s+" + _DETERMINER,
    re.IGNORECASE,
)
# What follows is the name of something, not the thing.
_NAMED_BEFORE = re.compile(
    r"\b(?:called|spelled|spelt|named|termed|dubbed|nicknamed|known\s+as|(?:the|historical|old)\s+(?:word|term|name))\s+"
    + _DETERMINER,
    re.IGNORECASE,
)
# Members of a class that was named before it: all that follows in the clause is of it.
_MEMBERS = re.compile(
    r"\(|\b(?:includ(?:es?|ing)|such\s+as|specifically|namely|especially|e\.g\.|(?:is|are|was|were)\s+(?:an?|the|one)\b|"
    r"(?:types?|kinds?|forms?|groups?|branch(?:es)?)\s+of)",
    re.IGNORECASE,
)
_OF = re.compile(r"\b([^\W\d_]+)\s+of\b")
# The end of a name: `Down syndrome`, but not `The syndrome`.
_NAME_BEFORE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z'’]+ $")
_CLAUSE = re.compile(r"[.;:!?](?:\s|$)|\n\s*\n")


def is_fitting(text: str, start: int, end: int, label: str) -> bool:
    """Whether words can stand in this place. None can as a part of a compound (`Wernicke–Korsakoff`, `CD8+`), before a
    closing quotation mark, after `called`, or where the text would say a class of itself (`the cities of a city`)."""
    beside = text[start - 1 : start], text[end : end + 1]
    if any(each in _JOINTS for each in beside) or beside[1] in _QUOTES:
        return False
    if _SLASH in beside and not countability().is_mass(label.rsplit(" ", maxsplit=1)[-1]):
        return False
    if _NAME_BEFORE.search(text, max(0, start - _NEAR), start) or _NAMED_BEFORE.search(
        text, max(0, start - _NEAR), start
    ):
        return False
    match = _CLASS_BEFORE.search(text, max(0, start - _NEAR), start)
    return match is None or lexicon().key(match.group(1)) != _head_key(label)


def without_classes_of_themselves(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits in order, without words for a member of a class that the released clause has named already: of `growths
    (soft, growths)` and `a condition is a condition` the second is removed. The head of a phrase that stays is left."""
    clause, at = "", 0
    for edit in edits:
        clause = _clause_of(clause + text[at : edit.start])
        if edit.replacement and _says_of_itself(clause, text[edit.start : edit.end], edit.replacement):
            clause += text[edit.start : edit.start + edit.lead]
            edit = replace(edit, replacement=None, start=edit.start + edit.lead, lead=0)
        clause += edit.replacement or ""
        at = edit.end
        yield edit


def _says_of_itself(clause: str, stood: str, replacement: str) -> bool:
    key = _head_key(replacement)
    stays = key in {lexicon().key(word) for word in _WORD.findall(stood)}
    if not stays and any(lexicon().key(match.group(1)) == key for match in _OF.finditer(clause)):
        return True
    for match in _MEMBERS.finditer(clause):
        if stays and match.group() != "(":
            continue
        before = _WORD.findall(clause[: match.start()])
        after = _WORD.findall(clause[match.end() :])[:2]
        of = match.group().lower().endswith(" of")
        named = after if of else before[-_CLOSE:]
        if key in {lexicon().key(word) for word in named}:
            return True
    return False


def _clause_of(text: str) -> str:
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    return text[ends[-1] :] if ends else text


def _head_key(label: str) -> str:
    words = _WORD.findall(label)
    return lexicon().key(words[-1]) if words else ""
