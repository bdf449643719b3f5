"""The table, view or SELECT that holds the entities, asked about a few keys at a time."""

from __future__ import annotations

import datetime
import decimal
import json
import operator
import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from efface.knowledge.databases.dialects import dialect_of
from efface.knowledge.databases.sql_text import is_query, query_text, table_name
from efface.knowledge.databases.unreadable import unaskable_key, unreadable
from efface.knowledge.entities.sources import compose_key

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, ColumnElement, Connection, Engine, FromClause, Select

_BATCH = 500  # keys of one question: every dialect takes as many parameters (old versions of SQLite 999, Oracle 1000 in a list)

_UNASKABLE = (bytes, bytearray, memoryview, list, dict)  # values that their text does not lead back to
# How the text of a key becomes a value of the key's own type again, so that the database can use its index.
_FROM_TEXT: Mapping[type, Any] = {
    int: int,
    float: float,
    bool: lambda text: {"True": True, "False": False}[text],
    uuid.UUID: uuid.UUID,
    decimal.Decimal: decimal.Decimal,
    datetime.date: datetime.date.fromisoformat,
    datetime.datetime: datetime.datetime.fromisoformat,
}


# What `rows` has seen of the types of keys. Keys that are not found or not understood make it look at the types again.
_KEY_TYPES: dict[tuple[str, str, tuple[str, ...]], tuple[type, ...]] = {}


@lru_cache(maxsize=32)
def engine(url: str) -> Engine:
    """Connections are pooled and tested before use, in the way of the URL's dialect."""
    import sqlalchemy as sa

    try:
        made = dialect_of(url).connect(url)
    except (sa.exc.NoSuchModuleError, ImportError) as error:
        raise unreadable(error, url) from None
    return see_everything(made)


def see_everything(made: Engine) -> Engine:
    """Let the server refuse, in efface's own sessions, what it would otherwise answer with fewer rows."""
    import sqlalchemy as sa

    begin = dialect_of(made.url.render_as_string()).begin
    if begin is not None:
        sa.event.listen(made, "begin", begin)
    return made


@dataclass(frozen=True)
class Relation:
    """Where the entities are and which columns are their key."""

    url: str = field(repr=False)
    entities: str
    key: tuple[str, ...]

    @property
    def is_query(self) -> bool:
        return is_query(self.entities)

    @cached_property
    def clause(self) -> FromClause:
        """The relation with no columns of its own: name them with `sa.column`."""
        import sqlalchemy as sa

        if self.is_query:
            text = sa.text(query_text(self.entities))
            return text.columns(*(sa.column(name) for name in self.key)).subquery("entities")
        schema, name = table_name(self.entities)
        return sa.table(name, schema=schema or None)

    def rows(
        self,
        connection: Connection,
        ids: Sequence[str],
        columns: Sequence[str] = (),
        equal: Mapping[str, str] | None = None,
    ) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """(id, values of the columns) of every row with one of these ids that the connection may see."""
        place = self.url, self.entities, self.key
        known = _KEY_TYPES.get(place)
        is_found = False
        try:
            for row in self._rows(connection, ids, columns, equal, known or self._types(connection)):
                is_found = True
                yield row
        except Exception:
            _KEY_TYPES.pop(place, None)  # a server refuses to compare a key with a value of another type
            raise
        if ids and known and not is_found and (types := self._types(connection)) != known:
            yield from self._rows(connection, ids, columns, equal, types)

    def _rows(
        self,
        connection: Connection,
        ids: Sequence[str],
        columns: Sequence[str],
        equal: Mapping[str, str] | None,
        types: tuple[type, ...],
    ) -> Iterator[tuple[str, tuple[Any, ...]]]:
        values = [value for id in ids if (value := self._values(id, types)) is not None]
        width = len(self.key)
        question = _question(self, tuple(columns), tuple(equal or ()))
        for start in range(0, len(values), _BATCH):
            batch = values[start : start + _BATCH]
            if width == 1:
                given = {"keys": [value[0] for value in batch]}
                found = connection.execute(question, {**given, **_equality_parameters(equal)}).all()
            else:
                found = connection.execute(
                    question.where(self._one_of(batch)), _equality_parameters(equal)
                ).all()
            for row in found:
                yield compose_key(row[:width]), tuple(row[width:])

    def _one_of(self, batch: Sequence[tuple[Any, ...]]) -> ColumnElement[bool]:
        import sqlalchemy as sa

        keys: list[ColumnClause[Any]] = [sa.column(name) for name in self.key]
        no_type = sa.types.NullType()
        choices = []
        for value in batch:
            # Without a type of its own, a text is compared as the column's type: an enum, an address, a time.
            parts = [sa.bindparam(None, part, type_=no_type) for part in value]
            choices.append(sa.and_(*map(operator.eq, keys, parts)))
        return sa.or_(*choices)

    def values(self, connection: Connection, ids: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The ids as values of the key's columns; ids that cannot be of this relation are passed over."""
        types = self._types(connection)
        for id in ids:
            value = self._values(id, types)
            if value is not None:
                yield value

    def state(self) -> str:
        """A mark that changes with the rows. It is always new where the dialect has no cheap one."""
        import sqlalchemy as sa

        state = dialect_of(self.url).state
        if state is None:
            return secrets.token_hex(8)
        try:
            return state(engine(self.url), self)
        except sa.exc.SQLAlchemyError as error:
            raise unreadable(error, self.url) from None

    def require_askable_key(self) -> None:
        """Refuse a key of a type whose text does not lead back to its rows. A type that was seen once is not asked for at
        each reading: rows of another type are not found, and so denied."""
        import sqlalchemy as sa

        if (self.url, self.entities, self.key) in _KEY_TYPES:
            return
        try:
            with engine(self.url).connect() as connection:
                self._types(connection)
        except sa.exc.SQLAlchemyError as error:
            raise unreadable(error, self.url) from None

    def _types(self, connection: Connection) -> tuple[type, ...]:
        """The Python types of the key's columns, from one row."""
        import sqlalchemy as sa

        columns: list[ColumnClause[Any]] = [sa.column(name) for name in self.key]
        chosen = sa.select(*columns).select_from(self.clause)
        filled = sa.and_(*(sa.column(name).is_not(None) for name in self.key))
        row = connection.execute(chosen.where(filled).limit(1)).first()
        if row is None:
            return (str,) * len(self.key)
        types = tuple(type(value) for value in row)
        for name, kind in zip(self.key, types, strict=True):
            if issubclass(kind, _UNASKABLE):
                raise unaskable_key(name, kind.__name__)
        _KEY_TYPES[self.url, self.entities, self.key] = types
        return types

    def _values(self, id: str, types: tuple[type, ...]) -> tuple[Any, ...] | None:
        """The key's values, or None when the id cannot be one of this relation's."""
        try:
            texts = [id] if len(self.key) == 1 else json.loads(id)
            return tuple(_FROM_TEXT.get(kind, str)(text) for kind, text in zip(types, texts, strict=True))
        except (ValueError, KeyError, TypeError, decimal.InvalidOperation):
            return None


@lru_cache(maxsize=64)
def _question(relation: Relation, columns: tuple[str, ...], equal: tuple[str, ...]) -> Select[Any]:
    """What `rows` asks, made once: only the keys and values differ from one time to the next."""
    import sqlalchemy as sa

    keys: list[ColumnClause[Any]] = [sa.column(name) for name in relation.key]
    chosen = (*keys, *(sa.column(name) for name in columns))
    also = (sa.column(name) == sa.bindparam(f"value{at}") for at, name in enumerate(equal))
    question = sa.select(*chosen).select_from(relation.clause).where(*also)
    if len(keys) == 1:
        question = question.where(keys[0].in_(sa.bindparam("keys", expanding=True)))
    return question


def _equality_parameters(equal: Mapping[str, str] | None) -> dict[str, Any]:
    return {f"value{at}": value for at, value in enumerate((equal or {}).values())}
