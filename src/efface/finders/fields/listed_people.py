"""Lists of people behind a label in one line: "Staff on shift: Patience, Charity and Mercy", "Attendees: Long, King"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.finders.fields.name_fields import has_shape
from efface.learners.names import dictionary, is_given_name
from efface.text.folding import fold_term
from efface.text.form_labels import label_words
from efface.text.spans import Span

_PEOPLE = frozenset(
    "attendees attending attendance apologies participants witnesses staff pupils students volunteers nurses teachers carers "
    "parents guardians residents patients guests duty shift".split()
)
# These are said of symptoms too, so only short labels count.
_THERE = frozenset({("present",), ("absent",), ("those", "present"), ("also", "present")})
_LINE = re.compile(
    r"^[ \t*_#>-]{0,4}(?P<label>[^\W\d_]{2,20}(?: [^\W\d_]{1,20}){0,3})[*_]{0,2}:[*_]{0,2}[ \t]{1,4}"
    r"(?P<list>[^\s.:][^\r\n.:]{1,400})",
    re.MULTILINE,
)
_BETWEEN = re.compile(r"[,;&]|\band\b|\Z")
_REMARK = re.compile(r"\s*\([^()]*\)\s*\Z")
_NICKNAME = re.compile(r"[\"“][^\"“”]{2,20}[\"”] ?")  # within a name: Terry "The Cat" Norbury
_FEWEST = 2  # items of a list
_SHAPED = 0.75  # the share of the items that must have the shape of a name
_LISTED = 3  # one item in so many begins with a listed name
_FREQUENT = frozenset("gns")  # given names, short forms and frequent surnames


def listed_people(text: str) -> Iterator[Span]:
    """The items of lists of people."""
    for line in _LINE.finditer(text):
        words = label_words(line["label"])
        if _PEOPLE.isdisjoint(words) and words not in _THERE:
            continue
        places = list(_items(text, *line.span("list")))
        if _are_people([text[place.start : place.end] for place in places]):
            yield from places


def _items(text: str, start: int, end: int) -> Iterator[Span]:
    """The items between commas, without blanks and remarks in brackets."""
    for mark in _BETWEEN.finditer(text, start, end):
        item = text[start : mark.start()]
        told = _REMARK.sub("", item).rstrip()
        if told.strip():
            yield Span(start + len(told) - len(told.lstrip()), start + len(told))
        start = mark.end()


def _are_people(items: Sequence[str]) -> bool:
    names = [_NICKNAME.sub("", item) for item in items]
    if len(items) < _FEWEST or sum(map(has_shape, names)) < _SHAPED * len(items):
        return False
    return sum(map(_begins_with_name, items)) * _LISTED >= len(items)


def _begins_with_name(item: str) -> bool:
    word = fold_term(item.split(maxsplit=1)[0])
    return is_given_name(word) or not _FREQUENT.isdisjoint(dictionary().get(word, ""))
