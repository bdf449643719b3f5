"""What finders and guarantees must keep to, since others may have written them: what they name is a place in the text.

A place that begins before the text would put words of it into the release twice, and `held` would be said of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index

from efface.core import Edit, Finder, Mention
from efface.errors import Refused, code_of_others

CUSTOM = "custom "  # begins the name of a finder that others wrote
_MENTIONS = "A finder gives `Mention`s: 0 <= start < end <= len(text), a type, and a score that is a number."
_EDITS = "A guarantee plans `Edit`s: 0 <= start <= end <= len(text)."


def mentions_of(source: str, finder: Finder, text: str) -> Iterator[Mention]:
    """The mentions of a finder in a text."""
    if not source.startswith(CUSTOM):
        yield from _checked_mentions(source, finder.find(text), len(text))
        return
    with code_of_others(f"The finder `{source}`"):
        yield from _checked_mentions(source, finder.find(text), len(text))


def _checked_mentions(source: str, mentions: Iterable[Mention], length: int) -> Iterator[Mention]:
    """The mentions of a finder in a text of that length."""
    if not isinstance(mentions, Iterable):
        raise Refused(f"The finder `{source}` gave no mentions.", _MENTIONS)
    for mention in mentions:
        if not _is_place(mention, length):
            raise Refused(f"The finder `{source}` told something that is no place in the text.", _MENTIONS)
        if not mention.type:
            raise Refused(f"The finder `{source}` told a place without a type.", _MENTIONS)
        yield mention


def _is_place(mention: Mention, length: int) -> bool:
    """Whether it names a place. A score that is not a number is neither above nor below anything."""
    try:
        is_within = 0 <= index(mention.start) < index(mention.end) <= length
        return isinstance(mention, Mention) and is_within and mention.score >= 0
    except (TypeError, AttributeError):
        return False


def checked_edits(name: str, edits: Iterable[Edit], length: int) -> Iterator[Edit]:
    """The edits of a guarantee for a text of that length."""
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= length:
            raise Refused(f"The guarantee {name} asks for a place that is not in the text.", _EDITS)
        yield edit
