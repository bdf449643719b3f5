"""Names stop where a cell, a field or a form line stops: "Jonathan", "Whitcombe" and a town are three cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from efface.core import Mention
from efface.text.calendar_names import is_calendar_word
from efface.text.folding import fold_term
from efface.text.ordinary_words import is_ordinary

# Between columns that are aligned by spaces; before the number of the next entry of a list: "6/52  2) clips"; and between
# sentences: "his position with LT.  Anna Kowalska also".
_WIDE_GAP = r" {3,}| {2,}(?=[0-9]{1,2}\Z)|(?<=[^\W\d_]{2}\.)[ \u00a0]{2,}"
# The rest of a cell after a given name: "Power", where "Hazel King    Rowan" was found in a list of two columns.
_REST = re.compile(r"(?: [^\W\d_a-z][\w'’-]+){1,2}(?= {2,}|[\t\r\n]|\Z)")
_PERSON, _DATE = "PERSON", "DATE_TIME"
_WORD = re.compile(r"[^\W\d_]{2,}")


def within_cells(text: str, mentions: Iterable[Mention], breaks: str) -> Iterator[Mention]:
    """The mentions, each within one cell. One that reaches over several is a mention in each that has letters."""
    border = re.compile(rf"[{re.escape(breaks)}]+|{_WIDE_GAP}")
    for mention in mentions:
        ends = [match.span() for match in border.finditer(text, mention.start, mention.end)]
        if not ends:
            yield mention
            continue
        edges = [mention.start, *chain.from_iterable(ends), mention.end]
        for low, high in zip(edges[::2], edges[1::2], strict=True):
            piece = text[low:high]
            start = low + len(piece) - len(piece.lstrip())
            end = high - len(piece) + len(piece.rstrip())
            if sum(map(str.isalpha, piece)) > 1:
                rest = _REST.match(text, end) if mention.type == _PERSON and high == mention.end else None
                yield in_one_cell(text, mention, start, rest.end() if rest else end)


def in_one_cell(text: str, mention: Mention, start: int, end: int) -> Mention:
    """A mention's part in one cell. A name that was taken for a part of the date in the next cell is a person's:
    the "T. Brandt" of "T. Brandt | 5.6.71" goes everywhere."""
    piece = text[start:end]
    type_ = _PERSON if mention.type == _DATE and _is_name(piece) else mention.type
    return replace(mention, start=start, end=end, type=type_, key=fold_term(piece))


def _is_name(piece: str) -> bool:
    words = _WORD.findall(piece)
    if any(map(str.isdigit, piece)) or any(map(is_calendar_word, words)):
        return False
    return any(word[0].isupper() and not is_ordinary(word.lower()) for word in words)
