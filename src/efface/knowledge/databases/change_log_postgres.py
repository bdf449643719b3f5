"""How PostgreSQL's changes are followed: triggers write down the keys with the number of their transaction.

Transactions overlap, so a state is known by the server's snapshot: what a transaction wrote that it does not see is
read again. Updating an entity twice does no harm. Keeping only the last change of an entity would make writers wait for
one another, so `make_table` clears the others away when the triggers are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efface.errors import PolicyError
from efface.knowledge.databases.change_record import ALL, TABLE, TriggerCoverage
from efface.knowledge.databases.postgres_bound_rows import bound_columns
from efface.knowledge.databases.postgres_catalog import TABLES, CatalogQuery, ReadRelation, probe
from efface.knowledge.databases.postgres_origins import Origin, origins
from efface.knowledge.databases.postgres_structure import require_steady, structure_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from efface.knowledge.databases.relation import Relation


@dataclass(frozen=True)
class PostgresTriggers:
    connection: Connection

    def make_table(self) -> None:
        self.connection.exec_driver_sql(
            f"CREATE TABLE IF NOT EXISTS {TABLE} (transaction bigint NOT NULL DEFAULT "
            f"pg_current_xact_id()::text::bigint, key text NOT NULL)"
        )
        self.connection.exec_driver_sql(
            f"CREATE INDEX IF NOT EXISTS {TABLE}_transaction ON {TABLE} (transaction)"
        )
        self.connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {TABLE}_kept ON {TABLE}")
        cleared = self.connection.exec_driver_sql(
            f"DELETE FROM {TABLE} WHERE ctid IN (SELECT ctid FROM (SELECT ctid, row_number() OVER "
            f"(PARTITION BY key ORDER BY transaction DESC, ctid DESC) AS newer FROM {TABLE}) AS ranked WHERE newer > 1)"
        )
        if (
            cleared.rowcount
        ):  # the change of an older transaction may have ended later than the one that is kept
            self.note_all()
        self._make_function(f"{TABLE}_kept", ())
        # Deleting the record of changes must not hide changes.
        self._make_trigger(
            f"{TABLE}_kept", "DELETE OR UPDATE OR TRUNCATE", TABLE, "STATEMENT", f"{TABLE}_kept"
        )

    def note_all(self) -> None:
        self.connection.exec_driver_sql(f"INSERT INTO {TABLE} (key) VALUES ('{ALL}')")

    def make_triggers(self, table: str, key: tuple[str, ...]) -> None:
        """Write down the keys of changed rows; without key columns, that every entity may have changed."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        schema, _, bare = table.rpartition(".")
        target = (
            f"{_identifier(quote, schema)}.{_identifier(quote, bare)}" if schema else _identifier(quote, bare)
        )
        function = quote(f"{TABLE}_{table.replace('.', '_').replace(chr(34), '')}")
        self._make_function(function, key)
        events, each = (
            ("INSERT OR UPDATE OR DELETE", "ROW") if key else ("INSERT OR UPDATE OR DELETE", "STATEMENT")
        )
        if not (key and self._is_partition(target)):  # a partition has the triggers of its table
            self._make_trigger(TABLE, events, target, each, function)
        self._make_trigger(f"{TABLE}_truncate", "TRUNCATE", target, "STATEMENT", function)

    def _make_trigger(self, name: str, events: str, target: str, each: str, function: str) -> None:
        self.connection.exec_driver_sql(
            f"CREATE OR REPLACE TRIGGER {name} AFTER {events} ON {target} "
            f"FOR EACH {each} EXECUTE FUNCTION {function}()"
        )
        # Replication and restores fire no other triggers.
        self.connection.exec_driver_sql(f"ALTER TABLE {target} ENABLE ALWAYS TRIGGER {name}")

    def _make_function(self, function: str, key: tuple[str, ...]) -> None:
        """Create the trigger's function. It runs with its owner's rights, so that a user who may change a row needs no
        rights on the record of changes."""
        self.connection.exec_driver_sql(
            f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER "
            f"SET search_path = pg_catalog, pg_temp AS $${self._body(key)}$$"
        )

    @cached_property
    def _record(self) -> str:
        """The record of changes with its schema. By its name alone a trigger could write into another: a temporary table
        of whoever changes the row, or one that an earlier login left elsewhere."""
        found = self.connection.exec_driver_sql(_RECORD).scalar_one_or_none()
        return str(found or "")

    def _body(self, key: tuple[str, ...]) -> str:
        noted = f"INSERT INTO {self._record} (key) VALUES"
        whole = f"{noted} ('{ALL}'); PERFORM pg_notify('{TABLE}', ''); RETURN NULL; "
        if not key:
            return f" BEGIN {whole} END "
        rows = (
            f"IF TG_OP <> 'INSERT' THEN {noted} ({self._texts('OLD', key)}); END IF; "
            f"IF TG_OP <> 'DELETE' THEN {noted} ({self._texts('NEW', key)}); END IF; "
        )
        return (
            f" BEGIN IF TG_OP = 'TRUNCATE' THEN {whole} END IF; {rows} "
            f"PERFORM pg_notify('{TABLE}', ''); RETURN NULL;  END "
        )

    def up_to_date(self, tables: Mapping[str, tuple[str, ...]]) -> set[str]:
        """The tables whose triggers are on and write down what those that are made today would."""
        there: dict[str, dict[str, tuple[bool, str]]] = {}
        for table, name, for_rows, body in self.connection.exec_driver_sql(_TRIGGERS):
            there.setdefault(table, {})[name] = (for_rows, body)
        if there.pop(TABLE, {}) != {f"{TABLE}_kept": (False, self._body(()))}:
            return set()  # deleting the record would hide changes
        found = set()
        for table, key in tables.items():
            for some in (key, ()):  # that every entity may have changed is enough for any key
                body = self._body(some)
                if there.get(table) == {TABLE: (bool(some), body), f"{TABLE}_truncate": (False, body)}:
                    found.add(table)
        return found

    def _is_partition(self, target: str) -> bool:
        import sqlalchemy as sa

        asked = sa.text("SELECT relispartition FROM pg_class WHERE oid = CAST(:name AS regclass)")
        return bool(self.connection.execute(asked, {"name": target}).scalar_one())

    def _texts(self, row: str, key: tuple[str, ...]) -> str:
        """The key as a list of texts. A row without one may belong to any entity."""
        quote = self.connection.dialect.identifier_preparer.quote_identifier
        columns = [f"{row}.{quote(column)}" for column in key]
        texts = ", ".join(f"{column}::text" for column in columns)
        missing = " OR ".join(f"{column} IS NULL" for column in columns)
        return f"CASE WHEN {missing} THEN '{ALL}' ELSE json_build_array({texts})::text END"


def _identifier(quote: Callable[[str], str], name: str) -> str:
    """The name in quotes; the server's own spelling may have them already."""
    return name if name.startswith('"') else quote(name)


def mark(connection: Connection) -> str:
    """The server's snapshot (which transactions had ended), as a text without spaces.

    The oldest open transaction alone would not do: while it stays open, others begin and end, and nothing would tell
    the states apart.
    """
    connection.exec_driver_sql(f"SELECT 1 FROM {TABLE} LIMIT 1")
    return str(connection.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar_one())


def since(connection: Connection, mark: str) -> set[str]:
    """The keys written down by transactions that had not ended at the mark; all may have changed on a server that was
    put back to an earlier state, and gives numbers of transactions a second time."""
    import sqlalchemy as sa

    oldest = mark.partition(":")[0]
    # An index that an earlier version made has the oldest transaction alone.
    snapshot = mark if ":" in mark else f"{mark}:{mark}:"
    query = sa.text(
        f"SELECT DISTINCT key FROM {TABLE} WHERE transaction >= :oldest"
        " AND NOT pg_visible_in_snapshot(CAST(CAST(transaction AS text) AS xid8), CAST(:snapshot AS pg_snapshot))"
    )
    given = {"oldest": int(oldest), "snapshot": snapshot}
    if connection.execute(sa.text(_WENT_BACK), {"snapshot": snapshot}).scalar_one():
        return {ALL}
    return set(connection.execute(query, given).scalars())


def heard(engine: Engine, patience: float) -> Iterator[bool]:
    """Whether a change was notified (LISTEN), again and again, each time after at most `patience` seconds."""
    with engine.connect() as connection:
        listener: Any = connection.connection.driver_connection
        listener.rollback()
        listener.autocommit = True
        try:
            listener.execute(f"LISTEN {TABLE}")
            yield True  # changes from before the LISTEN
            while True:
                yield any(True for _ in listener.notifies(timeout=patience, stop_after=1))
        finally:
            connection.invalidate()  # the pool must not give out a connection that listens


def tables_of(connection: Connection, relation: Relation) -> TriggerCoverage:
    """The tables that the relation reads, with their partitions and heirs, and whether a trigger sees changes."""
    with probe(connection, relation) as query:
        _require_plain_functions(query)
        require_steady(connection)
        found, parents = _tables_and_heirs(connection, query)
        structure = structure_of(connection)
        kinds = {table: _kinds(connection, table) for table in found}
        probed = _kinds(connection, "efface_probe")
        can_follow = all(found.values())
        own = origins(connection, relation.key) if can_follow else {}
        bound = _bound(connection, relation, parents) if can_follow else {}
        key_of = _key_columns(query, relation.key, own)
    for heir, table in parents.items():
        if table in key_of:
            key_of[heir] = key_of[table]
    key_kinds = tuple(probed.get(name, "") for name in relation.key)
    return TriggerCoverage(
        found, structure, parents, kinds, key_kinds, own.keys() >= {*relation.key}, key_of, bound
    )


def _require_plain_functions(query: CatalogQuery) -> None:
    """Refuse a query with a function that may read tables by itself."""
    for function in query.functions:
        if function.may_read:
            raise PolicyError(
                f"The function {function.name} may read tables, whose changes cannot be followed.",
                "Name its tables in the query, declare it IMMUTABLE if it reads none, or leave `follow` out.",
            )


def _tables_and_heirs(connection: Connection, query: CatalogQuery) -> tuple[dict[str, bool], dict[str, str]]:
    """The tables of a query with whether a trigger sees their changes, and of each heir its table."""
    import sqlalchemy as sa

    found: dict[str, bool] = {}
    parents: dict[str, str] = {}
    for read in query.tables:
        for name, kind, is_logged in connection.execute(sa.text(_HEIRS), {"oid": read.oid}):
            found[str(name)] = kind in TABLES and is_logged
            if name != read.name:
                parents[str(name)] = read.name
    return found, parents


def _key_columns(
    query: CatalogQuery, key: Sequence[str], own: Mapping[str, Origin]
) -> dict[str, tuple[str, ...]]:
    """The columns of the tables from which the whole key comes."""
    key_of = {}
    for read in query.tables:
        columns = tuple(own[name].name for name in key if _is_of(own.get(name), read))
        if len(columns) == len(key):
            key_of[read.name] = columns
    return key_of


def _bound(
    connection: Connection, relation: Relation, parents: Mapping[str, str]
) -> dict[str, tuple[frozenset[str], ...]]:
    """By table, the columns that hold each part of the key. For a table with heirs, these are the columns that do so
    in all of them."""
    import sqlalchemy as sa

    found: dict[str, tuple[frozenset[str], ...]] = {}
    asked = sa.text(
        "SELECT CAST(format('%I.%I', CAST(:schema AS text), CAST(:name AS text)) AS regclass)::text"
    )
    for (schema, name), columns in bound_columns(connection, relation.key).items():
        table = str(connection.execute(asked, {"schema": schema, "name": name}).scalar_one())
        family = parents.get(table, table)
        found[family] = tuple(map(frozenset.intersection, found.get(family, columns), columns))
    return found | {heir: found[table] for heir, table in parents.items() if table in found}


def _is_of(origin: Origin | None, read: ReadRelation) -> bool:
    return origin is not None and (origin.schema, origin.bare) == (read.schema, read.bare)


def _kinds(connection: Connection, table: str) -> dict[str, str]:
    """The columns whose text is the same in every session and for every driver."""
    import sqlalchemy as sa

    return {str(name): str(kind) for name, kind in connection.execute(sa.text(_KINDS), {"table": table})}


_TRIGGERS = f"""
SELECT tgrelid::regclass::text, tgname::text, tgtype::int & 1 = 1, prosrc
FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE tgname IN ('{TABLE}', '{TABLE}_truncate', '{TABLE}_kept') AND tgenabled = 'A'
"""
_RECORD = f"""
SELECT format('%%I.%%I', nspname, relname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE pg_class.oid = to_regclass('{TABLE}')
"""
_WENT_BACK = (
    "SELECT pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(CAST(:snapshot AS pg_snapshot))"
)
_HEIRS = """
WITH RECURSIVE heirs(oid) AS (
    SELECT CAST(:oid AS oid)
  UNION
    SELECT inhrelid FROM pg_inherits JOIN heirs ON heirs.oid = inhparent
)
SELECT oid::regclass::text, relkind::text, relpersistence <> 'u' FROM heirs JOIN pg_class USING (oid) ORDER BY 1
"""
_KINDS = """
SELECT attname, CASE WHEN atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
                     WHEN atttypid IN ('text'::regtype, 'varchar'::regtype, 'name'::regtype) THEN 'text'
                     ELSE 'uuid' END
FROM pg_attribute
WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped
  AND atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'text'::regtype, 'varchar'::regtype,
                   'name'::regtype, 'uuid'::regtype)
"""
