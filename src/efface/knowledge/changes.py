"""Following a database: triggers write down which entities changed, and the index is mended, not rebuilt.

SQLite numbers its changes; a writer holds the whole file, so numbers appear in order. PostgreSQL's
transactions overlap, so each change carries its transaction's number, and everything since the oldest
transaction that was still open is read again: mending an entity twice does no harm.

Of several changes of one entity only the last is needed, by whatever reader. SQLite's triggers keep no other;
in PostgreSQL that would make writers wait for one another, so `install` clears the others away.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.errors import InputError
from efface.knowledge.entities import compose_key
from efface.knowledge.relation import Relation, engine
from efface.knowledge.sql import SqlSource
from efface.knowledge.store import EntityStore

if TYPE_CHECKING:
    from sqlalchemy import Connection

TABLE = "efface_changes"
_ALL = "all"  # in place of a key: the table was emptied at once
_EVENTS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


@dataclass(frozen=True, slots=True)
class Followed:
    """Tables whose rows make up the entities, each with the columns that hold the entity's key."""

    url: str = field(repr=False)
    tables: Mapping[str, tuple[str, ...]]

    def install(self) -> None:
        """Make the table of changes and the triggers. Doing it again clears away what no reader needs."""
        with engine(self.url).begin() as connection:
            writer = _Postgres(connection) if connection.dialect.name == "postgresql" else _Sqlite(connection)
            writer.make_table()
            for table, key in self.tables.items():
                writer.make_triggers(table, key)

    def mark(self) -> str:
        """Where the record of changes stands now; what is read afterwards is at least as new."""
        import sqlalchemy as sa

        try:
            with engine(self.url).connect() as connection:
                return _mark(connection)
        except sa.exc.SQLAlchemyError:
            raise InputError(
                "The database does not record changes yet.", "Run `efface index follow` once, as its owner."
            ) from None

    def since(self, mark: str) -> set[str] | None:
        """The ids of the entities that may have changed since the mark; None when all may have (TRUNCATE)."""
        import sqlalchemy as sa

        column = "transaction" if engine(self.url).dialect.name == "postgresql" else "number"
        compare = ">=" if column == "transaction" else ">"
        query = sa.text(f"SELECT DISTINCT key FROM {TABLE} WHERE {column} {compare} :mark")
        with engine(self.url).connect() as connection:
            keys = set(connection.execute(query, {"mark": int(mark)}).scalars())
        return None if _ALL in keys else {compose_key(json.loads(key)) for key in keys}

    def heard(self, patience: float) -> Iterator[bool]:
        """True whenever something has changed, False when nothing has for a while; without end. PostgreSQL
        tells (LISTEN), SQLite is looked at."""
        if engine(self.url).dialect.name != "postgresql":
            mark = ""
            while True:
                mark, old = self.mark(), mark
                yield mark != old
                time.sleep(patience if mark == old else 0)
        with engine(self.url).connect() as connection:
            listener: Any = connection.connection.driver_connection
            listener.rollback()
            listener.autocommit = True
            try:
                listener.execute(f"LISTEN {TABLE}")
                yield True  # what changed before anybody listened
                while True:
                    yield any(True for _ in listener.notifies(timeout=patience, stop_after=1))
            finally:
                connection.invalidate()  # nobody else gets a connection that listens


def mend(store: EntityStore, source: SqlSource, ids: Iterable[str], fingerprint: str) -> None:
    """Bring these entities of the index to what the database says now."""
    wanted = sorted(set(ids))
    relation = Relation(source.url, source.entities, source.columns.key)
    with engine(source.url).connect() as connection:
        keys = list(relation.values(connection, wanted))
    found = list(source.only(keys))
    there = {entity.id for entity in found}
    store.delete([id for id in wanted if id not in there])
    store.upsert(found, fingerprint)


def _mark(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        oldest_open = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
        connection.exec_driver_sql(f"SELECT 1 FROM {TABLE} LIMIT 1")
        return str(connection.exec_driver_sql(oldest_open).scalar_one())
    return str(connection.exec_driver_sql(f"SELECT coalesce(max(number), 0) FROM {TABLE}").scalar_one())


@dataclass(frozen=True, slots=True)
class _Sqlite:
    connection: Connection

    def make_table(self) -> None:
        for statement in (
            f"CREATE TABLE IF NOT EXISTS {TABLE} (number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {TABLE}_key ON {TABLE} (key)",
            f"DELETE FROM {TABLE} WHERE number NOT IN (SELECT max(number) FROM {TABLE} GROUP BY key)",
        ):
            self.connection.exec_driver_sql(statement)

    def make_triggers(self, table: str, key: tuple[str, ...]) -> None:
        for event, rows in _EVENTS.items():
            changed = "".join(self._noted(f"VALUES (json_array({self._texts(row, key)}))") for row in rows)
            self._make(f"{TABLE}_{table}_{event.lower()}", f"AFTER {event}", table, changed)
        displaced = self._noted(self._displaced(table, key))
        for event in ("INSERT", "UPDATE"):
            self._make(f"{TABLE}_{table}_before_{event.lower()}", f"BEFORE {event}", table, displaced)

    def _make(self, name: str, when: str, table: str, body: str) -> None:
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        self.connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {quote(name)}")
        self.connection.exec_driver_sql(
            f"CREATE TRIGGER {quote(name)} {when} ON {quote(table)} BEGIN {body} END"
        )

    def _noted(self, keys: str) -> str:
        """Not INSERT OR REPLACE: in a trigger, what the outer statement says about conflicts would hold."""
        return f"DELETE FROM {TABLE} WHERE key IN ({keys}); INSERT INTO {TABLE} (key) {keys}; "

    def _displaced(self, table: str, key: tuple[str, ...]) -> str:
        """The keys of rows that NEW drives out if the statement says OR REPLACE: their own deletion is
        told to no trigger. Where it does not, they are mended in vain."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        alike = " OR ".join(f"({one})" for one in self._conflicts(table))
        return f"SELECT DISTINCT json_array({self._texts('other', key)}) FROM {quote(table)} AS other WHERE {alike}"

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
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        return ", ".join(f"CAST({row}.{quote(column)} AS TEXT)" for column in key)


@dataclass(frozen=True, slots=True)
class _Postgres:
    connection: Connection

    def make_table(self) -> None:
        self.connection.exec_driver_sql(
            f"CREATE TABLE IF NOT EXISTS {TABLE} (transaction bigint NOT NULL DEFAULT "
            f"pg_current_xact_id()::text::bigint, key text NOT NULL)"
        )
        self.connection.exec_driver_sql(
            f"CREATE INDEX IF NOT EXISTS {TABLE}_transaction ON {TABLE} (transaction)"
        )
        self.connection.exec_driver_sql(
            f"DELETE FROM {TABLE} WHERE ctid IN (SELECT ctid FROM (SELECT ctid, row_number() OVER "
            f"(PARTITION BY key ORDER BY transaction DESC, ctid DESC) AS newer FROM {TABLE}) AS ranked WHERE newer > 1)"
        )

    def make_triggers(self, table: str, key: tuple[str, ...]) -> None:
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        schema, _, bare = table.rpartition(".")
        target = f"{quote(schema)}.{quote(bare)}" if schema else quote(bare)
        function = quote(f"{TABLE}_{table.replace('.', '_')}")
        # The owner's rights, so that whoever may change a row needs none on the record of changes.
        self.connection.exec_driver_sql(
            f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER "
            f"SET search_path FROM CURRENT AS $$ BEGIN "
            f"IF TG_OP = 'TRUNCATE' THEN INSERT INTO {TABLE} (key) VALUES ('{_ALL}'); "
            f"PERFORM pg_notify('{TABLE}', ''); RETURN NULL; END IF; "
            f"IF TG_OP <> 'INSERT' THEN INSERT INTO {TABLE} (key) VALUES ({self._texts('OLD', key)}); END IF; "
            f"IF TG_OP <> 'DELETE' THEN INSERT INTO {TABLE} (key) VALUES ({self._texts('NEW', key)}); END IF; "
            f"PERFORM pg_notify('{TABLE}', ''); RETURN NULL; END $$"
        )
        self.connection.exec_driver_sql(
            f"CREATE OR REPLACE TRIGGER {TABLE} AFTER INSERT OR UPDATE OR DELETE ON {target} "
            f"FOR EACH ROW EXECUTE FUNCTION {function}()"
        )
        self.connection.exec_driver_sql(
            f"CREATE OR REPLACE TRIGGER {TABLE}_truncate AFTER TRUNCATE ON {target} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
        )

    def _texts(self, row: str, key: tuple[str, ...]) -> str:
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        return f"json_build_array({', '.join(f'{row}.{quote(column)}::text' for column in key)})::text"
