"""Names of what is hidden where no word of the text is one: encoded, reversed, emphasised in part, or inside a longer token.

`&#100;iabetes`, `dia<b>be</b>tes` and `diabetesNurse` name diabetes to a reader, and no corpus counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from efface.core import Span
from efface.finders.lists import Listed, WordFinder
from efface.knowledge.corpus.text_runs import STOP_WORDS, term_key
from efface.text.disguises.glued_tokens import token_around
from efface.text.folding import fold_term

_ACRONYM = 3  # letters of an acronym that is known inside a longer token


@dataclass(frozen=True)
class DisguisedNames:
    """Looks for names by their keys, as a deny list looks for its terms."""

    names: frozenset[str] = field(repr=False)

    def find(self, text: str) -> Iterator[tuple[Span, str]]:
        """Where a name is that the words of the text, as they stand, do not say, with its key. Spans do not overlap."""
        end = 0
        listed = ((Span(each.start, each.end), self._keys[each.key]) for each in self._finder.find(text))
        for span, key in sorted((*listed, *self._glued_acronyms(text)), key=_longest_first):
            said = term_key(text[span.start : span.end])
            if span.start >= end and f" {key.lower()} " not in f" {said.lower()} ":
                end = span.end
                yield span, key

    def _glued_acronyms(self, text: str) -> Iterator[tuple[Span, str]]:
        """Acronyms that small letters follow, so that no seam of a token shows where they end: `HIVclinic`."""
        for match in self._acronyms.finditer(text):
            yield Span(*token_around(text, *match.span())), match.group()

    @cached_property
    def _acronyms(self) -> re.Pattern[str]:
        capitals = [name for name in self._keys.values() if name.isupper() and name.isalpha()]
        known = "|".join(re.escape(name) for name in capitals if len(name) >= _ACRONYM)
        return re.compile(rf"(?<![A-Z])(?:{known or '(?!)'})(?=[a-z])")

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Names by their spelling in the list. A word of any sentence (`ALL` of leukaemia) is no name inside of others."""
        names = (name for name in sorted(self.names) if name.lower() not in STOP_WORDS)
        return {fold_term(name): name for name in names}

    @cached_property
    def _finder(self) -> WordFinder:
        return WordFinder(tuple(map(Listed, self._keys.values())), glued=True)


def _longest_first(found: tuple[Span, str]) -> tuple[int, int]:
    return found[0].start, -found[0].end
