"""Processes that share one socket take turns."""

from __future__ import annotations

import asyncio
import socket
from typing import cast

import pytest

pytest.importorskip("uvloop", reason="the extra `service` is not installed")

from efface.service.socket_sharing import Listener, Loop
from tests.service.loops import run_alone


class Counted(asyncio.Protocol):
    """Says which of the listeners took the connection."""

    def __init__(self, name: bytes) -> None:
        self._name = name

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        connection = cast(asyncio.Transport, transport)
        connection.write(self._name)
        connection.close()


async def names(port: int, amount: int) -> list[bytes]:
    async def one() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        found = await reader.read()
        writer.close()
        return found

    return await asyncio.gather(*(one() for _ in range(amount)))


def listening() -> socket.socket:
    found = socket.socket()
    found.bind(("127.0.0.1", 0))
    return found


def test_connections_that_wait_are_shared() -> None:
    async def shared() -> list[bytes]:
        loop = asyncio.get_running_loop()
        with listening() as first, first.dup() as second:
            servers = [
                await loop.create_server(lambda name=name: Counted(name), sock=given)  # type: ignore[misc]
                for name, given in ((b"a", first), (b"b", second))
            ]
            assert all(isinstance(server, Listener) for server in servers)
            try:
                return await names(first.getsockname()[1], 40)
            finally:
                for server in servers:
                    server.close()
                    await server.wait_closed()

    found = run_alone(shared(), Loop)
    assert len(found) == 40 and min(found.count(b"a"), found.count(b"b")) >= 10


def test_a_closed_listener_takes_nobody() -> None:
    async def closed() -> bool:
        loop = asyncio.get_running_loop()
        with listening() as given:
            server = await loop.create_server(lambda: Counted(b"a"), sock=given)
            port = given.getsockname()[1]
            assert await names(port, 1) == [b"a"]
            server.close()
            await asyncio.sleep(0.05)  # longer than it stands back
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await asyncio.wait_for(reader.read(), 0.1)
            except TimeoutError:
                return True
            finally:
                writer.close()
        return False

    assert run_alone(closed(), Loop)
