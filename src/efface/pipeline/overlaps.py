"""Cuts and generalisations of the same place: what is cut goes whole, whatever words a guarantee has for the place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from efface.core import Edit
from efface.operators.resolve import overlapping
from efface.text.folding import fold_term

_WORD = re.compile(r"[^\W_]+")
# Words that a replacement may repeat, because they disclose nothing.
_JOINING = frozenset("a an and at by for from in of on or s the to with".split())


def cuts_whole(text: str, edits: Iterable[Edit]) -> list[Edit]:
    """The edits, without the replacements that repeat a word which another edit cuts in the same place.

    A generalisation of "St Mary's Hospital" may keep two of its words, and the finders cut all three. One that keeps
    none replaces the cuts inside of it. A guarantee that loses its words here is asked again in the next round.
    """
    left: list[Edit] = []
    for group in overlapping(edits):
        left += _agreed(text, group) if len(group) > 1 else group
    return left


def _agreed(text: str, group: Sequence[Edit]) -> Sequence[Edit]:
    """The edits of overlapping places that can stand together."""
    cuts: list[Edit] = []
    worded: list[Edit] = []
    for edit in group:
        (cuts if edit.replacement is None else worded).append(edit)
    if not cuts or not worded:
        return group
    silent = _silent(worded, _words_cut(text, cuts))
    # One replacement for all that goes reads better than cuts beside it.
    start = min(edit.start for edit in group)
    whole = (start, max(edit.end for edit in group))
    around_all = [edit for edit in silent if (edit.start, edit.end) == whole]
    return around_all or [*cuts, *silent]


def _words_cut(text: str, cuts: Iterable[Edit]) -> frozenset[str]:
    words: set[str] = set()
    for cut in cuts:
        words.update(_folded_words(text[cut.start : cut.end]))
    return frozenset(words)


def _silent(worded: Iterable[Edit], cut_words: frozenset[str]) -> list[Edit]:
    """The edits whose new words repeat nothing of what is cut."""
    return [edit for edit in worded if cut_words.isdisjoint(_folded_words(edit.replacement or ""))]


def _folded_words(surface: str) -> Iterator[str]:
    for match in _WORD.finditer(fold_term(surface)):
        if match.group() not in _JOINING:
            yield match.group()
