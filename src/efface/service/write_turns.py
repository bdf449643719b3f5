"""Writers of a SQLite file take turns, over all processes. SQLite itself would let all but one of them sleep and try
again, up to 100 ms at a time, in no order."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.parse import quote

from efface.service.problems import Problem

_SECONDS = 15.0  # seconds that a writer waits for its turn
_ASKED_SECONDS = 2.0  # seconds that somebody waits who only asks whether there would be a turn


@contextmanager
def turn_to_write(file: str | None, seconds: float | None = None) -> Iterator[None]:
    """A turn at this file; without one, as with a server, everybody has theirs."""
    if file is None:
        yield
        return
    descriptor = os.open(f"{file}-turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock_within(descriptor, _SECONDS if seconds is None else seconds)
        yield
    finally:
        os.close(descriptor)


def require_turn(file: str) -> None:
    """Raise a problem unless the file could be written now. Balancers ask this often, so it waits for a moment only."""
    with (
        turn_to_write(file, _ASKED_SECONDS),
        closing(_existing(file)) as connection,
    ):
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.Error:
            raise _locked() from None


def _existing(file: str) -> sqlite3.Connection:
    """A connection to a file that is there. Otherwise SQLite would make an empty one."""
    try:
        return sqlite3.connect(
            f"file:{quote(file)}?mode=rw", timeout=_ASKED_SECONDS, isolation_level=None, uri=True
        )
    except sqlite3.Error:
        raise _locked() from None


def _lock_within(descriptor: int, seconds: float) -> None:
    """Wait for the lock, but not for ever: its holder may hang."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise _locked() from None
        time.sleep(0.0005)


def _locked() -> Problem:
    return Problem("busy", "The store is locked.", headers={"Retry-After": "5"})
