"""What a client may take: requests a second, failed log-ins, bytes, and time. One process counts for itself."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

_KEPT = 100_000  # clients remembered


@dataclass
class RequestBuckets:
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

    def _level(self, name: str, now: float) -> float:
        level, then = self._levels.get(name, (self.burst, now))
        return min(self.burst, level + (now - then) * self.rate)


_LONGEST_WAIT = 900.0  # seconds


@dataclass
class Failures:
    """Wrong credentials by what they claim to be: a token's id, an account, a browser's sign-in. More failures than
    `allowed` in a minute mean a wait, each time twice as long. Right credentials are never refused: one address may
    serve a whole company, and anybody can send a wrong token under another name."""

    allowed: int
    # How many failures there were, and when the last one was.
    _known: OrderedDict[str, tuple[int, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def count(self, claimed: str) -> float:
        """Note a failure. Returns how many seconds to wait before the next attempt; 0 while there were few."""
        with self._lock:
            now = time.monotonic()
            failed, last = self._known.pop(claimed, (0, now))
            failed = max(0, failed - int((now - last) * self.allowed / 60)) + 1
            self._known[claimed] = (failed, now)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        over = failed - self.allowed
        return 0.0 if over <= 0 else min(2.0 ** min(over - 1, 30), _LONGEST_WAIT)
