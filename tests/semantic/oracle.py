"""The definitions, slow and obvious: documents are sets of words, counts are loops."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from efface.core import Document, Mention, Reading, Term
from efface.knowledge.corpus import Counts, Groups, Query
from efface.terms.phrases import PhraseFinder

Words = frozenset[str]


def fits(document: Words, query: Query) -> bool:
    return any(all(key in document for key in part) for part in query)


def count(documents: Sequence[Words], queries: Iterable[Query]) -> int:
    wanted = list(queries)
    return sum(all(fits(document, query) for query in wanted) for document in documents)


@dataclass(frozen=True)
class ToyTable:
    documents_: Sequence[Words]
    queries: Sequence[Query]

    def counts(self, groups: Groups) -> Counts:
        rows = [[self.queries[at] for at in group] for group in groups.tolist()]
        return np.array([count(self.documents_, row) for row in rows], np.int64)

    def where(self, query: int) -> ToyTable:
        return ToyTable([d for d in self.documents_ if fits(d, self.queries[query])], self.queries)


@dataclass(frozen=True)
class ToyCorpus:
    """A corpus of sets of words."""

    texts: Sequence[Words]
    vocabulary: Words = field(default=frozenset())

    @property
    def documents(self) -> int:
        return len(self.texts)

    def knows(self, key: str) -> bool:
        return any(key in text for text in self.texts)

    def table(self, queries: Sequence[Query]) -> ToyTable:
        return ToyTable(self.texts, queries)


def toy(*rows: str) -> ToyCorpus:
    """`toy("3 hiv virus", "2 cat")`: three documents with two words, two with one."""
    texts: list[Words] = []
    for row in rows:
        times, *words = row.split()
        texts += [frozenset(words)] * int(times)
    return ToyCorpus(texts)


def ic(documents: Sequence[Words], queries: Iterable[Query]) -> float:
    return -math.log2(Fraction(count(documents, queries), len(documents)))


def pmi(
    documents: Sequence[Words], c: Sequence[Query], group: Sequence[Query], given: Sequence[Query]
) -> float:
    """log2 of p(c, T) / (p(c) p(T, given)); -inf when they never meet."""
    joint = Fraction(count(documents, [*c, *group]), len(documents))
    alone = Fraction(count(documents, c), len(documents)) * Fraction(
        count(documents, [*group, *given]), len(documents)
    )
    return math.log2(joint / alone) if joint else -math.inf


def exceeds(
    documents: Sequence[Words], c: Query, g: Query | None, group: Sequence[Query], probability: str
) -> bool:
    """The criterion, with fractions."""
    if not count(documents, group):
        return False
    n = Fraction(len(documents))
    secret = [c] if probability == "standard" or g is None else [c, g]
    given = [g] if probability == "scoped" and g is not None else []
    together, alone = count(documents, [*secret, *group]), count(documents, [*group, *given])
    if not together or not alone:
        return False
    disclosed = together * n / (count(documents, secret) * alone)
    limit = n / count(documents, [g if g is not None else c])
    return disclosed >= limit if g is None else disclosed > limit


def best_choice(
    bits: Sequence[Sequence[float]],
    harmless: Sequence[Sequence[bool]],
    risky: Collection[tuple[tuple[int, int], ...]],
) -> float:
    """The most bits that a choice of one option a term keeps, no group of options in `risky` being whole."""
    best = -math.inf
    for choice in product(*(range(len(row)) for row in bits)):
        picked = list(enumerate(choice))
        if not all(harmless[term][option] for term, option in picked):
            continue
        groups = [g for size in (2, 3) for g in combinations(picked, size)]
        if not any(tuple(group) in risky for group in groups):
            best = max(best, sum(bits[term][option] for term, option in picked))
    return best


def reading(text: str) -> Reading:
    """A text with its phrases, as the pipeline would hand it on."""
    groups: dict[str, list[Mention]] = {}
    for mention in PhraseFinder().find(text):
        groups.setdefault(mention.key, []).append(mention)
    terms = tuple(Term(key, found[0].type, tuple(found), "phrases") for key, found in groups.items())
    return Reading(Document("a.txt", "text", text), terms)
