"""Work that computes, in a bounded number of threads with a bounded queue before them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from efface.service.audit import Event, Trail
from efface.service.problems import Problem

T = TypeVar("T")
Left = Callable[[], Awaitable[None]]

_AT_ONCE = 0.25  # seconds before the client's connection is watched


class Workers:
    """Threads for documents. When the queue is full a request is refused with the advice to try again."""

    def __init__(self, threads: int, waiting: int, seconds: float, trail: Trail) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._later = ThreadPoolExecutor(1, thread_name_prefix="later")
        self._free = threading.Semaphore(threads + waiting)
        self._seconds = seconds
        self._trail = trail

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """The result, within the time that a request has. The result of work that takes longer is dropped."""
        return await self.heard(self.begin(work, *arguments, **named))

    async def asked(self, request: Request, work: Callable[..., T], *arguments: Any) -> T:
        """The result of work that ends when the client disconnects or the time is over. The work is given an event that
        is then set."""
        gone = threading.Event()
        try:
            return await self.heard_unless(self.begin(work, *arguments, gone), leaving(request.receive))
        finally:
            gone.set()

    async def recorded(self, work: Callable[..., tuple[T, Event]], *arguments: Any) -> T:
        """The result of work that must be in the trail, once it is on disk there. The thread does not wait for
        the disk, and no other thread is woken in between: each change of threads costs as much as computing a view."""
        done: Future[T] = Future()
        done.set_running_or_notify_cancel()  # from here on it cannot be cancelled: it ends in `finish` or `fail`

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
        """Do work in the background, one item after the other, so that a hundred uploads delay no opening."""
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
        """The result of a future, within the time that a request has."""
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise Problem("timeout", "Send large files as jobs.") from None

    async def heard_unless(self, future: Future[T], left: Left | None) -> T:
        """The result of a future, unless the client disconnects first. Most answers come at once; the connection is
        watched only for the others."""
        if left is None:
            return await self.heard(future)
        heard = asyncio.ensure_future(self.heard(future))
        done, _ = await asyncio.wait({heard}, timeout=_AT_ONCE)
        if done:
            return heard.result()
        watched = asyncio.ensure_future(left())
        both: set[asyncio.Future[Any]] = {heard, watched}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not heard.done():
                heard.cancel()
                raise Problem("timeout", "Whoever asked went away.")
            return heard.result()
        finally:
            watched.cancel()

    def close(self) -> None:
        for pool in (self._later, self._pool):
            pool.shutdown(wait=True, cancel_futures=True)


def leaving(receive: Receive) -> Left:
    """Returns when the other side has closed the connection."""

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    return left
