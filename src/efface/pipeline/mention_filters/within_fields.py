"""Mentions that reach over the end of a cell, a field or a form line, and labels that are no names.

"Jonathan<tab>Whitcombe" are two cells, and the "Ward" in "Ward: Cedar" is what the form asks for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Document, Mention
from efface.pipeline.mention_filters.cells import in_one_cell
from efface.text.folding import fold_term
from efface.text.form_codes import LABEL_CODES
from efface.text.form_labels import LABELS, is_heading, is_weekday, may_label
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import ROLES

TABLES = frozenset({"csv", "xlsx", "ods", "json", "jsonl"})  # formats in which a line is a row or a value
_WORD = re.compile(r"[^\W\d_]+")
_COLON = re.compile(r"[ \t]*(?:\.|no\.?|number|#)?[ \t]*[:=]", re.IGNORECASE)
# After it a paragraph or a field begins.
_NEXT = re.compile(
    r"\n[ \t]*(?:\r?\n|[^\n:]{1,30}:(?=\s)|(?i:tel|telephone|phone|fax|mob|mobile)\.?[ \t]{1,4}[+(0-9])"
)
_VALUE = re.compile(
    r"[.:]?[ \t]{1,3}[0-9]"
)  # behind a label, which a name before it has no part of: "Tench, DOB 02/11/1958"
_CELLS = re.compile(r"[\t|;]+| {2,}")
_HEADINGS = 3  # cells of a row of labels. Of two, one may be a value: "Surname", "Ward"
_MANY = 5  # one cell in so many may be a label that is not known
_RULE = re.compile(r"\n[ \t]*\|[ \t]*:?-{2,}")  # under the head of a table in Markdown
_LONGEST_ROW = 400  # characters on each side of a cell
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BRACKET = re.compile(r"\n[ \t]*[\[({<]")  # the time that begins a line of a chat, say
_WIDE_GAP = re.compile(r"[ \u00a0]{3,}")  # the gap between the columns of a form
_FIRST_WORD = re.compile(r"\s*\S*")
# A line of this part of its longer neighbour's length is full, since letters differ in width.
_FULL_LINE = 0.8
_TRIM = " \t\r\n:;,.#=-–|"


def within_fields(document: Document, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, each within one cell, field or form line, without the labels of forms."""
    text = document.text
    borders = sorted({border for part in document.parts for border in (part.start, part.end)})
    is_table = document.format in TABLES
    for mention in mentions:
        cuts = [*_field_ends(text, mention, borders, is_table=is_table), mention.end]
        start = mention.start
        for end in cuts:
            piece = None if _is_heading(text, start, end) else _without_labels(text, start, end)
            if piece == (mention.start, mention.end):
                yield mention
            elif piece is not None and len(cuts) > 1:
                if not _is_word_beside(text, mention, *piece):
                    yield in_one_cell(text, mention, *piece)
            elif piece is not None:
                yield replace(mention, start=piece[0], end=piece[1], key=fold_term(text[piece[0] : piece[1]]))
            start = end


def _is_word_beside(text: str, mention: Mention, start: int, end: int) -> bool:
    """Whether an ordinary word in the next column was taken for a part of the name: "ANTHONY PIKE    Claimants"."""
    word = text[start:end].lower()
    is_word = word.isalpha() and (usage(word) is Usage.ALWAYS or word.removesuffix("s") in ROLES)
    return is_word and start > mention.start and _WIDE_GAP.search(text, mention.start, start) is not None


def _field_ends(text: str, mention: Mention, borders: Sequence[int], *, is_table: bool) -> Iterator[int]:
    """Where fields end within a mention."""
    at = bisect_right(borders, mention.start)
    inner = set()
    while at < len(borders) and borders[at] < mention.end:
        inner.add(borders[at])
        at += 1
    for position in range(mention.start + 1, mention.end):
        char = text[position]
        is_field = char == "\n" and (is_table or _ends_field(text, mention, position))
        if is_field or char in "\t\v\f":
            inner.add(position)
    for gap in _WIDE_GAP.finditer(text, mention.start, mention.end):
        inner.add(gap.start())
    yield from sorted(inner)


def _ends_field(text: str, mention: Mention, end: int) -> bool:
    """Whether a field or a paragraph ends with the line, or, for a person, the line is too short to go on."""
    if _NEXT.match(text, end) or _BRACKET.match(text, end):
        return True
    return mention.type == "PERSON" and _is_short_line(text, end)


def _is_short_line(text: str, end: int) -> bool:
    """Whether a line ends though the next word would have fitted into it, beside its neighbours: "Miss Lamb" ends a
    line of a form, and the next begins with another person."""
    start = text.rfind("\n", 0, end) + 1
    above = start - 1 - (text.rfind("\n", 0, max(0, start - 1)) + 1)
    following = text.find("\n", end + 1)
    below = (following if following >= 0 else len(text)) - (end + 1)
    word = _FIRST_WORD.match(text, end + 1)
    needed = end - start + 1 + len(word.group() if word else "")
    return needed <= _FULL_LINE * max(above, below)


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether the stretch is a cell in a row of labels: the "Ward" of "Name, Ward, DOB"."""
    if not _heads_column(text[start:end]):
        return False
    low = text.rfind("\n", max(0, start - _LONGEST_ROW), start) + 1
    high = text.find("\n", end, end + _LONGEST_ROW)
    row = text[low : high if high >= 0 else end + _LONGEST_ROW]
    cells = [cell for cell in map(str.strip, _CELLS.split(row)) if cell]
    least = 1 if high >= 0 and _RULE.match(text, high) else _HEADINGS
    pieces = filter(None, map(str.strip, _CELLS.split(text[start:end])))
    if len(cells) < least or not all(map(may_label, cells)):
        return False
    for piece in pieces:
        if not any(piece in cell for cell in cells):
            return False
    unknown = len(cells) - sum(map(_heads_column, cells))
    return unknown * _MANY <= len(cells) and not any(map(str.isdigit, row))


def _heads_column(cell: str) -> bool:
    return is_heading(cell) or is_weekday(cell)


def _without_labels(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch without labels on its edges; None when nothing is left."""
    words = list(_WORD.finditer(text, start, end))
    while words and _is_label(text, words[0]):
        start = words.pop(0).end()
    while words and words[-1].end() == end and _COLON.match(text, end) and _folded(words[-1]) in LABELS:
        end = words.pop().start()
    if _VALUE.match(text, end):
        while len(words) > 1 and words[-1].end() == end and _asks_for_value(words[-1]):
            words.pop()
            end = words[-1].end()
    while start < end and (text[start] in _TRIM or _opens_alone(text, start, end)):
        start += 1
    while start < end and text[end - 1] in " \t\r\n:;,#=-–|":
        end -= 1
    return (start, end) if any(map(str.isalnum, text[start:end])) else None


def _opens_alone(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins with a bracket that closes after it."""
    closing = _BRACKETS.get(text[start])
    return closing is not None and text.find(closing, start, end) < 0


def _is_label(text: str, word: re.Match[str]) -> bool:
    """Whether the first word of a mention asks for what follows it."""
    folded = _folded(word)
    if folded in LABEL_CODES and word.group().isupper():
        return True
    return folded in LABELS and _COLON.match(text, word.end()) is not None


def _asks_for_value(word: re.Match[str]) -> bool:
    folded = _folded(word)
    return folded == "no" or folded == "hosp" or (folded in LABEL_CODES and word.group().isupper())


def _folded(word: re.Match[str]) -> str:
    return fold_term(word.group())
