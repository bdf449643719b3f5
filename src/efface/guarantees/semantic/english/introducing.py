"""Things that are introduced and taken up again: `a city … the city`, and `another city` for a second one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from efface.core import Edit
from efface.guarantees.semantic.english.class_words import HEALTH_CLASSES
from efface.guarantees.semantic.english.wording import INDEFINITE, article, bare, begins_sentence, is_plural
from efface.knowledge.taxonomy.concepts import lexicon

_THE = re.compile(r"\b([Tt])he\s+$")
_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_NEAR = 12  # characters before a name among which its article is
# A class with `a` before these is read as all of its members: `A city is the capital`. What a bracket or another
# name follows at the beginning of a sentence is mostly defined there.
_SAID_OF_ALL = re.compile(
    r"\s*(?:[(\[]|or\b|(?:,\s+(?:or|also|officially|formerly|sometimes|often|commonly|traditionally|known|called)|"
    r"is|are|has|have|can|may)\b|,\[)"
)


@dataclass(slots=True)
class _Introduced:
    """The things that were told of so far, by their class."""

    things: dict[str, list[str]] = field(default_factory=dict)

    def place(self, label: str, key: str) -> int | None:
        """The place of a thing among those of its class; None when it was not told of yet."""
        known = self.things.setdefault(label, [])
        if key in known:
            return known.index(key)
        known.append(key)
        return None

    def count(self, label: str) -> int:
        return len(self.things.get(label, ()))


def introduced(text: str, edits: Sequence[Edit], names: Mapping[str, str] = _NO_NAMES) -> Iterator[Edit]:
    """The edits in order, with the articles that a reader expects. `names` has one name for all the keys of one hidden thing.

    A class is introduced with `a`, and the same thing is taken up with `the`. A second thing of the class is `another`.
    When that one comes again, or a third one comes, no words say which is meant, so a placeholder stands there. It does as well where
    `a city is` would speak of all cities.
    """
    told = _Introduced()
    removed: set[str] = set()  # hidden things that were named before, where a placeholder stands now
    for edit in edits:
        if _names_class(text, edit):
            label = bare(edit.replacement or "")
            others = told.count(label)
            place = told.place(label, names.get(edit.key, edit.key))
            if edit.key in names:
                is_known = edit.key in removed or _is_mentioned_before(text, edit.start, label)
                edit = _hidden_with_article(text, edit, 0 if is_known and not others else place, others)
            else:
                edit = _with_article(text, edit, place, others)
                if _is_kind_of_told(text, edit, names) and _is_another(edit):
                    edit = _without_words(edit)
        if edit.replacement is None and edit.key in names:
            removed.add(edit.key)
        yield edit


def _hidden_with_article(text: str, edit: Edit, place: int | None, others: int) -> Edit:
    """The hidden thing itself, which is what the text is about: it is never another one of its class."""
    told = _with_article(text, edit, place, others)
    return _without_words(told) if _is_another(told) else told


def _is_another(edit: Edit) -> bool:
    return (edit.replacement or "").lower().startswith("another ")


def _without_words(edit: Edit) -> Edit:
    return replace(edit, replacement=None, start=edit.start + edit.lead, lead=0)


def _is_kind_of_told(text: str, edit: Edit, names: Mapping[str, str]) -> bool:
    """Whether a phrase is a stage or a kind of the hidden thing, or says a class itself: `secondary syphilis` and `active disease`
    are no other conditions."""
    stood = text[edit.start : edit.end].lower()
    head = lexicon().key(stood.rsplit(maxsplit=1)[-1])
    return head in HEALTH_CLASSES or any(name.lower() in stood for name in names.values())


def _names_class(text: str, edit: Edit) -> bool:
    """Whether an edit puts the class of one thing there. The head of a phrase that stays (`blood tests`) is no class, and
    several things are not one."""
    if not edit.replacement:
        return False
    stood = text[edit.start : edit.end].split()
    last = edit.replacement.rsplit(maxsplit=1)[-1]
    is_head = lexicon().key(stood[-1]) == lexicon().key(last) and not _is_name(stood)
    return not is_head and not is_plural(last)


def _is_name(words: Sequence[str]) -> bool:
    """Whether words are one long name: `World Health Organization`."""
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _is_mentioned_before(text: str, end: int, label: str) -> bool:
    return re.search(rf"\bthe {re.escape(label)}\b", text[:end], re.IGNORECASE) is not None


def _with_article(text: str, edit: Edit, place: int | None, others: int) -> Edit:
    """The edit with `a`, `the` or `another` before the class; a placeholder where none of these would be right."""
    words = edit.replacement or ""
    if INDEFINITE.match(words) is None:
        if place is None:
            edit = _with_indefinite_article(text, edit, others)
        # `the water company` and `the finance company` are not both `the organization`
        is_second = others > (place is not None) and place != 0 and not edit.lead
        is_pointed_at = _THE.search(text, max(0, edit.start - _NEAR), edit.start) is not None
        return replace(edit, replacement=None) if is_second and is_pointed_at else edit
    if edit.lead:
        return edit
    if place == 0:
        return replace(edit, replacement=_exchanged(words, "the"))
    if place is not None or _is_said_of_all(text, edit):
        return replace(edit, replacement=None)
    if others > 1:  # `a condition … another condition … another condition`
        return replace(edit, replacement=None)
    return replace(edit, replacement=_exchanged(words, "another")) if others else edit


def _exchanged(words: str, determiner: str) -> str:
    return INDEFINITE.sub(f"{determiner.capitalize() if words[0] == 'A' else determiner} ", words)


def _is_said_of_all(text: str, edit: Edit) -> bool:
    return begins_sentence(text, edit.start) and _SAID_OF_ALL.match(text, edit.end) is not None


def _with_indefinite_article(text: str, edit: Edit, others: int) -> Edit:
    """A name with its article, told of for the first time: `the World Health Organization` → `an organization`."""
    words = edit.replacement or ""
    match = _THE.search(text, max(0, edit.start - _NEAR), edit.start)
    if edit.lead or match is None or not text[edit.start].isupper():
        return edit
    determiner = "another" if others else article(words)
    if match.group(1) == "T":
        determiner = determiner.capitalize()
    lead = edit.start - match.start()
    return replace(edit, start=match.start(), lead=lead, replacement=f"{determiner} {words}")
