"""How the service stops: for a while it says that it does, then it takes no more connections, then it ends.

A proxy that sends a body to a connection that is just closed cannot send it again, and answers 502. So the port stays open
after SIGTERM until proxies have seen `/ready` answer 503, and every answer closes its connection, so that none waits to
be used again when the port closes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from dataclasses import dataclass, field
from types import FrameType

from efface.service.problems import Problem

_STOP_SECONDS = 9.0  # seconds from SIGTERM to the end; a supervisor takes half a second more
_MOST_SECONDS = 4  # seconds for requests under way, and for work in hand


def graceful_seconds(drain: float) -> int:
    """The time for requests under way once the port is closed: half of what is left."""
    return min(_MOST_SECONDS, int((_STOP_SECONDS - drain) / 2))


def closing_seconds(drain: float) -> float:
    """The time for work in hand once the server has ended its requests."""
    return min(float(_MOST_SECONDS), _STOP_SECONDS - drain - graceful_seconds(drain))


@dataclass
class Draining:
    """Whether this process was told to stop. `seconds` is how long it says so before its port closes."""

    seconds: float
    _begun: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def has_begun(self) -> bool:
        return self._begun.is_set()

    def begin(self) -> None:
        self._begun.set()

    def require_not_begun(self) -> None:
        """Raise a problem when the process was told to stop: a proxy sends no more requests here."""
        if self.has_begun:
            raise Problem("busy", "The service is stopping.", headers={"Retry-After": "2"})

    def delay_sigterm(self) -> None:
        """Let the server hear of SIGTERM only when the time is over; where there is none to wait, right away. A second one
        changes nothing, since a supervisor passes on what its processes may have got already; Ctrl-C stops it at once.
        Called in the event loop of the main thread, after the server has set its own handler."""
        server_stops = signal.getsignal(signal.SIGTERM)
        if not callable(server_stops):
            return
        loop = asyncio.get_running_loop()

        def stop(number: int, _frame: FrameType | None) -> None:
            if self.has_begun:
                return
            self.begin()
            loop.call_soon_threadsafe(loop.call_later, self.seconds, server_stops, number, None)

        signal.signal(signal.SIGTERM, stop)


@dataclass(frozen=True)
class ServerProcess:
    """A process that serves and does nothing else. It is gone soon after it was told to stop, whatever its threads do."""

    draining: Draining

    def began(self) -> None:
        self.draining.delay_sigterm()

    def stops(self) -> None:
        end_within(closing_seconds(self.draining.seconds))


def end_within(seconds: float) -> None:
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
