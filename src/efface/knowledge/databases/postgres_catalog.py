"""What a PostgreSQL query reads, from the server's own catalogue.

The query is stored as a temporary view and the view is rolled back. The rule of a view names every table, column
and function that the query uses, whether or not the planner would need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efface.errors import PolicyError
from efface.knowledge.databases.postgres_functions import Function, with_readers

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from efface.knowledge.databases.relation import Relation

TABLES, VIEW, MATERIALISED, FOREIGN = ("r", "p"), "v", "m", "f"  # values of pg_class.relkind


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """A relation that a query reads. `reader` is the role whose rights count there."""

    oid: int
    name: str  # quoted, and qualified where the search path does not find it
    kind: str
    owner: str
    reader: str
    is_invoker: bool  # a view that runs with the rights of its caller
    is_filtered: bool  # row-level security leaves out rows for `reader`
    schema: str
    bare: str  # the name without its schema, not quoted
    columns: tuple[str, ...]  # those that the query uses


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """All that a query uses. `definition` is the query as the server writes it, every name with its schema: it means
    the same in a session with another search path."""

    reads: tuple[ReadRelation, ...]
    functions: tuple[Function, ...]
    definition: str

    @property
    def tables(self) -> tuple[ReadRelation, ...]:
        """What holds rows: everything that is not a view."""
        return tuple(read for read in self.reads if read.kind != VIEW)


@contextmanager
def probe(connection: Connection, relation: Relation, columns: Sequence[str] = ()) -> Iterator[CatalogQuery]:
    """What the relation reads for these columns, all of them when none is named. The probe exists inside."""
    import sqlalchemy as sa

    chosen: list[sa.ColumnClause[Any]] = [
        sa.column(name) for name in dict.fromkeys((*relation.key, *columns))
    ]
    body = sa.select(*(chosen if columns else [sa.text("*")])).select_from(relation.clause)
    compiled = str(body.compile(connection, compile_kwargs={"literal_binds": True}))
    savepoint = connection.begin_nested()
    try:
        _make(connection, compiled)
        yield _query(connection)
    finally:
        savepoint.rollback()


def _make(connection: Connection, body: str) -> None:
    import sqlalchemy as sa

    try:
        connection.exec_driver_sql(f"CREATE TEMPORARY VIEW efface_probe AS {body}")
    except (
        sa.exc.ProgrammingError,
        sa.exc.InternalError,
        sa.exc.NotSupportedError,
    ) as error:  # the server answered: it does not take the query
        raise _unreadable(error) from None


def _query(connection: Connection) -> CatalogQuery:
    reads = tuple(_read(row) for row in connection.exec_driver_sql(WALK + _READS))
    called = [Function(*row) for row in connection.exec_driver_sql(WALK + _FUNCTIONS)]
    functions = with_readers(connection, called)
    definition = qualified_definition(connection, "'efface_probe'::regclass")
    return CatalogQuery(reads, functions, definition)


def _read(row: Iterable[Any]) -> ReadRelation:
    parts: list[Any] = [tuple(part) if isinstance(part, list) else part for part in row]
    return ReadRelation(*parts)


def qualified_definition(connection: Connection, view: str) -> str:
    """The query of a view (an expression of SQL that gives its number), every name with its schema."""
    savepoint = connection.begin_nested()
    try:
        connection.exec_driver_sql("SET LOCAL search_path = ''")
        text = connection.exec_driver_sql(f"SELECT pg_get_viewdef({view})").scalar_one()
    finally:
        savepoint.rollback()
    return str(text).strip().rstrip(";")


_NAMES = frozenset(  # of a plan: names of things, no expressions
    (
        "Node Type",
        "Relation Name",
        "Schema",
        "Alias",
        "Index Name",
        "CTE Name",
        "Subplan Name",
        "Function Name",
    )
)


def expressions(plan: Any) -> Iterator[str]:
    """What a plan (EXPLAIN with VERBOSE, as JSON) puts out and the conditions in it, of every node."""
    if isinstance(plan, str):
        yield plan
    elif isinstance(plan, list):
        for part in plan:
            yield from expressions(part)
    elif isinstance(plan, dict):
        for name, part in plan.items():
            if name not in _NAMES:
                yield from expressions(part)


def _unreadable(error: Exception) -> PolicyError:
    """Why the server did not take the query. The driver's message may quote data and is not passed on."""
    code = getattr(getattr(error, "orig", None), "sqlstate", "") or ""
    advice = {
        "42501": "GRANT USAGE on the schemas that hold the tables, and TEMPORARY on the database, to efface's login.",
        "42P01": "Check the name of the table or view, its capitals, and the schema.",
        "42702": "Two columns have one name: name the columns of the SELECT, each once.",
        "42701": "Two columns have one name: name the columns of the SELECT, each once.",
        "0A000": "A view of the query must be possible: it may not write.",
        "42703": "Check the names of the columns in `key`, `identifying`, `sensitive` and `filters`.",
        "25006": "Use a connection that can write: a standby cannot say what a query reads.",
    }
    return PolicyError(
        f"The server does not take the query of `entities` ({code or type(error).__name__}).",
        advice.get(code, "Try the query with efface's login in psql."),
    )


# A view's rule depends on what the view reads. Below a view without `security_invoker` its owner's rights count.
WALK = """
WITH RECURSIVE walk(oid, reader) AS (
    SELECT 'efface_probe'::regclass::oid, (SELECT oid FROM pg_roles WHERE rolname = current_user)
  UNION
    SELECT depend.refobjid,
           CASE WHEN class.oid = 'efface_probe'::regclass OR EXISTS (SELECT FROM pg_options_to_table(class.reloptions)
                            WHERE option_name = 'security_invoker' AND option_value::boolean) THEN walk.reader ELSE class.relowner END
    FROM walk
    JOIN pg_class class ON class.oid = walk.oid AND class.relkind = 'v'
    JOIN pg_rewrite rule ON rule.ev_class = walk.oid
    JOIN pg_depend depend ON depend.objid = rule.oid AND depend.classid = 'pg_rewrite'::regclass
                         AND depend.refclassid = 'pg_class'::regclass AND depend.refobjid <> walk.oid
)
"""

_READS = """
SELECT class.oid::bigint, class.oid::regclass::text,
       class.relkind::text, owner.rolname::text, reader.rolname::text,
       EXISTS (SELECT FROM pg_options_to_table(class.reloptions)
               WHERE option_name = 'security_invoker' AND option_value::boolean),
       class.relrowsecurity AND NOT reader.rolsuper AND NOT reader.rolbypassrls
           AND (class.relforcerowsecurity OR NOT pg_has_role(reader.oid, class.relowner, 'USAGE')),
       (SELECT nspname::text FROM pg_namespace WHERE pg_namespace.oid = class.relnamespace), class.relname::text,
       ARRAY(SELECT DISTINCT attribute.attname::text
             FROM walk AS above
             JOIN pg_rewrite rule ON rule.ev_class = above.oid
             JOIN pg_depend depend ON depend.objid = rule.oid AND depend.classid = 'pg_rewrite'::regclass
                  AND depend.refclassid = 'pg_class'::regclass AND depend.refobjid = class.oid
             JOIN pg_attribute attribute ON attribute.attrelid = class.oid
                  AND attribute.attnum = depend.refobjsubid AND attribute.attnum > 0
             ORDER BY 1)
FROM walk
JOIN pg_class class ON class.oid = walk.oid
JOIN pg_roles owner ON owner.oid = class.relowner
JOIN pg_roles reader ON reader.oid = walk.reader
WHERE class.oid <> 'efface_probe'::regclass AND class.relkind IN ('r', 'p', 'v', 'm', 'f')
ORDER BY 2, 5
"""

# Functions that come with the server are pinned: nothing is recorded as depending on them. Operators and aggregates of
# the database's own making count as the functions that they call.
_FUNCTIONS = """
, used AS (
    SELECT DISTINCT depend.refclassid, depend.refobjid
    FROM walk
    JOIN pg_rewrite rule ON rule.ev_class = walk.oid
    JOIN pg_depend depend ON depend.objid = rule.oid AND depend.classid = 'pg_rewrite'::regclass
), called(oid) AS (
    SELECT refobjid FROM used WHERE refclassid = 'pg_proc'::regclass
  UNION
    SELECT oprcode FROM used JOIN pg_operator ON pg_operator.oid = refobjid WHERE refclassid = 'pg_operator'::regclass
  UNION
    SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[])
    FROM used JOIN pg_aggregate ON aggfnoid = refobjid WHERE refclassid = 'pg_proc'::regclass
)
SELECT DISTINCT proc.oid::regprocedure::text, CASE WHEN proc.prokind = 'a' THEN '' ELSE pg_get_functiondef(proc.oid) END,
       language.lanname NOT IN ('c', 'internal') AND proc.provolatile <> 'i'
FROM called
JOIN pg_proc proc ON proc.oid = called.oid
JOIN pg_language language ON language.oid = proc.prolang
WHERE proc.oid >= 16384
ORDER BY 1
"""
