"""Listed terms (deny and keep lists), found however they are spelled, spaced or disguised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from efface.core import Mention
from efface.folding import Folded, fold, fold_term, foldings

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_BLOCK = 1 << 20
_MARGIN = 4096
# ASCII characters that pass for one another: I and 1 and | for l, 0 for o.
_TWINS = str.maketrans("I1|0", "lllo")
_TWIN_SPOT = re.compile(r"[a-z]I|I[b-z]|[A-Za-z][01|]|[01|][A-Za-z]")
_TWIN_MINIMUM = 4  # shorter terms would match numbers and codes


@dataclass(frozen=True, slots=True)
class Listed:
    """A term of a list. With `case`, only this spelling of upper and lower case counts."""

    term: str
    case: bool = False
    type: str = "DENIED"


@dataclass(frozen=True)
class WordFinder:
    """Finds every occurrence of the listed terms, overlaps included."""

    listed: tuple[Listed, ...]
    because: str = "on the deny list"

    def find(self, text: str) -> Iterator[Mention]:
        if not self._by_key:
            return
        margin = max(_MARGIN, 4 * max(len(key) for key in self._by_key))
        for start in range(0, len(text), _BLOCK):
            stop = min(start + _BLOCK, len(text))
            low = max(0, start - margin)
            window = text[low : stop + margin]
            seen: set[tuple[int, int, str]] = set()
            for begin, end, key in self._matches(window):
                if start <= begin + low < stop and (begin, end, key) not in seen:
                    seen.add((begin, end, key))
                    yield from self._mentions(text, begin + low, end + low, key)

    def _matches(self, text: str) -> Iterator[tuple[int, int, str]]:
        for folded in foldings(text):
            yield from _search(self._automaton, self._keys, folded)
        if self._twin_keys and _TWIN_SPOT.search(text):
            yield from _search(self._twin_automaton, self._twin_keys, fold(text.translate(_TWINS)))

    def _mentions(self, text: str, start: int, end: int, key: str) -> Iterator[Mention]:
        for listed in self._by_key[key]:
            if not listed.case or _surface(text[start:end]) == _surface(listed.term):
                yield Mention(start, end, listed.type, key, 1.0, self.because)

    @cached_property
    def _by_key(self) -> dict[str, list[Listed]]:
        by_key: dict[str, list[Listed]] = {}
        for listed in self.listed:
            key = fold_term(listed.term)
            if key:
                by_key.setdefault(key, []).append(listed)
        return by_key

    @cached_property
    def _keys(self) -> tuple[tuple[str, str], ...]:
        """What to look for and the key it stands for; a hyphen may have been lost at a line's end."""
        spellings = {key: key for key in self._by_key}
        for key in self._by_key:
            spellings.setdefault(key.replace("-", ""), key)
        return tuple((spelling, key) for spelling, key in sorted(spellings.items()) if spelling)

    @cached_property
    def _twin_keys(self) -> tuple[tuple[str, str], ...]:
        twins = {
            fold_term(listed.term.translate(_TWINS)): fold_term(listed.term)
            for listed in self.listed
            if len(fold_term(listed.term)) >= _TWIN_MINIMUM and not listed.case
        }
        return tuple(sorted(twins.items()))

    @cached_property
    def _automaton(self) -> AhoCorasick:
        return _build(self._keys)

    @cached_property
    def _twin_automaton(self) -> AhoCorasick:
        return _build(self._twin_keys)


def _build(keys: Iterable[tuple[str, str]]) -> AhoCorasick:
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick([spelling for spelling, _ in keys])


def _search(
    automaton: AhoCorasick, keys: tuple[tuple[str, str], ...], folded: Folded
) -> Iterator[tuple[int, int, str]]:
    for index, start, end in automaton.find_matches_as_indexes(folded.text, overlapping=True):
        if folded.stands_alone(start, end):
            span = folded.span(start, end)
            yield span.start, span.end, keys[index][1]


def _surface(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
