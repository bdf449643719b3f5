"""What only the viewer's own connection knows, wherever the server would ask for it.

A policy may ask for `session_user` itself, or read a table whose policies do, or a view, or call a function or an
operator that does. All of them are followed by the names in their texts; a name too many only refuses too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from efface.access.postgres_session import ViewerSession, is_superuser
from efface.errors import PolicyError
from efface.knowledge.databases.postgres_catalog import CatalogQuery

if TYPE_CHECKING:
    from sqlalchemy import Connection

_OF_THE_CLIENT = (
    r"\b(?:inet_client_(?:addr|port)|pg_backend_pid|current_query|pg_stat_\w+|ssl_\w+|system_user|application_name)\b"
    r"|\bcurrent_setting\s*\(\s*'(?:session_authorization|role)'"
)
_OF_THE_LOGIN = r"|\bsession_user\b"


def refuse_unreproducible(connection: Connection, query: CatalogQuery, session: ViewerSession) -> None:
    """Refuse policies, views and functions that ask for what the session cannot give."""
    import sqlalchemy as sa

    only_role = not session.login and not is_superuser(connection)
    asks = re.compile(_OF_THE_CLIENT + (_OF_THE_LOGIN if only_role else ""), re.IGNORECASE)
    oids = [read.oid for read in query.reads]
    found = connection.execute(sa.text(_EXPRESSIONS), {"tables": oids, "role": session.viewer})
    texts = [(str(what), str(text)) for what, text in found]
    texts.append(("The query of `entities`", query.definition))
    texts += [(f"The function {function.name}", function.source) for function in query.functions]
    known = {(kind, read.bare) for read in query.reads for kind in ("table", "view")}
    for what, text in _with_named(connection, texts, known):
        if match := asks.search(text):
            asked = match.group().rstrip("'")
            raise PolicyError(
                f"{what} uses {asked}, which efface cannot answer as the viewer would.",
                "Give `login` in `access`, so that efface connects as the viewer."
                if asked.lower() == "session_user"
                else "Let it use current_user, session_user or a setting named in `session`.",
            )


def _with_named(
    connection: Connection, texts: list[tuple[str, str]], known: set[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """The texts, and those of the database's own objects that they name, and so on. What is known is among them."""
    own: dict[tuple[str, str], str] = {}
    for kind, name, text in connection.exec_driver_sql(_OWN):
        own[str(kind), str(name)] = f"{own.get((kind, name), '')} {text}"
    waiting = list(texts)
    seen = set(known)
    while waiting:
        what, text = waiting.pop()
        yield what, text
        for kind, name in own.keys() - seen:
            if _names(text, name):
                seen.add((kind, name))
                waiting.append((f"{what} (by the {kind} {name})", own[kind, name]))


def _names(text: str, name: str) -> bool:
    if name.isidentifier():
        return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
    return name in text


_EXPRESSIONS = """
SELECT 'The policy ' || polname || ' on ' || polrelid::regclass::text, pg_get_expr(polqual, polrelid)
FROM pg_policy
WHERE polrelid = ANY(CAST(:tables AS oid[])) AND polcmd IN ('r', '*') AND polqual IS NOT NULL
  AND (polroles = '{0}' OR EXISTS (
      SELECT FROM pg_roles WHERE rolname = :role
      AND EXISTS (SELECT FROM unnest(polroles) AS given WHERE pg_has_role(pg_roles.oid, given, 'MEMBER'))))
UNION ALL
SELECT 'The view ' || oid::regclass::text, pg_get_viewdef(oid)
FROM pg_class WHERE oid = ANY(CAST(:tables AS oid[])) AND relkind = 'v'
"""
# Functions of either kind of body, with what operators, aggregates and casts call; views; and policies by their table.
_OWN = """
WITH own AS (
    SELECT pg_proc.oid, proname::text AS name, pg_get_functiondef(pg_proc.oid) AS text
    FROM pg_proc
    JOIN pg_language ON pg_language.oid = prolang JOIN pg_namespace ON pg_namespace.oid = pronamespace
    WHERE lanname NOT IN ('c', 'internal') AND nspname NOT IN ('pg_catalog', 'information_schema') AND prokind <> 'a'
), relation AS (
    SELECT pg_class.oid, relname::text AS name, relkind
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg_temp%%'
)
SELECT 'function', name, text FROM own
UNION ALL
SELECT 'operator', oprname::text, text FROM pg_operator JOIN own ON own.oid = oprcode
UNION ALL
SELECT 'aggregate', proname::text, text FROM pg_aggregate JOIN pg_proc ON pg_proc.oid = aggfnoid
JOIN own ON own.oid IN (aggtransfn, aggfinalfn, aggmtransfn, aggmfinalfn)
UNION ALL
SELECT 'cast to', typname::text, text FROM pg_cast JOIN pg_type ON pg_type.oid = casttarget JOIN own ON own.oid = castfunc
UNION ALL
SELECT 'view', name, pg_get_viewdef(oid) FROM relation WHERE relkind = 'v'
UNION ALL
SELECT 'table', name, pg_get_expr(polqual, polrelid) FROM relation JOIN pg_policy ON polrelid = relation.oid
WHERE polcmd IN ('r', '*') AND polqual IS NOT NULL
"""
