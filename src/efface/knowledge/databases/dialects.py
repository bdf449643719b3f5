"""The databases that efface can ask, a row each. One that is not here is refused, not taken for another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from efface.errors import PolicyError
from efface.knowledge.databases import (
    change_log_postgres,
    change_log_sqlite,
    connections_postgres,
    connections_sqlite,
    postgres_types,
)
from efface.knowledge.databases.change_record import TriggerCoverage

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Engine, Select

    from efface.knowledge.databases.relation import Relation


class Triggers(Protocol):
    """Makes a database write down its changes."""

    def make_table(self) -> None: ...

    def make_triggers(self, table: str, key: tuple[str, ...]) -> None: ...

    def note_all(self) -> None: ...

    def up_to_date(self, tables: Mapping[str, tuple[str, ...]]) -> set[str]: ...


@dataclass(frozen=True, slots=True)
class ChangeLog:
    """How changes are followed: what writes them down, and how the record is read."""

    triggers: Callable[[Connection], Triggers]
    mark: Callable[[Connection], str]
    since: Callable[[Connection, str], set[str]]
    heard: Callable[[Engine, float], Iterator[bool]]
    tables_of: Callable[[Connection, Relation], TriggerCoverage]


class ReadAs(Protocol):
    """Says how the columns of a SELECT are read, by their names; those that it does not name are read as they are."""

    def __call__(
        self, connection: Connection, select: Select[Any], key: Collection[str], /
    ) -> Mapping[str, ColumnElement[Any]]: ...


def _connect_to_server(url: str) -> Engine:
    """Connections are pooled, and tested by a question before each use."""
    import sqlalchemy as sa

    return sa.create_engine(url, pool_pre_ping=True, pool_size=4, hide_parameters=True)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of database, and what differs from one kind to another.

    `access` are the ways in a policy's `access` that it answers. `changes` says how changes are followed.
    `locate` gives the URL of a database that is a file, whose path is relative to the policy's folder.
    `begin` is called at the beginning of each transaction of efface's own login. `state` gives a mark that changes with the
    rows; without it the rows are read again each time. `filters_rows`: the server may show a login fewer rows and
    columns than there are, so efface's own login is checked. `read_as` says how columns are read whose values nobody
    writes as the driver gives them.
    """

    title: str
    access: tuple[str, ...]
    changes: ChangeLog | None = None
    locate: Callable[[str, Path, str], str] | None = None
    connect: Callable[[str], Engine] = _connect_to_server
    begin: Callable[[Connection], None] | None = None
    state: Callable[[Engine, Relation], str] | None = None
    filters_rows: bool = False
    read_as: ReadAs | None = None


_SQLITE_LOG = ChangeLog(
    change_log_sqlite.SqliteTriggers,
    change_log_sqlite.mark,
    change_log_sqlite.since,
    change_log_sqlite.heard,
    change_log_sqlite.tables_of,
)
_POSTGRES_LOG = ChangeLog(
    change_log_postgres.PostgresTriggers,
    change_log_postgres.mark,
    change_log_postgres.since,
    change_log_postgres.heard,
    change_log_postgres.tables_of,
)
_BY_QUERY = ("labels", "view")  # questions that any SQL database answers

DIALECTS: Mapping[str, Dialect] = {
    "sqlite": Dialect(
        "SQLite",
        _BY_QUERY,
        _SQLITE_LOG,
        locate=connections_sqlite.locate,
        connect=connections_sqlite.connect,
        state=connections_sqlite.state,
    ),
    "postgresql": Dialect(
        "PostgreSQL",
        (*_BY_QUERY, "postgres"),
        _POSTGRES_LOG,
        begin=connections_postgres.begin,
        state=connections_postgres.state,
        filters_rows=True,
        read_as=postgres_types.read_as,
    ),
    "mysql": Dialect("MySQL", _BY_QUERY),
    "mariadb": Dialect("MariaDB", _BY_QUERY),
    "mssql": Dialect("SQL Server", _BY_QUERY),
    "oracle": Dialect("Oracle", _BY_QUERY),
}


@lru_cache(
    maxsize=64
)  # the service asks for each viewer again, and parsing takes longer than a question to SQLite
def dialect_of(url: str) -> Dialect:
    """The row of a URL's database."""
    import sqlalchemy as sa

    try:
        name = sa.make_url(url).get_backend_name()
    except sa.exc.ArgumentError:
        raise PolicyError(
            "`database` is not a URL.", "Write for example sqlite:///hospital.db or postgresql://host/name."
        ) from None
    if name not in DIALECTS:
        known = ", ".join(f"{key} ({row.title})" for key, row in DIALECTS.items())
        raise PolicyError(f"`database`: efface does not know {name}.", f"These work: {known}.")
    return DIALECTS[name]


def change_log_of(url: str) -> ChangeLog:
    """How the changes of a URL's database are followed."""
    dialect = dialect_of(url)
    if dialect.changes is None:
        able = ", ".join(row.title for row in DIALECTS.values() if row.changes is not None)
        raise PolicyError(
            f"The changes of {dialect.title} cannot be followed.",
            f"Leave `follow` out; the entities are then read again. {able} can be followed.",
        )
    return dialect.changes


def require_access(url: str, way: str) -> None:
    """Refuse a way to ask about viewers that the database does not have."""
    dialect = dialect_of(url)
    if way not in dialect.access:
        able = ", ".join(row.title for row in DIALECTS.values() if way in row.access)
        raise PolicyError(
            f"`access: {way}` asks {able}; {dialect.title} does not answer it.",
            "Use `access: {view: …}`: a view that says who may see which key.",
        )


def resolved(url: str, folder: Path, mode: str = "ro") -> str:
    """The URL to connect to: `mode` is `ro` or `rw`, for databases that are files and can be opened to be read alone."""
    locate = dialect_of(url).locate
    return url if locate is None else locate(url, folder, mode)
