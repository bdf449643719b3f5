"""Connections to SQLite files, and how a file tells that it has changed."""

from __future__ import annotations

import os
import re
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from efface.knowledge.databases.sqlite_state import file_state

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from efface.knowledge.databases.relation import Relation


_WITH_PATH = re.compile(r"(?P<scheme>sqlite(?:\+\w+)?:///)(?!file:)(?P<path>.+)")


def locate(url: str, folder: Path, mode: str) -> str:
    """The URL with the file's absolute path, which is relative to `folder`. `mode` is `ro` or `rw`. A URL without a path,
    or one that SQLite is to read itself (`file:`), stays as it is."""
    match = _WITH_PATH.fullmatch(url)
    if match is None:
        return url
    path = quote(str((folder / match["path"]).absolute()))
    return f"{match['scheme']}file:{path}?mode={mode}&uri=true"


def connect(url: str) -> Engine:
    """Connections are pooled, and given out only while the file is the one that they were opened on."""
    import sqlalchemy as sa

    made = sa.create_engine(
        url, poolclass=sa.QueuePool, pool_size=8, max_overflow=-1, hide_parameters=True,
        connect_args={"check_same_thread": False},
    )  # fmt: skip
    path = _file(made.url.database or "")
    sa.event.listen(made, "do_connect", partial(_connect, path))
    sa.event.listen(made, "checkout", partial(_still_there, path))
    return made


def state(engine: Engine, _relation: Relation) -> str:
    """The state of the file. A database in memory has none, and is read again each time."""
    path = _file(engine.url.database or "")
    return file_state(path) if path.is_file() else secrets.token_hex(8)


def _file(database: str) -> Path:
    """The path in `PATH` or `file:PATH?…`."""
    return Path(unquote(urlsplit(database).path) if database.startswith("file:") else database)


def _connect(path: Path, dialect: Any, record: Any, arguments: Any, named: Any) -> Any:
    """A new connection, with the file's state before it was opened."""
    record.info["state"] = _state(path)
    return dialect.connect(*arguments, **named)


def _still_there(path: Path, _connection: Any, record: Any, _proxy: Any) -> None:
    """A connection outlives its question only while the file is as it was when it was opened. SQLite notices what
    other connections commit; a file that was put in the place of another, or written over, it does not. What is
    committed to a write-ahead log leaves the file alone and is SQLite's to notice."""
    import sqlalchemy as sa

    if record.info.get("state") != _state(path):
        raise sa.exc.DisconnectionError


def _state(path: Path) -> object:
    """Which file it is and when it was changed; and the process of the connection, since a fork must not use it."""
    try:
        found = path.stat()
    except OSError:
        # A mark that is equal to nothing: the query opens the file itself, and says what is wrong with it.
        return object()
    return os.getpid(), found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
