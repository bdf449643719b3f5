"""How much a group of terms discloses of an entity, in bits over a corpus, and the limit it must keep.

With n(·) documents that hold all, N documents in all, c the entity, g its generalisation, T a group:

    plain        log2[ n(c,T)·N / (n(c)·n(T)) ]         must stay below IC(c) = log2[N / n(c)]
    standard     the same                               must not exceed IC(g)
    contextual   log2[ n(c,g,T)·N / (n(c,g)·n(T)) ]     must not exceed IC(g)
    scoped       log2[ n(c,g,T)·N / (n(c,g)·n(T,g)) ]   must not exceed IC(g)

Comparisons are of whole numbers, so nothing depends on rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from efface.errors import Infeasible, PolicyError
from efface.knowledge.corpus import Corpus, Counts, Groups, Query, Table

Flags = npt.NDArray[np.bool_]

_EVIDENCE = 2  # documents of the entity, where one may be chance
PROBABILITIES = ("standard", "contextual", "scoped")


@dataclass(frozen=True, slots=True)
class Entity:
    """A sensitive entity: its name in the policy, all its names as queries, and its generalisation's."""

    name: str
    names: Query
    generalisation: Query | None = None


@dataclass(frozen=True, slots=True)
class Risk:
    """For each group: whether it discloses too much, how many bits (-inf: never together), and whether enough
    documents hold the group for this to mean something."""

    risky: npt.NDArray[np.bool_]
    bits: npt.NDArray[np.float64]
    supported: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Disclosure:
    """The measure for one entity over a table of queries."""

    entity: Entity
    documents: int
    of_entity: int  # n(c), or n(c,g)
    of_limit: int  # n(g), or n(c) without a generalisation
    full: Table = field(repr=False)
    inside: Table = field(repr=False)  # only documents of the entity (and its generalisation)
    support: int
    loose: Flags = field(repr=False)  # queries that no single key answers
    points: Flags = field(repr=False)  # queries that stand with the entity more often than by chance

    @property
    def limit(self) -> float:
        return math.log2(self.documents / self.of_limit)

    @property
    def own(self) -> float:
        """What a name of the entity itself discloses: all of it."""
        return math.log2(self.documents / self.of_entity)

    def risk(self, groups: Groups) -> Risk:
        """A group that stands together in fewer than `support` documents proves nothing and is not risky.

        Nor does a single document of the entity: of a phrase that the corpus knows only by its words, and of a
        group unless each member is known and points to the entity by itself.
        """
        together = self.inside.counts(groups)
        doubtful = self.loose[groups].any(axis=1)
        if groups.shape[1] > 1:
            doubtful |= ~self.points[groups].all(axis=1)
        least = np.where(doubtful, min(_EVIDENCE, self.support), 1)
        seen = np.flatnonzero(together >= least)
        alone = np.zeros(len(groups), np.int64)
        alone[seen] = self.full.counts(groups[seen])
        supported = alone >= self.support
        with np.errstate(divide="ignore"):
            ratio = together * self.documents / (self.of_entity * np.maximum(alone, 1))
            return Risk(self._exceeds(together, alone) & supported, np.log2(ratio), supported)

    def _exceeds(self, together: Counts, alone: Counts) -> Flags:
        if self.entity.generalisation is None:  # PMI reaches IC(c) exactly when T is never without c
            exceeds: Flags = (together == alone) & (alone > 0)
        else:
            exceeds = together * self.of_limit > self.of_entity * alone
        return exceeds


def disclosures(
    corpus: Corpus, entities: Sequence[Entity], probability: str, queries: Sequence[Query], support: int
) -> list[Disclosure]:
    """The measure for every entity over the same queries."""
    return [_disclosure(corpus, entity, probability, queries, support) for entity in entities]


def _disclosure(
    corpus: Corpus, entity: Entity, probability: str, queries: Sequence[Query], support: int
) -> Disclosure:
    both = _both(entity.names, entity.generalisation) if entity.generalisation else entity.names
    extra = [entity.names, entity.generalisation or entity.names, both]
    full = corpus.table([*queries, *extra])
    first = len(queries)
    n_entity, n_limit, n_both = full.counts(np.arange(first, first + 3)[:, None]).tolist()
    if not n_entity:
        raise Infeasible(
            "The corpus has never seen an entity that is to be hidden: nothing can be said about it.",
            "Name it as the corpus does, or give a corpus that knows it.",
        )
    if not n_limit:
        raise Infeasible(
            "The corpus has never seen a generalisation given in `hide`.", "Choose another word."
        )
    if probability == "standard" or entity.generalisation is None:
        of_entity, base, inside = n_entity, full, full.where(first)
    elif not n_both:
        raise Infeasible(
            "An entity and its generalisation never stand in one document of the corpus.",
            "Choose another generalisation, or `probability: standard`.",
        )
    else:
        base = full.where(first + 1) if probability == "scoped" else full
        of_entity, inside = n_both, full.where(first + 2)
    each = np.arange(first)[:, None]
    loose = np.array([all(len(part) > 1 for part in query) for query in queries], bool)
    points = inside.counts(each) * corpus.documents > of_entity * base.counts(each)
    return Disclosure(entity, corpus.documents, of_entity, n_limit, base, inside, support, loose, points)


def _both(left: Query, right: Query) -> Query:
    return tuple(dict.fromkeys((*a, *b) for a in left for b in right))


def check_probability(probability: str, entities: Sequence[Entity]) -> None:
    if probability not in PROBABILITIES:
        raise PolicyError("`probability` names no measure.", f"Choose one of {', '.join(PROBABILITIES)}.")
    for entity in entities:
        if entity.generalisation is None and probability != "standard":
            raise PolicyError(
                "`probability: contextual` needs a generalisation for every entity.",
                "Write `hide: {HIV: virus}`, or `probability: standard`.",
            )
