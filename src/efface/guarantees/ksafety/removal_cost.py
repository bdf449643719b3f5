"""What a plan strikes from the text, counted once.

Terms with the same mentions (one word that is several values, or one value in several columns) go
together and cost as one. A term that is only inside others costs nothing when they go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from efface.core import Span, SpanSet, Term
from efface.knowledge.entities.signatures import column_and_key

StruckPlace = tuple[tuple[int, int], ...]


def place_of(term: Term) -> StruckPlace:
    """The places of a term. Terms with equal places are struck together, at one cost."""
    return tuple((mention.start, mention.end) for mention in term.mentions)


def weights_of(terms: Sequence[Term], given: Mapping[str, float]) -> dict[str, float]:
    """What each term adds to the cost: its share of what is struck at its place. The shares of removed terms never
    add up to more than the strokes, so a bound on the shares is a bound on the strokes."""
    sharing = Counter(place_of(term) for term in terms)
    return {term.key: stroke(term, given) / sharing[place_of(term)] for term in terms}


def stroke(term: Term, given: Mapping[str, float]) -> float:
    """The weight of a term in the policy: its own, that of its column or type, or 1."""
    column, key = column_and_key(term.key)
    for name in (key, column, term.type):
        if name in given:
            return given[name]
    return 1.0


def gone_with(terms: Sequence[Term], struck: Collection[str], masked: Collection[str] = ()) -> set[str]:
    """Every term that these strokes remove completely, and every term of a masked type."""
    going = [term for term in terms if term.key in struck or term.type in masked]
    spans = SpanSet(mention.span for term in going for mention in term.mentions)
    return {term.key for term in terms if _is_covered(term, spans)}


def _is_covered(term: Term, spans: SpanSet) -> bool:
    return all(spans.covers(mention.start, mention.end) for mention in term.mentions)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The terms at each place, and the terms whose letters overlap or touch those of a place, itself among them."""

    at_place: Mapping[StruckPlace, set[str]]
    near: Mapping[StruckPlace, Sequence[Term]]

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Neighbours:
        at_place: dict[StruckPlace, set[str]] = {}
        for term in terms:
            at_place.setdefault(place_of(term), set()).add(term.key)
        clusters = SpanSet(mention.span for term in terms for mention in term.mentions)
        in_cluster: dict[int, dict[str, Term]] = {}
        for term in terms:
            for start, _ in place_of(term):
                in_cluster.setdefault(clusters.start_before(start), {})[term.key] = term
        near: dict[StruckPlace, Sequence[Term]] = {}
        for place in at_place:
            found: dict[str, Term] = {}
            for start, _ in place:
                found |= in_cluster[clusters.start_before(start)]
            near[place] = tuple(found.values())
        return cls(at_place, near)

    def shown_again(self, place: StruckPlace, gone: Collection[str], struck: Collection[str]) -> set[str]:
        """The removed terms that become visible again if this place is no longer struck. Only terms near it can."""
        near = self.near[place]
        spans = SpanSet(mention.span for term in near if term.key in struck for mention in term.mentions)
        own = SpanSet(Span(start, end) for start, end in place)
        return {term.key for term in near if term.key in gone and _is_uncovered(term, own, spans)}


def cost_of(terms: Sequence[Term], struck: Iterable[str], given: Mapping[str, float]) -> float:
    """The cost of what is struck: a place counts once, however many terms are there."""
    chosen = set(struck)
    prices = prices_of(terms, given)
    places = {place_of(term) for term in terms if term.key in chosen}
    return float(sum(prices[place] for place in places))


def prices_of(terms: Sequence[Term], given: Mapping[str, float]) -> dict[StruckPlace, float]:
    """What it costs to strike each place: as much as the dearest term there, since all of them go."""
    prices: dict[StruckPlace, float] = {}
    for term in terms:
        place = place_of(term)
        prices[place] = max(prices.get(place, 0.0), stroke(term, given))
    return prices


def is_tangled(terms: Sequence[Term]) -> bool:
    """Whether terms share places or letters, so that removing terms one by one is not striking words."""
    return len({place_of(term) for term in terms}) < len(terms) or has_overlaps(terms)


def has_overlaps(terms: Sequence[Term]) -> bool:
    """Whether terms of different places touch: the shares then may be more than what is struck."""
    spans = sorted({span for term in terms for span in place_of(term)})
    places: dict[tuple[int, int], StruckPlace] = {}
    for term in terms:
        place = place_of(term)
        for span in place:
            if places.setdefault(span, place) != place:
                return True
    return any(left[1] > right[0] for left, right in pairwise(spans))


def _is_uncovered(term: Term, own: SpanSet, spans: SpanSet) -> bool:
    """Whether a mention of the term that touches a place stands outside of what is struck."""
    for mention in term.mentions:
        if own.touches(mention.start, mention.end) and not spans.covers(mention.start, mention.end):
            return True
    return False
