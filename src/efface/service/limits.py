"""What a client may take: requests a second, failed log-ins, bytes, and time. One process counts for itself."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

_KEPT = 100_000  # clients remembered


@dataclass
class Buckets:
    """Token buckets: `rate` a second on average, `burst` at once, for each name."""

    rate: float
    burst: float
    _levels: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, name: str, amount: float = 1.0) -> bool:
        """Whether there was enough left."""
        if self.rate <= 0:
            return True
        with self._lock:
            now = time.monotonic()
            level = self._level(name, now)
            enough = level >= amount
            self._levels[name] = (level - amount if enough else level, now)
            self._levels.move_to_end(name)
            while len(self._levels) > _KEPT:
                self._levels.popitem(last=False)
            return enough

    def empty(self, name: str) -> bool:
        """Whether nothing is left, without taking anything."""
        with self._lock:
            return self.rate > 0 and self._level(name, time.monotonic()) < 1

    def _level(self, name: str, now: float) -> float:
        level, then = self._levels.get(name, (self.burst, now))
        return min(self.burst, level + (now - then) * self.rate)
