"""Mentions beside a placeholder: what efface itself put into a text is no part of a name in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Mention, Span, SpanSet
from efface.pipeline.mention_filters.labels import SURE
from efface.text.folding import fold_term
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import TITLES

_SHORTEST = 3  # letters of what is left beside a placeholder
_WRITTEN_WITH_CAPITALS = frozenset({"LOCATION", "NRP", "ORGANIZATION"})
_NEAR = 100  # characters within which a placeholder unsettles a sentence


def without_placeholders(text: str, mentions: Iterable[Mention], ours: Iterable[Span]) -> Iterator[Mention]:
    """The mentions without our words; of those that held some, what is left if it can be a name."""
    spans = _merged(ours)
    starts = [span.start for span in spans]
    cover = SpanSet(spans)
    for mention in mentions:
        if _is_unsettled(mention, cover):
            continue
        if not cover.touches(mention.start, mention.end) or cover.covers(mention.start, mention.end):
            yield mention
            continue
        inside = spans[max(0, bisect_left(starts, mention.start) - 1) : bisect_left(starts, mention.end)]
        for start, end in _outside_placeholders(mention, inside):
            rest = text[start:end]
            if _can_be_name(rest, mention.type):
                yield replace(mention, start=start, end=end, key=" ".join(fold_term(rest).split()))


def _can_be_name(rest: str, type_: str) -> bool:
    """Whether what is left of a mention can be a name: "months" and "district of" beside a placeholder cannot.

    A person's name is not always written with a capital, so ordinary words are no excuse there.
    """
    words = fold_term(rest).split()
    if not any(len(word) >= _SHORTEST and word.isalpha() and word not in TITLES for word in words):
        return False
    if type_ not in _WRITTEN_WITH_CAPITALS or not rest.islower():
        return True
    return not all(map(is_ordinary, words))


def _is_unsettled(mention: Mention, ours: SpanSet) -> bool:
    """Whether it is a mere guess in a sentence with placeholders: reading again after each removal, the finder would
    take one word after another. The other name of a person beside a placeholder is no mere guess."""
    if mention.score >= SURE or not ours.touches(mention.start - _NEAR, mention.end + _NEAR):
        return False
    return mention.type != "PERSON" or not ours.touches(mention.start - 2, mention.end + 2)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _outside_placeholders(mention: Mention, ours: Sequence[Span]) -> Iterator[tuple[int, int]]:
    start = mention.start
    for span in ours:
        if span.end > start:
            if span.start > start:
                yield start, span.start
            start = span.end
    if start < mention.end:
        yield start, mention.end
