"""PostgreSQL's own answer: what the viewer's session returns for a key and a column is what the viewer may read.

Nothing of row-level security, grants or views is re-implemented. efface's session and the viewer's look at one
snapshot. A row that the viewer's session does not return is denied; a value that it returns otherwise is denied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efface.access import Denial, closed, everything
from efface.access.postgres_session import ViewerSession, snapshot_of
from efface.access.postgres_shadows import MARK, NOTHING, Shadows, uses_mark
from efface.access.postgres_unreproducible import refuse_unreproducible
from efface.errors import PolicyError
from efface.knowledge.databases.postgres_catalog import (
    FOREIGN,
    MATERIALISED,
    VIEW,
    CatalogQuery,
    ReadRelation,
    probe,
)
from efface.knowledge.databases.relation import Relation, engine
from efface.knowledge.entities.sources import in_one_zone

if TYPE_CHECKING:
    from sqlalchemy import Connection

RowsById = dict[str, list[tuple[Any, ...]]]  # the rows of each id


@dataclass(frozen=True)
class PostgresAccess:
    """What a viewer's session shows of a relation. `columns` are compared value by value."""

    relation: Relation
    viewer: str | None
    session: Mapping[str, str] = field(default_factory=dict, repr=False)
    columns: tuple[str, ...] = ()
    login: str = field(default="", repr=False)

    def denied_entities(self, ids: Sequence[str]) -> Denial:
        return closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return closed(columns, lambda: self._columns(columns))

    @cached_property
    def can_mask(self) -> bool:
        """A view or a query may show a viewer other values. A plain table never does."""
        if self.viewer is None:
            return False
        with engine(self.relation.url).connect() as connection, probe(connection, self.relation) as query:
            return self.relation.is_query or any(read.kind == VIEW for read in query.reads)

    def _entities(self, ids: Sequence[str]) -> Denial:
        """An entity is denied when the viewer sees fewer of its rows than there are, or other values that cannot be masked."""
        if self.viewer is None:
            return everything(ids, "there is no viewer, so every row is denied")
        if reason := self._locked_out():
            return everything(ids, reason)
        with self._asking() as (own, theirs, plan):
            compared = [name for name in self.columns if name not in plan.denied]
            there = _rows(self.relation, own, ids, compared)
            seen = _rows(plan.relation, theirs, ids, compared)
        denied = set()
        hidden: dict[str, frozenset[str]] = {}
        for id in ids:
            mine, shown = there.get(id, []), seen.get(id, [])
            if len(shown) < max(len(mine), 1):  # one row hidden hides the entity
                denied.add(id)
            elif differing := _differing(mine, shown, compared):
                hidden[id] = differing
        if hidden and not self.can_mask:  # no caller would ask about single values
            denied.update(hidden)
        reason = "the server does not show them to the viewer"
        return Denial(frozenset(denied), reason, hidden, columns=plan.denied)

    def _columns(self, columns: Sequence[str]) -> Denial:
        if self.viewer is None:
            return everything(columns, "there is no viewer, so every column is denied")
        if reason := self._locked_out():
            return everything(columns, reason)
        with self._asking(tuple(columns)) as (_, theirs, plan):
            denied = {*plan.denied.intersection(columns)}
            rest = [name for name in columns if name not in denied]
            if rest and not _answers(plan, theirs, *rest):  # which of them, is asked one by one
                denied |= {name for name in rest if not _answers(plan, theirs, name)}
        return Denial(frozenset(denied), "the viewer may not select these columns", note=plan.note)

    def _locked_out(self) -> str:
        """Why the viewer could not log in and see anything; empty where that is not known."""
        import sqlalchemy as sa

        if self.login:  # the server decides when efface connects as the viewer
            return ""
        with engine(self.relation.url).connect() as connection:
            may = connection.execute(sa.text(_MAY_LOG_IN), {"viewer": self.viewer}).scalar_one_or_none()
        return "" if may else "the server would not let the viewer log in, so everything is denied"

    @contextmanager
    def _asking(self, columns: tuple[str, ...] = ()) -> Iterator[tuple[Connection, Connection, _Readable]]:
        """efface's session, the viewer's, and what of the relation the viewer's can be asked for."""
        assert self.viewer is not None
        session = ViewerSession(self.relation.url, self.viewer, self.session, self.login)
        wanted = tuple(dict.fromkeys((*self.columns, *columns)))
        with engine(self.relation.url).connect() as connection:
            with probe(connection, self.relation, wanted) as query:
                _refuse_owners_rights(query)
                asked = refuse_unreproducible(connection, query, session)
                plan = _readable(connection, self.relation, query, self.viewer, wanted)
            connection.rollback()
        with snapshot_of(self.relation.url) as (own, snapshot), session.open(snapshot, asked) as theirs:
            yield own, theirs, plan


def _rows(relation: Relation, connection: Connection, ids: Sequence[str], columns: Sequence[str]) -> RowsById:
    found: RowsById = {}
    for id, values in relation.rows(connection, ids, columns):
        found.setdefault(id, []).append(values)
    return found


def _differing(
    mine: list[tuple[Any, ...]], shown: list[tuple[Any, ...]], columns: Sequence[str]
) -> frozenset[str]:
    """The columns in which the viewer's rows of an entity say something else than efface's."""
    if mine == shown:
        return frozenset()
    different = set()
    for at, name in enumerate(columns):
        if _values(mine, at) != _values(shown, at):
            different.add(name)
    return frozenset(different)


def _values(rows: list[tuple[Any, ...]], at: int) -> Counter[str]:
    """What the rows say in one column, and how often. Values of some types cannot be hashed, their `repr` can."""
    return Counter(repr(in_one_zone(row[at])) for row in rows)


def _refuse_owners_rights(query: CatalogQuery) -> None:
    """Refuse a view without `security_invoker`: it answers every viewer with its owner's rights."""
    for read in query.reads:
        if read.kind == VIEW and not read.is_invoker:
            raise PolicyError(
                f"The view {read.name} runs with its owner's rights and would show everybody everything.",
                f"ALTER VIEW {read.name} SET (security_invoker = true); PostgreSQL 15 or newer.",
            )
        if read.kind == MATERIALISED:
            raise PolicyError(
                f"The materialised view {read.name} holds what its owner saw and has no rights on rows.",
                "Name the tables that it is made of in a SELECT, or make a view of them with "
                "`CREATE VIEW … WITH (security_invoker = true) AS …`.",
            )
        if read.kind == FOREIGN:
            raise PolicyError(
                f"{read.name} is on another server, whose rights cannot be asked as the viewer.",
                "Point `database` at that server, or use `access: {view: …}`.",
            )


@dataclass(frozen=True, slots=True)
class _Readable:
    """The relation as the viewer can ask for it, and the columns that the viewer may not select. Rows are asked for by
    their key: without a right to it every row is denied."""

    relation: Relation
    denied: frozenset[str]
    denied_key: frozenset[str] = frozenset()

    @property
    def note(self) -> str:
        """Why every row is denied, though columns are not; empty where it is otherwise."""
        if not self.denied_key:
            return ""
        names = ", ".join(sorted(self.denied_key))
        return (
            f"the viewer may not select the key ({names}), so every row is denied (GRANT SELECT on it, too)"
        )


def _answers(plan: _Readable, connection: Connection, *columns: str) -> bool:
    """Whether the viewer's session may select the columns."""
    import sqlalchemy as sa

    attempt = connection.begin_nested()
    try:
        named: list[sa.ColumnClause[Any]] = [sa.column(name) for name in columns]
        chosen: sa.Select[Any] = sa.select(*named).select_from(plan.relation.clause).limit(0)
        connection.execute(chosen)
        attempt.commit()
    except sa.exc.DBAPIError:
        attempt.rollback()
        return False
    return True


def _readable(
    connection: Connection, relation: Relation, query: CatalogQuery, viewer: str, wanted: Sequence[str]
) -> _Readable:
    """The relation by names that mean the same in the viewer's session, whose search path may lead elsewhere: to a
    table of the viewer's own making, even.

    A query names all its columns, so one that is denied would deny them all. The viewer is therefore asked
    with NULL in the place of what the viewer may not select."""
    missing = {read: names for read in query.reads if (names := _not_granted(connection, read, viewer))}
    if len(query.reads) == 1 and not relation.is_query:  # a table: each column is asked for by itself
        table = query.reads[0]
        hidden = missing.get(table, frozenset())
        schema, bare = (name.replace('"', '""') for name in (table.schema, table.bare))
        named = Relation(relation.url, f'"{schema}"."{bare}"', relation.key)
        return _Readable(named, hidden.intersection(wanted), hidden.intersection(relation.key))
    if not missing:
        return _Readable(_of_query(relation, query.definition), frozenset())
    asked = dict.fromkeys((*wanted, *relation.key))
    shadows = Shadows(connection, query, viewer, frozenset(missing))
    marked = _of_query(relation, shadows.query(MARK))
    used = frozenset(name for name in asked if uses_mark(connection, marked, name))
    readable = _of_query(relation, shadows.query(NOTHING))
    return _Readable(readable, used.intersection(wanted), used.intersection(relation.key))


def _of_query(relation: Relation, text: str) -> Relation:
    # The server's own text, of names that it quoted.
    return Relation(relation.url, f"SELECT * FROM ({text}) AS entities", relation.key)  # noqa: S608


def _not_granted(connection: Connection, read: ReadRelation, viewer: str) -> frozenset[str]:
    import sqlalchemy as sa

    asked = sa.text(
        "SELECT name FROM unnest(CAST(:columns AS text[])) AS name"
        " WHERE NOT has_column_privilege(:viewer, CAST(:oid AS oid), name, 'SELECT')"
    )
    given = {"columns": list(read.columns), "viewer": viewer, "oid": read.oid}
    return frozenset(connection.execute(asked, given).scalars())


_MAY_LOG_IN = """
SELECT rolcanlogin AND has_database_privilege(role.oid, current_database(), 'CONNECT')
       AND coalesce(rolvaliduntil > now(), true) AND datallowconn
       AND (rolsuper OR (rolconnlimit <> 0 AND datconnlimit <> 0))
FROM pg_roles AS role JOIN pg_database ON datname = current_database()
WHERE CAST(rolname AS text) = :viewer  -- a name would be cut off at 63 bytes
"""
