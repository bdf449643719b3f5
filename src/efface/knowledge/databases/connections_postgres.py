"""Sessions of efface on a PostgreSQL server, and a digest of rows by which changes are noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from efface.knowledge.databases.relation import Relation

_LOCK_TIMEOUT = "5s"  # an ALTER TABLE that hangs must not hang every reading


def set_session(connection: Any, _record: Any) -> None:
    """Let the server refuse what row-level security would answer with fewer rows, and what waits for another
    session's lock."""
    with connection.cursor() as cursor:
        cursor.execute("SET row_security = off")
        # What a query reads is asked by a view that is rolled back, which a login made read-only could not make.
        cursor.execute("SET default_transaction_read_only = off")
        cursor.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
    connection.commit()


def state(engine: Engine, relation: Relation) -> str:
    """A digest of every row, made by the server."""
    import sqlalchemy as sa

    whole = "ROW(entities.*)::text"  # `entities` alone may be a column
    digest = f"sum(('x' || substr(md5({whole}), 1, 15))::bit(60)::bigint)::text"
    rows = relation.clause if relation.is_query else relation.clause.alias("entities")
    with engine.connect() as connection:
        return str(connection.execute(sa.select(sa.text(digest)).select_from(rows)).scalar_one())
