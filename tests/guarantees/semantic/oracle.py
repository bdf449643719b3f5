"""The definitions, slow and obvious: documents are sets of words, counts are loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from efface.core import Document, Mention, Reading, Term
from efface.finders.phrases import PhraseFinder
from efface.knowledge.corpus.counts import Counts, Groups, Query

Words = frozenset[str]


def fits(document: Words, query: Query) -> bool:
    return any(all(key in document for key in part) for part in query)


def count(documents: Sequence[Words], queries: Iterable[Query]) -> int:
    """Equal documents are looked at once: a toy corpus repeats a few of them many times."""
    wanted = list(queries)
    times = Counter(documents)
    return sum(times[each] for each in times if all(fits(each, query) for query in wanted))


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


def disclosed(
    documents: Sequence[Words], c: Query, g: Query | None, group: Sequence[Query], probability: str
) -> Fraction:
    """What a group discloses, as a ratio of probabilities; 0 when they never meet."""
    secret = [c] if probability == "standard" or g is None else [c, g]
    given = [g] if probability == "scoped" and g is not None else []
    together = Fraction(count(documents, [*secret, *group]))
    alone = count(documents, [*group, *given])
    if probability == "contextual" and g is not None:  # documents that leave g unsaid are added
        seen, rate = count(documents, [c, *group]), Fraction(count(documents, [c, g]), count(documents, [c]))
        another = at_most(int(together), seen, rate) <= Fraction(1, 4)  # they speak of another sense too
        together = min(Fraction(seen), together / rate) if another else Fraction(seen)
    return together * len(documents) / (count(documents, secret) * alone) if alone else Fraction(0)


def exceeds(
    documents: Sequence[Words], c: Query, g: Query | None, group: Sequence[Query], probability: str
) -> bool:
    """The criterion, with fractions."""
    found = disclosed(documents, c, g, group, probability)
    limit = Fraction(len(documents), count(documents, [g if g is not None else c]))
    return found >= limit if g is None else found > limit


def at_most(times: int, of: int, share: Fraction) -> Fraction:
    """How often chance gives so few of so many."""
    return sum(
        (Fraction(math.comb(of, n)) * share**n * (1 - share) ** (of - n) for n in range(times + 1)),
        Fraction(0),
    )


def told(documents: Sequence[Words], c: Query, term: Query) -> float:
    """Bits of a term's rarest word, and those that it, or a word in it, says of the entity."""
    words: list[Query] = [((word,),) for part in term for key in part for word in key.split(" ")]
    known = [word for word in words if count(documents, [word])] or [term]
    share = Fraction(count(documents, [c]), len(documents))

    def about(query: Query) -> float:
        return math.log2(
            (count(documents, [c, query]) + 10 * share) / ((count(documents, [query]) + 10) * share)
        )

    own = max(math.log2(Fraction(len(documents), max(1, count(documents, [word])))) for word in known)
    return own + max(about(query) for query in [term, *known])


def is_risky(
    documents: Sequence[Words],
    c: Query,
    g: Query | None,
    group: Sequence[Query],
    probability: str,
    telling: float = 6.25,
) -> bool:
    """The criterion for terms, and for groups of telling terms."""
    grouped = len(group) == 1 or all(told(documents, c, term) >= telling for term in group)
    return grouped and exceeds(documents, c, g, group, probability)


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
