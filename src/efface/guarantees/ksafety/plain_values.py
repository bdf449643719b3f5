"""Values that say nothing but themselves, alone and in the place of others in a text.

"Alden" may be a city and an employer, and "Ostrava Mills" holds the employer "Mills". A note with such a value has
more terms than columns, and efface cuts it by another rule. Whoever has one is no candidate for a note that has one
value in each column. The finder itself decides: on a list of all values, and on the text with a candidate's values
in the place of those that it has (beside another word, they may say something else).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from efface.core import Mention, Term
from efface.knowledge.entities.column_values import cached_column
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import column_and_key

Flags = npt.NDArray[np.bool_]
Finds = Callable[[str], Iterable[Mention]]

BETWEEN = " qzvx. "  # a word of no value, so that no find reaches from one value to the next
_AT_ONCE = 5000  # values that are looked up together


def plain_values(
    index: EntityIndex, column: str, roles: frozenset[str], types: Mapping[str, str], finds: Finds | None
) -> Flags:
    """For each code of the column's values, whether a text with it has this one term. Made once for an index."""
    place = ("plain", column, roles, tuple(sorted(types.items())), finds is None)
    made: Flags = index.kept.get(place, lambda: _plain_values(index, column, roles, types, finds), len)
    return made


def _plain_values(
    index: EntityIndex, column: str, roles: frozenset[str], types: Mapping[str, str], finds: Finds | None
) -> Flags:
    known = list(cached_column(index, column).values())
    flags = np.ones(len(known), np.bool_)
    if finds is None:
        return flags
    kind = types.get(column, column.upper())
    for start in range(0, len(known), _AT_ONCE):
        some = known[start : start + _AT_ONCE]
        alone = set(_in_one_column(index, [key for key, _ in some], roles))
        for (key, code), is_itself in zip(some, _found_alone(some, kind, finds), strict=True):
            flags[code] = is_itself and key in alone
    return flags


def _in_one_column(index: EntityIndex, keys: Sequence[str], roles: frozenset[str]) -> Iterator[str]:
    for key, attributes in index.attributes_of(keys).items():
        if sum(attribute.role in roles for attribute in attributes) == 1:
            yield key


def _found_alone(values: Sequence[tuple[str, int]], kind: str, finds: Finds) -> Iterator[bool]:
    """Whether the finder finds each of the values at its place, and nothing else there."""
    written = [key.title() for key, _ in values]  # as names are: small letters abbreviate nothing
    ends = np.cumsum([len(text) + len(BETWEEN) for text in written]).tolist()
    found: list[set[tuple[str, str, bool]]] = [set() for _ in written]
    for mention in finds(BETWEEN.join(written)):
        at = bisect_right(ends, mention.start)
        start = ends[at] - len(BETWEEN) - len(written[at])
        is_whole = (mention.start, mention.end) == (start, start + len(written[at]))
        found[at].add((mention.key, mention.type, is_whole))
    for (key, _), mine in zip(values, found, strict=True):
        yield mine == {(key, kind, True)}


@dataclass(frozen=True, slots=True)
class InPlace:
    """A text in which other values can be put in the place of its terms."""

    text: str = field(repr=False)
    terms: Mapping[str, Term] = field(repr=False)  # by their keys
    types: Mapping[str, str]  # of columns
    finds: Finds = field(repr=False)

    @classmethod
    def of(cls, text: str, terms: Iterable[Term], types: Mapping[str, str], finds: Finds) -> InPlace:
        return cls(text, {term.key: term for term in terms}, types, finds)

    def kind(self, key: str) -> str:
        """The type of what is found for a term."""
        column, _ = column_and_key(key)
        return self.types.get(column, column.upper())

    def reads_as(self, values: Mapping[str, str]) -> bool:
        """Whether the finder finds in the text with these values just what it found, each value for its term's."""
        found = self.found(self.text)
        times = {key: found.pop((column_and_key(key)[1], self.kind(key)), 0) for key in values}
        for key, value in values.items():
            found[value, self.kind(key)] += times[key]
        return self.found(self._with(values)) == found

    def _with(self, values: Mapping[str, str]) -> str:
        mentions = (
            (m, values[key]) for key, term in self.terms.items() if key in values for m in term.mentions
        )
        places = sorted(((m.start, m.end, value.title()) for m, value in mentions), reverse=True)
        text = self.text
        for start, end, value in places:
            text = text[:start] + value + text[end:]
        return text

    def found(self, text: str) -> Counter[tuple[str, str]]:
        return Counter((mention.key, mention.type) for mention in self.finds(text))
