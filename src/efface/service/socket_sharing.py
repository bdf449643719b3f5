"""How several processes share the connections that arrive at one socket, and how a socket closes.

Left to itself the event loop of the process that wakes first takes every connection that waits: of twenty readers one
process of two may get eighteen. Here a process that took one stands back for a moment and lets the others have the
next, so that a process with less to do takes more.

The system cuts connections off that wait at a socket when it closes, although their clients were let in and may have sent
a request. So those are taken before it closes, and whoever comes later is refused and can try elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
import uvloop
from uvicorn.supervisors import Multiprocess

_TURN = 0.002  # seconds that a process waits after it took a connection
_REST = 1.0  # and when there is no room for another
_MOST = 1024  # connections that are taken at once


class Loop(uvloop.Loop):
    """An event loop that takes connections one at a time from a socket it is given, and whoever waits when one closes."""

    async def create_server(self, protocol_factory: Any, *given: Any, **named: Any) -> Any:
        shared: socket.socket | None = named.get("sock")
        if named.get("ssl") is not None or given:
            return await super().create_server(protocol_factory, *given, **named)
        backlog = named.get("backlog", 100)
        if shared is not None:
            shared.listen(backlog)
            return Listener(self, protocol_factory, shared)
        sockets = await self._bound(named.get("host"), named["port"])
        servers = []
        for each in sockets:
            servers.append(await super().create_server(protocol_factory, sock=each.dup(), backlog=backlog))
        return OwnListener(self, protocol_factory, sockets, servers)

    async def _bound(self, host: str | None, port: int) -> list[socket.socket]:
        """A socket for each address of the host."""
        asked: dict[str, Any] = {"type": socket.SOCK_STREAM, "flags": socket.AI_PASSIVE}
        bound: list[socket.socket] = []
        for family, *_, address in await self.getaddrinfo(host, port, **asked):
            with contextlib.ExitStack() as until_bound:
                made = until_bound.enter_context(socket.socket(family))
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                made.bind(address)
                made.setblocking(False)
                until_bound.pop_all()
                bound.append(made)
        return bound


class Acceptor:
    """Takes connections that wait at a socket."""

    def __init__(self, loop: Loop, protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        self.loop = loop
        self._protocol = protocol
        self._beginning: set[asyncio.Task[Any]] = set()

    def take(self, at: socket.socket, most: int = _MOST) -> int:
        """Take some, and return how many there were."""
        for number in range(most):
            try:
                connection, _ = at.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return number  # another process was faster, or the client gave up
            connection.setblocking(False)
            begun = self.loop.create_task(self.loop.connect_accepted_socket(self._protocol, connection))
            self._beginning.add(begun)
            begun.add_done_callback(self._beginning.discard)
        return most


class Listener:
    """The part of an `asyncio.Server` that its users need, for a socket that other processes have too."""

    def __init__(
        self, loop: Loop, protocol: Callable[[], asyncio.BaseProtocol], shared: socket.socket
    ) -> None:
        self.sockets = (shared,)
        self._acceptor = Acceptor(loop, protocol)
        self._loop = loop
        self._shared = shared
        self._open = True
        shared.setblocking(False)
        self._listen()

    def _listen(self) -> None:
        if self._open:
            self._loop.add_reader(self._shared, self._accept)

    def _accept(self) -> None:
        try:
            took = self._acceptor.take(self._shared, 1)
        except OSError:
            self._stand_back(_REST)
            return
        if took:
            self._stand_back(_TURN)

    def _stand_back(self, seconds: float) -> None:
        self._loop.remove_reader(self._shared)
        self._loop.call_later(seconds, self._listen)

    def close(self) -> None:
        """Serves the connections that are open already and accepts no others."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._shared)
            with contextlib.suppress(OSError):
                self._acceptor.take(self._shared)

    async def wait_closed(self) -> None:
        """Does nothing: the processes that took its connections end them."""


class OwnListener:
    """The same for sockets of this process alone. The loop's own servers take connections there, which is quicker, until
    they close."""

    def __init__(
        self,
        loop: Loop,
        protocol: Callable[[], asyncio.BaseProtocol],
        sockets: Sequence[socket.socket],
        servers: Sequence[asyncio.AbstractServer],
    ) -> None:
        self.sockets = tuple(sockets)
        self._acceptor = Acceptor(loop, protocol)
        self._servers = tuple(servers)

    def close(self) -> None:
        """Serves the connections that are open already and accepts no others."""
        for server, at in zip(self._servers, self.sockets, strict=True):
            with contextlib.suppress(OSError):  # it is closed
                self._acceptor.take(at)
            server.close()
            at.close()

    async def wait_closed(self) -> None:
        """Does nothing: the server that uses it waits for its connections itself."""


class Supervisor(Multiprocess):
    """Several processes at one socket. The socket is this process's too: it closes when theirs do, not when the last of
    them has ended, since until then the system would let clients in whom nobody serves."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], drain: float) -> None:
        super().__init__(config, sockets)
        self._drain = drain

    def terminate_all(self) -> None:
        super().terminate_all()
        closing = threading.Timer(self._drain, self._close)
        closing.daemon = True
        closing.start()

    def _close(self) -> None:
        for each in self.sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
