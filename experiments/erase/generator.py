"""The paper's synthetic world (its Section 7): entities that overlap in base sets, documents of a given goodness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety.bits import pack
from efface.solvers.ksafety.solve import Instance

BASES = 100
ENTITIES = 30  # of each base set
PROTECTED = 450


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Membership matrices: a row a base set or an entity, a column a term."""

    bases: NDArray[np.bool_]
    contexts: NDArray[np.bool_]
    protected: NDArray[np.bool_]


def make_world(seed: int, scale: int = 1) -> World:
    """200 terms, 100 base sets of 50, 30 entities each with 50 more terms, 450 of them protected.
    `scale` multiplies the terms, for documents longer than a base set."""
    random = np.random.default_rng(seed)
    terms, size = 200 * scale, 50 * scale
    bases = np.zeros((BASES, terms), dtype=np.bool_)
    contexts = np.zeros((BASES, ENTITIES, terms), dtype=np.bool_)
    for base, family in zip(bases, contexts, strict=True):
        base[random.choice(terms, size, replace=False)] = True
        family |= base
        for context in family:
            context[random.choice(np.flatnonzero(~base), size, replace=False)] = True
    entities = contexts.reshape(-1, terms)
    protected = np.zeros(len(entities), dtype=np.bool_)
    protected[random.choice(len(entities), PROTECTED, replace=False)] = True
    return World(bases, entities, protected)


def make_document(world: World, size: int, goodness: float, random: np.random.Generator) -> Instance:
    """`goodness` of the terms from one base set, the others from outside it."""
    base = world.bases[random.integers(len(world.bases))]
    inside = round(goodness * size)
    chosen = np.concatenate(
        [
            random.choice(np.flatnonzero(base), inside, replace=False),
            random.choice(np.flatnonzero(~base), size - inside, replace=False),
        ]
    )
    terms = [f"term{term:04}" for term in chosen]
    held = world.contexts[:, chosen]
    return Instance.from_signatures(terms, pack(held), np.ones(len(held)), world.protected)
