"""A query with something else in the place of the columns that a viewer may not select.

The relations of the query are shadowed by queries of the same names (`WITH patient AS …`). With NULL in the place of
denied columns, the query can be asked by the viewer. With a mark there, the server's plan tells which columns of the
answer need a denied one: by whatever name, in a condition, or as a part of a whole row.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.postgres_catalog import (
    VIEW,
    CatalogQuery,
    Read,
    expressions,
    qualified_definition,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from efface.knowledge.databases.relation import Relation

_NAME_OF_MARK = "efface.denied"
NOTHING = "CAST(NULL AS {kind})"
# The planner cannot tell what a setting will be, so it keeps this wherever it is needed.
MARK = f"CASE WHEN current_setting('{_NAME_OF_MARK}', true) IS NULL THEN CAST(NULL AS {{kind}}) END"


@dataclass(frozen=True)
class Shadows:
    """The shadows of a query's relations. `denied` are those with a column that the viewer may not select."""

    connection: Connection = field(repr=False)
    text: CatalogQuery = field(repr=False)
    viewer: str
    denied: frozenset[Read]

    def query(self, substitute: str) -> str:
        """The query with the substitute in the place of denied columns; `{kind}` in it is the type of the column."""
        bodies = [self._body(read, substitute) for read in self._shadowed]
        return f"WITH {', '.join(bodies)} {self._without_schemas(self.text.definition, self._shadowed)}"

    @property
    def _shadowed(self) -> list[Read]:
        """Tables before the views that read them; a view's number is higher than those of what it was made of."""
        ordered = sorted(self.text.reads, key=lambda read: (read.kind == VIEW, read.oid))
        return [read for read in ordered if read.kind == VIEW or read in self.denied]

    def _body(self, read: Read, substitute: str) -> str:
        """A table or view under its own name, with all its columns."""
        import sqlalchemy as sa

        found = self.connection.execute(sa.text(_COLUMNS), {"oid": read.oid, "viewer": self.viewer})
        columns = [
            quoted if granted else f"{substitute.format(kind=kind)} AS {quoted}"
            for quoted, kind, granted in found
        ]
        schema, bare = _quoted(self.connection, read)
        source = f"{schema}.{bare}"
        if read.kind == VIEW:
            below = [shadow for shadow in self._shadowed if shadow is not read]
            definition = qualified_definition(self.connection, str(read.oid))
            source = f"({self._without_schemas(definition, below)}) AS source"
        return f"{bare} AS NOT MATERIALIZED (SELECT {', '.join(columns)} FROM {source})"  # noqa: S608 - quoted by the server

    def _without_schemas(self, definition: str, shadows: Collection[Read]) -> str:
        """The query with the names of some relations without their schema, so that it reads their shadows."""
        for shadow in shadows:
            schema, bare = _quoted(self.connection, shadow)
            named = rf"((?:\bFROM|\bJOIN|\bONLY|,)\s+\(*){re.escape(schema)}\.({re.escape(bare)})(?![\w$\"])"
            definition = re.sub(named, r"\1\2", definition)
        return definition


def uses_mark(connection: Connection, marked: Relation, column: str) -> bool:
    """Whether the server needs a marked column to answer for this one, in what it puts out or in a condition."""
    import sqlalchemy as sa

    body: sa.Select[Any] = sa.select(sa.column(column)).select_from(marked.clause)
    compiled = str(body.compile(connection, compile_kwargs={"literal_binds": True}))
    explained = connection.exec_driver_sql(f"EXPLAIN (VERBOSE, FORMAT JSON) {compiled}").scalar_one()
    return any(_NAME_OF_MARK in text for text in expressions(explained))


def _quoted(connection: Connection, read: Read) -> tuple[str, str]:
    """The schema and the name, as the server writes them."""
    import sqlalchemy as sa

    asked = sa.text("SELECT quote_ident(:schema), quote_ident(:bare)")
    schema, bare = connection.execute(asked, {"schema": read.schema, "bare": read.bare}).one()
    return str(schema), str(bare)


_COLUMNS = """
SELECT quote_ident(attname), format_type(atttypid, atttypmod),
       has_column_privilege(:viewer, attrelid, attnum, 'SELECT')
FROM pg_attribute WHERE attrelid = CAST(:oid AS oid) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
