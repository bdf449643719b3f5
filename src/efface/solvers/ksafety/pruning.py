"""What can be decided without searching (ERASE, Section 6.2), and the problem that remains.

With k the crowd, the protected entity included:
- a term of a protected context that fewer than k entities hold must go: it alone singles an entity out;
- a term in no protected context is harmless, and so is one whose protected entities are all safe already,
  since removing more terms only lets crowds grow;
- after that a protected entity with one open term or none is safe, and of an entity with so few it only
  matters which: they collapse into a group a term. A protected entity that is safe stays a rival of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import Ints, Membership, Rows, distinct, pack, union, unpack
from efface.solvers.ksafety.crowd import holders
from efface.solvers.ksafety.instance import Instance

Flags = NDArray[np.bool_]
Weights = NDArray[np.float64]

MANY_RIVALS = 60_000  # comparing more of them with one another takes longer than they cost


@dataclass(frozen=True, slots=True, eq=False)
class ReducedProblem:
    """The open terms, in string order, and who holds them. Every single open term is safe."""

    k: int
    weights: Weights
    rivals: Membership  # distinct restricted contexts of all entities, the protected ones among them
    counts: Ints  # how many entities have each
    protected: Membership  # distinct restricted contexts of the protected entities that are not safe yet
    secrets: Ints  # how many protected entities have each

    def restricted(self, terms: Ints) -> ReducedProblem:
        """The problem for some of the terms, with only the protected contexts that lie in them."""
        if len(terms) == len(self.weights):
            return self
        rivals, counts = _merge(self.rivals[:, terms], self.counts)
        inside = self.protected[:, terms].any(axis=1)
        return ReducedProblem(
            self.k,
            self.weights[terms],
            rivals,
            counts,
            self.protected[inside][:, terms],
            self.secrets[inside],
        )

    def reordered(self, order: Ints) -> ReducedProblem:
        """The problem with the terms in another order."""
        return replace(
            self,
            weights=self.weights[order],
            rivals=self.rivals[:, order],
            protected=self.protected[:, order],
        )

    def hardest(self) -> ReducedProblem:
        """A smaller problem with the same safe plans.

        A protected context inside another one is dropped, because its crowd is never smaller. A rival inside one that
        k entities contain is dropped too, because those show whatever it shows. Very many rivals are all kept,
        because comparing all pairs would take longer than they do.
        """
        shown, held = pack(self.protected), pack(self.rivals)
        widest = holders(shown, shown, np.ones(len(shown), np.int64)) == 1
        if len(held) > MANY_RIVALS:
            return replace(self, protected=self.protected[widest], secrets=self.secrets[widest])
        common = _crowded(held, held, self.counts, self.k)
        around = holders(held, held[common], np.ones(common.sum(), np.int64))
        needed = around == common
        counts = np.where(common, self.k, self.counts)
        return replace(
            self,
            rivals=self.rivals[needed],
            counts=counts[needed],
            protected=self.protected[widest],
            secrets=self.secrets[widest],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Pruned:
    """The terms that must go, the terms still open, and the problem that these pose."""

    forced: Flags
    open: Flags
    problem: ReducedProblem


def prune(instance: Instance, k: int) -> Pruned:
    """Decides what can be decided at once. Terms that are neither forced nor open are kept."""
    hidden = np.flatnonzero(instance.protected)
    contexts = unpack(instance.signatures[hidden], len(instance.terms))
    pointing = union(contexts)
    held = _holders(instance)
    forced = pointing & (held < k)
    protected, secrets = _merge(contexts & ~forced, instance.protected[hidden])
    exposed = _exposed(protected, *_restrict(instance, pointing & ~forced, held), k)
    protected, secrets = protected[exposed], secrets[exposed]
    is_open = union(protected)
    rivals, counts = _restrict(instance, is_open, held)
    problem = ReducedProblem(
        k, instance.weights[is_open], rivals[:, is_open], counts, protected[:, is_open], secrets
    )
    return Pruned(forced, is_open, problem)


def components(problem: ReducedProblem) -> Iterator[Ints]:
    """The open terms in groups such that no protected context touches two of them."""
    left = np.ones(len(problem.weights), dtype=np.bool_)
    while left.any():
        group = np.zeros_like(left)
        group[left.argmax()] = True
        while True:
            grown = union(problem.protected[(problem.protected & group).any(axis=1)])
            if (grown == group).all():
                break
            group = grown
        yield np.flatnonzero(group)
        left &= ~group


def _holders(instance: Instance) -> Ints:
    """How many entities hold each term."""
    held = np.zeros(len(instance.terms), dtype=np.int64)
    for term in range(len(held)):
        word, bit = divmod(term, 64)
        has = (instance.signatures[:, word] >> np.uint64(bit)) & np.uint64(1)
        held[term] = instance.counts[has.astype(np.bool_)].sum()
    return held


def _merge(matrix: Membership, counts: Ints) -> tuple[Membership, Ints]:
    """Equal rows as one, their counts added."""
    rows, place = distinct(pack(matrix))
    return unpack(rows, matrix.shape[1]), _summed_counts(counts, place, len(rows))


def _summed_counts(counts: Ints, place: Ints, size: int) -> Ints:
    return np.bincount(place, weights=counts, minlength=size).astype(np.int64)


def _restrict(instance: Instance, terms: Flags, held: Ints) -> tuple[Membership, Ints]:
    """All contexts restricted to `terms`. Those with one or none are not sorted but inferred: they are many."""
    rows = instance.signatures & pack(terms[None, :])
    several = np.bitwise_count(rows).sum(axis=1, dtype=np.int64) > 1
    seen, place = distinct(rows[several])
    matrix = unpack(seen, len(terms))
    counts = _summed_counts(instance.counts[several], place, len(seen))
    chosen = np.flatnonzero(terms)
    alone = held[chosen] - counts @ matrix[:, chosen]
    single = np.zeros((len(chosen) + 1, len(terms)), dtype=np.bool_)
    single[np.arange(len(chosen)), chosen] = True
    none = instance.entities - counts.sum() - alone.sum()
    size = np.append(alone, none)
    return np.concatenate([matrix, single[size > 0]]), np.concatenate([counts, size[size > 0]])


def _exposed(protected: Membership, rivals: Membership, counts: Ints, k: int) -> Flags:
    """Which protected contexts have a crowd under k while everything open is kept."""
    exposed: Flags = protected.sum(axis=1) > 1
    exposed[exposed] = ~_crowded(pack(protected[exposed]), pack(rivals), counts, k)
    return exposed


def _crowded(asked: Rows, groups: Rows, sizes: Ints, k: int) -> Flags:
    """Which of the asked sets are held by k entities."""
    crowded: Flags = holders(asked, groups, sizes) >= k
    return crowded
