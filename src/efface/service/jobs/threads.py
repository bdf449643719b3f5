"""Work that computes, in a bounded number of threads with a bounded queue before them."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from efface.service.audit import Event, Trail
from efface.service.jobs.processes import RequestContext
from efface.service.problems import Problem

T = TypeVar("T")
Left = Callable[[], Awaitable[None]]

_AT_ONCE = 0.25  # seconds before the client's connection is watched
_LEFT = "Whoever asked went away."


@dataclass(frozen=True, eq=False)
class _QueuedWork:
    """Work of a person, and the future that hears of it."""

    user: str
    work: Callable[[], Any] = field(repr=False)
    future: Future[Any] = field(default_factory=Future, repr=False)

    def do(self) -> None:
        """Do it, unless nobody waits for it any more."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.work())
        except BaseException as error:
            self.future.set_exception(error)


class RequestTimeout(Problem):
    """The time of a request is over. The work that it asked for may go on."""

    def __init__(self) -> None:
        super().__init__("timeout", "The work may go on: try again in a moment. Send large files as jobs.")


class Workers:
    """Threads for documents. One person has at most `per_user` of them; more of theirs waits without a thread. When the
    queue is full a request is refused with the advice to try again."""

    def __init__(self, threads: int, waiting: int, seconds: float, trail: Trail, per_user: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._later = ThreadPoolExecutor(1, thread_name_prefix="later")
        self._free = threading.Semaphore(threads + waiting)
        self._seconds = seconds
        self._trail = trail
        self._per_user = per_user
        self._lock = threading.Lock()
        self._running: Counter[str] = Counter()
        self._backlog: dict[str, deque[_QueuedWork]] = {}
        self._waiting: list[
            tuple[float, int, str, Callable[[], object]]
        ] = []  # a heap, of what is done later
        self._named: set[str] = set()  # among these
        self._numbers = itertools.count()

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """The result, within the time that a request has. The result of work that takes longer is dropped."""
        return await self.heard(self.begin(work, *arguments, **named))

    async def asked(self, request: Request, user: str, work: Callable[..., T], *arguments: Any) -> T:
        """The result of work that ends when the client disconnects or the time is over. The work is given an `RequestContext`
        that says so."""
        asker = RequestContext(user)
        future = self.begin(work, *arguments, asker, user=user)
        try:
            return await self.heard_unless(future, leaving(request.receive))
        finally:
            asker.gone.set()
            future.cancel()

    async def recorded(
        self, request: Request, user: str, work: Callable[..., tuple[T, Event]], *arguments: Any
    ) -> T:
        """The result of work that must be in the trail, once it is on disk there. The thread does not wait for
        the disk, and no other thread is woken in between: each change of threads costs as much as computing a view.
        The work ends when the client disconnects. When only the time is over it goes on, for the next request."""
        asker = RequestContext(user)
        done: Future[T] = Future()
        done.set_running_or_notify_cancel()  # from here on it cannot be cancelled: it ends in `finish` or `fail`

        def begin() -> None:
            result, event = work(*arguments, asker)
            if asker.gone.is_set():
                raise Problem("timeout", _LEFT)
            self._trail.after(event, done, result)

        def fail(begun: Future[None]) -> None:
            error = None if begun.cancelled() else begun.exception()
            if begun.cancelled() or error is not None:
                done.set_exception(error or Problem("busy"))

        begun = self.begin(begin, user=user)
        begun.add_done_callback(fail)
        try:
            return await self.heard_unless(done, leaving(request.receive))
        except RequestTimeout:
            raise
        except BaseException:
            asker.gone.set()
            begun.cancel()
            raise

    def later(self, work: Callable[..., object], *arguments: Any, delay: float = 0.0, name: str = "") -> None:
        """Do work in the background, one item after the other, so that a hundred uploads delay no opening. Long work lets
        short work go first that comes at most `delay` seconds after it. Nothing waits for ever, and nothing waits twice
        under one `name`: whoever asks again and again puts nobody else off."""
        with self._lock:
            if name in self._named:
                return
            if name:
                self._named.add(name)
            act: Callable[[], object] = partial(work, *arguments)
            heapq.heappush(self._waiting, (time.monotonic() + delay, next(self._numbers), name, act))
        self._later.submit(self._do_first)

    def _do_first(self) -> None:
        with self._lock:
            _, _, name, work = heapq.heappop(self._waiting)
            self._named.discard(name)
        work()

    def begin(self, work: Callable[..., T], *arguments: Any, user: str = "", **named: Any) -> Future[T]:
        """Work that will be done in a thread, in the order in which it came, for a person perhaps."""
        if not self._free.acquire(blocking=False):
            raise Problem("busy", headers={"Retry-After": "2"})
        waiting = _QueuedWork(user, partial(work, *arguments, **named))
        waiting.future.add_done_callback(lambda _: self._free.release())
        with self._lock:
            if user and self._running[user] >= self._per_user:
                self._backlog.setdefault(user, deque()).append(waiting)
                return waiting.future
            self._running[user] += 1
        self._start(waiting)
        return waiting.future

    def _start(self, waiting: _QueuedWork) -> None:
        self._pool.submit(waiting.do).add_done_callback(lambda ran: self._ended(waiting, ran))

    def _ended(self, last: _QueuedWork, ran: Future[None]) -> None:
        """Starts the next piece of work of the same person."""
        if ran.cancelled():  # the service stops
            last.future.cancel()
        with self._lock:
            theirs = self._backlog.get(last.user)
            following = theirs.popleft() if theirs else None
            if not theirs:
                self._backlog.pop(last.user, None)
            if following is None:
                self._running[last.user] -= 1
                self._running += Counter()  # drops people with nothing under way
        if following is not None:
            self._start(following)

    def go_on(self, work: Callable[..., object], *arguments: Any) -> None:
        """The next step of work that was let in when it came."""
        self._pool.submit(work, *arguments)

    async def heard(self, future: Future[T]) -> T:
        """The result of a future, within the time that a request has."""
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise RequestTimeout from None

    async def heard_unless(self, future: Future[T], left: Left | None) -> T:
        """The result of a future, unless the client disconnects first. Most answers come at once; the connection is
        watched only for the others."""
        if left is None:
            return await self.heard(future)
        heard = asyncio.ensure_future(self.heard(future))
        watched: asyncio.Future[None] | None = None
        try:
            done, _ = await asyncio.wait({heard}, timeout=_AT_ONCE)
            if not done:
                watched = asyncio.ensure_future(left())
                both: set[asyncio.Future[Any]] = {heard, watched}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not heard.done():
                raise Problem("timeout", _LEFT)
            return heard.result()
        finally:
            for each in (heard, watched):
                if each is not None:
                    each.cancel()

    def close(self) -> None:
        with self._lock:
            left = [waiting for theirs in self._backlog.values() for waiting in theirs]
            self._backlog.clear()
        for waiting in left:
            waiting.future.cancel()
        for pool in (self._later, self._pool):
            pool.shutdown(wait=True, cancel_futures=True)


def leaving(receive: Receive) -> Left:
    """Returns when the other side has closed the connection."""

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    return left
