"""ZoRRo's own way (its Algorithm 2) over tantivy, a search engine in the manner of Lucene.

One query asks for any of the document's terms and gives the best 5 % of the entities, a match on a term counted
as log(entities / entities with the term). They are gone through from the best down until a single term turns
out to have k holders. Of every set of terms with fewer than k holders, one of them denied, terms go until
what is left scores no more than a term with k holders. All of this is exact only if attributes are
independent, which is why denied entities can be left in too small a crowd.

Two places are open in the paper, and read kindly: a set that scores exactly as a term with k holders is safe
(its example with k = 2 needs it), and the rarest term goes first. All labels are asked for at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tantivy

Ask = Callable[[Sequence[str]], Collection[str]]
Terms = frozenset[str]

SHARE = 0.05
_HEAP = 100_000_000


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("term", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


@dataclass(frozen=True, slots=True)
class Engine:
    """Entities as documents of a search engine, each term whole."""

    searcher: tantivy.Searcher
    schema: tantivy.Schema
    size: int

    @classmethod
    def build(cls, entities: Iterable[tuple[str, Collection[str]]], path: Path | None = None) -> Engine:
        """(id, folded terms) of every entity, in memory or in a folder that is there."""
        schema = _schema()
        index = tantivy.Index(schema, str(path) if path else None)
        writer = index.writer(_HEAP, 1)
        for id, terms in entities:
            writer.add_document(tantivy.Document(id=[id], term=list(terms)))
        writer.commit()
        writer.wait_merging_threads()
        return cls._over(index, schema)

    @classmethod
    def open(cls, path: Path) -> Engine:
        """What was built in this folder."""
        schema = _schema()
        return cls._over(tantivy.Index(schema, str(path), reuse=True), schema)

    @classmethod
    def _over(cls, index: tantivy.Index, schema: tantivy.Schema) -> Engine:
        index.reload()
        searcher = index.searcher()
        return cls(searcher, schema, searcher.num_docs)

    def weights(self, terms: Collection[str]) -> dict[str, float]:
        """The score of a match on each of the terms that somebody has."""
        held = {term: self.searcher.doc_freq("term", term) for term in terms}
        return {term: self.score(count) for term, count in held.items() if count}

    def score(self, holders: int) -> float:
        return math.log(self.size / holders)

    def search(self, weights: dict[str, float], limit: int) -> Iterable[tuple[str, Terms]]:
        """(id, its terms) of the entities with any of the terms, the highest sum of weights first."""
        parts = []
        for term, weight in weights.items():
            plain = tantivy.Query.const_score_query(
                tantivy.Query.term_query(self.schema, "term", term), weight
            )
            parts.append((tantivy.Occur.Should, plain))
        hits = self.searcher.search(tantivy.Query.boolean_query(parts), limit=limit, count=False).hits
        for _, address in hits:
            found = self.searcher.doc(address)
            yield found["id"][0], frozenset(found["term"])


@dataclass(frozen=True, slots=True)
class Redaction:
    """The terms to remove, and whom the algorithm looked at before it stopped."""

    removed: Terms
    seen: frozenset[str] = field(repr=False)


def redact(
    engine: Engine, terms: Collection[str], k: int | None, ask: Ask, share: float = SHARE
) -> Redaction:
    """Algorithm 2 without its columns, which come first and are the same for everybody; k None: unbounded."""
    weights = engine.weights(terms)
    if not weights:
        return Redaction(frozenset(), frozenset())
    holders = _holders(engine, weights, k, max(1, math.ceil(share * engine.size)))
    small = {held: ids for held, ids in holders.items() if k is None or len(ids) < k}
    denied = set(ask(sorted({id for ids in small.values() for id in ids})))
    limit = -math.inf if k is None else engine.score(k) if k < engine.size else 0.0
    removed: set[str] = set()
    for held, ids in small.items():
        if ids & denied:
            removed |= _chosen(held - removed, weights, limit)
    return Redaction(frozenset(removed), frozenset(id for ids in holders.values() for id in ids))


def _holders(engine: Engine, weights: dict[str, float], k: int | None, limit: int) -> dict[Terms, set[str]]:
    """The paper's EntityMap: for the matched terms of every result, the results seen so far that have them."""
    found: dict[Terms, set[str]] = {}
    for id, context in engine.search(weights, limit):
        held = context.intersection(weights)
        mine = found.get(held)
        if mine is None:
            mine = found[held] = {other for more, ids in found.items() if more > held for other in ids}
        for fewer, ids in found.items():  # ties in score may bring a set before a larger one
            if fewer <= held:
                ids.add(id)
        if k is not None and len(held) == 1 and len(mine) >= k:
            break
    return found


def _chosen(held: Terms, weights: dict[str, float], limit: float) -> set[str]:
    """Terms whose removal brings the score of the rest to the limit: the rarest first, then by name."""
    rest = sorted(held, key=lambda term: (-weights[term], term))
    score = sum(weights[term] for term in rest)
    chosen = set()
    for term in rest:
        if score <= limit + 1e-9:
            break
        chosen.add(term)
        score -= weights[term]
    return chosen
