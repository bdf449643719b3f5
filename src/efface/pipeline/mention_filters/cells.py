"""Names stop where a cell, a field or a form line stops: "Jonathan", "Whitcombe" and a town are three cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from efface.core import Mention
from efface.text.calendar_names import is_calendar_word
from efface.text.folding import fold_term
from efface.text.form_labels import is_label
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import is_ordinary
from efface.text.tables.rows import cells_of, is_header

# Between columns that are aligned by spaces; before the number of the next entry of a list: "6/52  2) clips"; and between
# sentences: "his position with LT.  Anna Kowalska also".
_WIDE_GAP = r" {3,}| {2,}(?=[0-9]{1,2}\Z)|(?<=[^\W\d_]{2}\.)[ \u00a0]{2,}"
# The rest of a cell after a given name: "Power", where "Hazel King    Rowan" was found in a list of two columns.
_REST = re.compile(rf"(?: {CAPITAL}[\w'’-]+){{1,2}}(?= {{2,}}|[\t\r\n]|\Z)")
_CERTAIN = 0.9  # how sure a finder must be of a name among labels
_LONGEST_ROW = 2000  # characters of a row of labels
_PERSON, _DATE = "PERSON", "DATE_TIME"
_WORD = re.compile(r"[^\W\d_]{2,}")


def without_column_labels(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions without guesses at ordinary words in a row of labels: "First" of "First name", "Ward", "Extra"."""
    for mention in mentions:
        is_guess = mention.score < _CERTAIN and mention.type != _DATE
        if not (is_guess and _labels_column(text, mention)):
            yield mention


def _labels_column(text: str, mention: Mention) -> bool:
    """Whether a mention is in a row that begins a table with several known labels, in a cell of ordinary words."""
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    end = end if end >= 0 else len(text)
    if end - start > _LONGEST_ROW or text.find("\t", start, end) < 0:
        return False
    cells = cells_of(text, start, end)
    values = [text[cell.start : cell.end] for cell in cells]
    own = next((value for cell, value in zip(cells, values, strict=True) if cell.end >= mention.end), "")
    if not _may_be_label(own):
        return False
    above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    is_first = above.count("\t") != len(cells) - 1  # a row of a table stands below another
    return is_first and is_header(values) and sum(map(is_label, values)) > 1


def _may_be_label(cell: str) -> bool:
    """Whether a cell holds a known label, or ordinary words."""
    words = _WORD.findall(cell.lower())
    return bool(words) and (is_label(cell) or all(map(is_ordinary, words)))


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
