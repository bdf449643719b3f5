"""The tables, and connections to them: SQLite beside the files, or PostgreSQL for several machines."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Engine, Float, Integer, LargeBinary, MetaData, String, Table, Text
from sqlalchemy.schema import CreateColumn

from efface.errors import UsageError
from efface.service.problems import Problem
from efface.service.write_turns import require_turn, turn_to_write

SCHEMA = "1"
_SQLITE, _POSTGRES = "sqlite", "postgresql"
TABLES = MetaData()

meta = Table(
    "efface_meta", TABLES, Column("key", String, primary_key=True), Column("value", Text, nullable=False)
)
users = Table(
    "efface_users",
    TABLES,
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("viewer", String, nullable=False),  # as the databases of the policies know them
    Column("created", Float, nullable=False),
    Column("teams", Text, nullable=False, default="{}", server_default="{}"),  # JSON: roles in other teams
)
tokens = Table(
    "efface_tokens",
    TABLES,
    Column("id", String, primary_key=True),
    Column("user", String, nullable=False, index=True),
    Column("hash", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("label", String, nullable=False),
    Column("created", Float, nullable=False),
    Column("expires", Float),
    Column("parent", String, index=True),  # the token that it was made with: it ends with it
    Column("teams", Text, nullable=False, default="*", server_default="*"),  # in which it counts
    Column("makers", Text, nullable=False, default="", server_default=""),  # other people who made it
)
sessions = Table(
    "efface_sessions",
    TABLES,
    Column("hash", String, primary_key=True),
    Column("user", String, nullable=False, index=True),
    Column("role", String, nullable=False),
    Column("viewer", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("token", String),  # a session ends with the token that began it
    Column("expires", Float, nullable=False),
    Column("teams", Text, nullable=False, default="{}", server_default="{}"),
    Column("makers", Text, nullable=False, default="", server_default=""),  # of the token that began it
)
folders = Table(
    "efface_folders",
    TABLES,
    Column("name", String, primary_key=True),
    Column("policy", String, nullable=False),
    Column("created", Float, nullable=False),
)
documents = Table(
    "efface_documents",
    TABLES,
    Column("id", String, primary_key=True),
    Column("folder", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("file", String, nullable=False),
    Column("added", Float, nullable=False),
    Column("seq", Integer, nullable=False, default=0, server_default="0"),  # in the order in which they came
)
jobs = Table(
    "efface_jobs",
    TABLES,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False, index=True),
    Column("viewer", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("policy", String, nullable=False),
    Column("name", String, nullable=False),
    Column("file", String, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("stage", String, nullable=False),
    Column("cancel", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("lease", Float, nullable=False, default=0.0),  # until when a worker has it
    Column("worker", String, nullable=False, default=""),
    Column("created", Float, nullable=False),
    Column("finished", Float),
    Column("verdict", String),
    Column("result", String),
    Column("report", String),
    Column("certificate", String),
    Column("problem", Text),
    Column("team", String, nullable=False, default="main", server_default="main"),
    Column(
        "actor", String, nullable=False, default="", server_default=""
    ),  # the owner as the trail names them
)
pieces = Table(
    "efface_pieces",
    TABLES,
    Column("file", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("written", Float, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
policy_versions = Table(
    "efface_policies",
    TABLES,
    Column("name", String, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("state", String, nullable=False),
    Column("digest", String, nullable=False),  # of the text and of the files it names
    Column("author", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("approver", String, nullable=False),
    Column("text", Text, nullable=False),
)
certificate_keys = Table(  # public halves, kept for good
    "efface_certificate_keys",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", String, nullable=False),
    Column("public", String, nullable=False),
    Column("created", Float, nullable=False),
)
audit = Table(
    "efface_audit",
    TABLES,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String, nullable=False),
    Column("actor", String, nullable=False),
    Column("action", String, nullable=False),
    Column("object", String, nullable=False),
    Column("detail", Text, nullable=False),
    Column("mac", String, nullable=False),
)


search_views = Table(  # a document as one viewer saw it under one policy; its words are in `efface_words`
    "efface_search",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("scope", String, nullable=False),
    Column("document", String, nullable=False, index=True),
    Column("mark", String, nullable=False),  # the state of the policy and its knowledge at the time
    Column("view", String, nullable=False),  # a digest
    Column("shown", Integer, nullable=False),
    Column("checked", Float, nullable=False),
    sa.UniqueConstraint("scope", "document"),
    sa.Index("efface_search_mark", "scope", "mark"),
    sa.Index("efface_search_checked", "scope", "checked"),
)
search_scopes = Table(
    "efface_search_scopes",
    TABLES,
    Column("scope", String, primary_key=True),
    Column("policy", String, nullable=False, index=True),
    Column("upto", Integer, nullable=False),  # documents that came before have an entry
    Column("used", Float, nullable=False),
)
releases = Table(  # sealed: what was released before, for guarantees that judge releases together
    "efface_releases",
    TABLES,
    Column("place", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("until", Float, nullable=False, index=True),
    Column("data", LargeBinary, nullable=False),
)
_WORDS = {  # by whether it is PostgreSQL
    False: (
        "CREATE VIRTUAL TABLE IF NOT EXISTS efface_words USING fts5(words, detail=none, tokenize=ascii)",
    ),
    True: (
        "CREATE TABLE IF NOT EXISTS efface_words (id bigint PRIMARY KEY, words tsvector NOT NULL)",
        "CREATE INDEX IF NOT EXISTS efface_words_words ON efface_words USING gin (words)",
    ),
}
_MORE_INDEXES = ("CREATE INDEX IF NOT EXISTS efface_documents_seq ON efface_documents (seq)",)


@dataclass(frozen=True)
class Store:
    """Connections to the tables. A write begins by taking the write lock, so that it never fails half-way."""

    url: str = field(repr=False)  # may hold a password
    engine: Engine = field(repr=False)
    _held: threading.local = field(default_factory=threading.local, repr=False)

    @classmethod
    def open(cls, url: str) -> Store:
        """Make the tables if need be. Several processes may do so at once."""
        store = cls(url, _engine(url))
        for attempt in range(5):
            try:
                with store.write() as connection:
                    store.lock(connection, "schema")
                    TABLES.create_all(connection)
                    _add_columns(connection)
                    for statement in (*_WORDS[store.is_postgres], *_MORE_INDEXES):
                        connection.execute(sa.text(statement))
                    _check_schema(connection)
                return store
            except (sa.exc.OperationalError, sa.exc.ProgrammingError, sa.exc.IntegrityError):
                if attempt == 4:
                    raise
                time.sleep(0.2 * (attempt + 1))
        raise AssertionError("unreachable")

    @property
    def is_postgres(self) -> bool:
        return self.engine.dialect.name == _POSTGRES

    @contextmanager
    def read(self) -> Iterator[Connection]:
        held = getattr(self._held, "connection", None)
        if held is not None:
            yield held
            return
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What this thread reads until the end is read by one connection, in one transaction."""
        with self.engine.connect() as connection:
            self._held.connection = connection
            try:
                yield
            finally:
                self._held.connection = None

    @contextmanager
    def together(self) -> Iterator[Connection]:
        """One transaction for all that this thread reads and writes until the end: all of it is kept, or nothing."""
        later: list[Callable[[], None]] = []
        with self.write() as connection:
            self._held.connection, self._held.later = connection, later
            try:
                yield connection
            finally:
                self._held.connection = self._held.later = None
        for act in later:
            act()

    def afterwards(self, act: Callable[[], None]) -> None:
        """Do what cannot be undone once this thread's `together` is kept; at once where there is none."""
        later = getattr(self._held, "later", None)
        if later is None:
            act()
        else:
            later.append(act)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is committed at the end, or has not happened."""
        if getattr(self._held, "later", None) is not None:
            yield self._held.connection
            return
        with turn_to_write(self._file), self.engine.connect() as connection:
            connection = connection.execution_options(efface_write=True)
            with connection.begin():
                yield connection

    def require_writable(self) -> None:
        """Raise a problem unless something could be written now."""
        asked = "SHOW transaction_read_only" if self.is_postgres else "SELECT 'off'"
        with self.read() as connection:
            if connection.execute(sa.text(asked)).scalar() != "off":  # a standby, for example
                raise Problem("busy", "The store takes nothing.", headers={"Retry-After": "5"})
        if self._file is not None:
            require_turn(self._file)

    @property
    def _file(self) -> str | None:
        """The file of a SQLite store."""
        return None if self.is_postgres else self.engine.url.database or None

    def lock(self, connection: Connection, name: str, *, shared: bool = False) -> None:
        """Only one transaction at a time goes on from here; those that share the lock go on together, and wait for the
        others. SQLite has one writer as it is. A transaction that takes `members` takes it first: two that take the same
        locks in another order would wait for one another."""
        if self.is_postgres:
            taken = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
            connection.execute(sa.text(f"SELECT {taken}(hashtext(:name))"), {"name": f"efface.{name}"})

    @property
    def now(self) -> sa.ColumnElement[float]:
        """The time by the one clock that all machines with this store share, in seconds: a machine's own may be wrong."""
        if self.is_postgres:
            return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), Float)
        return sa.literal(time.time())

    def clock(self, connection: Connection | None = None) -> float:
        """The time by the store's clock; inside of a transaction by its own connection."""
        if connection is not None:
            return float(connection.execute(sa.select(self.now)).scalar_one())
        with self.read() as reading:
            return self.clock(reading)

    def close(self) -> None:
        self.engine.dispose()


def make_private(*folders: Path) -> None:
    """Folders that only the service's own account can look into."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid == os.getuid():
            folder.chmod(0o700)


def _make_file(url: str) -> None:
    """The store's file, for its owner only; what SQLite puts beside it has the same mode."""
    name = sa.make_url(url).database
    if name and name != ":memory:":
        if not Path(name).parent.exists():
            make_private(Path(name).parent)
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        if Path(name).stat().st_uid == os.getuid():
            Path(name).chmod(0o600)


def _kind_of(url: str) -> str:
    """The database's name in the URL. Another one than these two is refused: its SQL would be taken for SQLite's."""
    try:
        name = sa.make_url(url).get_backend_name()
    except sa.exc.ArgumentError:
        name = ""
    if name not in (_SQLITE, _POSTGRES):
        raise UsageError(
            "The service's store is SQLite or PostgreSQL.",
            "Write sqlite:///… or postgresql://… as `store`, or leave it out.",
        )
    return name


def _engine(url: str) -> Engine:
    if _kind_of(url) == _POSTGRES:
        return sa.create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8, hide_parameters=True)
    _make_file(url)
    engine = sa.create_engine(
        url, connect_args={"timeout": 15, "check_same_thread": False}, hide_parameters=True
    )
    sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own; `_begin` does
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A read asks the driver itself, which cannot fail here and costs a tenth of an `execute`."""
    if connection.get_execution_options().get("efface_write"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        driver: Any = connection.connection.driver_connection
        driver.execute("BEGIN")


def _add_columns(connection: Connection) -> None:
    """Columns that a newer efface has and an older store has not. Each has a default, so old rows stay right."""
    looked = sa.inspect(connection)
    quoted = connection.dialect.identifier_preparer
    for table in TABLES.sorted_tables:
        known = {column["name"] for column in looked.get_columns(table.name)}
        for column in table.columns:
            if column.name not in known:
                described = CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(
                    sa.text(f"ALTER TABLE {quoted.format_table(table)} ADD COLUMN {described}")
                )


def _check_schema(connection: Connection) -> None:
    from efface.errors import InputError

    found = connection.execute(sa.select(meta.c.value).where(meta.c.key == "schema")).scalar()
    if found is None:
        connection.execute(meta.insert().values(key="schema", value=SCHEMA))
    elif found != SCHEMA:
        raise InputError(
            "The service's store is of another version of efface.", "Use that version, or a new store."
        )
