"""How SQLite's changes are followed: triggers write down the keys, a counter says how far the record goes.

A writer holds the whole file, so numbers appear in order. Only the last of several changes of one entity is kept.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efface.errors import InputError, PolicyError
from efface.knowledge.databases.change_record import ALL, EVENTS, TABLE, TriggerCoverage
from efface.knowledge.databases.sql_text import keeps_key, mixed_tables

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from efface.knowledge.databases.relation import Relation


_READ, _FUNCTION = 20, 31  # sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION
_UNSTEADY = {
    "random", "randomblob", "changes", "total_changes", "last_insert_rowid",
    "current_date", "current_time", "current_timestamp",
}  # fmt: skip
# Functions whose result may depend on the time of the query.
_DATES = {"date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"}
_NOW = re.compile(r"'\s*now\s*'|\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SqliteTriggers:
    connection: Connection

    def make_table(self) -> None:
        for statement in (
            f"CREATE TABLE IF NOT EXISTS {TABLE} (number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {TABLE}_key ON {TABLE} (key)",
            f"DELETE FROM {TABLE} WHERE number NOT IN (SELECT max(number) FROM {TABLE} GROUP BY key)",
        ):
            self.connection.exec_driver_sql(statement)

    def note_all(self) -> None:
        self.connection.exec_driver_sql(f"INSERT INTO {TABLE} (key) VALUES ('{ALL}')")

    def make_triggers(self, table: str, key: tuple[str, ...]) -> None:
        """Write down the keys of changed rows; without key columns, that every entity may have changed."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        for name, statement in self._statements(table, key).items():
            self.connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {quote(name)}")
            self.connection.exec_driver_sql(statement)

    def up_to_date(self, tables: Mapping[str, tuple[str, ...]]) -> set[str]:
        """The tables whose triggers are those that would be made today."""
        asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        there = {str(name): str(sql) for name, sql in self.connection.exec_driver_sql(asked)}
        found = set()
        for table, key in tables.items():
            for some in ((), key):  # that every entity may have changed is enough for any key
                if table not in found and self._statements(table, some).items() <= there.items():
                    found.add(table)
        return found

    def _statements(self, table: str, key: tuple[str, ...]) -> dict[str, str]:
        """The triggers of a table by their names."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        bodies = {}
        for event, rows in EVENTS.items():
            keys = [f"VALUES ({self._texts(row, key)})" for row in rows] if key else [f"SELECT '{ALL}'"]
            bodies[f"AFTER {event}"] = "".join(self._noted(one) for one in keys)
        for event in ("INSERT", "UPDATE") if key else ():
            bodies[f"BEFORE {event}"] = self._noted(self._displaced(table, key))
        made = {}
        for when, body in bodies.items():
            name = f"{TABLE}_{table}_{when.lower().removeprefix('after ').replace(' ', '_')}"
            made[name] = f"CREATE TRIGGER {quote(name)} {when} ON {quote(table)} BEGIN {body} END"
        return made

    def _noted(self, keys: str) -> str:
        """SQL that records changed keys. It avoids INSERT OR REPLACE, because in a trigger the conflict clause of the
        outer statement would apply."""
        return f"DELETE FROM {TABLE} WHERE key IN ({keys}); INSERT INTO {TABLE} (key) {keys}; "

    def _displaced(self, table: str, key: tuple[str, ...]) -> str:
        """The keys of rows that NEW displaces if the statement is an OR REPLACE: no trigger fires for their deletion.
        For other statements these rows are indexed again without need."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        alike = " OR ".join(f"({one})" for one in self._conflicts(table))
        return f"SELECT DISTINCT {self._texts('other', key)} FROM {quote(table)} AS other WHERE {alike}"

    def _conflicts(self, table: str) -> Iterator[str]:
        """When another row and NEW cannot both be there: the same row number, or equal in a unique index."""
        import sqlalchemy as sa

        quote = self.connection.dialect.identifier_preparer.quote_identifier
        try:
            self.connection.exec_driver_sql(f"SELECT rowid FROM {quote(table)} LIMIT 0")
            yield "other.rowid = NEW.rowid"
        except sa.exc.OperationalError:  # WITHOUT ROWID: its primary key is one of the indexes
            pass
        indexes = 'SELECT name FROM pragma_index_list(?) WHERE "unique"'
        columns = "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key"
        for index in list(self.connection.exec_driver_sql(indexes, (table,)).scalars()):
            found = list(self.connection.exec_driver_sql(columns, (index,)))
            if any(name is None for name, _ in found):
                raise InputError(
                    "A followed table has a unique index over an expression, which cannot be followed.",
                    "Index a generated column instead, or leave `follow` out.",
                )
            yield " AND ".join(f"other.{quote(n)} = NEW.{quote(n)} COLLATE {quote(c)}" for n, c in found)

    def _texts(self, row: str, key: tuple[str, ...]) -> str:
        """The key as a list of texts. A row without one may belong to any entity, and the text of bytes or of a
        fraction is not the one that the index has."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        columns = [f"{row}.{quote(column)}" for column in key]
        texts = ", ".join(f"CAST({column} AS TEXT)" for column in columns)
        plain = " AND ".join(f"typeof({column}) IN ('integer', 'text')" for column in columns)
        return f"CASE WHEN {plain} THEN json_array({texts}) ELSE '{ALL}' END"


def mark(connection: Connection) -> str:
    """The number of the last change, and a digest of whose it was."""
    last = connection.exec_driver_sql(f"SELECT number, key FROM {TABLE} ORDER BY number DESC LIMIT 1").first()
    return f"{last.number}-{_digest(last.key)}" if last else "0"


def _digest(key: str) -> str:
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def since(connection: Connection, mark: str) -> set[str]:
    """The keys written down since the mark; all may have changed in a database that was put back to an earlier state."""
    import sqlalchemy as sa

    number, _, whose = mark.partition("-")
    query = sa.text(f"SELECT number, key FROM {TABLE} WHERE number >= :number")
    found = {row.number: row.key for row in connection.execute(query, {"number": int(number)})}
    known = found.pop(int(number), None)  # a later change of the same entity takes its place
    is_another = known is not None and whose != "" and _digest(known) != whose
    went_back = known is None and not found and int(number) > 0
    return {ALL} if is_another or went_back else set(found.values())


def heard(engine: Engine, patience: float) -> Iterator[bool]:
    """Whether something changed, again and again. SQLite sends no notifications, so the record is polled."""
    known = ""
    while True:
        with engine.connect() as connection:
            now = mark(connection)
        yield now != known
        time.sleep(patience if now == known else 0)
        known = now


def tables_of(connection: Connection, relation: Relation) -> TriggerCoverage:
    """The tables that the relation reads, from SQLite's own authorizer, and whether a trigger sees their changes."""
    import sqlalchemy as sa

    query = str(sa.select(sa.text("*")).select_from(relation.clause).compile(connection))
    used = _used_by(connection, query)
    all_views = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'view'").all()
    texts = [query, *(str(sql) for _, sql in all_views)]
    tells_time = any(map(_NOW.search, texts))
    _require_steady(used.functions, _UNSTEADY | _DATES if tells_time else _UNSTEADY)
    known = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    # No trigger sees the changes of a virtual table.
    tables = {name: "virtual table" not in str(sql).lower() for name, sql in known if name in used.tables}
    asked = [str(sql) for name, sql in all_views if name in used.views | used.tables]
    asked += [relation.entities] if relation.is_query else []
    mixed = mixed_tables(asked, tables, relation.key)
    return TriggerCoverage(tables, str(version), keeps_key=keeps_key(asked, relation.key), mixed=mixed)


@dataclass(frozen=True, slots=True)
class _UsedByQuery:
    """What a query reads and calls."""

    tables: set[str] = field(default_factory=set)
    views: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)


def _used_by(connection: Connection, query: str) -> _UsedByQuery:
    """What SQLite asks its authorizer about while it prepares the query."""
    used = _UsedByQuery()

    def note(action: int, table: str | None, name: str | None, _: str | None, view: str | None) -> int:
        if action == _READ and table:
            used.tables.add(table)
            used.views.add(view or "")
        if action == _FUNCTION and name:
            used.functions.add(name.lower())
        return 0

    raw = connection.connection.driver_connection
    assert raw is not None
    raw.set_authorizer(note)
    try:
        raw.execute(f"EXPLAIN {query}")
    finally:
        raw.set_authorizer(None)
    return used


def _require_steady(called: set[str], refused: set[str]) -> None:
    """Refuse what changes without a change of a row."""
    if unsteady := sorted(called & refused):
        raise PolicyError(
            f"The query uses the function {unsteady[0]}, whose answers may change while no row does: "
            "it cannot be followed.",
            "Leave it out of the query, or leave `follow` out; the entities are then read again.",
        )
