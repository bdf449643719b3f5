"""Exports of matters that take longer than a request has: whoever asks again goes on where the time was over."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from efface.service.jobs.processes import ClientDisconnected

_GAP = 30.0  # seconds after which asking again is another export; the page asks again after two
_INDEXES = 1000  # that are remembered: as many as a large matter has
_LONGEST = 1800.0  # seconds after which an export begins anew: what it worked out first is old by then

NamedIndex = tuple[
    str, bytes
]  # the name under which a file may leave, and the rows of its index of redactions


@dataclass(frozen=True)
class BegunExports:
    """When exports began whose time was over, and when that was. What was worked out since an export began counts for it, as
    if one request had waited for all of it."""

    _cut_off: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict, repr=False)
    _indexes: OrderedDict[str, NamedIndex] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def going_on(self, who: str, matter: str) -> Iterator[float]:
        """The moment at which this person's export began, by the monotonic clock. An export that ends in any other way than
        by its time does not go on."""
        began = self._began(who, matter)
        try:
            yield began
        except ClientDisconnected:
            with self._lock:
                self._cut_off[who, matter] = (began, time.monotonic())
            raise

    def index(self, state: str, make: Callable[[], NamedIndex]) -> NamedIndex:
        """The index of a release in this state, made once: asking for it again may mean to find everything again."""
        with self._lock:
            known = self._indexes.get(state)
        if known is not None:
            return known
        made = make()
        with self._lock:
            self._indexes[state] = made
            while len(self._indexes) > _INDEXES:
                self._indexes.popitem(last=False)
        return made

    def _began(self, who: str, matter: str) -> float:
        now = time.monotonic()
        with self._lock:
            for key, (began, ended) in list(self._cut_off.items()):
                if now - ended > _GAP or now - began > _LONGEST:
                    del self._cut_off[key]
            return self._cut_off.pop((who, matter), (now, now))[0]
