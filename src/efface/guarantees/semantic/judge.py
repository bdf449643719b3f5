"""Terms as the corpus can count them.

A phrase that the corpus knows well is counted as a phrase; another by its words together, the leftmost left out until
enough documents hold the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from efface.knowledge.corpus.counts import Corpus, Query

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
MOST_REMEMBERED = 100_000  # phrases, some ten megabytes


def remembered(known: dict[_Key, _Value], key: _Key, value: _Value) -> _Value:
    """Keep what was computed for the next document. The phrases of all documents that a service ever reads would fill its
    memory, so what is kept begins anew now and then."""
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[key] = value
    return value


@dataclass(frozen=True)
class Judge:
    """Finds queries for terms. `support` is how many documents make a phrase known."""

    corpus: Corpus = field(repr=False)
    support: int
    _counts: dict[Query, int] = field(default_factory=dict, repr=False)
    _queries: dict[str, Query] = field(default_factory=dict, repr=False)

    def count(self, query: Query) -> int:
        known = self._counts.get(query)
        if known is not None:
            return known
        counted = int(self.corpus.table([query]).counts(np.zeros((1, 1), np.int64))[0])
        return remembered(self._counts, query, counted)

    def bits(self, query: Query) -> float:
        """The information content of a query."""
        return math.log2(self.corpus.documents / max(1, self.count(query)))

    def query(self, key: str) -> Query:
        """Alternatives of a key, each as the corpus can count it; empty when it knows nothing of it."""
        known = self._queries.get(key)
        if known is not None:
            return known
        parts = (self._conjunction(tuple(part.split(" "))) for part in key.split("|"))
        return remembered(self._queries, key, tuple(dict.fromkeys(part for part in parts if part)))

    def _conjunction(self, words: tuple[str, ...]) -> tuple[str, ...]:
        while words:
            phrase = " ".join(words)
            if self.corpus.knows(phrase) and (len(words) == 1 or self.count(((phrase,),)) >= self.support):
                return (phrase,)
            known = self._cover(words)
            if known and (len(known) == 1 or self.count((known,)) >= self.support):
                return known
            words = words[1:]
        return ()

    def _cover(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The known words; lone letters and numbers only inside a known phrase."""
        return tuple(dict.fromkeys(word for word in words if self.corpus.knows(word)))

    def parts(self, key: str) -> tuple[str, ...]:
        """The known words of a key, each by itself."""
        words = (word for part in key.split("|") for word in part.split(" "))
        return tuple(dict.fromkeys(word for word in words if self.corpus.knows(word)))
