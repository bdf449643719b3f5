"""How far long work is. Whoever works piece by piece tells it, and a listener of the same thread hears it, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PiecesListener = Callable[[int, int], None]
"""Is told how many pieces are done, and of how many."""

_LISTENER: ContextVar[PiecesListener | None] = ContextVar("progress", default=None)


def tell(done: int, of: int) -> None:
    """Reports `done` of `of` pieces to the listener. Without a listener this costs nothing."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(done, of)


@contextmanager
def part(start: int, end: int, of: int) -> Iterator[None]:
    """Scales progress told inside the block to the pieces from `start` to `end` of the whole."""
    listener = _LISTENER.get()
    if listener is None:
        yield
        return
    whole = listener
    with listening(lambda done, all: whole(start + (end - start) * done // max(all, 1), of)):
        yield


@contextmanager
def listening(listener: PiecesListener) -> Iterator[None]:
    """Hear of pieces while this lasts."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)
