"""Sessions of efface on a PostgreSQL server, and a digest of rows by which changes are noticed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from efface.knowledge.databases.relation import Relation

_LOCK_TIMEOUT = "5s"  # an ALTER TABLE that hangs must not hang every reading


# What somebody left behind in a session that a pool between efface and the server gives on: a role, a search path, a
# setting that policies read. In a session of efface's own there is nothing to take back.
FORGET = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL"
# The same of temporary tables, whose names come before all others. To the server this is a query, which settings of the
# transaction must precede. The tables are there again when the transaction is rolled back.
FORGET_TABLES = "DISCARD TEMP"
_BEGIN = f"""
{FORGET};
SET LOCAL row_security = off;
SET LOCAL transaction_read_only = off;
SET LOCAL lock_timeout = '{{timeout}}';
{FORGET_TABLES}
"""


def begin(connection: Connection) -> None:
    """Begin a transaction of efface's own login as a fresh session would. The server is to refuse what row-level security
    would answer with fewer rows, and what waits for another session's lock. What a query reads is asked by a view that is
    rolled back, which a login made read-only could not make. All this is said in each transaction, because the next one
    may be in another session."""
    connection.exec_driver_sql(_BEGIN.format(timeout=_LOCK_TIMEOUT))


def state(engine: Engine, relation: Relation) -> str:
    """A digest of every row, made by the server, with the names and types of the columns: names can change places."""
    import sqlalchemy as sa

    whole = "ROW(entities.*)::text"  # `entities` alone may be a column
    digest = f"sum(('x' || substr(md5({whole}), 1, 15))::bit(60)::bigint)::text"
    rows = relation.clause if relation.is_query else relation.clause.alias("entities")
    with engine.connect() as connection:
        nothing: sa.Select[Any] = sa.select(sa.text("*")).select_from(rows).limit(0)
        with connection.execute(nothing) as result:
            columns = [(column[0], column[1]) for column in result.cursor.description]
        named = hashlib.blake2b(repr(columns).encode(), digest_size=8).hexdigest()
        return f"{named}-{connection.execute(sa.select(sa.text(digest)).select_from(rows)).scalar_one()}"
