"""How several processes share the connections that arrive at one socket.

Left to itself the event loop of the process that wakes first takes every connection that waits: of twenty readers one
process of two may get eighteen. Here a process that took one stands back for a moment and lets the others have the
next, so that a process with less to do takes more.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvloop

_TURN = 0.002  # seconds that a process waits after it took a connection
_REST = 1.0  # and when there is no room for another


class Loop(uvloop.Loop):
    """An event loop that takes connections one at a time from a socket it is given."""

    async def create_server(self, protocol_factory: Any, *given: Any, **named: Any) -> Any:
        shared: socket.socket | None = named.get("sock")
        if shared is None or named.get("ssl") is not None:
            return await super().create_server(protocol_factory, *given, **named)
        shared.listen(named.get("backlog", 100))
        return Listener(self, protocol_factory, shared)


class Listener:
    """The part of an `asyncio.Server` that its users need."""

    def __init__(
        self, loop: Loop, protocol: Callable[[], asyncio.BaseProtocol], shared: socket.socket
    ) -> None:
        self.sockets = (shared,)
        self._loop = loop
        self._protocol = protocol
        self._shared = shared
        self._open = True
        self._beginning: set[asyncio.Task[Any]] = set()
        shared.setblocking(False)
        self._listen()

    def _listen(self) -> None:
        if self._open:
            self._loop.add_reader(self._shared, self._accept)

    def _accept(self) -> None:
        try:
            connection, _ = self._shared.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process was faster, or the client gave up
        except OSError:
            self._stand_back(_REST)
            return
        self._stand_back(_TURN)
        connection.setblocking(False)
        begun = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, connection))
        self._beginning.add(begun)
        begun.add_done_callback(self._beginning.discard)

    def _stand_back(self, seconds: float) -> None:
        self._loop.remove_reader(self._shared)
        self._loop.call_later(seconds, self._listen)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._loop.remove_reader(self._shared)

    async def wait_closed(self) -> None:
        """Does nothing: the processes that took its connections end them."""
