"""Two ways to ask a database what a viewer may see: labels, and a view of grants. Both fail closed: no answer denies.

The third way, PostgreSQL's own rights, is in `postgres.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.access import Denial, closed, everything
from efface.access.labels import Label, Scheme
from efface.access.postgres import PostgresAccess
from efface.knowledge.databases.relation import Relation, engine

__all__ = ["LabelAccess", "LabelSource", "PostgresAccess", "ViewAccess"]

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, ColumnElement, Connection, Select

_NO_LABEL = "the viewer has no label, so every row is denied"
_NO_VIEWER = "there is no viewer, so every row is denied"


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Where the labels of viewers, or of columns, are: in the policy, or in a table of the database."""

    known: Mapping[str, str] = field(default_factory=dict, repr=False)
    table: str = ""
    name: str = "name"
    label: str = "label"

    def labels(self, names: Sequence[str], connect: Callable[[], Connection]) -> dict[str, str | None]:
        """The labels of the names that have one. A name with a NULL label or with two labels has None."""
        import sqlalchemy as sa

        if not self.table:
            return {name: self.known[name] for name in names if name in self.known}
        return self._asked(sa.column(self.name).in_(names), connect)

    def labels_of_columns(
        self, columns: Sequence[str], connect: Callable[[], Connection]
    ) -> dict[str, str | None]:
        """The same for columns, whose names a table of labels may write in other letters: DIAGNOSIS for diagnosis."""
        import sqlalchemy as sa

        if not self.table:
            return self.labels(columns, connect)
        lowered = [name.lower() for name in columns]
        found = self._asked(sa.func.lower(sa.column(self.name)).in_(lowered), connect, str.lower)
        return {name: found[name.lower()] for name in columns if name.lower() in found}

    def _asked(
        self,
        where: ColumnElement[bool],
        connect: Callable[[], Connection],
        written: Callable[[str], str] = str,
    ) -> dict[str, str | None]:
        """The labels in the table, by the names as they are `written` there."""
        import sqlalchemy as sa

        schema, _, table = self.table.rpartition(".")
        chosen: list[ColumnClause[Any]] = [sa.column(self.name), sa.column(self.label)]
        query: Select[Any] = sa.select(*chosen).select_from(sa.table(table, schema=schema or None))
        found: dict[str, str | None] = {}
        with connect() as connection:
            for name, label in connection.execute(query.where(where)):
                key = written(str(name).rstrip(" "))
                found[key] = None if key in found or label is None else str(label)
        return found


@dataclass(frozen=True, slots=True)
class LabelAccess:
    """Labels on rows (a column), on columns and on users, compared by `scheme`."""

    relation: Relation
    scheme: Scheme
    users: LabelSource
    viewer: str | None
    rows: str = ""
    columns: LabelSource = field(default_factory=LabelSource)
    sensitive: frozenset[str] = frozenset()  # columns that a table of labels must name

    def denied_entities(self, ids: Sequence[str]) -> Denial:
        return closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return closed(columns, lambda: self._columns(columns))

    @property
    def can_mask(self) -> bool:
        """A row is shown with its own values or not at all."""
        return False

    def _entities(self, ids: Sequence[str]) -> Denial:
        """An entity is denied when any of its rows is, or when none is there any more."""
        viewer = self._viewer()
        if viewer is None:
            return everything(ids, _NO_LABEL, _NO_LABEL)
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
        named = self.columns.labels_of_columns(columns, self._connect)
        missing = self.sensitive.intersection(columns).difference(named) if self.columns.table else set()
        denied = {name for name in named if not self.scheme.dominates(viewer, self.scheme.parse(named[name]))}
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
        return closed(ids, lambda: self._entities(ids))

    def denied_columns(self, columns: Sequence[str]) -> Denial:
        return closed(columns, lambda: self._columns(columns))

    @property
    def can_mask(self) -> bool:
        """A row is shown with its own values or not at all."""
        return False

    def _entities(self, ids: Sequence[str]) -> Denial:
        if self.viewer is None:
            return everything(ids, _NO_VIEWER, _NO_VIEWER)
        granted = Relation(self.relation.url, self.view, self.relation.key)
        with engine(self.relation.url).connect() as connection:
            rows = granted.rows(
                connection, ids, [self.viewer_column], equal={self.viewer_column: self.viewer}
            )
            allowed = {id for id, (viewer,) in rows if _is_same_name(viewer, self.viewer)}
        return Denial(frozenset(ids) - allowed, f"not granted by the view {self.view}")

    def _columns(self, columns: Sequence[str]) -> Denial:
        import sqlalchemy as sa

        if not self.columns_view or self.viewer is None:
            return everything(
                columns, "no `columns_view` grants columns to the viewer, so every column is denied"
            )
        schema, _, name = self.columns_view.rpartition(".")
        chosen: list[ColumnClause[Any]] = [sa.column("column"), sa.column(self.viewer_column)]
        query: Select[Any] = (
            sa.select(*chosen)
            .select_from(sa.table(name, schema=schema or None))
            .where(sa.column(self.viewer_column) == self.viewer)
        )
        with engine(self.relation.url).connect() as connection:
            rows = connection.execute(query)
            allowed = {str(value) for value, viewer in rows if _is_same_name(viewer, self.viewer)}
        return Denial(frozenset(columns) - allowed, f"not granted by the view {self.columns_view}")


def _is_same_name(found: object, viewer: str) -> bool:
    """Whether a name of the database is the viewer's. Databases may compare without case, accents or blanks at the end,
    so that one viewer would get another's rights; only the blanks that fill a CHAR up are passed over."""
    return viewer in (str(found), str(found).rstrip(" "))
