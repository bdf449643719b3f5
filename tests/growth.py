"""How the time of some work grows with its input. Tests compare two sizes in one run: no test asserts a time."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

_TIMES = 8  # the larger input over the smaller one
# Linear work takes 8 times as long and quadratic work 64 times. Caches, the allocator and a busy machine lie between.
_MOST = 28
_FLOOR = 0.002  # seconds; what takes less than this is as long as the clock is coarse


def assert_linear(work: Callable[[str], object], piece: str, length: int, before: str = "") -> None:
    """Fail if the time of `work` grows faster than a text of `length` characters that repeats `piece`."""
    count = max(1, length // len(piece))
    small = min(_seconds(work, before + piece * max(1, count // _TIMES)) for _ in range(2))
    large = _seconds(work, before + piece * count)
    assert large < _MOST * max(small, _FLOOR), f"{large:.2f} s, {small:.3f} s for an eighth of the text"


def _seconds(work: Callable[[str], object], text: str) -> float:
    gc.disable()  # a collection looks at everything that other tests have left
    try:
        start = time.process_time()
        work(text)
        return time.process_time() - start
    finally:
        gc.enable()
