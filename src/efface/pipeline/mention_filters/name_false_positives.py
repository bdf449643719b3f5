"""Names that are no names: ordinary words in lower case, and a role or a title by itself.

A model that reads sentences sometimes takes "the", "foreign" or "Commissioner" for a name. Were it cut, it would
have to be cut everywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from efface.core import Mention
from efface.learners.names import dictionary, is_given_name
from efface.pipeline.mention_filters.by_type.dates import is_no_point_of_time
from efface.pipeline.mention_filters.by_type.places import is_place
from efface.pipeline.mention_filters.jobs import is_job
from efface.pipeline.mention_filters.labels_and_acronyms import NonNames
from efface.pipeline.mention_filters.letter_formulas import is_formula
from efface.pipeline.mention_filters.note_words import is_note_word
from efface.pipeline.mention_filters.product_names import is_product
from efface.pipeline.mention_filters.school_subjects import is_subject
from efface.text.folding import fold_term
from efface.text.ordinary_words import Usage, is_ordinary, usage
from efface.text.person_words import ROLES, TITLES, is_surname

if TYPE_CHECKING:
    from efface.text.language import LanguageStretch

_NAMES = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "NRP"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SURE = 0.9  # how sure a finder must be of a person who is written like an ordinary word
_GUESS = 0.5  # how sure of a person whose words stand on no list of names
# How sure of a firm or a place that is written like an ordinary word within a sentence: "from Unite".
_SURE_IN_SENTENCE = 0.75
# How sure of a length of time that tells who somebody is: "sentenced to two years". Chosen on the training cases of TAB.
_SURE_FACT = 0.55
_WITHIN_SENTENCE = re.compile(r"[a-z][,;]? \Z")
# "a.k.a." before another name of a person, and what a firm or an order is by law.
_ABBREVIATIONS = frozenset(
    "aka akas ka ak fka nka dba eo cv decv rl derl derldecv rlde rldecv rderldec rderldecv sade sadec sadecv".split()
)
# By themselves these name no firm, no state and no office. Most of `text.legal_forms` is not among them: two letters may be
# somebody's initials.
_NAMELESS = frozenset(
    "ao cjsc gmbh government governments inc jsc llc ltd ltda oao ojsc ooo pjsc plc pty ptyltd sue company companies "
    "limitedliability limitedliabilitycompany jointstockcompany openjointstockcompany closedjointstockcompany "
    "localauthority occupationalhealth trustees claimants "
    "publicjointstockcompany aktsionernoeobshchestvo publichnoeaktsionernoeobshchestvo".split()
)
_GIVEN_NAMES = frozenset({"sue"})  # given names that are legal forms, too
_ORDER = re.compile(r"(?:\bE\.?\s?O\.?|\bOrder)\s*(?:No\.?\s*)?\Z")
_NUMBERED = 16  # characters before a number in which "Page" stands
_PAGE = re.compile(
    r"(?i:page|paragraph|para|section|interview|participant|item|room|chapter|clause|step|appendix|annex|slide|part|volume)"
    r"[ \u00a0.]{0,2}\Z"
)
_LABEL_BEFORE = re.compile(r"(?:^|[\n#*>]|\A)[ \t]*[^\W\d_]{3,}[ \u00a0]\Z")
_VERSION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}")  # no year of four digits
_RELEASE = re.compile(r"(?<!\w)(?i:release|version|ver|build|v)[ \u00a0.]{0,2}\Z")
_PARAGRAPH = re.compile(r"\d{1,2}[.)][ \t\u00a0]+[^\W\d_]")
_EDGE = frozenset(
    "a an the of for and or in on at by to from with as his her its their our this that".split()
)

_NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred".split()
)
_TIME = re.compile(
    r"day|week|month|year|hour|minute(?!d)|second|morning|noon|evening|night|dawn|dusk|spring|summer|autumn|fall|winter|"
    r"decade|centur|millenni|quarter|semester|term|today|tomorrow|yesterday|now|later|ago|recent|past|last|next|annual|daily|"
    r"christmas|easter|ramadan|diwali|lent|eid|advent|fortnight|season|era|period|time|birthday|jan|feb|mar|apr|may|jun|"
    r"jul|aug|sep|oct|nov|dec"
)

# Verbs of letters and notes that are too rare in an encyclopedia to be on the list of ordinary words.
_SHOUTED_VERB = re.compile("[A-Z]{2,}ED")
_VERBS = frozenset(
    "coughed cries crept dreamt forgave knelt leapt leant limped nodded rang sighed sleeps smiled smokes spat stung "
    "strode swam trod woke wrung".split()
)

# What is written as names are, and is something else.
_OTHER_THINGS: tuple[Callable[[str, Mention, list[str]], bool], ...] = (
    is_formula,
    is_note_word,
    is_job,
    is_subject,
    is_product,
)


def without_false_names(text: str, mentions: Iterable[Mention], *, facts: bool = False) -> Iterator[Mention]:
    """The mentions that can be names, without the small words on their edges.

    With `facts`, a job, an age or "the national disability tribunal" counts as well: it tells who somebody is, and is no name.
    """
    non_names, english = NonNames(text), _EnglishText(text)

    def is_false(mention: Mention, written: list[str]) -> bool:
        if _is_ordinary(text, mention, written, english) or non_names.holds(mention, written):
            return True
        return any(is_other(text, mention, written) for is_other in _OTHER_THINGS)

    for mention in mentions:
        if mention.type not in _NAMES:
            if (facts and mention.score >= _SURE_FACT) or not _is_no_date(text, mention):
                yield mention
            continue
        words = list(_WORD.finditer(text, mention.start, mention.end))
        written = [word.group() for word in words]
        is_kept = (facts and _may_be_fact(mention, written)) or is_place(text, mention, written)
        if not words:
            yield mention
        elif is_kept or not is_false(mention, written):
            yield _trimmed(mention, words)


def _may_be_fact(mention: Mention, words: list[str]) -> bool:
    """Whether a mention may say what somebody is, where they are or for whom they work, in ordinary words."""
    return mention.type == "NRP" or (mention.type != "PERSON" and len(words) > 1)


class _EnglishText:
    """Knows where a text is in English. The list of ordinary words says nothing of Sines in Portugal."""

    def __init__(self, text: str) -> None:
        self._text = text

    def holds(self, mention: Mention) -> bool:
        """Whether a mention stands in English text, or in one whose language is not known."""
        at = bisect_right(self._stretches, mention.start, key=attrgetter("start")) - 1
        return at < 0 or self._stretches[at].language in ("en", "und")

    @cached_property
    def _stretches(self) -> list[LanguageStretch]:
        from efface.text.language import (
            languages,
        )  # loads numpy: only for a text in which a names model found something

        return languages(self._text)


def _is_ordinary(text: str, mention: Mention, words: list[str], english: _EnglishText) -> bool:
    """Whether the words of a mention are no name: abbreviations, titles, or words that English uses otherwise."""
    folded = [fold_term(word) for word in words]
    joined = "".join(folded)
    if joined in _ABBREVIATIONS or len(joined) == 1:
        return True
    if _is_title_or_role(folded):
        return True
    is_person = mention.type == "PERSON"
    if joined in _NAMELESS and (not is_person or _is_form_in_capitals(words, joined)):
        return True
    if all(word.islower() for word in words):
        return all(map(is_ordinary, folded)) and not _is_in_small_letters(mention, folded)
    if is_person and mention.score < _GUESS and _is_no_name(folded):
        return english.holds(mention)
    if len(words) != 1 or not words[0].istitle() or is_person:
        return False
    return _is_unsure_ordinary_word(text, mention, folded[0]) and english.holds(mention)


def _is_in_small_letters(mention: Mention, folded: list[str]) -> bool:
    """Whether a find is a name although all of its words are ordinary ones in small letters: "ms. brown", "united states"."""
    if mention.type == "PERSON":
        is_likely = all(map(is_given_name, folded)) or folded[0] in TITLES
        return mention.score >= (_GUESS if is_likely else _SURE)
    return mention.score >= _SURE and (len(folded) > 1 or mention.type == "LOCATION")


def _is_unsure_ordinary_word(text: str, mention: Mention, word: str) -> bool:
    """Whether English hardly ever uses a word as a name, and the finder is not sure of it either. Within a sentence its
    capital is evidence, so that less certainty is enough."""
    is_within = _WITHIN_SENTENCE.search(text, max(0, mention.start - 3), mention.start) is not None
    least = _SURE_IN_SENTENCE if is_within else _SURE
    return mention.score < least and usage(word) is Usage.ALWAYS


def _is_no_name(folded: list[str]) -> bool:
    """Whether all words are ordinary ones, as in "Vessel Type": the only one is on no list of names, or one of several
    never is a name."""
    if not all(map(is_ordinary, folded)):
        return False
    unlisted = [word for word in folded if word not in dictionary()]
    if len(folded) == 1 and usage(folded[0]) is Usage.ALWAYS and not is_given_name(folded[0]):
        return True  # rare surnames are words, too: "Drain out by Dr Anand"
    return bool(unlisted) if len(folded) == 1 else any(usage(word) is Usage.ALWAYS for word in unlisted)


def _is_form_in_capitals(words: list[str], joined: str) -> bool:
    """A legal form that was taken for a person."""
    return len(joined) > 2 and joined not in _GIVEN_NAMES and all(map(str.isupper, words))


def _is_no_date(text: str, mention: Mention) -> bool:
    """The "E" and the number of "E.O. 13224" are no dates, nor is an "on" by itself or the number of a paragraph."""
    if mention.type != "DATE_TIME":
        return False
    if is_no_point_of_time(text, mention.start, mention.end):
        return True
    surface = text[mention.start : mention.end].strip(" .")
    if len(surface) == 5 and surface.isdecimal():
        return _ORDER.search(text, max(0, mention.start - 20), mention.start) is not None
    if len(surface) <= 2 and surface.isdecimal():
        return _numbers_text(text, mention)
    if _VERSION.fullmatch(surface):
        before = text[max(0, mention.start - _NUMBERED) : mention.start]
        return surface.endswith(".0") or _RELEASE.search(before) is not None
    if surface.isalpha() and surface.islower():
        return surface in _EDGE or len(surface) == 1 or _is_no_time(surface)
    return len(surface) == 1 and surface.isalpha()


def _is_no_time(word: str) -> bool:
    """Whether one word in lower case is an ordinary one that tells no time: a number, or "minuted"."""
    if word in _NUMBER_WORDS:
        return True
    return (is_ordinary(word) or word.endswith("ed")) and _TIME.search(word) is None


def _numbers_text(text: str, mention: Mention) -> bool:
    """Whether a short number is that of a paragraph or a page, or of who speaks: "RESPONDENT 4: Yes"."""
    before = text[max(0, mention.start - _NUMBERED) : mention.start]
    is_first = not before or before.endswith(("\n", "\r"))
    is_paragraph = is_first and _PARAGRAPH.match(text, mention.start) is not None
    is_speaker = text[mention.end : mention.end + 1] == ":" and _LABEL_BEFORE.search(before) is not None
    return is_paragraph or is_speaker or _PAGE.search(before) is not None


def _is_title_or_role(folded: list[str]) -> bool:
    """Whether all words are titles and roles, and the last one is not a surname here."""
    if not all(word in TITLES or word in ROLES for word in folded):
        return False
    return not is_surname(folded, len(folded) - 1)


def _is_edge(word: str, is_person: bool) -> bool:
    """Whether a word beside a name is no part of it. A person's name is in capitals, so a verb beside it is not:
    "Rose rang"; nor is "CALLED" where everything is in capitals."""
    if word in _EDGE:
        return True
    if is_person and _SHOUTED_VERB.fullmatch(word):
        return usage(word.lower()) is Usage.ALWAYS
    if not is_person or not word.islower() or len(word) < 3:
        return False
    return usage(word) is Usage.ALWAYS or word in _VERBS


def _trimmed(mention: Mention, words: list[re.Match[str]]) -> Mention:
    """The mention without the small words before and after the name."""
    start, end = mention.start, mention.end
    is_person = mention.type == "PERSON" and any(word.group()[0].isupper() for word in words)
    while len(words) > 1 and words[0].start() == start and _is_edge(words[0].group(), is_person):
        words = words[1:]
        start = words[0].start()
    while len(words) > 1 and words[-1].end() == end and _is_edge(words[-1].group(), is_person):
        words = words[:-1]
        end = words[-1].end()
    if (start, end) == (mention.start, mention.end):
        return mention
    return replace(mention, start=start, end=end)
