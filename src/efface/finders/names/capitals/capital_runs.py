"""A run of words with capitals within a sentence is one name, in languages where only names have them.

"Toitures" before "Perrin", "Merlerault" behind "Le": the readers often see one word of such a name and not the next. An
article by itself is no name. In German every noun has a capital, so the noun before a name must say what the named thing is:
"Amtsgericht Esslingen", "Gebrüder Pfleiderer".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from efface.finders.names.decoding import DecodedMention
from efface.finders.names.introductions import INTRODUCING
from efface.finders.names.repeats import NOUNS_HAVE_CAPITALS, ReadText, folded
from efface.finders.names.tokens import LOWER, TITLE
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.function_words import FUNCTION_WORDS, OPENERS
from efface.text.person_words import ROLES, TITLES

Flags = npt.NDArray[np.bool_]

_MOST = 3  # words that are added on a side
_SPACES = (" ", "\u00a0")
_QUOTES = frozenset("«“„\"'‘")
_NONE: frozenset[str] = frozenset()
_GERMAN_KINDS = (
    "amt apotheke bank brauerei bäckerei druckerei feuerwehr gebrüder gemeinde gericht gymnasium gärtnerei handwerk hof kanzlei "
    "kasse kirche klinik klinikum krankenhaus metzgerei polizei präsidium praxis reederei schule spedition staatsanwaltschaft "
    "stift stiftung theater universität verein versicherung verlag verwaltung werk werke zeitung zentrum"
).split()
# What stands with a capital beside a name and is no part of it.
_APART = TITLES | ROLES | CALENDAR_WORDS | frozenset(" ".join(INTRODUCING.values()).split())


def with_capital_runs(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """The mentions in other languages than English, each with the words of its run; in German with what kind of thing it is."""
    if not page.foreign:
        return found
    taken = np.zeros(len(page.starts) + 1, bool)
    for one in found:
        taken[one.first : one.last] = True
    whole: list[DecodedMention] = []
    article: DecodedMention | None = None
    for one in found:
        language = page.language(one.first)
        if language and language not in NOUNS_HAVE_CAPITALS:
            if article is not None and article.last == one.first and _is_beside(page, one.first - 1):
                one = replace(one, first=article.first)
            one, article = _without_small_edges(page, _widened(page, one, taken), language), None
            if _is_of_small_words(page, one, language):
                article = one
                continue
        elif language:
            one = _with_german_kind(page, one, taken)
        whole.append(one)
    return whole


def _without_small_edges(page: ReadText, one: DecodedMention, language: str) -> DecodedMention:
    """A place or a firm without the articles and prepositions at its ends."""
    known, (first, last) = FUNCTION_WORDS.get(language, _NONE), (one.first, one.last)
    while first < last - 1 and page.word(first) in known:
        first += 1
    while first < last - 1 and page.word(last - 1) in known:
        last -= 1
    return one if one.type == "PERSON" else replace(one, first=first, last=last)


def _widened(page: ReadText, one: DecodedMention, taken: Flags) -> DecodedMention:
    if page.cases[one.first] != TITLE:
        return one
    last = one.last
    while last - one.last < _MOST and _is_part(page, last, taken) and _is_beside(page, last - 1):
        last += 1
    first = begins = one.first
    while begins and one.first - begins < _MOST and _is_part(page, begins - 1, taken):
        if not _is_beside(page, begins - 1):
            break
        begins -= 1
        first = begins if _is_within_sentence(page, begins) else first
    taken[first:last] = True
    return replace(one, first=first, last=last)


def _with_german_kind(page: ReadText, one: DecodedMention, taken: Flags) -> DecodedMention:
    """A mention with the noun before it, if that says that it is an office, a house or a firm."""
    at = one.first - 1
    if at < 0 or taken[at] or page.cases[at] != TITLE or not _is_beside(page, at):
        return one
    if not page.word(at).lower().endswith(tuple(_GERMAN_KINDS)):
        return one
    taken[at] = True
    return replace(one, first=at, type="ORGANIZATION")


def _is_part(page: ReadText, at: int, taken: Flags) -> bool:
    if at >= len(page.starts) or taken[at] or page.cases[at] != TITLE:
        return False
    word = folded(page.word(at))
    return word not in _APART and word not in OPENERS.get(page.language(at), _NONE)


def _is_beside(page: ReadText, at: int) -> bool:
    """Whether one blank is between a word and the next."""
    return page.text[page.ends[at] : page.starts[at + 1]] in _SPACES


def _is_within_sentence(page: ReadText, at: int) -> bool:
    """Whether a small word stands before a word, or the quotation mark that opens a name."""
    if not at:
        return False
    if page.word(at - 1) in _QUOTES:
        return True
    return bool(page.cases[at - 1] == LOWER) and _is_beside(page, at - 1)


def _is_of_small_words(page: ReadText, one: DecodedMention, language: str) -> bool:
    known = FUNCTION_WORDS.get(language, _NONE)
    return all(page.word(at).lower() in known for at in range(one.first, one.last))
