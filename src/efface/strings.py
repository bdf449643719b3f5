"""Very many strings looked for at once, each as a whole word: a table by first word, not an automaton.

An automaton takes most of a kilobyte a string; a document may hold a string to look for in every line.
A few strings are looked for one by one, which costs less than taking the text apart into words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from efface.folding import UNSPACED, continues, is_unspaced

_RUN = re.compile(rf"[^\W_{UNSPACED}]+")
_FEW = 100  # strings: from about twice as many on, words are faster


_Shapes = dict[tuple[int, int], set[str]]  # (offset of the run, length) → strings


class Strings:
    """Finds every place where one of the strings stands alone, not inside a longer word or number."""

    __slots__ = ("_anchored", "_loose")

    def __init__(self, strings: Iterable[str]) -> None:
        self._anchored: dict[str, str | _Shapes] = {}  # first run → the string, or all that share it
        self._loose: dict[str, None] = {}  # a few; strings without a run, or of a script that has no spaces
        waiting = iter(strings)
        first = list(islice(waiting, _FEW + 1))
        if len(first) <= _FEW:
            self._loose = dict.fromkeys(first)
            return
        for string in chain(first, waiting):
            run = _RUN.search(string)
            if run is None or is_unspaced(string):
                self._loose[string] = None
            else:
                self._anchor(run.group(), string)

    def _anchor(self, run: str, string: str) -> None:
        """Shapes only where they are needed: nearly every run has one string, but half may begin alike."""
        known = self._anchored.setdefault(run, string)
        if known == string:
            return
        if isinstance(known, str):
            shapes: _Shapes = {}
            self._anchored[run] = shapes
            _add(shapes, run, known)
            _add(shapes, run, string)
        else:
            _add(known, run, string)

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """(string, start, end), overlaps included, in no order that matters."""
        if self._anchored:
            for run in _RUN.finditer(text):
                known = self._anchored.get(run.group())
                if known is not None:
                    yield from _at(text, run, known)
        for string in filter(None, self._loose):
            start = text.find(string)
            while start >= 0:
                if _alone(text, start, start + len(string)):
                    yield string, start, start + len(string)
                start = text.find(string, start + 1)


def _add(shapes: _Shapes, run: str, string: str) -> None:
    shapes.setdefault((string.index(run), len(string)), set()).add(string)


def _at(text: str, run: re.Match[str], known: str | _Shapes) -> Iterator[tuple[str, int, int]]:
    """The known strings whose first run stands here."""
    shapes = known if isinstance(known, dict) else {(known.index(run.group()), len(known)): {known}}
    for (offset, length), strings in shapes.items():
        start = run.start() - offset
        string = text[start : start + length] if start >= 0 else ""
        if string in strings and _alone(text, start, start + length):
            yield string, start, start + length


def _alone(text: str, start: int, end: int) -> bool:
    """Whether no word or number goes on across either end."""
    if start and continues(text[start - 1], text[start]):
        return False
    return end == len(text) or not continues(text[end - 1], text[end])
