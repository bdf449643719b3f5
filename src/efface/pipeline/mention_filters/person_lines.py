"""People in lines: "Jane Ng" and below her "Peter Ng" are two, and a name that is wrapped in a paragraph is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.learners.names import is_given_name
from efface.text.folding import fold_term
from efface.text.person_words import PARTICLES, TITLES

_BREAK = re.compile(r"[ \t\u00a0]*\r?\n\s*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SIGNATURE = re.compile(r"/?s/[ \u00a0]*")  # "/s/ Jane Ng" stands for her hand
_NO_PARTICLES = frozenset("and or of und et".split())


def people_in_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a mention of persons that each are one person: its lines, unless one wraps a name."""
    for line in _BREAK.finditer(text, start, end):
        if line.start() == start or line.end() >= end:
            continue
        if not _wraps_name(text[start : line.start()], _first_line(text, line.end(), end)):
            yield from _unsigned(text, start, line.start())
            start = line.end()
    yield from _unsigned(text, start, end)


def _first_line(text: str, start: int, end: int) -> str:
    line = _BREAK.search(text, start, end)
    return text[start : line.start() if line else end]


def _wraps_name(before: str, after: str) -> bool:
    """Whether a line break is within one name: given names stand before it, and a surname alone after it."""
    if before.endswith(("-", "\u00ad")) or _opens_name(before):
        return True
    words_before = _WORD.findall(before)
    if before.endswith(",") and len(words_before) == 1:  # "Whitcombe,", and below it "Jonathan"
        return True
    surname = [word for word in map(fold_term, _WORD.findall(after)) if word not in PARTICLES]
    if len(surname) != 1 or is_given_name(surname[0]):
        return False
    # "Dr Jonathan", and below it "Whitcombe": titles and initials are not counted.
    names = [word for word in words_before if not _opens_name(word)]
    return len(names) == 1 or all(is_given_name(fold_term(name)) for name in names)


def _opens_name(surface: str) -> bool:
    """Whether a name has to follow: after a title, initials or a particle."""
    words = _WORD.findall(surface)
    if not words:
        return True
    last = fold_term(words[-1])
    is_particle = last in PARTICLES - _NO_PARTICLES
    return all(len(word) == 1 or fold_term(word) in TITLES for word in words) or is_particle


def _unsigned(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A stretch without the mark of a signature, if anything is left."""
    mark = _SIGNATURE.match(text, start, end)
    if mark is not None and mark.end() < end:
        start = mark.end()
    if start < end:
        yield start, end
