"""Words that are broken over the values of two fields, one after the other: "a1": "Zanzi", "a2": "barov"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Span
from efface.text.disguises.halved_words import HalvedWords

_LONGEST = 200  # characters from the end of one half to the beginning of the other
# A word at the end of a value, and what then leads to the next value: the end of this one, a label, and a sign.
_LAST_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}+(?=[\"']|[ \t]{0,40}[,;&\r\n])")
_NEXT_VALUE = re.compile(
    r"[\"']?[ \t]{0,40}[,;&]?\s{0,80}+(?:- )?[\"']?[^\W\d][\w .-]{0,60}[\"']?[ \t]{0,40}[:=][ \t]{0,40}[\"']?"
)
_FIRST_WORD = re.compile(r"[^\W\d_]{2,}+(?![^\W_])")


class NeighbouringFields:
    """The words that are looked for, by their letters."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = HalvedWords(words)

    def find(self, text: str) -> Iterator[tuple[int, Span, Span]]:
        """Which word it is, and where its two halves stand."""
        if not self._words or not (":" in text or "=" in text):
            return
        for match in _LAST_WORD.finditer(text):
            if not self._words.may_begin(match.group()):
                continue
            leading = _NEXT_VALUE.match(text, match.end(), match.end() + _LONGEST)
            first = _FIRST_WORD.match(text, leading.end()) if leading else None
            which = self._words.place_of(match.group(), first.group()) if first else None
            if first and which is not None:
                yield which, Span(*match.span()), Span(*first.span())
