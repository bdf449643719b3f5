"""Work that computes, in a bounded number of threads with a bounded queue before them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from efface.service.audit import Event, Trail
from efface.service.problems import Problem

T = TypeVar("T")


class Workers:
    """Threads for documents. Whoever finds the queue full is told to come back."""

    def __init__(self, threads: int, waiting: int, seconds: float, trail: Trail) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._later = ThreadPoolExecutor(1, thread_name_prefix="later")
        self._free = threading.Semaphore(threads + waiting)
        self._seconds = seconds
        self._trail = trail

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """The result, within the time that a request has. Work that takes longer goes on unheard."""
        return await self.heard(self.begin(work, *arguments, **named))

    async def recorded(self, work: Callable[..., tuple[T, Event]], *arguments: Any) -> T:
        """The result of work that must be in the trail, once it is on disk there. The thread does not wait for
        the disk, and nobody is woken in between: each change of threads costs an opening as much as its view."""
        done: Future[T] = Future()
        done.set_running_or_notify_cancel()  # from here on nobody can cancel it: it ends in `finish` or `fail`

        def begin() -> None:
            result, event = work(*arguments)
            self._trail.after(event, done, result)

        def fail(begun: Future[None]) -> None:
            error = None if begun.cancelled() else begun.exception()
            if begun.cancelled() or error is not None:
                done.set_exception(error or Problem("busy"))

        self.begin(begin).add_done_callback(fail)
        return await self.heard(done)

    def later(self, work: Callable[..., object], *arguments: Any) -> None:
        """Work that nobody waits for, one after the other: a hundred files that were dropped keep nobody from
        opening one."""
        self._later.submit(work, *arguments)

    def begin(self, work: Callable[..., T], *arguments: Any, **named: Any) -> Future[T]:
        """Work that will be done in a thread, in the order in which it came."""
        if not self._free.acquire(blocking=False):
            raise Problem("busy", headers={"Retry-After": "2"})
        future = self._pool.submit(work, *arguments, **named)
        future.add_done_callback(lambda _: self._free.release())
        return future

    def go_on(self, work: Callable[..., object], *arguments: Any) -> None:
        """The next step of work that was let in when it came."""
        self._pool.submit(work, *arguments)

    async def heard(self, future: Future[T]) -> T:
        """What becomes of it, within the time that a request has."""
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise Problem("timeout", "Send large files as jobs.") from None

    def close(self) -> None:
        for pool in (self._later, self._pool):
            pool.shutdown(wait=True, cancel_futures=True)
