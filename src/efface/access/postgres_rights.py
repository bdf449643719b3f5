"""Whether efface's own login sees every row and column that a query reads.

An index built by a login that sees less would miss entities, and what is not in the index is not protected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from efface.access.postgres_who_asks import hidden_from_us
from efface.errors import PolicyError
from efface.knowledge.databases.postgres_catalog import CatalogQuery, ReadRelation, probe
from efface.knowledge.databases.postgres_types import require_askable_key
from efface.knowledge.databases.relation import Relation, engine
from efface.knowledge.databases.unreadable import unreadable

if TYPE_CHECKING:
    from sqlalchemy import Connection


def require_full_visibility(
    relation: Relation, columns: Sequence[str], *, asks_viewers: bool = False
) -> None:
    """Refuse, with the statements that correct it, unless the login sees all that the relation reads. Where viewers are
    asked about rows, the key must be one that rows can be asked for by."""
    import sqlalchemy as sa

    try:
        with engine(relation.url).connect() as connection, probe(connection, relation, columns) as query:
            if asks_viewers:
                require_askable_key(connection, relation.key)
            missing = list(_missing(connection, query, relation.key, columns))
    except sa.exc.SQLAlchemyError as error:
        raise unreadable(error, relation.url) from None
    if missing:
        what, how = missing[0]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise PolicyError(f"The login of efface does not see everything: {what}{more}.", how)


def _missing(
    connection: Connection, query: CatalogQuery, key: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(what is hidden, how to correct it)."""
    login = connection.exec_driver_sql("SELECT quote_ident(current_user)").scalar_one()
    for read in query.reads:
        yield from _without_grant(connection, read)
        if read.is_filtered:
            yield _filtered(connection, read, str(login))
    for function in query.functions:
        if function.may_read:
            yield (
                f"the function {function.name} may read tables with rights of its own",
                "Name its tables in the query, or declare it IMMUTABLE if it reads none.",
            )
            return  # which tables it reads is unknown, so nothing can be said about rows of them
    if not any(read.is_filtered for read in query.reads):
        yield from hidden_from_us(connection, query, key, columns)


def _without_grant(connection: Connection, read: ReadRelation) -> Iterator[tuple[str, str]]:
    import sqlalchemy as sa

    asked = sa.text(
        "SELECT name FROM unnest(CAST(:columns AS text[])) AS name"
        " WHERE NOT has_column_privilege(:reader, CAST(:oid AS oid), name, 'SELECT')"
    )
    given = {"columns": list(read.columns), "reader": read.reader, "oid": read.oid}
    hidden = list(connection.execute(asked, given).scalars())
    if hidden:
        yield (
            f"{read.reader} may not read {', '.join(hidden)} of {read.name}",
            f"GRANT SELECT ON {read.name} TO {_quoted(connection, read.reader)};",
        )


def _filtered(connection: Connection, read: ReadRelation, login: str) -> tuple[str, str]:
    reader = _quoted(connection, read.reader)
    owner = _quoted(connection, read.owner)
    remedy = f"ALTER ROLE {reader} BYPASSRLS; as a superuser"
    if reader == login and owner != login:
        remedy += f", or GRANT {owner} TO {reader} if the table does not FORCE row security"
    elif reader == owner:
        remedy += f", or ALTER TABLE {read.name} NO FORCE ROW LEVEL SECURITY"
    return f"row-level security leaves out rows of {read.name} for {read.reader}", f"{remedy}."


def _quoted(connection: Connection, role: str) -> str:
    return connection.dialect.identifier_preparer.quote(role)
