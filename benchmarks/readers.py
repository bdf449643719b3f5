"""What readers beyond the plain one learn from views: one who reruns efface on every candidate's note, and two viewers
who put their copies together.

    python -m benchmarks.readers [--releases 60] [--people 150] [--k 3]

Prints, for each way to plan, in how many releases fewer than k candidates are left (and in how many one), in how many
notes the union of two copies puts somebody denied to both under k, and what share of the values in the notes goes.
Then the same attack on notes about two people, where the attacker knows the second one.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.pipeline import sanitize as pipeline

COLUMNS = ("name", "city", "employer", "born")
PHRASES = {
    "name": "The patient is {}.",
    "city": "Home: {}.",
    "employer": "Works for {}.",
    "born": "Year of birth {}.",
}
FIRST = ("Ann", "Bo", "Cleo", "Dev", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo")
LAST = ("Moss", "Nunn", "Oaks", "Penn", "Quist", "Rhys", "Shaw", "Tarn", "Udal", "Voss", "Webb", "Yorke")
CITIES = ("Alden", "Brixby", "Corwen", "Dunmere", "Elsby", "Farleigh", "Gratton", "Hexley")
EMPLOYERS = ("Norbridge", "Ostrava Mills", "Pellworks", "Quarrymen", "Redfern", "Saltaire")
VIEWERS = ("one", "two")
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: person
    identifying: [name, city, employer, born]
    access: {{view: grants, columns_view: readable}}
guarantees:
  - k-safety: {{over: people, k: {k}, protect: denied, infeasible: remove{options}}}
"""
WAYS = {"text": "", "knows-method": ", reader: knows-method", "collusion safe": ", collusion: safe"}

Person = tuple[int, str, str, str, str]


@dataclass(frozen=True)
class World:
    """People, who may see whom, and a sanitizer for each way to plan."""

    people: list[Person]
    allowed: dict[str, frozenset[int]]
    k: int
    folder: Path

    def sanitizer(self, way: str) -> Sanitizer:
        path = self.folder / f"{way.replace(' ', '-')}.yaml"
        path.write_text(POLICY.format(k=self.k, options=WAYS[way]))
        return Sanitizer.from_policy(path)

    def crowd(self, person: Person, shown: Sequence[int]) -> int:
        """How many people have this person's values in the columns that are shown."""
        return sum(all(other[at] == person[at] for at in shown) for other in self.people)


def made(folder: Path, size: int, k: int, seed: int) -> World:
    rng = random.Random(seed)
    people: list[Person] = [
        (id, f"{rng.choice(FIRST)} {rng.choice(LAST)}", rng.choice(CITIES), rng.choice(EMPLOYERS),
         str(rng.randint(1960, 1975)))
        for id in range(1, size + 1)
    ]  # fmt: skip
    allowed = {viewer: frozenset(p[0] for p in people if rng.random() < 0.4) for viewer in VIEWERS}
    with sqlite3.connect(folder / "people.db") as database:
        database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name, city, employer, born)")
        database.executemany("INSERT INTO person VALUES (?, ?, ?, ?, ?)", people)
        database.execute("CREATE TABLE grants (viewer TEXT, id INTEGER)")
        database.execute('CREATE TABLE readable (viewer TEXT, "column" TEXT)')
        for viewer, ids in allowed.items():
            database.executemany("INSERT INTO readable VALUES (?, ?)", [(viewer, name) for name in COLUMNS])
            database.executemany("INSERT INTO grants VALUES (?, ?)", [(viewer, id) for id in sorted(ids)])
    return World(people, allowed, k, folder)


def note(person: Person, columns: Sequence[int]) -> str:
    return " ".join(PHRASES[COLUMNS[at - 1]].format(person[at]) for at in columns)


class Releases:
    """What efface releases of notes, each computed once: the world does not change."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self._bound = {viewer: sanitizer.bind(viewer) for viewer in VIEWERS}
        self._known: dict[tuple[str, str], str] = {}

    def of(self, text: str, viewer: str) -> str:
        """What leaves; nothing where it is not held."""
        if (text, viewer) not in self._known:
            report = pipeline.sanitize(text.encode(), "note.txt", self._bound[viewer])
            held = report.released if report.verdict is Verdict.HELD else None
            self._known[text, viewer] = (held or b"").decode()
        return self._known[text, viewer]


def shown(person: Person, columns: Sequence[int], text: str) -> list[int]:
    """The columns whose sentence is in the release as it was in the note."""
    return [at for at in columns if PHRASES[COLUMNS[at - 1]].format(person[at]) in text]


def candidates(world: World, releases: Releases, seen: str, person: Person, columns: Sequence[int]) -> int:
    """How many people's notes lead to this release."""
    left = shown(person, columns, seen)
    fitting = (other for other in world.people if all(other[at] == person[at] for at in left))
    return sum(releases.of(note(other, columns), VIEWERS[0]) == seen for other in fitting)


def notes(world: World, count: int, seed: int) -> Iterator[tuple[Person, tuple[int, ...]]]:
    """Notes about people whom the first viewer is denied."""
    rng = random.Random(seed)
    denied = [person for person in world.people if person[0] not in world.allowed[VIEWERS[0]]]
    for _ in range(count):
        columns = tuple(sorted(rng.sample(range(1, 5), rng.choice((2, 3, 3, 4)))))
        yield rng.choice(denied), columns


@dataclass(frozen=True)
class Figures:
    """What one way of planning gave."""

    way: str
    under_k: int
    alone: int
    colluding: int
    both_denied: int
    removed: float


def measure(world: World, way: str, count: int, seed: int) -> Figures:
    releases = Releases(world.sanitizer(way))
    under = alone = colluding = both = gone = values = 0
    for person, columns in notes(world, count, seed):
        text = note(person, columns)
        copies = [releases.of(text, viewer) for viewer in VIEWERS]
        if not copies[0]:
            continue
        left = candidates(world, releases, copies[0], person, columns)
        under += left < world.k
        alone += left == 1
        values += len(columns)
        gone += len(columns) - len(shown(person, columns, copies[0]))
        if all(person[0] not in world.allowed[viewer] for viewer in VIEWERS):
            both += 1
            together = {at for copy in copies for at in shown(person, columns, copy)}
            colluding += bool(together) and world.crowd(person, sorted(together)) < world.k
    return Figures(way, under, alone, colluding, both, gone / values)


@dataclass(frozen=True)
class PairFigures:
    """What one way of planning gave for notes about two people."""

    way: str
    held: int
    unproven: int
    held_under_k: int
    removed: float


def measure_pairs(world: World, way: str, count: int, seed: int) -> PairFigures:
    """The attacker puts every candidate in the place of the first person. What is `unproven` does not leave."""
    bound = world.sanitizer(way).bind(VIEWERS[0])
    known: dict[str, tuple[Verdict, str]] = {}

    def release(text: str) -> tuple[Verdict, str]:
        if text not in known:
            report = pipeline.sanitize(text.encode(), "note.txt", bound)
            known[text] = report.verdict, (report.released or b"").decode()
        return known[text]

    rng = random.Random(seed)
    held = under = gone = values = 0
    for person, columns in notes(world, count, seed):
        other = rng.choice([one for one in world.people if one[1:] != person[1:]])
        last = " Seen with: " + note(other, columns)
        verdict, seen = release(note(person, columns) + last)
        if verdict is Verdict.HELD:
            leading = sum(release(note(one, columns) + last) == (verdict, seen) for one in world.people)
            held += 1
            under += leading < world.k
            values += 2 * len(columns)
            gone += seen.count("[")
    return PairFigures(way, held, count - held, under, gone / max(values, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=60)
    parser.add_argument("--people", type=int, default=150)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--seed", type=int, default=22)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = made(Path(folder), given.people, given.k, given.seed)
        print(f"{given.releases} notes, {given.people} people, k = {given.k}")
        print("way             fewer than k  one  copies together  values removed")
        for way in WAYS:
            found = measure(world, way, given.releases, given.seed)
            print(
                f"{way:15} {found.under_k:7} of {given.releases} {found.alone:4} "
                f"{found.colluding:8} of {found.both_denied:3} {found.removed:13.0%}"
            )
        print("two people      held  unproven  held with fewer than k  values removed")
        for way in WAYS:
            pairs = measure_pairs(world, way, given.releases, given.seed)
            print(f"{way:15} {pairs.held:4} {pairs.unproven:9} {pairs.held_under_k:23} {pairs.removed:15.0%}")


if __name__ == "__main__":
    main()
