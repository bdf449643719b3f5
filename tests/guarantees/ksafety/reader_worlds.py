"""Random worlds for attacks by readers: values that are several things at once, missing and several values, notes by a
template. The attacks rerun efface itself and share nothing with its plans.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

# "Alden" is a city and an employer, "Mills" is part of another employer, "Moss" of names, 1965 is a year and a salary.
VALUES = {
    "name": [
        f"{first} {last}" for first in ("Ann", "Bo", "Cleo", "Dev") for last in ("Moss", "Nunn", "Oaks")
    ],
    "city": ["Alden", "Brixby", "Corwen", "Dunmere", "Alden Moss"],
    "employer": ["Norbridge", "Ostrava Mills", "Pellworks", "Alden", "Mills"],
    "born": [str(year) for year in range(1960, 1970)],
    "salary": ["52000", "61000", "1965", "70000"],
    "alias": ["Red", "Blue", "Moss", "Ann Oaks", "Green"],
    "team": ["alpha", "beta", "gamma"],
}
BETWEEN = ("The patient is", "who lives in", "and works for", "also:", "with", "said that", "again")
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: SELECT id, {columns} FROM fact
    identifying: [{columns}]
    access: {{view: grants, columns_view: readable}}
guarantees:
  - k-safety: {{over: people, k: {k}, protect: denied, infeasible: remove, {options}}}
"""
KNOWS_METHOD, COLLUSION = "reader: knows-method", "collusion: safe"
Person = dict[str, list[str]]
Template = Sequence[str]  # words, and columns with $ before their names


@dataclass
class ReaderWorld:
    """People, who may see whom, and what efface releases to each viewer."""

    people: dict[int, Person]
    allowed: dict[str, set[int]]
    k: int
    bound: dict[str, BoundPolicy]
    known: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def release(self, text: str, viewer: str) -> str | None:
        """What leaves as held."""
        if (text, viewer) not in self.known:
            report = pipeline.sanitize(text.encode(), "note.txt", self.bound[viewer])
            is_held = report.verdict is Verdict.HELD and report.released is not None
            self.known[text, viewer] = (report.released or b"").decode() if is_held else None
        return self.known[text, viewer]

    def notes(self, id: int, template: Template) -> Iterator[str]:
        """Every note about somebody by the template: one with each of their values."""
        columns = sorted({word for word in template if word.startswith("$")})
        for values in product(*(self.people[id][column[1:]] for column in columns)):
            given = dict(zip(columns, values, strict=True))
            yield " ".join(given.get(word, word) for word in template)

    def candidates(self, seen: str, template: Template, viewer: str) -> set[int]:
        """Everybody of whom some note leads to the release."""
        return {
            id
            for id in self.people
            if any(self.release(note, viewer) == seen for note in self.notes(id, template))
        }

    def reads_as_one(self, note: str, viewer: str) -> bool:
        """Whether one person whom the viewer may not see has all the values of the note."""
        said = {value for values in VALUES.values() for value in values if says(note, value)}
        denied = (person for id, person in self.people.items() if id not in self.allowed[viewer])
        return any(said <= {value for values in person.values() for value in values} for person in denied)

    def crowd(self, terms: set[tuple[str, str]]) -> int:
        return sum(all(value in person[column] for column, value in terms) for person in self.people.values())


def says(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def world_of(folder: Path, seed: int, options: str, viewers: int) -> tuple[ReaderWorld, random.Random]:
    rng = random.Random(seed)
    columns = ["name", *rng.sample(sorted(VALUES.keys() - {"name"}), rng.choice((1, 2, 3)))]
    k = rng.choice((2, 3))
    people = {id: _person(rng, columns) for id in range(1, rng.choice((12, 25)))}
    share = rng.choice((0.2, 0.5))
    names = [f"viewer{at}" for at in range(viewers)]
    allowed = {name: {id for id in people if rng.random() < share} for name in names}
    return world_with(folder, people, allowed, k, options), rng


def world_with(
    folder: Path, people: dict[int, Person], allowed: dict[str, set[int]], k: int, options: str
) -> ReaderWorld:
    columns = list(people[1])
    _store(folder / "people.db", columns, people, allowed)
    policy = POLICY.format(columns=", ".join(columns), k=k, options=options)
    (folder / "policy.yaml").write_text(policy)
    made = Sanitizer.from_policy(folder / "policy.yaml")
    return ReaderWorld(people, allowed, k, {name: made.bind(name) for name in allowed})


def _person(rng: random.Random, columns: Sequence[str]) -> Person:
    """One value in most columns; in some none, or two."""
    return {column: rng.sample(VALUES[column], rng.choice((0, 1, 1, 1, 1, 1, 2))) for column in columns}


def _store(
    path: Path, columns: Sequence[str], people: dict[int, Person], allowed: dict[str, set[int]]
) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"CREATE TABLE fact (id INTEGER, {', '.join(columns)})")
        database.executemany("INSERT INTO fact (id) VALUES (?)", [(id,) for id in people])
        for column in columns:
            rows = [(id, value) for id, person in people.items() for value in person[column]]
            database.executemany(f"INSERT INTO fact (id, {column}) VALUES (?, ?)", rows)
        database.execute("CREATE TABLE grants (viewer, id INTEGER)")
        database.execute("CREATE TABLE readable (viewer, column)")
        for viewer, ids in allowed.items():
            database.executemany("INSERT INTO grants VALUES (?, ?)", [(viewer, id) for id in ids])
            database.executemany("INSERT INTO readable VALUES (?, ?)", [(viewer, name) for name in columns])


def template_of(rng: random.Random, columns: Sequence[str], also: Sequence[str] = ()) -> list[str]:
    """Some columns between other words, one perhaps twice; then, perhaps, values of somebody else."""
    chosen = rng.sample(columns, rng.randint(1, len(columns)))
    if rng.random() < 0.3:
        chosen.append(rng.choice(chosen))
    words = []
    for column in chosen:
        words += [rng.choice(BETWEEN), f"${column}"]
    return [*words, "Seen with", *also] if also else words
