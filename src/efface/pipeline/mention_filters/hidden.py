"""Words that a document holds and does not show: they are under a box, or white on white."""

from __future__ import annotations

from collections.abc import Iterator

from efface.core import Document, Mention
from efface.text.entity_types import HIDDEN_SOURCE, HIDDEN_TEXT
from efface.text.folding import fold_term


def hidden_mentions(document: Document) -> Iterator[Mention]:
    """Every stretch that the format says cannot be seen."""
    for stretch in document.hidden:
        key = fold_term(document.text[stretch.start : stretch.end])
        yield Mention(stretch.start, stretch.end, HIDDEN_TEXT, key, 1.0, stretch.reason)


__all__ = ["HIDDEN_SOURCE", "HIDDEN_TEXT", "hidden_mentions"]
