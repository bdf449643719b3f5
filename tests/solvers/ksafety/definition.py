"""ERASE's Definition 3.1 word for word, and random instances small enough for it. Nothing here is fast."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from hypothesis import strategies as st

from efface.solvers.ksafety.solve import Instance


@dataclass(frozen=True)
class Case:
    """A k-safety instance in plain sets. `k` counts the protected entity too."""

    entities: dict[str, frozenset[str]]
    protected: frozenset[str]
    document: frozenset[str]
    k: int
    weights: dict[str, float] = field(default_factory=dict)

    @property
    def instance(self) -> Instance:
        return Instance.from_contexts(self.entities, self.protected, self.document, self.weights)

    def crowd(self, entity: str, kept: frozenset[str]) -> int:
        shown = self.entities[entity] & kept
        others = [other for other in self.entities if other != entity and shown <= self.entities[other]]
        return 1 + len(others)

    def safe(self, kept: frozenset[str]) -> bool:
        return all(self.crowd(entity, kept) >= self.k for entity in self.protected)

    def weight(self, terms: frozenset[str]) -> float:
        return sum(self.weights.get(term, 1.0) for term in terms)

    def least_removal(self) -> float:
        """The weight of the lightest removal, by trying every one."""
        return min(
            self.weight(self.document - frozenset(kept))
            for size in range(len(self.document) + 1)
            for kept in combinations(sorted(self.document), size)
            if self.safe(frozenset(kept))
        )


TERMS = [f"t{number}" for number in range(1, 8)]
WEIGHTS = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.25]  # sums of these are exact


@st.composite
def cases(draw: st.DrawFn, weighted: bool | None = None, feasible: bool = True) -> Case:
    """A few entities over a few terms, many of them alike; more terms in the world than in the document."""
    pool = draw(st.lists(st.frozensets(st.sampled_from(TERMS)), min_size=1, max_size=7))
    contexts = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=12))
    entities = {f"e{number}": context for number, context in enumerate(contexts)}
    protected = draw(st.frozensets(st.sampled_from(sorted(entities))))
    document = draw(st.frozensets(st.sampled_from(TERMS), max_size=7))
    k = draw(st.integers(1, len(entities) if feasible else len(entities) + 3))
    if weighted is None:
        weighted = draw(st.booleans())
    weights = {term: draw(st.sampled_from(WEIGHTS)) for term in sorted(document)} if weighted else {}
    return Case(entities, protected, document, k, weights)
