"""Asks the server which table column a column of a query comes from: through views, subqueries and joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.postgres_catalog import VIEW, qualified_definition

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Origin:
    """A column of a table, by the names in the catalogue. `table` and `column` are quoted."""

    schema: str
    bare: str
    name: str

    @property
    def table(self) -> str:
        return f"{_quoted(self.schema)}.{_quoted(self.bare)}"

    @property
    def column(self) -> str:
        return _quoted(self.name)

    def of_same_table(self, other: Origin) -> bool:
        return (self.schema, self.bare) == (other.schema, other.bare)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def origins(
    connection: Connection, columns: Sequence[str], view: str = "'efface_probe'::regclass"
) -> dict[str, Origin]:
    """The columns of a view (an expression of SQL that gives its number) that are columns of a table as they are. What is computed, or the result of a UNION,
    is not among them."""
    import sqlalchemy as sa

    names = ", ".join(map(_quoted, columns))
    text = f"SELECT {names} FROM ({qualified_definition(connection, view)}) AS below LIMIT 0"  # noqa: S608 - quoted
    with connection.exec_driver_sql(text.replace("%", "%%")) as result:
        asked: Any = result.cursor.pgresult
        places = [(name, asked.ftable(at), asked.ftablecol(at)) for at, name in enumerate(columns)]
    found = {}
    for name, table, number in places:
        row = connection.execute(sa.text(_COLUMN), {"table": table, "number": number}).one_or_none()
        if row is None:
            continue
        kind, schema, bare, column = row
        if kind != VIEW:
            found[name] = Origin(schema, bare, column)
        elif below := origins(connection, (column,), str(table)):
            found[name] = below[column]
    return found


_COLUMN = """
SELECT relkind::text, nspname::text, relname::text, attname::text
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE attrelid = CAST(:table AS oid) AND attnum = :number
"""
