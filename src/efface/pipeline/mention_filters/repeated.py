"""An identifier found once by its context is the same identifier where that context is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from efface.core import Mention, SpanSet
from efface.text.search.string_search import Strings

_SHORT = 4096  # characters of a text
_MINIMUM = 4  # letters and digits; shorter strings stand for too many things


def with_repetitions(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, and all other places where the same string stands alone."""
    found = list(mentions)
    yield from found
    surfaces: dict[str, Mention] = {}
    is_short = len(text) <= _SHORT  # in a longer text it would take long to look for one string after another
    for mention in found:
        surface = text[mention.start : mention.end]
        if is_short and text.find(surface) == mention.start and text.find(surface, mention.start + 1) < 0:
            continue  # it stands nowhere else, as most identifiers do
        if sum(map(str.isalnum, surface)) >= _MINIMUM:
            surfaces.setdefault(surface, mention)
    if not surfaces:
        return
    known = SpanSet(found)
    for surface, start, end in Strings(surfaces).find(text):
        if not known.covers(start, end):
            first = surfaces[surface]
            yield Mention(
                start, end, first.type, first.key, first.score, f"{first.because}; found elsewhere too"
            )
