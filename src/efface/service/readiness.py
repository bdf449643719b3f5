"""Whether this process could take work now: its store and its files are written to, not only looked at."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread

from efface.service.problems import Problem, problem_of
from efface.service.repository.blobs import Blobs
from efface.service.store import Store, meta

_LEAST_ROOM = 64 << 20  # bytes on the disk, below which nothing should be sent here
_TRY_SECONDS = 5.0  # seconds between two written rows: strangers may ask as often as they like
_CHECK_SECONDS = 0.1  # between two checks, each of which takes a turn at the store that others wait for


@dataclass
class Readiness:
    """What a balancer is told. A full disk or a storage that is away shows only when something is written, so now and
    then a row and a file are, and are deleted again."""

    store: Store
    blobs: Blobs
    home: Path
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _tried: float = float("-inf")  # when the last try began
    _trouble: Problem | None = None  # what it found
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _next: asyncio.Task[None] | None = None  # the check that has not begun yet
    _checked: float = float("-inf")  # when the last check began

    async def asked(self) -> None:
        """Raise a problem unless this process can work. Whoever asks before a check begins shares it, so that strangers
        who ask often take one thread at most and few turns at the store."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._check())
            self._next.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(self._next)

    async def _check(self) -> None:
        async with self._checking:
            await asyncio.sleep(self._checked + _CHECK_SECONDS - time.monotonic())
            self._checked, self._next = time.monotonic(), None
            await to_thread.run_sync(self.require)

    def require(self) -> None:
        """Raise a problem unless this process can work."""
        self.store.require_writable()
        if shutil.disk_usage(self.home).free < _LEAST_ROOM:
            raise Problem("no-room")
        if self._turn.acquire(blocking=False):
            try:
                self._try_when_due()
            finally:
                self._turn.release()
        elif time.monotonic() - self._tried > _TRY_SECONDS:
            raise Problem("busy", "The store does not answer.", headers={"Retry-After": "5"})
        if self._trouble is not None:
            raise Problem(self._trouble.kind, self._trouble.detail, self._trouble.headers)

    def _try_when_due(self) -> None:
        if time.monotonic() - self._tried < _TRY_SECONDS:
            return
        self._tried = time.monotonic()
        try:
            self._write()
            self._trouble = None
        except Exception as error:  # each database and each storage has errors of its own
            found = problem_of(error)
            is_known = found.status in (503, 507)  # busy, and no room
            self._trouble = found if is_known else Problem("busy", "The store takes nothing.")

    def _write(self) -> None:
        """A committed row and a file. Both have names of their own: other machines may try at the same moment."""
        key = f"ready {secrets.token_hex(8)}"
        with self.store.write() as connection:
            connection.execute(meta.insert().values(key=key, value=""))
            connection.execute(meta.delete().where(meta.c.key == key))
        name = self.blobs.put(b"ready")
        self.blobs.get(name)
        self.blobs.delete(name)
