"""A query with something else in the place of the columns that a viewer may not select.

In the text of the query each relation is replaced by a subquery of the same columns. With NULL in the place of denied
columns, the query can be asked by the viewer. With a mark there, the server's plan tells which columns of the answer need
a denied one: by whatever name, in a condition, or as a part of a whole row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.postgres_catalog import (
    VIEW,
    CatalogQuery,
    ReadRelation,
    expressions,
    qualified_definition,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from efface.knowledge.databases.relation import Relation

_NAME_OF_MARK = "efface.denied"
NOTHING = "CAST(NULL AS {kind})"
# The planner cannot tell what a setting will be, so it keeps this wherever it is needed. Without the column it would be
# the same for all rows, and the planner would neither sort nor group by it.
MARK = f"CASE WHEN current_setting('{_NAME_OF_MARK}', true) IS NULL THEN CAST(NULL AS {{kind}}) ELSE {{column}} END"

_LITERAL = r"'(?:[^']|'')*'"
_NAME = r'(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_]*)'  # as the server writes names; its keywords are in capitals
_RELATION = re.compile(
    rf"{_LITERAL}|(?P<before>\b(?:FROM|JOIN)\s+\(*|,\s+\(*)(?P<only>ONLY\s+)?(?P<schema>{_NAME})\.(?P<bare>{_NAME})"
    rf"(?P<alias>\s+(?:AS\s+)?{_NAME})?|{_NAME}"
)
# A plan does not show how many rows a LIMIT or a window takes, nor, before version 17, what is looked for in a subquery.
_STEADY_COUNT = re.compile(
    r"\b(?:LIMIT|OFFSET|FETCH FIRST)\s+(?:\d+|'')(?:::[a-z]+)?\b|\b(?:\d+|UNBOUNDED)\s+(?:PRECEDING|FOLLOWING)\b"
)
_COUNT = re.compile(r"\b(?:LIMIT|OFFSET|FETCH|PRECEDING|FOLLOWING)\b")
_SHOWS_SUBQUERIES = (17,)


@dataclass(frozen=True)
class Shadows:
    """The shadows of a query's relations. `denied` are those with a column that the viewer may not select."""

    connection: Connection = field(repr=False)
    text: CatalogQuery = field(repr=False)
    viewer: str
    denied: frozenset[ReadRelation]

    def query(self, substitute: str) -> str:
        """The query with the substitute in the place of denied columns; `{kind}` in it is the type of the column and
        `{column}` the column."""
        return self._shadowed(self.text.definition, substitute)

    @cached_property
    def _by_name(self) -> Mapping[str, ReadRelation]:
        """The relations to replace, as the server writes their names."""
        replaced = [read for read in self.text.reads if read.kind == VIEW or read in self.denied]
        return {_quoted(self.connection, read): read for read in replaced}

    def _shadowed(self, definition: str, substitute: str) -> str:
        def replaced(match: re.Match[str]) -> str:
            read = self._by_name.get(f"{match['schema']}.{match['bare']}")
            if read is None:
                return match[0]
            body = self._body(read, match["only"] or "", substitute)
            return f"{match['before']}({body}){match['alias'] or ' ' + match['bare']}"

        return _RELATION.sub(replaced, definition)

    def _body(self, read: ReadRelation, only: str, substitute: str) -> str:
        """A table or view, with all its columns."""
        import sqlalchemy as sa

        found = self.connection.execute(sa.text(_COLUMNS), {"oid": read.oid, "viewer": self.viewer})
        columns = [
            quoted if granted else f"{substitute.format(kind=kind, column=quoted)} AS {quoted}"
            for quoted, kind, granted in found
        ]
        source = f"{only}{_quoted(self.connection, read)}"
        if read.kind == VIEW:
            definition = qualified_definition(self.connection, str(read.oid))
            source = f"({self._shadowed(definition, substitute)}) AS source"
        return f"SELECT {', '.join(columns)} FROM {source}"  # noqa: S608 - quoted by the server


def uses_mark(connection: Connection, marked: Relation, column: str) -> bool:
    """Whether the server needs a marked column to answer for this one, in what it puts out or in a condition."""
    import sqlalchemy as sa

    if _hides_counts(marked.entities):
        return True
    body: sa.Select[Any] = sa.select(sa.column(column)).select_from(marked.clause)
    compiled = str(body.compile(connection, compile_kwargs={"literal_binds": True}))
    explained = connection.exec_driver_sql(f"EXPLAIN (VERBOSE, FORMAT JSON) {compiled}").scalar_one()
    signs = [_NAME_OF_MARK]
    if (connection.dialect.server_version_info or ()) < _SHOWS_SUBQUERIES:
        signs.append("SubPlan ")
    return any(sign in text for text in expressions(explained) for sign in signs)


def _hides_counts(query: str) -> bool:
    """Whether a LIMIT or a window takes a number of rows that is computed, possibly from a marked column."""
    bare = re.sub(_LITERAL, "''", query)
    return _COUNT.search(_STEADY_COUNT.sub(" ", bare)) is not None


def _quoted(connection: Connection, read: ReadRelation) -> str:
    """The name with its schema, as the server writes them."""
    import sqlalchemy as sa

    asked = sa.text("SELECT format('%I.%I', CAST(:schema AS text), CAST(:bare AS text))")
    return str(connection.execute(asked, {"schema": read.schema, "bare": read.bare}).scalar_one())


_COLUMNS = """
SELECT quote_ident(attname), format_type(atttypid, atttypmod),
       has_column_privilege(:viewer, attrelid, attnum, 'SELECT')
FROM pg_attribute WHERE attrelid = CAST(:oid AS oid) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
