"""Where no word can stand, so that a placeholder does.

A replacement names the class of what stood there. Where the text already says the class, or speaks of the name itself, the
class would be said of itself: `symptoms include a symptom`, `an illness, also called an illness`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from efface.core import Edit
from efface.guarantees.semantic.english.slots import fills_slot
from efface.guarantees.semantic.english.wording import is_plural
from efface.knowledge.taxonomy.concepts import lexicon
from efface.knowledge.taxonomy.countability import countability

HYPHENS = ("-", "‐", "‑")
_JOINTS = ("–", "+", "@", "#", "&", "=", "\\", "_")  # signs between, before or after the parts of a compound
# A token that does not end with a word: `diabetes.pdf`, `illness(es)`.
_GOES_ON = re.compile(r"[.:]\w|[({]")
# A token that does not begin with a word: `diagnosis:diabetes`, `.diabetes {`.
_WENT_BEFORE = (".", ":", ")", "}")
_QUOTES = ('"', "”", "“")
_BRACKETS = ("(", ")")  # brackets around what is told in them alone: `acetylsalicylic acid (ASA)`
_SLASH = "/"
_NEAR = 80  # characters before a mention that are looked at
_CLOSE_HEADS = 10  # words before a head among which the same head is
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
    r"\b(?:called|calls?\s+(?:it|this|that|them|him|her)|renamed|(?:shortened|abbreviated|changed)\s+to|renamed\s+as|spelled|spelt|named|termed|dubbed|nicknamed|known\s+as|(?:the|historical|old)\s+(?:word|term|name))\s+"
    + _DETERMINER,
    re.IGNORECASE,
)
# The same for the second name: `called "word blindness" or alexia`.
_NAMED_TOO = re.compile(
    r"\b(?:called|named|termed|known\s+as)\s+[^.;:()]{1,60}\b(?:or|and)\s+" + _DETERMINER, re.IGNORECASE
)
# Members of a class that was named before it: all that follows in the clause is of it.
_MEMBERS = re.compile(
    r"\(|\b(?:includ(?:es?|ing)|such\s+as|specifically|namely|especially|e\.g\.|(?:is|are|was|were)\s+(?:an?|the|one)\b|"
    r"(?:types?|kinds?|forms?|groups?|branch(?:es)?)\s+of)",
    re.IGNORECASE,
)
_OF = re.compile(r"\b([^\W\d_]+)\s+of\b")
# Examples of what was named before: a class says nothing of them.
_EXAMPLES = re.compile(
    r"\b(?:includ(?:es?|ed|ing)|such\s+as|namely|e\.g\.|for\s+example|(?:examples?|forms?|types?|kinds?|causes?)\s+(?:is|are))\b",
    re.IGNORECASE,
)
# The end of a name: `Down syndrome`, but not `The syndrome`.
_NAME_BEFORE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z'’]+ $")
# A place is named after what it is: `the Republic of Genoa`, `the state of Illinois`.
_PLACE_BEFORE = re.compile(
    r"\b(?:[A-Z][a-z]+|state|city|town|county|province|region|republic|kingdom|district|university|bishop|duke|king)\s+of\s+$"
)
_PROPER_NAME = re.compile(r"[A-Z][a-z]+(?:\s[A-Z][a-z]+)*")
# What is said of a subject: `(FLU), also known as grippe, is`.
_PREDICATE = re.compile(r"\s*(?:\([^()]*\)\s*|,[^,.;]{0,80},\s*)?(?:is|are|was|were)\s+")
_PREDICATE_WORDS = 5  # after the verb among which the class is
_PREPOSITIONS = frozenset("in of for by with from to that which who and or at on".split())
_BESIDE = r"\s+(?:(?:of|an?|the)\s+){0,2}"  # what may stand between words that would be said twice
_SHARE = re.compile(
    r"(?:%|\bper\s?cent|\b(?:half|third|quarter|most|majority))\s+of\s+(?:the\s+|all\s+)?$", re.IGNORECASE
)
_GLOSS = 400  # characters that brackets with glosses hold at most
_ALREADY = 4  # words before a plural among which the same class is
_LIST_END = re.compile(r"(?:,|\b(?:and|or))\s*$")
_CLAUSE = re.compile(r"[.;:!?](?:\s|$)|\n\s*\n")


def is_fitting(text: str, start: int, end: int, label: str) -> bool:
    """Whether words can stand in this place. None can as a part of a compound (`Wernicke–Korsakoff`, `CD8+`), before a
    closing quotation mark, after `called`, or where the text would say a class of itself (`the cities of a city`)."""
    if _is_part_of_compound(text, start, end) or is_marked_off(text, start, end):
        return False
    if _is_in_brackets(text, start):  # a gloss: `(Czech: Praha)`
        return False
    beside = text[start - 1 : start], text[end : end + 1]
    if _SLASH in beside and not countability().is_mass(label.rsplit(" ", maxsplit=1)[-1]):
        return False
    if _is_part_of_name(text, start, end):
        return False
    match = _CLASS_BEFORE.search(text, max(0, start - _NEAR), start)
    if match is not None and lexicon().key(match.group(1)) == _head_key(label):
        return False
    return fills_slot(text, start, end, label)


def _is_part_of_compound(text: str, start: int, end: int) -> bool:
    """Whether a sign or a letter joins the place to what stands beside it."""
    before, after = text[start - 1 : start], text[end : end + 1]
    is_joined = any(each in _JOINTS or each in HYPHENS for each in (before, after))
    return is_joined or before in _WENT_BEFORE or _GOES_ON.match(text, end) is not None


def _is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether the words before the place make it the end of a name, or say what it is called."""
    near = max(0, start - _NEAR)
    if any(pattern.search(text, near, start) for pattern in (_NAME_BEFORE, _NAMED_BEFORE, _NAMED_TOO)):
        return True
    return bool(_PROPER_NAME.fullmatch(text, start, end) and _PLACE_BEFORE.search(text, near, start))


def _is_in_brackets(text: str, start: int) -> bool:
    """Whether more brackets were opened than closed before a place, in its paragraph."""
    before = text[max(0, start - _GLOSS) : start].rsplit("\n", maxsplit=1)[-1]
    depth = 0
    for mark in before:
        depth = depth + 1 if mark == "(" else max(0, depth - 1) if mark == ")" else depth
    return depth > 0


def is_share(text: str, start: int) -> bool:
    """Whether a share of something is told, so that its modifiers are needed: `13% of the Muslim population`."""
    return _SHARE.search(text, max(0, start - _NEAR), start) is not None


def is_marked_off(text: str, start: int, end: int) -> bool:
    """Whether a term stands in brackets alone, or beside a quotation mark: what is quoted is the very word."""
    beside = text[start - 1 : start], text[end : end + 1]
    return beside == _BRACKETS or any(each in _QUOTES for each in beside)


def without_classes_of_themselves(
    text: str, edits: Sequence[Edit], hidden: Container[str] = ()
) -> Iterator[Edit]:
    """The edits in order, without words for a member of a class that the released clause has named already: of `growths
    (soft, growths)` and `a condition is a condition` the second is removed. The head of a phrase that stays is left. The keys
    of `hidden` things may be called by a class that the clause has: it is what they are called throughout."""
    clause, kept, at = "", "", 0  # the clause as it is released, and what the text itself says of it
    for number, edit in enumerate(edits):
        clause = _clause_of(clause + text[at : edit.start])
        kept = _clause_of(kept + text[at : edit.start])
        stood = text[edit.start : edit.end]
        if edit.replacement and (
            _says_of_itself(clause, stood, edit.replacement)
            or _is_head_again(clause, stood, edit.replacement)
            or (edit.key not in hidden and _is_named_in(kept, clause, stood, edit.replacement))
            or _is_said_next(_following(text, edits, number), edit.replacement)
        ):
            clause += text[edit.start : edit.start + edit.lead]
            edit = replace(edit, replacement=None, start=edit.start + edit.lead, lead=0)
        clause += edit.replacement or ""
        kept += " … "
        at = edit.end
        yield edit


def _is_named_in(kept: str, clause: str, stood: str, replacement: str) -> bool:
    """Whether a clause has the class already: `treatment may include treatment`, and of several things `illnesses belong to
    a group of illnesses`."""
    key = _head_key(replacement)
    if key in _keys_of(stood):
        return False
    is_several = is_plural(replacement.rsplit(maxsplit=1)[-1]) and not _LIST_END.search(clause)
    return key in _keys_of(kept) or (is_several and key in _keys_of(clause))


def _keys_of(text: str) -> set[str]:
    return {lexicon().key(word) for word in _WORD.findall(text)}


def _says_of_itself(clause: str, stood: str, replacement: str) -> bool:
    """Whether a clause would say a thing of itself: `viruses such as a virus`, `people as people`."""
    key = _head_key(replacement)
    stays = key in _keys_of(stood)
    if not stays and _is_example_of(clause, key):
        return True
    if is_plural(replacement.rsplit(maxsplit=1)[-1]) and _was_just_said(clause, key):
        return True
    members = (match for match in _MEMBERS.finditer(clause) if not stays or match.group() == "(")
    return any(key in _class_beside(clause, match) for match in members)


def _is_example_of(clause: str, key: str) -> bool:
    """Whether a clause gives examples, or has the class before: `the cities of a city`."""
    if _EXAMPLES.search(clause):
        return True
    return any(lexicon().key(match.group(1)) == key for match in _OF.finditer(clause))


def _was_just_said(clause: str, key: str) -> bool:
    """Whether one of the last words is of the class, and no list goes on: `labelled people as people`."""
    last = _WORD.findall(clause)[-_ALREADY:]
    goes_on = clause.rstrip().endswith(",") or last[-1:] in (["and"], ["or"])
    return not goes_on and key in set(map(lexicon().key, last))


def _class_beside(clause: str, members: re.Match[str]) -> set[str]:
    """The keys of the words that name a class beside what introduces its members: before `such as`, after `a kind of`."""
    if members.group().lower().endswith(" of"):
        named = _WORD.findall(clause[members.end() :])[:2]
    else:
        named = _WORD.findall(clause[: members.start()])[-_CLOSE:]
    return set(map(lexicon().key, named))


def _is_head_again(clause: str, stood: str, replacement: str) -> bool:
    """Whether a head that stays without its modifiers is the same as one that stayed before in the clause: of `an urban and a
    metropolitan population` two heads would say the same."""
    key = _head_key(replacement)
    is_head = key == _head_key(stood) and len(stood.split()) > len(replacement.split())
    return is_head and key in {lexicon().key(word) for word in _WORD.findall(clause)[-_CLOSE_HEADS:]}


def _following(text: str, edits: Sequence[Edit], number: int) -> str:
    """What is released right after an edit, up to some words."""
    released, at = "", edits[number].end
    for edit in edits[number + 1 :]:
        if len(released) + edit.start - at > 2 * _NEAR:
            break
        released += text[at : edit.start] + (edit.replacement or "[]")
        at = edit.end
    return released + text[at : at + _NEAR]


def _is_said_next(following: str, replacement: str) -> bool:
    """Whether the text goes on with the class that a replacement names: `a condition is a rare condition of the lung`."""
    key = _head_key(replacement)
    beside = re.match(_BESIDE + r"([^\W\d_]+)", following)
    if beside is not None and lexicon().key(beside.group(1)) == key:
        return True
    match = _PREDICATE.match(following)
    if match is None:
        return False
    words = _WORD.findall(following[match.end() :].split(",", maxsplit=1)[0])[:_PREDICATE_WORDS]
    ends = [at for at, word in enumerate(words) if word in _PREPOSITIONS]
    return key in {lexicon().key(word) for word in words[: ends[0] if ends else None]}


def _clause_of(text: str) -> str:
    ends = [match.end() for match in _CLAUSE.finditer(text)]
    return text[ends[-1] :] if ends else text


def _head_key(label: str) -> str:
    words = _WORD.findall(label)
    return lexicon().key(words[-1]) if words else ""
