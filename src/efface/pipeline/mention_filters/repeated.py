"""An identifier found once by its context is the same identifier where that context is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from efface.core import Mention, SpanSet
from efface.text.string_search import Strings

_MINIMUM = 4  # letters and digits; shorter strings stand for too many things


def with_repetitions(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, and every other place where exactly the same string stands alone."""
    found = list(mentions)
    yield from found
    surfaces: dict[str, Mention] = {}
    for mention in found:
        surface = text[mention.start : mention.end]
        if sum(map(str.isalnum, surface)) >= _MINIMUM:
            surfaces.setdefault(surface, mention)
    if not surfaces:
        return
    known = SpanSet(mention.span for mention in found)
    for surface, start, end in Strings(surfaces).find(text):
        if not known.covers(start, end):
            first = surfaces[surface]
            yield Mention(
                start, end, first.type, first.key, first.score, f"{first.because}; found elsewhere too"
            )
