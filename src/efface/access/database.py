"""The three ways to ask a database what a viewer may see. Each fails closed: no answer is a denial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.access import Denial, everything
from efface.access.labels import Label, Scheme
from efface.errors import PolicyError
from efface.knowledge.relation import Relation, engine

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, Connection, Select

_TIMEOUT = "5s"


def _closed(asked: Sequence[str], ask: Callable[[], Denial]) -> Denial:
    """The answer, or everything denied when the database gives none. Driver messages are not passed on."""
    if not asked:
        return Denial(frozenset(), "nothing was asked")
    try:
        return ask()
    except PolicyError:
        raise
    except Exception as error:
        return everything(
            asked, f"the database gave no answer ({type(error).__name__}), so everything is denied"
        )


@dataclass(frozen=True, slots=True)
class Labelled:
    """Where the labels of viewers, or of columns, are: in the policy, or in a table of the database."""

    known: Mapping[str, str] = field(default_factory=dict, repr=False)
    table: str = ""
    name: str = "name"
    label: str = "label"

    def labels(self, names: Sequence[str], connect: Callable[[], Connection]) -> dict[str, str | None]:
        """The labels of those of the names that are there; NULL, or two labels of one name, is None."""
        import sqlalchemy as sa

        if not self.table:
            return {name: self.known[name] for name in names if name in self.known}
        schema, _, table = self.table.rpartition(".")
        chosen: list[ColumnClause[Any]] = [sa.column(self.name), sa.column(self.label)]
        query: Select[Any] = (
            sa.select(*chosen)
            .select_from(sa.table(table, schema=schema or None))
            .where(sa.column(self.name).in_(names))
        )
        found: dict[str, str | None] = {}
        with connect() as connection:
            for name, label in connection.execute(query):
                found[str(name)] = None if str(name) in found or label is None else str(label)
        return found


@dataclass(frozen=True, slots=True)
class LabelAccess:
    """Labels on rows (a column), on columns and on users, compared by `scheme`."""

    relation: Relation
    scheme: Scheme
    users: Labelled
    viewer: str | None
    rows: str = ""
    columns: Labelled = field(default_factory=Labelled)
    sensitive: frozenset[str] = frozenset()  # columns that a table of labels must name

    def denied_entities(self, ids: Sequence[str]) -> Denial:
        return _closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return _closed(columns, lambda: self._columns(columns))

    def _entities(self, ids: Sequence[str]) -> Denial:
        """An entity is denied when any of its rows is, or when none is there any more."""
        viewer = self._viewer()
        if viewer is None:
            return everything(ids, "the viewer has no label, so every row is denied")
        if not self.rows:
            return Denial(frozenset(), "rows have no labels")
        seen: dict[str, bool] = {}
        allowed: dict[object, bool] = {}  # rows are many, labels few
        with self._connect() as connection:
            for id, (text,) in self.relation.rows(connection, ids, [self.rows]):
                if text not in allowed:
                    row = self.scheme.parse(None if text is None else str(text))
                    allowed[text] = self.scheme.dominates(viewer, row)
                seen[id] = seen.get(id, True) and allowed[text]
        return Denial(
            frozenset(id for id in ids if not seen.get(id, False)), "its row's label is above the viewer's"
        )

    def _columns(self, columns: Sequence[str]) -> Denial:
        """A column without a label is for everybody, unless a table should have named it and does not."""
        viewer = self._viewer()
        labels = self.columns.labels(columns, self._connect)
        missing = self.sensitive.intersection(columns).difference(labels) if self.columns.table else set()
        denied = {
            name for name in labels if not self.scheme.dominates(viewer, self.scheme.parse(labels[name]))
        }
        return Denial(frozenset(denied | missing), "its column's label is above the viewer's")

    def _connect(self) -> Connection:
        return engine(self.relation.url).connect()

    def _viewer(self) -> Label | None:
        known = self.users.labels([self.viewer], self._connect) if self.viewer is not None else {}
        return self.scheme.parse(known.get(self.viewer or ""))


@dataclass(frozen=True, slots=True)
class ViewAccess:
    """A view that says who may see which key, and one that says who may read which column."""

    relation: Relation
    viewer: str | None
    view: str
    viewer_column: str = "viewer"
    columns_view: str = ""

    def denied_entities(self, ids: Sequence[str]) -> Denial:
        return _closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return _closed(columns, lambda: self._columns(columns))

    def _entities(self, ids: Sequence[str]) -> Denial:
        if self.viewer is None:
            return everything(ids, "there is no viewer, so every row is denied")
        granted = Relation(self.relation.url, self.view, self.relation.key)
        with engine(self.relation.url).connect() as connection:
            rows = granted.rows(connection, ids, equal={self.viewer_column: self.viewer})
            allowed = {id for id, _ in rows}
        return Denial(frozenset(ids) - allowed, f"not granted by the view {self.view}")

    def _columns(self, columns: Sequence[str]) -> Denial:
        import sqlalchemy as sa

        if not self.columns_view or self.viewer is None:
            return everything(columns, "no view grants columns, so every sensitive column is denied")
        schema, _, name = self.columns_view.rpartition(".")
        query: Select[Any] = (
            sa.select(sa.column("column"))
            .select_from(sa.table(name, schema=schema or None))
            .where(sa.column(self.viewer_column) == self.viewer)
        )
        with engine(self.relation.url).connect() as connection:
            allowed = {str(value) for value in connection.execute(query).scalars()}
        return Denial(frozenset(columns) - allowed, f"not granted by the view {self.columns_view}")


@dataclass(frozen=True, slots=True)
class PostgresAccess:
    """Row-level security and column privileges, asked as the viewer (`SET ROLE`), never re-implemented."""

    relation: Relation
    viewer: str | None
    session: Mapping[str, str] = field(
        default_factory=dict
    )  # settings that policies read; {viewer} is filled in

    def denied_entities(self, ids: Sequence[str]) -> Denial:
        return _closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return _closed(columns, lambda: self._columns(columns))

    def _entities(self, ids: Sequence[str]) -> Denial:
        if self.viewer is None:
            return everything(ids, "there is no viewer, so every row is denied")
        with self._asking() as connection:
            there = Counter(id for id, _ in self.relation.rows(connection, ids))
            self._become_viewer(connection)
            seen = Counter(id for id, _ in self.relation.rows(connection, ids))
        denied = frozenset(
            id for id in ids if seen[id] < max(there[id], 1)
        )  # one row hidden hides the entity
        return Denial(denied, "row-level security hides them from the viewer")

    def _columns(self, columns: Sequence[str]) -> Denial:
        import sqlalchemy as sa

        if self.viewer is None:
            return everything(columns, "there is no viewer, so every column is denied")
        with self._asking() as connection:
            self._become_viewer(connection)
            denied = set()
            for name in columns:
                attempt = connection.begin_nested()
                try:
                    chosen: Select[Any] = (
                        sa.select(sa.column(name)).select_from(self.relation.clause).limit(0)
                    )
                    connection.execute(chosen)
                    attempt.commit()
                except sa.exc.DBAPIError:
                    attempt.rollback()
                    denied.add(name)
        return Denial(frozenset(denied), "the viewer may not select these columns")

    @contextmanager
    def _asking(self) -> Iterator[Connection]:
        """A transaction that sees one state of the data and is always rolled back."""
        import sqlalchemy as sa

        with engine(self.relation.url).connect() as connection:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._refuse_owners_views(connection)
            connection.execute(sa.select(sa.func.set_config("statement_timeout", _TIMEOUT, True)))
            try:
                yield connection
            finally:
                connection.rollback()

    def _become_viewer(self, connection: Connection) -> None:
        """From here on the transaction is the viewer's."""
        import sqlalchemy as sa

        assert self.viewer is not None
        for name, value in self.session.items():
            filled = value.replace("{viewer}", self.viewer)
            connection.execute(sa.select(sa.func.set_config(name, filled, True)))
        quoted = connection.dialect.identifier_preparer.quote_identifier(self.viewer)
        connection.exec_driver_sql(f"SET LOCAL ROLE {quoted}".replace("%", "%%"))

    def _refuse_owners_views(self, connection: Connection) -> None:
        """A view without `security_invoker` answers with its owner's rights, whoever asks."""
        import sqlalchemy as sa

        savepoint = connection.begin_nested()
        body = sa.select(sa.text("*")).select_from(self.relation.clause)
        compiled = str(body.compile(connection, compile_kwargs={"literal_binds": True}))
        connection.exec_driver_sql(f"CREATE TEMPORARY VIEW efface_probe AS {compiled}")
        unsafe = connection.execute(sa.text(_OWNERS_VIEWS)).scalars().all()
        savepoint.rollback()
        if unsafe:
            raise PolicyError(
                f"The view {unsafe[0]} runs with its owner's rights and would show everybody everything.",
                f"ALTER VIEW {unsafe[0]} SET (security_invoker = true); PostgreSQL 15 or newer.",
            )


# The views that the probe reads, directly or through others, and that do not run as whoever asks.
_OWNERS_VIEWS = """
WITH RECURSIVE reads(oid) AS (
    SELECT 'efface_probe'::regclass::oid
  UNION
    SELECT depend.refobjid FROM reads
    JOIN pg_rewrite rule ON rule.ev_class = reads.oid
    JOIN pg_depend depend ON depend.objid = rule.oid AND depend.classid = 'pg_rewrite'::regclass
                         AND depend.refclassid = 'pg_class'::regclass
)
SELECT class.oid::regclass::text FROM reads JOIN pg_class class ON class.oid = reads.oid
WHERE class.relkind IN ('v', 'm') AND class.oid <> 'efface_probe'::regclass
  AND NOT EXISTS (SELECT FROM pg_options_to_table(class.reloptions)
                  WHERE option_name = 'security_invoker' AND option_value::boolean)
ORDER BY 1
"""
