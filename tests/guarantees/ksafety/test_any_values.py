"""Releases that k candidates lead to whatever was struck, against plain counting of everybody who could be meant."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.guarantees.ksafety.several_people import Note
from efface.knowledge.entities.column_values import ColumnValues
from efface.knowledge.entities.signatures import in_column

COLUMNS = ("name", "city", "born")
LETTERS = "abcdefgh"
Person = tuple[tuple[str, ...], ...]  # the values in each column
Terms = frozenset[tuple[str, str]]  # a column and a value


class World:
    """People in three columns, some of them protected. A value of one column is none of another."""

    def __init__(self, people: list[Person], protected: list[bool], k: int) -> None:
        self.people, self.k = people, k
        self.protected = np.array(protected[: len(people)])
        self.terms = [
            frozenset(
                (name, name + value) for name, values in zip(COLUMNS, person, strict=True) for value in values
            )
            for person in people
        ]
        self.tables = {name: self._table(at, name) for at, name in enumerate(COLUMNS)}

    def _table(self, at: int, name: str) -> ColumnValues:
        known = {name + value: code for code, value in enumerate(LETTERS)}
        pairs = [(id, known[name + value]) for id, person in enumerate(self.people) for value in person[at]]
        entities, codes = np.array(pairs, np.int64).reshape(-1, 2).T
        return ColumnValues(entities, codes, known)

    def note(self, terms: Terms) -> Note:
        plain = {name: np.ones(len(LETTERS), np.bool_) for name in COLUMNS}
        keys = frozenset(in_column(*term) for term in terms)
        return Note(self.tables, plain, self.protected, self.k, keys, frozenset())

    def is_cut(self, terms: Terms) -> bool:
        """Whether a protected person is in too small a crowd."""
        for id in np.flatnonzero(self.protected):
            mine = self.terms[id] & terms
            if mine and sum(mine <= theirs for theirs in self.terms) < self.k:
                return True
        return False

    def is_about_one(self, terms: Terms) -> bool:
        """Whether one protected person in too small a crowd has all the values, one of a column: such a note is cut by
        tiers."""
        if len({column for column, _ in terms}) < len(terms):
            return False
        crowd = [terms <= theirs for theirs in self.terms]
        return sum(crowd) < self.k and any(np.array(crowd) & self.protected)

    def struck(self, terms: Terms) -> Terms:
        return frozenset(
            term for term in terms if any(term in self.terms[id] for id in np.flatnonzero(self.protected))
        )

    def imagined(self, id: int, columns: list[str]) -> list[Terms]:
        """What somebody could put in these columns."""
        theirs = [[term for term in self.terms[id] if term[0] == column] for column in columns]
        return [frozenset(chosen) for chosen in product(*theirs)]

    def leading(self, terms: Terms, mine: Terms) -> int:
        """How many people in the place of `mine` lead to the same release: cut, with the same columns struck, and the
        same values kept."""
        columns = sorted(column for column, _ in mine)
        kept = terms - self.struck(terms)

        def leads(theirs: Terms) -> bool:
            other = (terms - mine) | theirs
            is_alike = len(other) == len(terms) and other - self.struck(other) == kept
            return is_alike and self.is_cut(other) and not self.is_about_one(other)

        return sum(any(map(leads, self.imagined(id, columns))) for id in range(len(self.people)))


def _random_world(rng: random.Random) -> World:
    """Few values, so that people share them; in most worlds some have two values in a column, or none."""
    letters = {name: LETTERS[: rng.randint(2, 8)] for name in COLUMNS}
    odd = rng.choice((0.0, 0.1, 0.3, 0.5))

    def values(name: str) -> tuple[str, ...]:
        count = rng.choice((0, 2)) if rng.random() < odd else 1
        return tuple(rng.sample(letters[name], count))

    people = [tuple(values(name) for name in COLUMNS) for _ in range(rng.randint(3, 14))]
    return World(people, [rng.random() < 0.8 for _ in people], rng.choice((2, 3)))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 40))
def test_whoever_is_meant_k_others_lead_to_the_release(seed: int) -> None:
    rng = random.Random(seed)
    world = _random_world(rng)
    for _ in range(12):
        about = rng.sample(range(len(world.people)), rng.choice((2, 2, 3)))
        terms = frozenset(term for id in about for term in sorted(world.terms[id]) if rng.random() < 0.7)
        note = world.note(terms)
        is_cut = world.is_cut(terms) and not world.is_about_one(terms)
        if is_cut and any(map(note.holds_without, (note.everything(), note.keys))):
            _check(world, terms)


def _check(world: World, terms: Terms) -> None:
    for id in np.flatnonzero(world.protected):
        mine = sorted(world.terms[id] & terms)
        for size in range(1, len(mine) + 1):
            for some in combinations(mine, size):
                assert world.leading(terms, frozenset(some)) >= world.k, (terms, some)


def test_most_texts_about_two_people_hold_in_a_large_enough_world() -> None:
    people: list[Person] = [((name,), (city,), ("a",)) for name in "abcdefgh" for city in "abcd"]
    world = World(people, [True] * len(people), 3)
    terms = frozenset({("name", "namea"), ("city", "citya"), ("name", "nameb"), ("city", "cityb")})
    assert world.is_cut(terms) and world.note(terms).holds_without(world.note(terms).keys)


def test_values_of_somebody_whom_the_reader_sees_are_not_struck_alone() -> None:
    """Of a person who stays the reader knows what was struck, so those who share it are the only candidates."""
    people: list[Person] = [((name,), (city,), ("a",)) for name in "abcdefg" for city in "abcd"]
    world = World([*people, (("h",), ("a",), ("a",))], [True] * len(people) + [False], 3)
    terms = frozenset({("name", "namea"), ("city", "citya"), ("name", "nameh")})
    note = world.note(terms)
    assert not note.holds_without(note.everything()) and note.holds_without(note.keys)


def test_a_text_that_a_candidate_makes_one_about_one_person_does_not_hold() -> None:
    """With the values of the first person in the place of the second's, all values are the first person's."""
    people: list[Person] = [
        (("a",), ("b",), ("c",)),
        (("a",), (), ("e",)),
        (("b",), ("d",), ("c",)),
        (("a",), ("d",), ("c",)),
    ]
    world = World(people, [True] * 4, 3)
    terms = frozenset({("city", "cityb"), ("name", "namea"), ("born", "borne")})
    note = world.note(terms)
    assert world.leading(terms, terms - {("city", "cityb")}) < 3
    assert not note.holds_without(note.keys)


def test_two_values_of_one_column_may_be_one_persons() -> None:
    people: list[Person] = [((name,), (name,), ("a",)) for name in "abcdef"]
    world = World([*people, (("g",), ("g", "h"), ("a",))], [True] * 7, 2)
    terms = frozenset({("city", "cityg"), ("city", "cityh"), ("name", "nameg")})
    note = world.note(terms)
    assert world.leading(terms, terms) == 1
    assert not note.holds_without(note.keys)


def test_somebody_with_two_values_in_a_column_is_not_two_candidates() -> None:
    people: list[Person] = [(("f", "c"), ("f",), ("b",)), ((), ("a",), ("b",)), (("b",), (), ())]
    world = World(people, [True, True, False], 2)
    terms = frozenset({("born", "bornb"), ("city", "citya"), ("name", "nameb"), ("name", "namef")})
    note = world.note(terms)
    assert world.leading(terms, frozenset({("name", "namef")})) == 1
    assert not note.holds_without(note.everything()) and not note.holds_without(note.keys)
