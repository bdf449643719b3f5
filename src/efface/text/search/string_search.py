"""Searches for very many strings at once, each as a whole word, by a table of first words.

An automaton takes most of a kilobyte a string; a document may hold a string to look for in every line.
A few strings are looked for one by one, which costs less than taking the text apart into words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from efface.text.folding import UNSPACED, continues, is_unspaced

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_RUN = re.compile(rf"[^\W_{UNSPACED}]+")
_BORDER = re.compile(r"[\W_]")  # no run goes on over it
_WORDS = 512  # characters of a stretch that is looked at whole
_SHORT_SEARCH = 100_000  # characters times strings
_STRETCH = 1 << 17  # characters of a text whose places are told together
_MOST_KEPT = 1_000  # strings whose automaton is kept
_FEW = 100  # strings: from about twice as many on, words are faster


_StringsByRun = dict[tuple[int, int], set[str]]  # (offset of the run, length) → strings


class Strings:
    """Finds every place where one of the strings stands alone, outside of longer words and numbers."""

    __slots__ = ("_anchored", "_automaton", "_loose", "_many")

    def __init__(self, strings: Iterable[str]) -> None:
        self._anchored: dict[str, str | _StringsByRun] = {}  # first run → the string, or all that share it
        self._automaton: AhoCorasick | None = None
        self._many: list[str] = []
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
            shapes: _StringsByRun = {}
            self._anchored[run] = shapes
            _add(shapes, run, known)
            _add(shapes, run, string)
        else:
            _add(known, run, string)

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """(string, start, end), overlaps included, in no order that matters."""
        for run in self._first_runs(text):
            yield from _at(text, run, self._anchored[run[0]])
        if len(self._loose) <= _FEW:
            yield from _each(text, filter(None, self._loose))
        else:
            yield from self._by_automaton(text)

    def _first_runs(self, text: str) -> Iterator[re.Match[str]]:
        """The runs that are the first of a string. A stretch of the text that has none is passed over fast."""
        known, start = self._anchored, 0 if self._anchored else len(text)
        while start < len(text):
            border = _BORDER.search(text, start + _WORDS)
            end = border.start() if border else len(text)
            if not known.keys().isdisjoint(_RUN.findall(text, start, end)):
                yield from [run for run in _RUN.finditer(text, start, end) if run[0] in known]
            start = end

    def _by_automaton(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Many strings of a script without spaces: there are no words to look them up by."""
        if self._automaton is None:
            from ahocorasick_rs import AhoCorasick

            self._many = [string for string in self._loose if string]
            self._automaton = AhoCorasick(self._many)
        for index, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True):
            if stands_alone(text, start, end):
                yield self._many[index], start, end


Occurrences = Callable[[str], Iterable[tuple[int, int, int]]]


def occurrences(strings: Sequence[str], length: int) -> Occurrences:
    """A search for every place of the strings, inside of words too: (index, start, end), by the ends.

    Making an automaton takes longer than searching a short text of about `length` characters one string at a time.
    """
    if len(strings) * length <= _SHORT_SEARCH:
        return lambda text: sorted(_one_by_one(strings, text), key=lambda found: (found[2], found[1]))
    wanted, longest = tuple(strings), max(map(len, strings))
    made = _kept_automaton if len(wanted) <= _MOST_KEPT else _automaton
    return lambda text: _by_stretches(made(wanted), longest, text)


def _automaton(strings: tuple[str, ...]) -> AhoCorasick:
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick(strings)


_kept_automaton = lru_cache(maxsize=4)(_automaton)  # one round after another looks for the same strings


def counts(strings: Sequence[str], text: str) -> list[int]:
    """How often each of the strings occurs in the text, inside of words and across one another."""
    if len(strings) * len(text) <= _SHORT_SEARCH:
        return [_count(string, text) for string in strings]
    found = Counter(which for which, _, _ in occurrences(strings, len(text))(text))
    return [found[which] for which in range(len(strings))]


def _count(string: str, text: str) -> int:
    count, at = 0, text.find(string)
    while at >= 0:
        count += 1
        at = text.find(string, at + 1)
    return count


def _by_stretches(automaton: AhoCorasick, longest: int, text: str) -> Iterator[tuple[int, int, int]]:
    """The places in a long text, some at a time: together they may take more memory than the text."""
    for first in range(0, len(text), _STRETCH):
        low = max(0, first + 1 - longest)
        stretch = text[low : first + _STRETCH]
        for index, start, end in automaton.find_matches_as_indexes(stretch, overlapping=True):
            if low + end > first:
                yield index, low + start, low + end


def _one_by_one(strings: Sequence[str], text: str) -> Iterator[tuple[int, int, int]]:
    for index, string in enumerate(strings):
        start = text.find(string)
        while start >= 0:
            yield index, start, start + len(string)
            start = text.find(string, start + 1)


def _each(text: str, strings: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    for string in strings:
        start = text.find(string)
        while start >= 0:
            if stands_alone(text, start, start + len(string)):
                yield string, start, start + len(string)
            start = text.find(string, start + 1)


def _add(shapes: _StringsByRun, run: str, string: str) -> None:
    shapes.setdefault((string.index(run), len(string)), set()).add(string)


def _at(text: str, run: re.Match[str], known: str | _StringsByRun) -> Iterator[tuple[str, int, int]]:
    """The known strings whose first run stands here."""
    shapes = known if isinstance(known, dict) else {(known.index(run.group()), len(known)): {known}}
    for (offset, length), strings in shapes.items():
        start = run.start() - offset
        string = text[start : start + length] if start >= 0 else ""
        if string in strings and stands_alone(text, start, start + length):
            yield string, start, start + length


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no word or number goes on across either end."""
    if start and continues(text[start - 1], text[start]):
        return False
    return end == len(text) or not continues(text[end - 1], text[end])


def has_word(text: str, letters: str) -> bool:
    """Whether the letters stand in the text as a word. Slow expressions ask this first."""
    at = text.find(letters)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(letters) : at + len(letters) + 1]
        if "_" not in around and not any(map(str.isalnum, around)):
            return True
        at = text.find(letters, at + 1)
    return False
