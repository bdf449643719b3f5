"""How much a group of terms discloses of an entity, in bits over a corpus, and the limit it must keep.

With n(·) documents that hold all, N documents in all, c the entity, g its generalisation, T a group:

    plain        log2[ n(c,T)·N / (n(c)·n(T)) ]         must stay below IC(c) = log2[N / n(c)]
    standard     the same                               must not exceed IC(g)
    contextual   log2[ m·N / (n(c,g)·n(T)) ]            must not exceed IC(g)
    joint        log2[ n(c,g,T)·N / (n(c,g)·n(T)) ]     must not exceed IC(g)
    scoped       log2[ n(c,g,T)·N / (n(c,g)·n(T,g)) ]   must not exceed IC(g)

with m the documents about T and c in the sense of g: n(c,T), for many leave g unsaid; but where they leave it unsaid
clearly oftener than documents about c do, T means something else in some of them, and m is n(c,g,T)·n(c)/n(c,g).
Comparisons are of whole numbers, so nothing depends on rounding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from efface.errors import Infeasible, PolicyError
from efface.guarantees.semantic.binomial_tail import beta_tail
from efface.guarantees.semantic.near_names import NearNames
from efface.knowledge.corpus.counts import Corpus, Counts, CountTable, Groups, Query

Flags = npt.NDArray[np.bool_]

_TELLING = 6.25  # bits: what a member of a group says by itself, and of the entity, together
_DOUBT = 10  # documents of no particular subject that are added before a term is called telling
_ANOTHER = 0.25  # how often chance may leave a generalisation unsaid before another sense is assumed
_EVIDENCE = 2  # documents of the entity, where one may be chance
_CHANCE = 0.05  # how often chance may put as many documents of a term among an entity's, of all entities
PROBABILITIES = ("standard", "contextual", "joint", "scoped")


@dataclass(frozen=True, slots=True)
class HiddenEntity:
    """A sensitive entity: its name in the policy, all its names as queries, and its generalisation's.

    `meant`: the documents that are surely about it, where a name of it mostly means something else. `near`: what is
    nearly a name of it. `telling`: phrases that are as good as a name.
    """

    name: str
    names: Query
    generalisation: Query | None = None
    meant: Query = ()
    near: NearNames | None = None
    telling: re.Pattern[str] | None = None


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

    entity: HiddenEntity
    documents: int
    of_entity: int  # n(c), or n(c,g)
    of_limit: int  # n(g), or n(c) without a generalisation
    full: CountTable = field(repr=False)
    inside: CountTable = field(repr=False)  # only documents of the entity (and its generalisation)
    unsaid: AllEntityDocuments | None = field(repr=False)
    support: int
    chance: float
    loose: Flags = field(repr=False)  # queries that no single key answers
    telling: npt.NDArray[np.float64] = field(repr=False)  # bits of a query: its own and the entity's

    @property
    def limit(self) -> float:
        return math.log2(self.documents / self.of_limit)

    @property
    def own(self) -> float:
        """What a name of the entity itself discloses: all of it."""
        return math.log2(self.documents / self.of_entity)

    def risk(self, groups: Groups) -> Risk:
        """A group that occurs together in fewer than `support` documents proves nothing and is not risky.

        One document of the entity that has the words far from each other proves nothing either. A group has telling
        terms only. A rarer term, or a group that is rarer among the entity's documents, counts if chance hardly
        explains it.
        """
        said = self.inside.counts(groups)
        seen = said  # a search engine may count fewer documents for fewer words
        if self.unsaid is not None:
            seen = np.maximum(said, self.unsaid.entity.counts(groups))
        least = np.where(self.loose[groups].any(axis=1), min(_EVIDENCE, self.support), 1)
        enough = seen >= least
        if groups.shape[1] > 1:
            enough &= (self.telling[groups] >= _TELLING).all(axis=1)
        some = np.flatnonzero(enough)
        alone = np.zeros(len(groups), np.int64)
        alone[some] = self.full.counts(groups[some])
        supported = alone >= self.support
        weak = seen < self.support
        if groups.shape[1] == 1:
            weak |= ~supported
            supported |= weak
        supported &= ~weak | self._is_no_chance(seen, alone, weak & supported)
        times, total = self._completed(said, seen, enough)
        with np.errstate(divide="ignore"):
            ratio = times.astype(float) * self.documents / (float(total) * np.maximum(alone, 1))
            return Risk(self._exceeds(times, total, alone) & supported, np.log2(ratio), supported)

    def forms_groups(self, rows: npt.NDArray[np.int64]) -> Flags:
        """Which queries may be in a risky group of several: telling ones that some document of the entity holds."""
        telling = self.telling[rows] >= _TELLING
        inside = self.inside if self.unsaid is None else self.unsaid.entity
        some = np.flatnonzero(telling)
        telling[some] = inside.counts(rows[some][:, None]) > 0
        return np.asarray(telling, bool)

    def _completed(self, said: Counts, seen: Counts, asked: Flags) -> tuple[Counts, int]:
        """Returns the number of the entity's documents with the group, and of all its documents. The first counts
        documents that do not name the generalisation, too. Both are multiplied by n(c,g), so that they stay whole
        numbers."""
        if self.documents**3 >= 1 << 63:  # a search engine's counts: whole numbers of any size
            said, seen = said.astype(object), seen.astype(object)
        if self.unsaid is None:
            return said, self.of_entity
        times, scaled = seen * self.of_entity, said * self.unsaid.of_entity
        fewer = np.flatnonzero(asked & (scaled < times))
        other = fewer[self._is_another_sense(said[fewer], seen[fewer], self.unsaid.of_entity)]
        times[other] = scaled[other]
        return times, self.of_entity**2

    def _is_another_sense(self, said: Counts, seen: Counts, of_entity: int) -> Flags:
        """Whether the generalisation is left out more often than chance explains. The term then has another
        meaning."""
        silent, rate = (seen - said).astype(float), self.of_entity / of_entity
        return np.asarray(beta_tail(silent, said.astype(float) + 1, 1 - rate) <= _ANOTHER + 1e-9, bool)

    def _exceeds(self, times: Counts, total: int, alone: Counts) -> Flags:
        if self.entity.generalisation is None:  # PMI reaches IC(c) exactly when T is never without c
            exceeds = (times == alone) & (alone > 0)
        else:
            exceeds = times * self.of_limit > total * alone.astype(times.dtype)
        return np.asarray(exceeds, bool)

    def _is_no_chance(self, seen: Counts, alone: Counts, weak: Flags) -> Flags:
        """Whether the group is in the entity's documents more often than chance explains. The test is a binomial
        tail."""
        of_entity = self.of_entity if self.unsaid is None else self.unsaid.of_entity
        rare = np.flatnonzero(weak & (alone > 0) & (seen > 0))
        found = np.zeros(len(seen), bool)
        tail = beta_tail(seen[rare], alone[rare] - seen[rare] + 1, of_entity / self.documents)
        found[rare] = tail <= self.chance
        return found


@dataclass(frozen=True, slots=True)
class AllEntityDocuments:
    """The documents of the entity, whether or not they name its generalisation, and how many they are."""

    entity: CountTable = field(repr=False)
    of_entity: int


def disclosures(
    corpus: Corpus, entities: Sequence[HiddenEntity], probability: str, queries: Sequence[Query], support: int
) -> list[Disclosure]:
    """The measure for every entity over the same queries."""
    chance = _CHANCE / max(1, len(entities))
    return [_disclosure(corpus, entity, probability, queries, support, chance) for entity in entities]


def _disclosure(
    corpus: Corpus,
    entity: HiddenEntity,
    probability: str,
    queries: Sequence[Query],
    support: int,
    chance: float,
) -> Disclosure:
    """The counts that the formula of `probability` (see the module) needs, for one entity.

    The table has three rows after the queries: c, g, and c with g. `standard` counts in the documents of c, the others
    in those of c with g. `scoped` also counts T only in documents of g; `contextual` also counts the documents of c
    that leave g unsaid.
    """
    own, general = entity.names, entity.generalisation
    extra = [own, general or own, _conjunction(own, general) if general else own]
    full = corpus.table([*queries, *extra])
    first = len(queries)
    n_entity, n_limit, n_both = full.counts(np.arange(first, first + 3)[:, None]).tolist()
    _require_known(n_entity, n_limit)
    base, unsaid = full, None
    # Where the two never meet there is no context to count in; `Semantic.warnings` says that the limit is odd.
    if probability == "standard" or entity.generalisation is None or not n_both:
        of_entity, inside = n_entity, full.where(first)
    else:
        base = full.where(first + 1) if probability == "scoped" else full
        of_entity, inside = n_both, full.where(first + 2)
        unsaid = AllEntityDocuments(full.where(first), n_entity) if probability == "contextual" else None
    loose = np.array([_is_loose(query) for query in queries], bool)
    telling = _telling_bits(corpus, entity.meant or own, queries)
    return Disclosure(
        entity, corpus.documents, of_entity, n_limit, base, inside, unsaid, support, chance, loose, telling
    )


def _require_known(entity: int, generalisation: int) -> None:
    """Refuse an entity or a generalisation that no document of the corpus holds."""
    if not entity:
        raise Infeasible(
            "The corpus has never seen an entity that is to be hidden: nothing can be said about it.",
            "Name it as the corpus does, or give a corpus that knows it.",
        )
    if not generalisation:
        raise Infeasible(
            "The corpus has never seen a generalisation given in `hide`.", "Choose another word."
        )


def _is_loose(query: Query) -> bool:
    """Whether no single key answers a query: each of its alternatives takes several."""
    return all(len(part) > 1 for part in query)


def _telling_bits(corpus: Corpus, names: Query, queries: Sequence[Query]) -> npt.NDArray[np.float64]:
    """For each query, the information of its rarest word plus its association with the entity, in bits.

    With words w of a query q, p = n(c)/N and D = `_DOUBT`:

        max over w: log2[ N / n(w) ]  +  max over q and w: log2[ (n(c,w) + D·p) / ((n(w) + D)·p) ]

    Common words form a group with anything. So every member of a group must be informative (heuristic H2) and point to
    the entity by itself. The D documents of no particular subject keep rare words from pointing anywhere by chance.
    """
    words: list[list[Query]] = []  # of each query the known ones, as queries
    for query in queries:
        words.append([((word,),) for word in _words_of_query(query) if corpus.knows(word)])
    asked = dict.fromkeys(chain(queries, *words))
    rows = {query: row for row, query in enumerate(asked)}
    table = corpus.table([*rows, names])
    every = np.arange(len(rows))[:, None]
    alone = table.counts(every).astype(float)
    beside = table.where(len(rows)).counts(every).astype(float)
    share = int(table.counts(np.array([[len(rows)]]))[0]) / corpus.documents
    about = np.log2((beside + _DOUBT * share) / ((alone + _DOUBT) * share))
    own = np.log2(corpus.documents / np.maximum(alone, 1))
    told = np.zeros(len(queries))
    for at, (query, parts) in enumerate(zip(queries, words, strict=True)):
        known = [rows[part] for part in parts] or [rows[query]]
        told[at] = own[known].max() + about[[rows[query], *known]].max()
    return told


def _words_of_query(query: Query) -> list[str]:
    return list(dict.fromkeys(word for part in query for key in part for word in key.split(" ")))


def _conjunction(left: Query, right: Query) -> Query:
    return tuple(dict.fromkeys((*a, *b) for a in left for b in right))


def check_probability(probability: str, entities: Sequence[HiddenEntity]) -> None:
    if probability not in PROBABILITIES:
        raise PolicyError("`probability` names no measure.", f"Choose one of {', '.join(PROBABILITIES)}.")
    for entity in entities:
        if entity.generalisation is None and probability != "standard":
            raise PolicyError(
                "`probability: contextual` needs a generalisation for every entity.",
                "Write `hide: {HIV: virus}`, or `probability: standard`.",
            )
