"""A text without the tags that break its words: "<t>Zan</t><t>zibarov</t>" in a file of data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.core import Span
from efface.text.disguises.emphasis import Unmarked

_TAG = r"</?[^\W\d_][^<>]{0,300}+>"
_TAGS = re.compile(rf"(?:{_TAG})++")
_SPACED_TAGS = re.compile(rf"(?:{_TAG}\s{{0,40}}+)++")
_BETWEEN_LETTERS = re.compile(rf"[^\W\d_]{_SPACED_TAGS.pattern}[^\W\d_]")


def untagged(text: str, blank: str) -> Unmarked | None:
    """The text with the `blank` for the tags in each place; None if no tags stand between two letters.

    With no blank only the tags go that nothing separates, so that a word is whole again.
    """
    if _BETWEEN_LETTERS.search(text) is None:
        return None
    pieces: list[str] = []
    starts, origins, length, at = [0], [0], 0, 0
    for tags in (_SPACED_TAGS if blank else _TAGS).finditer(text):
        pieces.append(text[at : tags.start()] + blank)
        length += len(pieces[-1])
        at = tags.end()
        starts.append(length)
        origins.append(at)
    pieces.append(text[at:])
    return Unmarked("".join(pieces), starts, origins)


def between_tags(text: str, span: Span) -> Iterator[Span]:
    """The stretches that the tags within a span leave; the span itself if there are none."""
    at = span.start
    for tags in _SPACED_TAGS.finditer(text, span.start, span.end):
        if tags.start() > at:
            yield Span(at, tags.start())
        at = tags.end()
    yield Span(at, span.end)
