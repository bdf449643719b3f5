"""Entities from any database that SQLAlchemy supports, streamed with a cursor on the server's side."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.dialects import dialect_of
from efface.knowledge.databases.relation import see_everything
from efface.knowledge.databases.sql_text import is_query, query_text, table_name
from efface.knowledge.databases.unreadable import unreadable
from efface.knowledge.entities.sources import ColumnRoles, Entity, key_of_several_types, without_key

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, ColumnElement, Connection, Select

_BATCH = 5000  # keys of one question, and rows that are fetched at once


@dataclass(frozen=True, slots=True)
class SqlSource:
    """Rows of a table, a view or a SELECT. Rows with the same key, as a join gives them, are one entity.

    `asks_viewers`: rights are asked by key, so keys of several types are refused: rows are asked for in one type.
    """

    url: str = field(repr=False)  # may hold a password
    entities: str
    columns: ColumnRoles
    asks_viewers: bool = False

    def __iter__(self) -> Iterator[Entity]:
        return self._stream()

    def only(self, keys: Sequence[Sequence[object]]) -> Iterator[Entity]:
        """The entities with these keys, for updates; each key is the values of the key columns."""
        import sqlalchemy as sa

        names = self.columns.key
        if len(names) == 1:
            for start in range(0, len(keys), _BATCH):
                batch = [key[0] for key in keys[start : start + _BATCH]]
                yield from self._stream(sa.column(names[0]).in_(batch))
            return
        for start in range(0, len(keys), _BATCH // 10):
            choices = []
            for key in keys[start : start + _BATCH // 10]:
                parts = zip(names, key, strict=True)
                choices.append(sa.and_(*(sa.column(name) == part for name, part in parts)))
            yield from self._stream(sa.or_(sa.false(), *choices))

    def fingerprint(self) -> str:
        """A mark of the statement, the columns and the number of rows; updates are followed by `upsert`."""
        import sqlalchemy as sa

        counted = sa.select(sa.func.count()).select_from(self._select().subquery())
        with self._connected() as connection:
            rows = connection.execute(counted).scalar_one()
        place = sa.make_url(self.url).render_as_string(hide_password=True)
        settings = repr((place, self.entities, self.columns, rows))
        return hashlib.blake2b(settings.encode(), digest_size=16).hexdigest()

    def _select(self, read_as: Mapping[str, ColumnElement[Any]] | None = None) -> Select[Any]:
        """The columns to read. `read_as` replaces those that are read in another form."""
        import sqlalchemy as sa

        columns: list[ColumnClause[Any]] = [sa.column(name) for name in self.columns.names()]
        chosen = [(read_as or {}).get(column.name, column) for column in columns]
        if is_query(self.entities):
            text = query_text(self.entities)
            return sa.select(*chosen).select_from(sa.text(text).columns(*columns).subquery("entities"))
        schema, name = table_name(self.entities)
        return sa.select(*chosen).select_from(sa.table(name, schema=schema or None))

    def _stream(self, where: ColumnElement[bool] | None = None) -> Iterator[Entity]:
        names, width = self.columns.names(), len(self.columns.key)
        with self._connected() as connection:
            read_as = dialect_of(self.url).read_as
            statement = self._select()
            if read_as is not None:
                statement = self._select(read_as(connection, statement, self.columns.key))
            chosen = statement if where is None else statement.where(where)
            options = connection.execution_options(stream_results=True, yield_per=_BATCH)
            kinds: tuple[type, ...] = ()
            with options.execute(chosen) as rows:
                for row in rows:
                    key = row[:width]
                    if None in key:  # NULL equals nothing, so the row could not be asked for
                        raise without_key()
                    kinds = kinds or tuple(map(type, key))
                    if self.asks_viewers and tuple(map(type, key)) != kinds:
                        raise key_of_several_types()
                    yield self.columns.entity(dict(zip(names, row, strict=True)))

    def _connected(self) -> _Connected:
        return _Connected(self.url, self)

    def missing(self, connection: Connection) -> str:
        """What the policy names and the database does not have, if that can be told: by the policy's key, without names."""
        import sqlalchemy as sa

        if is_query(self.entities):
            return ""
        schema, name = table_name(self.entities)
        inspector = sa.inspect(connection)
        if not inspector.has_table(name, schema=schema or None):
            return "the database has no table or view of the name in `entities`"
        there = {str(column["name"]).lower() for column in inspector.get_columns(name, schema=schema or None)}
        roles = self.columns
        named = {
            "key": roles.key,
            "identifying": roles.identifying,
            "sensitive": roles.sensitive,
            "filters": roles.labels,
        }
        for key, columns in named.items():
            for number, column in enumerate(columns, 1):
                if column.lower() not in there:
                    return f"`entities` lacks the column that is number {number} in `{key}`"
        return ""


@dataclass(slots=True)
class _Connected:
    """A connection that is closed afterwards; the driver's messages may quote data and are not passed on."""

    url: str = field(repr=False)
    source: SqlSource
    _connection: Connection | None = None

    def __enter__(self) -> Connection:
        import sqlalchemy as sa

        try:
            made = see_everything(sa.create_engine(self.url, poolclass=sa.NullPool))
            self._connection = made.connect()
        except Exception as error:
            raise unreadable(error, self.url) from None
        return self._connection

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        import sqlalchemy as sa

        missing = ""
        if self._connection is not None:
            if isinstance(error, sa.exc.OperationalError | sa.exc.ProgrammingError):
                missing = self._missing(self._connection)
            self._connection.close()
        if isinstance(error, sa.exc.SQLAlchemyError):
            raise unreadable(error, self.url, missing) from None

    def _missing(self, connection: Connection) -> str:
        """The error is told whatever comes of this question."""
        import sqlalchemy as sa

        try:
            connection.rollback()
            return self.source.missing(connection)
        except sa.exc.SQLAlchemyError:
            return ""
