"""What was computed from one snapshot of an index and may be wanted again: the same document, another viewer.

It hangs on the snapshot, so it goes when data change: the next snapshot begins with nothing. Nothing in it
depends on a viewer; who may see what is asked for at each reading.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar, cast

LIMIT = 250_000  # mentions, groups and ids in all
OF_THE_INDEX = 4_000_000  # numbers and values in all, of what belongs to no document

T = TypeVar("T")


class ResultCache:
    """Results by their inputs. The least recently used results are dropped first."""

    def __init__(self, limit: int = LIMIT, largest: int | None = None) -> None:
        """`limit` bounds the total size, and `largest` the size of one entry (by default a quarter of `limit`)."""
        self._limit, self._largest = limit, limit // 4 if largest is None else largest
        self._entries: OrderedDict[Hashable, tuple[int, object]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """The result for this key, made if it is not there. Two threads may both make it."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return cast("T", self._entries[key][1])
        made = make()
        cost = 1 + size(made)
        with self._lock:
            if cost <= self._largest and key not in self._entries:
                self._entries[key] = (cost, made)
                self._size += cost
            while self._size > self._limit:
                _, (cost, _) = self._entries.popitem(last=False)
                self._size -= cost
        return made

    def clear(self) -> None:
        """Forget everything, as for a document never read before."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def __len__(self) -> int:
        return len(self._entries)
