"""The texts that a policy or a query leads to: of views, functions, operators, aggregates, casts, domains and policies
that it names, and that those name. They are followed by the names in their texts; a name too many only adds a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

RUN_TEXT = (
    r"ts_stat|ts_rewrite|(?:query|cursor|table|schema|database)_to_xml\w*"  # run a statement that is a text
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text of SQL and whose it is. A `body` is as its author wrote it, everything else as the server writes it; `owners`
    are the roles that may write it otherwise."""

    what: str
    sql: str
    is_body: bool = False
    owners: frozenset[str] = frozenset()


def with_named(
    connection: Connection, texts: Iterable[Text], known: Collection[tuple[str, str]] = ()
) -> Iterator[Text]:
    """The texts, and those of the database's own objects that they name, and so on. What is known is among them."""
    own: dict[tuple[str, str], str] = {}
    owners: dict[tuple[str, str], set[str]] = {}
    for kind, name, text, owner in connection.exec_driver_sql(_OWN):
        own[str(kind), str(name)] = f"{own.get((kind, name), '')} {text}"
        owners.setdefault((str(kind), str(name)), set()).update({str(owner)} if owner else ())
    waiting = list(texts)
    seen = set(known)
    while waiting:
        text = waiting.pop()
        yield text
        for kind, name in own.keys() - seen:
            if kind in _CALLED_UNSEEN or _names(text.sql, name):
                seen.add((kind, name))
                by = f"{text.what} (by the {kind} {name})"
                waiting.append(Text(by, own[kind, name], kind in _BODIES, frozenset(owners[kind, name])))


def _names(text: str, name: str) -> bool:
    if name.isidentifier():
        return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
    return name.replace('"', '""').lower() in text.lower()


_BODIES = frozenset({"function", "operator", "operator class", "aggregate", "cast to"})
# A text need not name them: a cast may be implicit, and IS DISTINCT FROM, CASE and ORDER BY compare.
_CALLED_UNSEEN = frozenset({"operator", "operator class", "cast to"})
# Functions of either kind of body, with what operators, aggregates and casts call; what a domain checks; views; and
# policies by their table. What came with the server has a number below 16384; a range type makes functions of its own.
_OWN = """
WITH own AS (
    SELECT pg_proc.oid, proname::text AS name, pg_get_functiondef(pg_proc.oid) AS text, pg_get_userbyid(proowner)::text AS owner
    FROM pg_proc
    JOIN pg_language ON pg_language.oid = prolang
    WHERE lanname <> 'c' AND pg_proc.oid >= 16384 AND prokind <> 'a'
      AND NOT (lanname = 'internal' AND prosrc ~ '^(multi)?range_constructor[0-3]$')
), relation AS (
    SELECT pg_class.oid, relname::text AS name, relkind
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid >= 16384 AND nspname NOT LIKE 'pg_temp%%'
)
SELECT 'function', name, text, owner FROM own
UNION ALL
SELECT 'operator', oprname::text, text, owner FROM pg_operator JOIN own ON own.oid = oprcode
UNION ALL
SELECT 'operator class', name, text, owner FROM pg_amproc JOIN own ON own.oid = amproc
UNION ALL
SELECT 'aggregate', proname::text, text, owner FROM pg_aggregate JOIN pg_proc ON pg_proc.oid = aggfnoid
JOIN own ON own.oid IN (aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn)
UNION ALL
SELECT 'cast to', typname::text, text, owner FROM pg_cast JOIN pg_type ON pg_type.oid = casttarget JOIN own ON own.oid = castfunc
UNION ALL
SELECT 'domain', typname::text, pg_get_constraintdef(pg_constraint.oid), ''
FROM pg_constraint JOIN pg_type ON pg_type.oid = contypid WHERE pg_type.oid >= 16384
UNION ALL
SELECT 'view', name, pg_get_viewdef(oid), '' FROM relation WHERE relkind = 'v'
UNION ALL
SELECT 'table', name, pg_get_expr(polqual, polrelid), '' FROM relation JOIN pg_policy ON polrelid = relation.oid
WHERE polcmd IN ('r', '*') AND polqual IS NOT NULL
"""
