"""Readers on random worlds, by simulation: one who reruns efface on every candidate's note, and viewers who join copies.

`python -m tests.guarantees.ksafety.test_reader_simulation 0 400` runs more worlds than the tests do.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from tests.guarantees.ksafety.reader_worlds import BETWEEN, ReaderWorld, template_of, world_of

KNOWS_METHOD, COLLUSION = "reader: knows-method", "collusion: safe"


def under_k(folder: Path, seed: int, notes: int) -> Iterator[tuple[str, bool]]:
    """(a held release of a note about somebody denied, whether fewer than k people's notes lead to it)."""
    world, rng = world_of(folder, seed, KNOWS_METHOD, viewers=1)
    viewer = "viewer0"
    denied = sorted(world.people.keys() - world.allowed[viewer])
    for _ in range(notes if denied else 0):
        id = rng.choice(denied)
        mine = {value for values in world.people[id].values() for value in values}
        other = world.people[rng.choice(sorted(world.people))]
        # Whoever knows what stood at one place of a placeholder knows what stood at its others.
        also = [value for value in other[rng.choice(sorted(other))] if value not in mine]
        template = template_of(rng, sorted(world.people[id]), also if rng.random() < 0.3 else ())
        written = list(world.notes(id, template))
        seen = world.release(rng.choice(written), viewer) if written else None
        if seen is not None:
            yield seen, len(world.candidates(seen, template, viewer)) < world.k


def told_together(folder: Path, seed: int, notes: int) -> Iterator[str]:
    """The notes of which copies of one, two or three viewers together tell somebody who is denied to all of them."""
    world, rng = world_of(folder, seed, COLLUSION, viewers=3)
    for _ in range(notes):
        words = []
        for id in rng.sample(sorted(world.people), rng.choice((1, 2, 3))):
            for column in rng.sample(sorted(world.people[id]), rng.randint(1, len(world.people[id]))):
                words += [rng.choice(BETWEEN), *world.people[id][column]]
        text = " ".join(words)
        copies = {viewer: world.release(text, viewer) for viewer in world.allowed}
        for size in (1, 2, 3):
            for group in combinations(copies, size):
                if _tells(world, {viewer: copies[viewer] or "" for viewer in group}):
                    yield text


def _tells(world: ReaderWorld, copies: dict[str, str]) -> bool:
    for id, person in world.people.items():
        if any(id in world.allowed[viewer] for viewer in copies):
            continue
        terms = [(column, value) for column, values in person.items() for value in values]
        shown = {term for term in terms if any(_says(copy, term[1]) for copy in copies.values())}
        if shown and world.crowd(shown) < world.k:
            return True
    return False


def _says(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


@pytest.mark.parametrize("seed", [6, 23, 25, 42])
def test_a_reader_who_reruns_efface_is_left_with_k_candidates(seed: int, tmp_path: Path) -> None:
    assert [seen for seen, is_under in under_k(tmp_path, seed, notes=5) if is_under] == []


@pytest.mark.parametrize("seed", range(4))
def test_three_viewers_together_learn_of_nobody_whom_none_may_see(seed: int, tmp_path: Path) -> None:
    assert list(told_together(tmp_path, seed, notes=6)) == []


def main() -> None:
    first, last = (int(given) for given in sys.argv[1:3])
    held = under = told = 0
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as folder:
            found = [is_under for _, is_under in under_k(Path(folder), seed, notes=6)]
        with tempfile.TemporaryDirectory() as folder:
            told += len(list(told_together(Path(folder), seed, notes=6)))
        held, under = held + len(found), under + sum(found)
    print(f"knows-method: {under} of {held} held releases with fewer than k candidates")
    print(f"collusion: safe: {told} of {6 * (last - first)} notes tell somebody by copies together")


if __name__ == "__main__":
    main()
