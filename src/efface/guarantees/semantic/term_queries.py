"""Terms as the corpus can count them.

A phrase that the corpus knows well is counted as a phrase; another by its words together, the leftmost left out until
enough documents hold the rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from efface.knowledge.corpus.counts import Corpus, Query, corpus_for_look

# What stands before a word and leaves its subject as it is: `antidiabetic`, `nonsmoker`.
_PREFIX = re.compile(
    r"(?:anti|non|pre|post|pseudo|neo|un|ex|pro|hyper|hypo|sub|super|trans|inter|intra|peri)-?"
)
_PREFIXED = 20  # documents: a word with a prefix that fewer hold is judged as the word behind the prefix, too


@dataclass(frozen=True)
class TermQueries:
    """Finds queries for terms. `support` is how many documents make a phrase known.

    A judge keeps what it was asked. A guarantee has one for the names in its policy and their rivals, and makes another one for
    each look at a document: `for_look`.
    """

    corpus: Corpus = field(repr=False)
    support: int
    _counts: dict[Query, int] = field(default_factory=dict, repr=False)
    _queries: dict[str, Query] = field(default_factory=dict, repr=False)

    def for_look(self) -> TermQueries:
        """A new judge without earlier answers."""
        return TermQueries(corpus_for_look(self.corpus), self.support)

    def count(self, query: Query) -> int:
        if query not in self._counts:
            table = self.corpus.table([query])
            self._counts[query] = int(table.counts(np.zeros((1, 1), np.int64))[0])
        return self._counts[query]

    def bits(self, query: Query) -> float:
        """The information content of a query."""
        return math.log2(self.corpus.documents / max(1, self.count(query)))

    def query(self, key: str) -> Query:
        """Alternatives of a key, each as the corpus can count it; empty when it knows nothing of it."""
        if key not in self._queries:
            parts = (self._conjunction(tuple(part.split(" "))) for part in key.split("|"))
            self._queries[key] = tuple(dict.fromkeys(part for part in parts if part))
        return self._queries[key]

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
        """The known words of a key, each by itself, and those behind the prefixes of rare ones."""
        words = (word for part in key.split("|") for word in part.split(" "))
        return tuple(dict.fromkeys(part for word in words for part in self._word_parts(word)))

    def _word_parts(self, word: str) -> Iterator[str]:
        if self.corpus.knows(word):
            yield word
        prefix = _PREFIX.match(word.lower())
        behind = word.lower()[prefix.end() :] if prefix else ""
        if self.corpus.knows(behind) and self.count(((word,),)) < _PREFIXED <= self.count(((behind,),)):
            yield behind
