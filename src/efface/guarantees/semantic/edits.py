"""Edits for what a search has chosen: in words that fit the place, or without any where no word fits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from efface.core import Edit, Mention
from efface.guarantees.semantic.english.fitting import (
    HYPHENS,
    is_fitting,
    is_marked_off,
    is_share,
    without_classes_of_themselves,
)
from efface.guarantees.semantic.english.heads import goes_unseen
from efface.guarantees.semantic.english.introducing import introduced
from efface.guarantees.semantic.english.one_class import with_one_class
from efface.guarantees.semantic.english.wording import (
    agreeing,
    begins_sentence,
    capitalised,
    degree_start,
    follows_conjunct,
    has_definite_article,
    is_superlative,
    lacks_article,
    leaves_degree,
    merged,
    needing_article,
    shares_determiner,
    shares_head,
    with_article,
    with_possessive,
)
from efface.guarantees.semantic.terms import REMOVED, Option

GROUPED = "noun phrase"  # other content words are judged alone only
_WORD = re.compile(r"\S+")
_AFTER_NUMBER = re.compile(r"\d(?:st|nd|rd|th)?\.?\s+$")


def in_english(text: str, edits: Sequence[Edit], names: Mapping[str, str]) -> tuple[Edit, ...]:
    """Edits in order, where what they put beside each other and into one text reads as English. `names` has one name for
    all the keys of one thing."""
    fitting = list(without_classes_of_themselves(text, list(with_one_class(text, edits)), names))
    return tuple(introduced(text, merged(text, fitting), names))


def worded_edit(text: str, mention: Mention, own: Option, option: Option) -> Edit:
    """The edit of a mention of a term that is to be replaced by an option; without words where none fit. Of a phrase
    whose end does not fit alone, what goes leaves a gap."""
    edit = _without_gap(text, mention, own, option)
    if edit.replacement is None and (option.suffix or option.gap):
        return _with_gap(text, edit, mention, own, option)
    return edit


def _with_gap(text: str, edit: Edit, mention: Mention, own: Option, option: Option) -> Edit:
    """The edit of only those words of a mention that an option leaves out."""
    words = list(_WORD.finditer(text, mention.start, mention.end))
    if mention.because != GROUPED or len(words) != len(own.label.split()):
        return edit
    gone = words[option.prefix : len(words) - option.suffix]
    return replace(edit, start=gone[0].start(), end=gone[-1].end(), lead=0)


def _without_gap(text: str, mention: Mention, own: Option, option: Option) -> Edit:
    start, replacement = mention.start, None
    words = text[mention.start : mention.end].split()
    fits = option is not REMOVED and not option.gap and mention.because == GROUPED
    fits = fits and text[start - 1 : start] not in HYPHENS  # `return-to-work meeting`
    fits = fits and _has_room(text, mention, own, option)
    if fits and not shares_head(text, mention.start, words):
        first = mention.start if option.prefix else degree_start(text, mention.start)
        replacement = _worded(text, mention, first, own, option)
        start, replacement = with_article(text, first, replacement)
    reason = f"semantic: generalised, read as {option.sense}" if option.sense else "semantic"
    lead = mention.start - start
    return Edit(start, mention.end, mention.type, mention.key, reason, replacement, mention.score, lead)


def _has_room(text: str, mention: Mention, own: Option, option: Option) -> bool:
    """Whether the words of an option can stand in the place of a mention."""
    words = text[mention.start : mention.end].split()
    if not option.suffix:
        fits = is_fitting(text, mention.start, mention.end, option.label)
        leaning = leaves_degree(text, degree_start(text, mention.start), words)  # `more severe illness`
        return fits and not leaning and not shares_determiner(text, mention.start, words[-1])
    spelled = own.label.split()  # without a capital that only begins a sentence
    spelled = spelled if len(spelled) == len(words) else words
    gone = spelled[option.prefix : len(words) - option.suffix]
    if not gone:  # an acronym of a phrase has no words that could go: `(NCD)`
        return False
    if is_share(text, mention.start) or not goes_unseen(gone, words[-1]):
        return False
    if _AFTER_NUMBER.search(text, max(0, mention.start - 12), mention.start) and _is_named(gone):
        return False  # the number is a part of the name: `the 25 de Abril bridge`
    if option.prefix:
        return True
    if follows_conjunct(text, mention.start):
        return False
    first = degree_start(text, mention.start)
    if is_superlative(text, first, mention.start) or leaves_degree(text, first, words):
        return False
    if is_marked_off(text, mention.start, mention.end) or has_definite_article(text, first):
        return False
    return not lacks_article(text, first, words[-1])


def _is_named(words: Sequence[str]) -> bool:
    return any(word[:1].isupper() for word in words)


def _worded(text: str, mention: Mention, start: int, own: Option, option: Option) -> str:
    """An option in the words that fit the place of a mention."""
    end = mention.end
    words = text[mention.start : end].split()
    if option.suffix and len(words) == len(own.label.split()):
        replacement = " ".join((*words[: option.prefix], *words[-option.suffix :]))
    else:
        # A capital that only begins a sentence makes no name of `Women`.
        common = own.label.split()[-1:]
        head = common[0] if common and common[0].lower() == words[-1].lower() else words[-1]
        opens = len(words) == 1 and begins_sentence(text, mention.start) and not head.isupper()
        if opens and common and common[0].islower():
            head = head[0].lower() + head[1:]
        before, after = text[max(0, start - 80) : start], text[end : end + 40]
        replacement = agreeing(option.label, head, before, after)
        replacement = needing_article(text, start, end, replacement, head)
        replacement = with_possessive(replacement, words[-1])
    return capitalised(replacement, text, start)
