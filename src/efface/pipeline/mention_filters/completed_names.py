"""The rest of a name beside what was found of it: "Cormac" before "O'Shaughnessy", "MAIR PROTHEROE" after "LLEUCU".

A word of a country or a town stands before names too ("Iranian", "Tehran"). So the rest is looked for only where a name
begins a line or a field, or where it is written in capitals among few others.
"""

from __future__ import annotations

import re

from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.function_words import OPENERS
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import PARTICLES, ROLES, TITLES, given_names

_WORD = rf"(?:{CAPITAL}['’])?{CAPITAL}[^\W\d_]{{1,30}}(?:['’-][^\W\d_]{{1,30}}){{0,2}}"
_BEFORE = re.compile(rf"(?<![\w'’.@-])(?P<word>{_WORD})[ \u00a0]\Z")
_AFTER = re.compile(rf"[ \u00a0](?P<word>{_WORD})(?![\w'’@-])")
_HYPHENED = re.compile(rf"-(?P<word>(?:{CAPITAL}['’])?{CAPITAL}[^\W\d_]{{1,30}})(?![\w'’])")
# What a field begins after: a line's end, "(1)", "/s/", a colon, the bracket of a link.
_FIELD = re.compile(r"(?:\A|\n|\([0-9a-z]{1,2}\)|/s/|[:\[*|>])[ \t\u00a0]*\Z")
_CAPITALS = re.compile(rf"{CAPITAL}{{2,}}")
_REACH = 64  # characters before a name in which the word before it stands
_LINE = 200  # characters of a line on each side
_MOST = 2  # words that are added on a side
# How a letter greets: "Hej Gunilla!" is no name of two words. Caro, Cara and Cher are names as well.
_GREETINGS = frozenset(
    "lieber liebe werte werter kare kaere kære kjaere kjære chere ola sevgili moi terve arvoisa "
    "estimada estimado querida querido gentile egregio prezada prezado".split()
).union(*OPENERS.values())
_MOST_CAPITALS = 5  # words in capitals in a line in which they are a name and not a heading
_SHORTEST = 3  # letters of a word that completes a name


def with_rest_of_name(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch that names a person, with the rest of the name in the same line."""
    if not (text[start].isalpha() and text[end - 1].isalpha()):  # a placeholder that a finder took for a name
        return start, end
    joined = _HYPHENED.match(text, end)
    if joined is not None and usage(fold_term(joined["word"])) is Usage.NEVER:
        end = joined.end()
    if text[start:end].isupper():
        return _in_capitals(text, start, end)
    if " " in text[start:end] or not text[start].isupper():
        return start, end
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    if before is None or not _is_part(before["word"]):
        return start, end
    begin = start - len(before.group())
    return (begin if _FIELD.search(text[max(0, begin - _REACH) : begin]) else start), end


def _in_capitals(text: str, start: int, end: int) -> tuple[int, int]:
    """A name in capitals with the words in capitals at it, unless they are a title or a label."""
    if end - start < _SHORTEST or _is_heading(text, start, end):
        return start, end
    for _ in range(_MOST):
        before = _BEFORE.search(text[max(0, start - _REACH) : start])
        if before is not None and before["word"].isupper() and _is_part(before["word"]):
            start -= len(before.group())
        after = _AFTER.match(text, end)
        if after is not None and after["word"].isupper() and _is_part(after["word"]):
            end = after.end()
    return start, end


def _is_heading(text: str, start: int, end: int) -> bool:
    low = text.rfind("\n", max(0, start - _LINE), start) + 1
    high = text.find("\n", end, end + _LINE)
    line = text[max(low, start - _LINE) : high if high >= 0 else end + _LINE]
    words = [word for word in _CAPITALS.findall(line) if word.isupper()]
    return len(words) > _MOST_CAPITALS


def _is_part(word: str) -> bool:
    """Whether a word with a capital can be a part of a name, and is no title, no label and no word of English."""
    folded = fold_term(word)
    if len(word) < _SHORTEST or folded in TITLES or folded in ROLES or folded in PARTICLES:
        return False
    if folded in LABELS or folded in CALENDAR_WORDS or folded in _GREETINGS:
        return False
    use = usage(folded)
    return use is Usage.NEVER or (use is Usage.ALSO and folded in given_names())
