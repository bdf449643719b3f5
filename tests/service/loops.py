"""Coroutines in a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_alone(
    work: Coroutine[Any, Any, Result], loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> Result:
    """A browser of other tests may keep a loop running in this thread, and a thread runs one loop."""

    def alone() -> Result:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(work)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(alone).result(600)
