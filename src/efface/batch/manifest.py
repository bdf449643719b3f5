"""The manifest: one row a document, in SQLite with a write-ahead log. Only the parent writes it.

A row is committed after its output is in its place, so a run that is killed at any moment repeats at most
what it had not committed, and repeating gives the same bytes.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from efface.batch.items import WHOLE, Item, ItemResult, State
from efface.core import Verdict, worst
from efface.errors import OutputError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    path BLOB NOT NULL, part INTEGER NOT NULL, label BLOB NOT NULL DEFAULT x'',
    state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', verdict TEXT NOT NULL DEFAULT '',
    stamp TEXT NOT NULL DEFAULT '', input TEXT NOT NULL DEFAULT '', policy TEXT NOT NULL DEFAULT '',
    code TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', output_stamp TEXT NOT NULL DEFAULT '',
    format TEXT NOT NULL DEFAULT '', size INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
    edits INTEGER NOT NULL DEFAULT 0, terms TEXT NOT NULL DEFAULT '', released INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL, finished REAL NOT NULL DEFAULT 0, PRIMARY KEY (path, part)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
    path BLOB NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (path, part));
CREATE TABLE IF NOT EXISTS tokens (
    path BLOB NOT NULL, part INTEGER NOT NULL, token TEXT NOT NULL, PRIMARY KEY (path, part, token)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_token ON tokens (token);
CREATE TABLE IF NOT EXISTS claims (
    policy TEXT NOT NULL, claim TEXT NOT NULL, verdict TEXT NOT NULL, PRIMARY KEY (policy, claim)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS containers (
    path BLOB PRIMARY KEY, kind TEXT NOT NULL, stamp TEXT NOT NULL, policy TEXT NOT NULL, code TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '',
    output_stamp TEXT NOT NULL DEFAULT '', run INTEGER NOT NULL) WITHOUT ROWID;
"""
_VERSION = "1"
_FINAL = (State.DONE, State.REFUSED, State.FAILED)
_COLUMNS = "path, part, state, stamp, input, policy, code, output, output_stamp"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What beside the input decides an output: the policy with all that it names, and our code."""

    policy: str
    code: str


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """What the manifest knows of a document that was enumerated before."""

    state: State
    stamp: str
    input: str
    policy: str
    code: str
    output: str
    output_stamp: str

    def is_final(self, recipe: Recipe) -> bool:
        """What was refused because of other documents is judged again, as these may have changed."""
        if self.state is State.REFUSED and self.output:
            return False
        return self.state in _FINAL and (self.policy, self.code) == (recipe.policy, recipe.code)


class Manifest:
    """The rows of one output. `run` counts the runs: a row of an earlier one was not seen in this."""

    def __init__(self, path: Path, recipe: Recipe) -> None:
        self.recipe = recipe
        self._claims: set[tuple[str, str]] = set()  # written by this run
        new = not path.exists()
        self._connection = sqlite3.connect(path, isolation_level=None)
        if new:
            path.chmod(0o600)
        try:
            self.run = self._start_run()
        except BaseException:
            self._connection.close()
            raise

    def _start_run(self) -> int:
        """The number of this run, after the tables are there and of this version."""
        with _reporting_file_errors():
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")  # a row lost with the power is done again
            self._connection.executescript(_SCHEMA)
            if self.about("version", _VERSION) != _VERSION:
                raise OutputError("The manifest is of another version of efface.", "Name a new output.")
            run = int(self.about("run", "0")) + 1
            self.note("run", str(run))
            return run

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: all of it is written, or nothing."""
        with _reporting_file_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def about(self, key: str, default: str) -> str:
        """A fact about the batch, written the first time it is asked for."""
        self._connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (key, default))
        row = self._connection.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return str(row[0])

    def note(self, key: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, value))

    def known(self, items: Sequence[Item]) -> dict[tuple[bytes, int], ManifestRow]:
        """The rows of these items, each by its key: `IN (VALUES …)` would read the whole table."""
        marks = ",".join("(?,?)" for _ in items)
        query = f"WITH wanted (path, part) AS (VALUES {marks}) SELECT {_COLUMNS} FROM wanted CROSS JOIN documents USING (path, part)"  # noqa: S608 only marks
        found = self._connection.execute(query, [value for item in items for value in (item.path, item.part)])
        return {(row[0], row[1]): ManifestRow(State(row[2]), *row[3:]) for row in found}

    def keep(self, items: Iterable[Item]) -> None:
        """Marks these items as seen and unchanged, so that no worker gets them."""
        rows = [(self.run, item.path, item.part) for item in items]
        self._connection.executemany("UPDATE documents SET run = ? WHERE path = ? AND part = ?", rows)

    def begin(self, items: Iterable[Item]) -> None:
        """These will be done. What an earlier run made of them is forgotten only when they are."""
        rows = [(item.path, item.part, item.label, State.PENDING, self.run) for item in items]
        self._connection.executemany(
            "INSERT INTO documents (path, part, label, state, run) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path, part) "
            "DO UPDATE SET run = excluded.run, label = excluded.label, state = excluded.state",
            rows,
        )

    def finish(self, outcomes: Sequence[tuple[ItemResult, str]]) -> None:
        """Outcomes, each with its output's stamp; to be called when their outputs are in their places."""
        self._finish_same([done for done, _ in outcomes if done.same])
        new = [(done, stamp) for done, stamp in outcomes if not done.same]
        rows = [self._row(done, stamp) for done, stamp in new]
        self._connection.executemany(
            "INSERT OR REPLACE INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows
        )
        made = [done for done, _ in new]
        self._replace_tokens(made)
        for done in made:
            if done.state is State.DONE:
                self._claim(done)
        self._replace_results(made)

    def _finish_same(self, same: Sequence[ItemResult]) -> None:
        """These would come out as they did before: only the run and the stamp change."""
        rows = [(State.DONE, done.stamp, self.run, done.item.path, done.item.part) for done in same]
        self._connection.executemany(
            "UPDATE documents SET state = ?, stamp = ?, run = ? WHERE path = ? AND part = ?", rows
        )

    def _replace_tokens(self, made: Sequence[ItemResult]) -> None:
        """What links these documents to others, as it is now."""
        keys = [(done.item.path, done.item.part) for done in made]
        self._connection.executemany("DELETE FROM tokens WHERE path = ? AND part = ?", keys)
        rows = [(done.item.path, done.item.part, token) for done in made for token in done.tokens]
        self._connection.executemany("INSERT INTO tokens VALUES (?, ?, ?)", rows)

    def _replace_results(self, made: Sequence[ItemResult]) -> None:
        """Members of containers are held here until their container is assembled."""
        members = [done for done in made if done.item.part != WHOLE]
        keys = [(done.item.path, done.item.part) for done in members]
        self._connection.executemany("DELETE FROM results WHERE path = ? AND part = ?", keys)
        rows = []
        for done in members:
            if done.state is State.DONE and done.data is not None:
                rows.append((done.item.path, done.item.part, done.data))
        self._connection.executemany("INSERT INTO results VALUES (?, ?, ?)", rows)

    def _row(self, done: ItemResult, output_stamp: str) -> tuple[Any, ...]:
        item, recipe = done.item, self.recipe
        return (
            item.path, item.part, item.label, done.state, done.reason, done.verdict, done.stamp, done.input,
            recipe.policy, recipe.code, done.output, output_stamp, done.format, done.size, done.seconds,
            done.edits, json.dumps(done.terms) if done.terms else "", done.released, self.run, time.time(),
        )  # fmt: skip

    def _claim(self, done: ItemResult) -> None:
        """What is claimed of documents, once: the same for nearly all of them. The worst verdict on a claim counts."""
        for claim, verdict in set(done.outcomes) - self._claims:
            self._claims.add((claim, verdict))
            query = "SELECT verdict FROM claims WHERE policy = ? AND claim = ?"
            known = self._connection.execute(query, (self.recipe.policy, claim)).fetchall()
            of_all = worst(Verdict(one) for one in (verdict, *chain(*known)))
            values = (self.recipe.policy, claim, of_all)
            self._connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", values)

    def claims(self) -> list[tuple[dict[str, Any], Verdict]]:
        """What is claimed of the documents that leave, with the worst verdict on any of them alone."""
        query = "SELECT claim, verdict FROM claims WHERE policy = ? ORDER BY claim"
        rows = self._connection.execute(query, (self.recipe.policy,)).fetchall()
        # A document that was unproven may have changed since, or be gone.
        present = "SELECT DISTINCT verdict FROM documents WHERE state = ?"
        still = {Verdict.HELD, *chain(*self._connection.execute(present, (State.DONE,)))}
        return [
            (json.loads(claim), Verdict(verdict if verdict in still else "held")) for claim, verdict in rows
        ]

    def terms(self, path: bytes, part: int) -> set[tuple[str, str]]:
        """(knowledge, key) of the terms that are left in a document."""
        query = "SELECT terms FROM documents WHERE path = ? AND part = ?"
        text = self._connection.execute(query, (path, part)).fetchone()[0]
        return {(over, key) for over, key in json.loads(text)} if text else set()

    def documents_without(self, kind: str) -> tuple[int, int]:
        """How many of the documents that leave have no token of this kind, and how many there are."""
        row = self._connection.execute(
            "SELECT count(*), coalesce(sum(NOT EXISTS (SELECT 1 FROM tokens t WHERE t.path = d.path AND t.part = d.part "
            "AND t.token > ? AND t.token < ?)), 0) FROM documents d WHERE state = 'done'",
            (f"{kind} ", f"{kind}!"),  # what begins with the kind and a space
        ).fetchone()
        return int(row[1]), int(row[0])

    def linked(self) -> sqlite3.Cursor:
        """(token, path, part) of documents that leave, where several have the token; in the tokens' order."""
        return self._connection.execute(
            "SELECT token, path, part FROM tokens JOIN documents USING (path, part) WHERE state = 'done' AND token IN "
            "(SELECT token FROM tokens GROUP BY token HAVING count(*) > 1) ORDER BY token, path, part"
        )

    def container(self, path: bytes) -> tuple[str, str, State, str] | None:
        """(stamp, output's stamp, state, output) of a container that this recipe was applied to."""
        row = self._connection.execute(
            "SELECT stamp, output_stamp, state, output FROM containers WHERE path = ? AND policy = ? AND code = ?",
            (path, self.recipe.policy, self.recipe.code),
        ).fetchone()
        return (row[0], row[1], State(row[2]), row[3]) if row else None

    def is_quiet(self, path: bytes) -> bool:
        """Whether no member of the container waits to be tried again."""
        query = "SELECT 1 FROM documents WHERE path = ? AND (state IN ('pending', 'quarantined') OR (state = 'refused' AND output <> '')) LIMIT 1"
        return self._connection.execute(query, (path,)).fetchone() is None

    def keep_container(self, path: bytes) -> int:
        """Mark a container as unchanged, with so many documents."""
        self._connection.execute("UPDATE containers SET run = ? WHERE path = ?", (self.run, path))
        return self._connection.execute(
            "UPDATE documents SET run = ? WHERE path = ?", (self.run, path)
        ).rowcount

    def fail_members(self) -> None:
        """What is in a container that failed does not leave, whatever became of it."""
        self._connection.execute(
            "UPDATE documents SET state = 'failed', reason = 'Its container could not be read.', input = '' "
            "WHERE part >= 0 AND path IN (SELECT path FROM containers WHERE state = 'failed')"
        )

    def set_container(
        self,
        path: bytes,
        kind: str,
        stamp: str,
        state: State,
        reason: str = "",
        output: tuple[str, str] = ("", ""),
    ) -> None:
        values = (path, kind, stamp, self.recipe.policy, self.recipe.code, state, reason, *output, self.run)
        self._connection.execute("INSERT OR REPLACE INTO containers VALUES (?,?,?,?,?,?,?,?,?,?)", values)

    def reopen_container(self, path: bytes) -> None:
        """To be written again, with what may leave now."""
        self._connection.execute("UPDATE containers SET state = 'pending' WHERE path = ?", (path,))

    def waiting_containers(self) -> list[tuple[bytes, str, str]]:
        """(path, kind, stamp) of those whose members are done and that are not written yet."""
        query = "SELECT path, kind, stamp FROM containers WHERE state = 'pending' AND run = ?"
        return list(self._connection.execute(query, (self.run,)))

    def result(self, path: bytes, part: int) -> bytes | None:
        """What may leave of a member."""
        row = self._connection.execute(
            "SELECT data FROM results JOIN documents USING (path, part) WHERE path = ? AND part = ? AND state = 'done'",
            (path, part),
        ).fetchone()
        return row[0] if row else None

    def refuse(self, path: bytes, part: int, reason: str) -> None:
        """A document that was done may not leave after all."""
        self._connection.execute(
            "UPDATE documents SET state = ?, reason = ? WHERE path = ? AND part = ?",
            (State.REFUSED, reason, path, part),
        )

    def unseen(self) -> Iterator[bytes]:
        """Paths of files that earlier runs wrote and this one did not see."""
        query = "SELECT path FROM documents WHERE run < ? AND part = -1 UNION SELECT path FROM containers WHERE run < ?"
        for row in self._connection.execute(query, (self.run, self.run)):
            yield row[0]

    def forget(self) -> None:
        """Rows that this run did not see."""
        old = (self.run,)
        for table in ("results", "tokens"):
            self._connection.execute(
                f"DELETE FROM {table} WHERE (path, part) IN (SELECT path, part FROM documents WHERE run < ?)",  # noqa: S608
                old,
            )
        self._connection.execute("DELETE FROM documents WHERE run < ?", old)
        self._connection.execute("DELETE FROM containers WHERE run < ?", old)

    def counts(self) -> dict[str, int]:
        """How many are in each state."""
        rows = self._connection.execute("SELECT state, count(*) FROM documents GROUP BY state")
        return {str(state): int(count) for state, count in rows}

    def broken(self) -> int:
        """Containers that failed."""
        return int(
            self._connection.execute("SELECT count(*) FROM containers WHERE state = 'failed'").fetchone()[0]
        )

    def select(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """The rows of a query, for the summary and the release."""
        return self._connection.execute(query, values)


@contextmanager
def _reporting_file_errors() -> Iterator[None]:
    """Report an error of the file in one sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise OutputError(
            f"The manifest cannot be written ({error.sqlite_errorname or type(error).__name__}).",
            "Is the disk full, or the work folder read-only? Run again when it is mended.",
        ) from None
