"""Queries whose answer depends on who asks, and whether efface's own login is shown everything by them.

A view may leave out rows or mask values for everybody but a few (`WHERE login = current_user`, `CASE WHEN
pg_has_role('hr', 'USAGE') …`). No right says so. The rows and values that efface's login is shown are therefore compared
with those of the tables themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from efface.access.postgres_named import RUN_TEXT, Text, with_named
from efface.knowledge.databases.postgres_bound_rows import plan_nodes
from efface.knowledge.databases.postgres_catalog import VIEW, CatalogQuery, ReadRelation, qualified_definition
from efface.knowledge.databases.postgres_origins import Origin, origins

if TYPE_CHECKING:
    from sqlalchemy import Connection

# As the server writes them. The catalogue tells some users less than others.
_ASKS = re.compile(
    r"\b(?:CURRENT_USER|CURRENT_ROLE|SESSION_USER|CURRENT_SCHEMA|USER)\b|\bpg_\w+|\binformation_schema\."
    r"|\b(?:current_setting|current_schemas?|has_\w+_privilege|row_security_active|getpgusername|inet_client_\w+"
    rf"|session_user|current_user|{RUN_TEXT})\b"
)
# As people write them. A body in quotes within a body is not read; `EXECUTE` may run one. A function of the server's by
# another name asks what that one does.
_BODY_ASKS = re.compile(
    _ASKS.pattern.replace(r"\bpg_\w+", r"\bpg_(?!catalog\b)\w+")
    + r"|\bEXECUTE\b|\bU&|\bLANGUAGE internal\b(?!.*\b(?:multi)?range_constructor)",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_CONDITION = re.compile(r"\bWHEN\b.*?\bTHEN\b|\bCASE (?!WHEN\b).*?(?=\bWHEN\b)", re.DOTALL)
_NAME = r'(?:"(?:[^"]|"")+"|[^\W\d][\w$]*)'
_COLUMN = re.compile(rf"(?<![\w.\"])({_NAME})\.({_NAME})(?![\w.(\"])")


def hidden_from_us(
    connection: Connection, query: CatalogQuery, key: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(what is hidden, how to correct it), while the probe exists."""
    if function := _asking_function(connection, query):
        yield (
            f"the function {function} asks who is asking",
            "Write what it does in the query itself. A function that asks is not IMMUTABLE.",
        )
        return
    if not _asks_who(connection, query):
        return
    login = str(connection.exec_driver_sql("SELECT quote_literal(current_user)").scalar_one())
    mend = (
        f"Let it show everything to efface's login, for example by `… OR current_user = {login}`, "
        "or name the tables in a SELECT."
    )
    quote = connection.dialect.identifier_preparer.quote_identifier
    found = origins(connection, (*key, *columns))
    if any(name not in found for name in key):
        yield "its answer depends on who asks, and its key is no column of a table", mend
        return
    for name in key:
        if _is_missing(connection, _rows_left_out(quote(name), found[name])):
            yield f"its answer depends on who asks, and rows of {found[name].table} are left out", mend
            return
    for name in dict.fromkeys(columns):
        if name not in key and not _is_shown(connection, query, name, key[0], found):
            yield (
                f"its answer depends on who asks, and values of {name} are not shown as the tables have them",
                mend,
            )


def _asking_function(connection: Connection, query: CatalogQuery) -> str:
    """A function in the query that asks, itself or by what it names. The planner may put its answer to efface in its
    place, so plans do not show what it hides."""
    for function in query.functions:
        for text in with_named(connection, [Text(function.name, function.source, True)]):
            if _BODY_ASKS.search(_LITERAL.sub("''", text.sql.replace('"', ""))):
                return function.name
    return ""


def _asks_who(connection: Connection, query: CatalogQuery) -> bool:
    texts = [query.definition]
    texts += [qualified_definition(connection, str(read.oid)) for read in query.reads if read.kind == VIEW]
    return any(_ASKS.search(_LITERAL.sub("''", text)) for text in texts)


def _is_shown(
    connection: Connection, query: CatalogQuery, name: str, key: str, found: dict[str, Origin]
) -> bool:
    """Whether every value of the tables' columns that this column is made of is in what efface is shown."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    if name in found:
        made, asks = {found[name]}, False
    else:
        asked = f"EXPLAIN (VERBOSE, FORMAT JSON) SELECT {quote(name)} FROM efface_probe"  # noqa: S608 - quoted
        plan = connection.exec_driver_sql(asked.replace("%", "%%")).scalar_one()[0]["Plan"]
        text = _plan_output(plan)
        sources = _sources(text, _aliases(query, plan))
        if sources is None:
            return False
        made, asks = sources, _ASKS.search(text) is not None
    for source in made:
        by_key = source.of_same_table(found[key])
        if by_key and not asks:
            continue  # the rows are all there, and this is made of the row itself
        left_out = _values_left_out(quote(name), quote(key), source, found[key] if by_key else None)
        if _is_missing(connection, left_out):
            return False
    return True


def _plan_output(plan: Any) -> str:
    """What the plan puts out. For a subquery that is planned by itself, it is what the subquery puts out."""
    text = _LITERAL.sub("''", " ".join(plan.get("Output", ())))
    for node in plan_nodes(plan):
        if node.get("Node Type") == "Subquery Scan":
            text = re.sub(rf"(?<![\w.\"]){re.escape(node['Alias'])}\.{_NAME}", " ", text)
            text += " " + _plan_output(node["Plans"][0])
    return text


def _sources(text: str, aliases: Mapping[str, ReadRelation]) -> set[Origin] | None:
    """The columns of tables in an expression, those of conditions apart. None where that cannot be said."""
    if "SubPlan" in text or "InitPlan" in text:
        return None
    made = set()
    for alias, column in _COLUMN.findall(_CONDITION.sub(" ", text)):
        read = aliases.get(_unquoted(alias))
        if read is None:
            return None
        made.add(Origin(read.schema, read.bare, _unquoted(column)))
    return made


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _aliases(query: CatalogQuery, plan: Any) -> dict[str, ReadRelation]:
    """Which table each alias of the plan stands for."""
    tables = {(read.schema, read.bare): read for read in query.tables}
    found = {read.bare: read for read in query.tables}
    for node in plan_nodes(plan):
        read = tables.get((node.get("Schema", ""), node.get("Relation Name", "")))
        if read is not None:
            found[str(node["Alias"])] = read
    return found


def _is_missing(connection: Connection, rows: str) -> bool:
    return bool(connection.exec_driver_sql(f"SELECT EXISTS ({rows})".replace("%", "%%")).scalar_one())


def _rows_left_out(name: str, origin: Origin) -> str:
    return (
        f"SELECT FROM {origin.table} AS own WHERE own.{origin.column} IS NOT NULL AND NOT EXISTS "  # noqa: S608
        f"(SELECT FROM efface_probe AS shown WHERE shown.{name} = own.{origin.column})"
    )


def _values_left_out(name: str, key: str, source: Origin, by_key: Origin | None) -> str:
    """Values of the source that are in no row of what is shown, or not in the row of the same key."""
    has_it = f"strpos(lower(shown.{name}::text), lower(own.{source.column}::text)) > 0"
    same = f"shown.{key} = own.{by_key.column} AND " if by_key else ""
    own = source.table if by_key else f"(SELECT DISTINCT {source.column} FROM {source.table})"  # noqa: S608
    return (
        f"SELECT FROM {own} AS own WHERE own.{source.column} IS NOT NULL AND own.{source.column}::text <> '' "  # noqa: S608
        f"AND NOT EXISTS (SELECT FROM efface_probe AS shown WHERE {same}{has_it})"
    )
