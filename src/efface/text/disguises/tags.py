"""A text without the tags that break its words: "<t>Zan</t><t>zibarov</t>" in a file of data, and the marks of a
template, which a program fills or leaves empty: "Zan{{x}}zibarov"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from efface.core import Span
from efface.text.disguises.emphasis import Unmarked
from efface.text.folding import fold
from efface.text.ordinary_words import is_ordinary

Look = Callable[[str], Iterable[tuple[int, int, int]]]
"""A search of a folded text: which of the words is there, where it begins and ends."""

_TEMPLATE = (
    r"\{\{[^{}\n]{0,100}+\}\}|[$#%]?\{[^{}\n]{0,100}+\}|<%[^<>\n]{0,100}+>"
    r"|\[\[[^\[\]\n]{0,100}+\]\]|«[^«»\n]{0,100}+»"
)
_TAG = rf"(?:</?[^\W\d_][^<>]{{0,300}}+>|{_TEMPLATE})"
_TAGS = re.compile(rf"(?:{_TAG})++")
_SPACED_TAGS = re.compile(rf"(?:{_TAG}\s{{0,40}}+)++")
_SIGNS = ("<", "{", "[[", "«")  # one of them begins every tag
_BETWEEN_LETTERS = re.compile(rf"[^\W\d_]{_SPACED_TAGS.pattern}[^\W\d_]")


def untagged(text: str, blank: str) -> Unmarked | None:
    """The text with each tag replaced by `blank`. Returns None if no tags stand between two letters.

    An empty `blank` removes only tags that do not separate words, so that a word broken by them is whole again.
    """
    if not any(map(text.__contains__, _SIGNS)) or _BETWEEN_LETTERS.search(text) is None:
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


def pieces_over_tags(text: str, look: Look) -> Iterator[tuple[int, list[Span]]]:
    """Which word is whole where tags are nothing, from the beginning of a piece to the end of one, and its pieces."""
    reading = untagged(text, "")
    if reading is None:
        return
    folded = fold(reading.text)
    for which, start, end in look(folded.text):
        span = reading.span(*folded.bounds(start, end))
        edges = text[max(0, span.start - 1) : span.start] + text[span.end : span.end + 1]
        pieces = list(between_tags(text, span))
        is_parted = len(pieces) > 1 and not any(map(str.isalnum, edges))
        if is_parted and _are_one_word([text[piece.start : piece.end] for piece in pieces]):
            yield which, pieces


def _are_one_word(pieces: Sequence[str]) -> bool:
    """Whether pieces with nothing but tags between them are one word. Those that are words themselves are, if only the
    first has a capital: "Fair" and "weather" are, "good" and "man" are not."""
    if not all(is_ordinary(piece.lower()) for piece in pieces):
        return True
    whole = "".join(pieces)
    return whole.istitle() or whole.isupper()
