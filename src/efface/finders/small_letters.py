"""Text whose writer puts no capitals, so that a name looks like any other word and the names finder leaves one fact in five.

What was cut is blank when this is asked, so the names say nothing. The other words do: a message that begins small, "i", a weekday,
a sentence that begins small behind another one, a contraction without its sign, a message of a chat without a stop at its end. Cells
of records and items of lists are written small by habit, and count where they speak of people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from efface.text.form_labels import is_label

# Before the words of a message: "[12/03/2026, 14:02] Priya: ".
_MESSAGE_HEAD = re.compile(r"\W*(?:[\d/.:, -]{3,}(?:[AaPp][Mm])?\W*)?(?:[^\n:]{1,40}:[ \t])?")
_NO_LETTER = re.compile(r"[\W\d_]+")
_HEAD_END = re.compile(r"[:\]]")
_QUOTED = re.compile(
    r"[ \t]{0,3}(?:(?:\|?>|:(?=[ \t]))[ \t]?){1,9}"
)  # before the lines of a mail that is answered
_LIST_ITEM = re.compile(r"(?:[-–—*•·]|\(?\w{1,3}[.)])\s")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CUT = "   "  # what was cut is blank, and may have had a capital
# What stands between the cells of a record. A comma or a semicolon before a blank is of a sentence.
_BETWEEN_CELLS = re.compile(r"[\t{}<>|=]|\\?\"|[,;](?=\S)")
_RECORD = re.compile(r"[\t{}<>|=]|\":|;\S|(?<!\d),[^\W\d]")
_I = re.compile(r"I(?:['’]\w+)?")  # who writes in small letters has this from the keyboard
_STOP = re.compile(r"[.?!…)\"”'’:]\s*$|[^\w\s,]\s*$")

# What English writes with a capital, or with a sign within, wherever it stands.
_SIGN = re.compile(
    r"(?<![\w'’.-])(?:i(?=['’](?:m|ve|ll|d)\b| {1,2}(?:am|can|could|did|do|dont|feel|get|go|got|guess|had|hate|have|heard|"
    r"hope|just|know|like|love|mean|need|never|said|saw|should|still|think|thought|told|wanna|want|was|went|will|would)\b)|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"(?:are|could|did|does|do|had|has|have|is|must|should|was|were|would)nt|wont|"
    r"(?:he|she|that|what|there|where|who)s|(?:they|you)re|(?:they|you)ve|im|ive)(?![\w'’-])"
    r"|[a-z]{3}[.?!] {1,2}[a-z]"
)
# Words by which a text speaks of people, in English and in the languages that have a chain or share one.
_OF_PEOPLE = re.compile(
    r"\b(?:he|she|him|her|his|hers|himself|herself|hes|shes|mr|mrs|ms|miss|dr|mum|mom|mam|dad|mother|father|sister|brother|son|daughter|wife|"
    r"husband|nan|nana|gran|grandma|grandad|grandpa|aunt|auntie|uncle|cousin|niece|nephew|boyfriend|girlfriend|fianc[eé]e?|neighbou?r|friend|mate|"
    r"ihm|ihn|mutter|vater|schwester|bruder|sohn|tochter|ehemann|ehefrau|frau|herr|freundin|nachbarin|"
    r"elle|mère|père|sœur|soeur|frère|fille|mari|épouse|madame|monsieur|mme|"
    r"ella|él|madre|padre|hermana|hermano|hija|hijo|marido|esposa|señora?|vecin[ao]|"
    r"lei|lui|sorella|fratello|figli[ao]|marito|moglie|signora|signor|"
    r"hij|hem|haar|moeder|vader|zus|broer|zoon|dochter|vrouw|mevrouw|meneer|mw|dhr|"
    r"ele|ela|mãe|pai|irmão|irmã|filh[ao]|mulher|senhora?)\b"
)
_SENTENCE_END = (".", "?", "!", "…")
_SENTENCE_WORDS = 5  # fewer words tell nothing about how somebody writes
_WORDS_PER_SIGN = 25  # of somebody who puts some capitals
# From so many words in small letters on, and from this share of all words, a text is not covered.
_FEW_SMALL_WORDS, _MOST_SMALL_WORDS = 20, 0.3


@dataclass(frozen=True, slots=True)
class WrittenPassage:
    """Some words of a text that were written in one go: the number of their first line, and where they begin behind a head."""

    line: int
    text: str
    begin: int = 0
    by_habit: bool = False

    @property
    def speaker(self) -> str | None:
        """What is said before the words of who speaks and when: "" if it was cut or is a time alone."""
        head = self.text[: self.begin]
        return _NO_LETTER.sub("", head).lower() if _HEAD_END.search(head) else None


def lines_in_small_letters(prose: str) -> list[int]:
    """The lines where text in small letters begins, if there is enough of it."""
    passages = list(_passages(prose))
    speakers = _speakers(passages)
    lines: list[int] = []
    small = all_words = 0
    for one in passages:
        words = _WORD.findall(one.text, one.begin)
        kind = _letters(one, words, one.speaker in speakers) if len(words) >= _SENTENCE_WORDS else None
        if kind is None:
            continue
        all_words += len(words)
        if kind:
            small += len(words)
            lines.append(one.line)
    return lines if small >= max(_FEW_SMALL_WORDS, _MOST_SMALL_WORDS * all_words) else []


def _speakers(passages: Iterable[WrittenPassage]) -> frozenset[str | None]:
    """Who speaks in a chat. Labels of a form stand once, or are known."""
    heads = Counter(one.speaker for one in passages if one.speaker is not None)
    return frozenset(head for head, times in heads.items() if times > 1 and not is_label(head))


def _letters(one: WrittenPassage, words: list[str], is_message: bool) -> bool | None:
    """Whether a passage was written in small letters. None: nobody can tell."""
    if not all(word.islower() or _I.fullmatch(word) for word in words[1:]):
        return _has_many_signs(one, words)
    if one.by_habit:
        begins_small = words[0].islower() and not _begins_with_cut(one)
        return True if begins_small and _OF_PEOPLE.search(one.text, one.begin) else None
    if _SIGN.search(one.text, one.begin) or (is_message and not _STOP.search(one.text)):
        return True
    if not words[0].islower():
        return False
    return None if _begins_with_cut(one) else True


def _has_many_signs(one: WrittenPassage, words: list[str]) -> bool:
    """Whether a passage with some capitals has so many signs of small letters that these are the rule."""
    signs = 0 if one.by_habit else len(_SIGN.findall(one.text, one.begin))
    return signs > 1 and signs * _WORDS_PER_SIGN >= len(words)


def _begins_with_cut(one: WrittenPassage) -> bool:
    """Whether the first word was cut: it may have had a capital."""
    first = _WORD.search(one.text, one.begin)
    before = one.text[: first.start()] if first else ""
    return CUT in _HEAD_END.split(before)[-1]


def _passages(prose: str) -> Iterator[WrittenPassage]:
    """The messages, sentences and cells of a text."""
    for line, text in _joined_lines(prose):
        if _RECORD.search(text):
            cells = _BETWEEN_CELLS.split(text)
            yield from (WrittenPassage(line, cell, by_habit=True) for cell in cells)
            continue
        item = _LIST_ITEM.match(text)
        if item:
            yield WrittenPassage(line, text, item.end(), by_habit=True)
            continue
        head = _MESSAGE_HEAD.match(text)
        yield WrittenPassage(line, text, head.end() if head else 0)


def _joined_lines(prose: str) -> Iterator[tuple[int, str]]:
    """The number of the first line, and the lines that go on behind it: a line that begins with a small letter does, unless
    the line before it has ended its sentence."""
    first, passage, depth = 0, list[str](), 0
    for number, whole in enumerate(prose.split("\n"), 1):
        quoted = _QUOTED.match(whole)
        line = whole[quoted.end() :] if quoted else whole
        before, depth = depth, quoted.group().count(">") if quoted else 0
        goes_on = line.lstrip()[:1].islower() and not line.startswith(CUT)
        if passage and depth == before and goes_on and not passage[-1].endswith(_SENTENCE_END):
            passage.append(line.strip())
            continue
        if passage:
            yield first, " ".join(passage)
        first, passage = number, [line.rstrip()] if line.strip() else []
    if passage:
        yield first, " ".join(passage)
