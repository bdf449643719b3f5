"""Names of which the fields of a record hold the parts: "First name: Aurelio", and in another line "Last name: Brandt"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Span
from efface.finders.fields.field_values import PERSON
from efface.finders.fields.labelled_fields import LabelledFields
from efface.knowledge.entities.spellings.words import TITLES
from efface.text.folding import fold_term

_FIELDS = LabelledFields(frozenset({PERSON}))
# "first" and "last" are labels only where they stand alone in a cell, a line or a key of data.
_HALF = re.compile(
    r'(?:^|[\t|{,;])[ ]{0,3}"?(?P<label>first|last)"?[ ]{0,3}[:=\t|][ \t]{0,3}"?(?P<value>[^\W\d_][^\t\r\n|,;{}"]{0,60})',
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"(?<!['’])[^\W\d_]+\.?")  # and the point of an initial; not the s of a possessive
_STEM = 3  # letters at the beginning of a word that its inflected forms have, too
_NEAR = 300  # characters between the two halves of one name


def split_names(text: str) -> Iterator[tuple[Span, str]]:
    """(the place of a part of a name, the whole name) for the names whose parts are in different fields."""
    for mention in _FIELDS.find(text):
        if mention.key != fold_term(text[mention.start : mention.end]):
            yield mention.span, mention.key
    yield from _halves(text)


def _halves(text: str) -> Iterator[tuple[Span, str]]:
    """The same where nothing but "first" and "last" labels the parts. Two that follow one another are one name."""
    before: re.Match[str] | None = None
    for half in _HALF.finditer(text):
        is_other = before is not None and before["label"].lower() != half["label"].lower()
        if before is None or not is_other or half.start() - before.end() > _NEAR:
            before = half
            continue
        order = (before, half) if before["label"].lower() == "first" else (half, before)
        name = " ".join(fold_term(part["value"]) for part in order)
        for part in (before, half):
            start = part.start("value")
            yield Span(start, start + len(part["value"].rstrip())), name
        before = None


def given_part(written: str, given: str, family: str) -> Span | None:
    """Where a written name tells the given name: "J." in "J. Smithers", all of JS, nothing in "Mr Smithers". `given` and
    `family` are folded."""
    families = _stems(family) - _stems(given)
    told = [match for match in _WORD.finditer(written) if _tells_more(match[0], families)]
    return Span(told[0].start(), told[-1].end()) if told else None


def _stems(name: str) -> set[str]:
    return {word.rstrip(".")[:_STEM] for word in _WORD.findall(name)}


def _tells_more(written: str, families: set[str]) -> bool:
    word = fold_term(written.rstrip("."))
    return word not in TITLES and word[:_STEM] not in families
