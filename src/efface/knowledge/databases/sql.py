"""Entities from any database that SQLAlchemy supports, streamed with a cursor on the server's side."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.postgres_types import read_as
from efface.knowledge.databases.relation import see_everything
from efface.knowledge.databases.sql_text import is_query, query_text, table_name
from efface.knowledge.databases.unreadable import unreadable
from efface.knowledge.entities.sources import ColumnRoles, Entity, without_key

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, ColumnElement, Connection, Select

_BATCH = 5000


@dataclass(frozen=True, slots=True)
class SqlSource:
    """Rows of a table, a view or a SELECT. Rows with the same key, as a join gives them, are one entity."""

    url: str = field(repr=False)  # may hold a password
    entities: str
    columns: ColumnRoles

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
        """Every column that is read. `read_as` says how, where that is not as it is."""
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
            statement = self._select(read_as(connection, self._select(), self.columns.key))
            chosen = statement if where is None else statement.where(where)
            options = connection.execution_options(stream_results=True, yield_per=_BATCH)
            with options.execute(chosen) as rows:
                for row in rows:
                    if None in row[:width]:  # NULL equals nothing, so the row could not be asked for
                        raise without_key()
                    yield self.columns.entity(dict(zip(names, row, strict=True)))

    def _connected(self) -> _Connected:
        return _Connected(self.url)


@dataclass(slots=True)
class _Connected:
    """A connection that is closed afterwards; the driver's messages may quote data and are not passed on."""

    url: str = field(repr=False)
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

        if self._connection is not None:
            self._connection.close()
        if isinstance(error, sa.exc.SQLAlchemyError):
            raise unreadable(error, self.url) from None
