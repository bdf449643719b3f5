"""Very many strings looked for at once, each as a whole word: a table by first word, not an automaton.

An automaton takes most of a kilobyte a string; a document may hold a string to look for in every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.folding import UNSPACED, continues, is_unspaced

_RUN = re.compile(rf"[^\W_{UNSPACED}]+")


class Strings:
    """Finds every place where one of the strings stands alone, not inside a longer word or number."""

    __slots__ = ("_anchored", "_loose", "_strings")

    def __init__(self, strings: Iterable[str]) -> None:
        self._strings = tuple(dict.fromkeys(strings))
        self._anchored: dict[str, list[tuple[int, int]]] = {}  # first run → (offset in the string, string)
        self._loose: list[int] = []  # strings without a run, or of a script that has no spaces
        for number, string in enumerate(self._strings):
            run = _RUN.search(string)
            if run is None or is_unspaced(string):
                self._loose.append(number)
            else:
                self._anchored.setdefault(run.group(), []).append((run.start(), number))

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """(string, start, end), overlaps included."""
        if self._anchored:
            for run in _RUN.finditer(text):
                for offset, number in self._anchored.get(run.group(), ()):
                    start = run.start() - offset
                    if start >= 0 and text.startswith(self._strings[number], start):
                        yield from self._alone(text, number, start)
        for number in self._loose:
            start = text.find(self._strings[number]) if self._strings[number] else -1
            while start >= 0:
                yield from self._alone(text, number, start)
                start = text.find(self._strings[number], start + 1)

    def _alone(self, text: str, number: int, start: int) -> Iterator[tuple[str, int, int]]:
        end = start + len(self._strings[number])
        if start and continues(text[start - 1], text[start]):
            return
        if end < len(text) and continues(text[end - 1], text[end]):
            return
        yield self._strings[number], start, end
