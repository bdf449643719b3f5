"""The plan against a slow search through every choice of what to strike: words that overlap, values that share a place, columns
that go anyway, weights."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Document, Mention, Optimality, Plan, Reading, Term
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index

COLUMNS = {"city": "CITY", "job": "JOB", "team": "TEAM"}
TEXT = "x" * 40
Value = tuple[str, str]  # a column and a value


@dataclass(frozen=True)
class World:
    """Entities, which of them are protected, and where values stand in a text."""

    entities: tuple[frozenset[Value], ...]
    protected: frozenset[int]
    places: Mapping[Value, tuple[tuple[int, int], ...]]
    weights: Mapping[str, float]
    masked: frozenset[str]
    k: int

    def gone(self, struck: frozenset[Value]) -> frozenset[Value]:
        """The values of which no mention is left: every letter of it is struck."""
        going = [value for value in self.places if value in struck or COLUMNS[value[0]] in self.masked]
        letters = {at for value in going for start, end in self.places[value] for at in range(start, end)}
        return frozenset(
            value
            for value, spans in self.places.items()
            if all(letters.issuperset(range(start, end)) for start, end in spans)
        )

    def is_safe(self, struck: frozenset[Value]) -> bool:
        left = self.places.keys() - self.gone(struck)
        shown = [self.entities[id] & left for id in self.protected]
        return all(not some or sum(some <= theirs for theirs in self.entities) >= self.k for some in shown)

    def cost(self, struck: frozenset[Value]) -> float:
        """A place counts once, as much as the dearest value there."""
        prices: dict[tuple[tuple[int, int], ...], float] = {}
        for (column, value), place in self.places.items():
            weight = self.weights.get(value, self.weights.get(column, 1.0))
            if COLUMNS[column] not in self.masked:
                prices[place] = max(prices.get(place, 0.0), weight)
        return sum(prices[place] for place in {self.places[value] for value in struck})

    def least(self) -> float:
        """The lowest cost of anything that is safe, by looking at everything."""
        values = sorted(value for value in self.places if COLUMNS[value[0]] not in self.masked)
        choices = (frozenset(some) for size in range(len(values) + 1) for some in combinations(values, size))
        return min(self.cost(some) for some in choices if self.is_safe(some))


def random_world(rng: random.Random) -> World:
    values = [(column, f"{column}{letter}") for column in COLUMNS for letter in "abc"]
    entities = tuple(frozenset(rng.sample(values, rng.randint(1, 5))) for _ in range(rng.randint(4, 8)))
    known = sorted(frozenset[Value]().union(*entities))
    said = rng.sample(known, min(len(known), rng.randint(2, 7)))
    places: dict[Value, tuple[tuple[int, int], ...]] = {}
    for value in said:
        place = rng.choice(list(places.values())) if places and rng.random() < 0.25 else _spans(rng)
        places[value] = place
    weights = {
        name: rng.choice((0.5, 2.0, 3.0)) for name in (*COLUMNS, "citya", "jobb") if rng.random() < 0.3
    }
    masked = frozenset(rng.sample(sorted(COLUMNS.values()), rng.choice((0, 0, 1))))
    protected = frozenset(rng.sample(range(len(entities)), rng.randint(1, len(entities))))
    return World(entities, protected, places, weights, masked, rng.choice((2, 3)))


def _spans(rng: random.Random) -> tuple[tuple[int, int], ...]:
    found = set()
    for _ in range(rng.choice((1, 1, 2))):
        start = rng.randint(0, 12)
        found.add((start, start + rng.randint(1, 4)))
    return tuple(sorted(found))


def plan_of(world: World, folder: Path) -> Plan:
    build([Entity(f"e{at}", tuple(sorted(values))) for at, values in enumerate(world.entities)], folder)
    index = open_index(folder)
    protect = index.select([f"e{at}" for at in sorted(world.protected)])
    guarantee = KSafety(
        index, "things", world.k, protect, columns=COLUMNS, masked=world.masked, weights=world.weights
    ).at_look()
    terms = tuple(
        Term(
            value,
            COLUMNS[column],
            tuple(Mention(*span, COLUMNS[column], value, 1.0, "") for span in spans),
            "things",
        )
        for (column, value), spans in sorted(world.places.items())
    )
    reading = Reading(Document("n", "text", TEXT), terms)
    return guarantee.plan(reading, guarantee.assess(reading))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 40))
def test_no_choice_is_cheaper_than_the_plan(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    world = random_world(random.Random(seed))
    plan = plan_of(world, tmp_path_factory.mktemp("index"))
    struck = frozenset(value for value in world.places if value[1] in {edit.key for edit in plan.edits})
    assert world.is_safe(struck)
    least = world.least()
    assert plan.lower_bound <= least + 1e-9
    assert plan.cost >= least - 1e-9
    if plan.optimality is Optimality.PROVED:
        assert plan.cost == pytest.approx(least)
