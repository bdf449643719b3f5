"""Values that say nothing but themselves.

"Alden" may be a city and an employer, and "Ostrava Mills" holds the employer "Mills". A note with such a value has
more terms than columns, and efface cuts it by another rule. Whoever has one is no candidate for a note that has one
value in each column. The finder itself decides, on a list of all values.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from efface.core import Mention
from efface.knowledge.entities.column_values import cached_column
from efface.knowledge.entities.index import EntityIndex

Flags = npt.NDArray[np.bool_]
Finds = Callable[[str], Iterable[Mention]]

_BETWEEN = " qzvx. "  # a word of no value, so that no find reaches from one value to the next
_AT_ONCE = 5000


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
    ends = np.cumsum([len(text) + len(_BETWEEN) for text in written]).tolist()
    found: list[set[tuple[str, str, bool]]] = [set() for _ in written]
    for mention in finds(_BETWEEN.join(written)):
        at = bisect_right(ends, mention.start)
        start = ends[at] - len(_BETWEEN) - len(written[at])
        is_whole = (mention.start, mention.end) == (start, start + len(written[at]))
        found[at].add((mention.key, mention.type, is_whole))
    for (key, _), mine in zip(values, found, strict=True):
        yield mine == {(key, kind, True)}
