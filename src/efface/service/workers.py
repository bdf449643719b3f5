"""Work that computes, in a bounded number of threads with a bounded queue before them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from efface.service.problems import Problem

T = TypeVar("T")


class Workers:
    """Threads for documents. Whoever finds the queue full is told to come back."""

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="work")
        self._free = threading.Semaphore(threads + waiting)
        self._seconds = seconds

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """The result, within the time that a request has. Work that takes longer goes on unheard."""
        if not self._free.acquire(blocking=False):
            raise Problem("busy", headers={"Retry-After": "2"})
        future = self._pool.submit(partial(work, *arguments, **named))
        future.add_done_callback(lambda _: self._free.release())
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError:
            raise Problem("timeout", "Send large files as jobs.") from None

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
