"""Words that are broken over the end of a page: a footer and the header of the next page stand between their halves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Span
from efface.text.disguises.halved_words import HalvedWords

_MOST_LINES = 12  # lines of a footer and a header together, blank ones included
# A word at the end of a line, with a hyphen or without, and the word that a line begins with.
_LAST_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}+(?=[-\u2010\u00ad]?[ \t\f]{0,40}\r?\n)")
_FIRST_WORD = re.compile(r"[ \t\f]{0,40}([^\W\d_]{2,}+)(?![^\W_])")


class PageEnds:
    """The words that are looked for, by their letters."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = HalvedWords(words)

    def find(self, text: str) -> Iterator[tuple[int, Span, Span]]:
        """Which word it is, and where its two halves stand."""
        if not self._words or "\n" not in text:
            return
        for match in _LAST_WORD.finditer(text):
            if self._words.may_begin(match.group()):
                yield from self._with_rest(text, match)

    def _with_rest(self, text: str, first: re.Match[str]) -> Iterator[tuple[int, Span, Span]]:
        """Finds the first of the next lines that begins with the rest of the word, and yields the word with both
        stretches."""
        for start in _lines_below(text, first.end()):
            rest = _FIRST_WORD.match(text, start)
            which = self._words.place_of(first.group(), rest[1]) if rest else None
            if rest and which is not None:
                yield which, Span(*first.span()), Span(*rest.span(1))
                return


def _lines_below(text: str, at: int) -> Iterator[int]:
    """Where the lines begin that may be the first of the next page. The very next line is none of them."""
    at = text.find("\n", at) + 1
    for _ in range(_MOST_LINES):
        at = text.find("\n", at) + 1
        if not at:
            return
        yield at
