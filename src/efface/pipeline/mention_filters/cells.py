"""Names stop where a cell, a field or a form line stops: "Jonathan", "Whitcombe" and a town are three cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.text.folding import fold_term


def within_cells(text: str, mentions: Iterable[Mention], breaks: str) -> Iterator[Mention]:
    """The mentions, each within one cell. One that reaches over several is a mention in each that has letters."""
    pattern = re.compile(f"[^{re.escape(breaks)}]+")
    for mention in mentions:
        if not any(char in breaks for char in text[mention.start : mention.end]):
            yield mention
            continue
        for match in pattern.finditer(text, mention.start, mention.end):
            piece = match.group()
            start = match.start() + len(piece) - len(piece.lstrip())
            end = match.end() - len(piece) + len(piece.rstrip())
            if sum(map(str.isalpha, piece)) > 1:
                yield replace(mention, start=start, end=end, key=fold_term(text[start:end]))
