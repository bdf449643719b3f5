"""Entities in a SQLite database with labels on the rows, and policies that read it for one of five viewers."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.knowledge.entities.build_records import fold_value
from efface.knowledge.entities.index import EntityIndex
from efface.policy.knowledge import access_of, build_index, index_of
from efface.policy.model import parse
from experiments.zorro.baseline import Ask, Engine

Row = Sequence[str | None]

NAME = "entities"
# A viewer sees the rows of their level and below; rows have the levels 1 to 4, a quarter each.
VIEWERS = {f"sees {25 * level} %": f"L{level}" for level in range(5)}
NOBODY, HALF, ALL = "sees 0 %", "sees 50 %", "sees 100 %"
_POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  {name}:
    database: sqlite:///{name}.db
    entities: {name}
    key: id
    identifying: [{columns}]
    fuzzy: {fuzzy}
    access:
      labels: {{levels: [L0, L1, L2, L3, L4], rows: label, users: {users}}}
guarantees:
  - k-safety: {{over: {name}, k: {k}, protect: denied, time_limit: 2}}
"""


@dataclass(frozen=True, slots=True)
class Entities:
    """A folder with the database and its index."""

    folder: Path
    columns: tuple[str, ...]

    @classmethod
    def store(cls, folder: Path, columns: Sequence[str], rows: Iterable[Row], fuzzy: int = 0) -> Entities:
        """Write (id, values of the columns) with random labels, and build the index."""
        rng = random.Random(5)
        names = ", ".join(f"{column} TEXT" for column in columns)
        with sqlite3.connect(folder / f"{NAME}.db") as database:
            database.execute(f"CREATE TABLE {NAME} (id TEXT PRIMARY KEY, {names}, label TEXT)")
            marks = ", ".join("?" * (len(columns) + 2))
            database.executemany(
                f"INSERT INTO {NAME} VALUES ({marks})",  # noqa: S608
                ((*row, f"L{rng.randint(1, 4)}") for row in rows),
            )
        database.close()
        made = cls(folder, tuple(columns))
        build_index(NAME, made.sanitizer(2, fuzzy).policy.knowledge[NAME], folder)
        return made

    def sanitizer(self, k: int | None, fuzzy: int = 0) -> Sanitizer:
        users = "{" + ", ".join(f"{viewer}: {label}" for viewer, label in VIEWERS.items()) + "}"
        text = _POLICY.format(
            name=NAME, columns=", ".join(self.columns), fuzzy=fuzzy, users=users, k="all" if k is None else k
        )
        return Sanitizer(parse(text), self.folder)

    def index(self) -> EntityIndex:
        return index_of(NAME, self.sanitizer(2).policy.knowledge[NAME], self.folder)

    def ask(self, viewer: str) -> Ask:
        """Which of the ids the viewer is denied, as the database says."""
        access = access_of(self.sanitizer(2).policy.knowledge[NAME], self.folder, viewer)
        return lambda ids: access.denied_entities(ids).denied

    def engine(self, path: Path | None = None) -> Engine:
        """The same entities in the baseline's search engine, their terms folded as the index folds them."""
        return Engine.build(self._contexts(), path)

    def rows(self) -> Iterator[Row]:
        """(id, values of the columns) as they were stored."""
        with sqlite3.connect(self.folder / f"{NAME}.db") as database:
            yield from database.execute(f"SELECT id, {', '.join(self.columns)} FROM {NAME} ORDER BY rowid")  # noqa: S608
        database.close()

    def _contexts(self) -> Iterator[tuple[str, set[str]]]:
        fold = lru_cache(maxsize=1 << 16)(fold_value)
        for id, *values in self.rows():
            assert id is not None
            yield id, {fold(value) for value in values if value}
