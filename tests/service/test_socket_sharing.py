"""Processes that share one socket take turns."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Iterator
from typing import cast

import pytest

pytest.importorskip("uvloop", reason="the extra `service` is not installed")

import uvicorn
from uvicorn.supervisors.multiprocess import SIGNALS

from efface.service.socket_sharing import Listener, Loop, Supervisor
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


def test_whoever_was_let_in_is_served_though_the_port_closes() -> None:
    """The system cut those off who waited at the socket, though it had let them in."""

    async def closed() -> tuple[list[bytes], bool]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Counted(b"a"), host="127.0.0.1", port=0)
        address = server.sockets[0].getsockname()
        waiting = [socket.create_connection(address) for _ in range(20)]  # the loop hears of none of them
        server.close()
        try:
            with socket.create_connection(address):
                refused = False
        except ConnectionRefusedError:
            refused = True
        found = await asyncio.gather(*(asyncio.to_thread(each.recv, 10) for each in waiting))
        for each in waiting:
            each.close()
        return found, refused

    assert run_alone(closed(), Loop) == ([b"a"] * 20, True)


def test_every_address_of_a_host_is_listened_at() -> None:
    async def listened() -> list[bytes]:
        server = await asyncio.get_running_loop().create_server(
            lambda: Counted(b"a"), host="localhost", port=0
        )
        found = []
        for each in server.sockets:
            reader, writer = await asyncio.open_connection(*each.getsockname()[:2])
            found.append(await reader.read())
            writer.close()
        server.close()
        return found

    assert set(run_alone(listened(), Loop)) == {b"a"}


def test_a_port_of_several_processes_closes_when_theirs_do(handlers_put_back: None) -> None:
    """The supervisor has the socket too: clients were let in whom nobody served, until the last process had ended."""
    with listening() as first, first.dup() as second:
        second.listen()
        address = first.getsockname()
        socket.create_connection(address).close()
        Supervisor(uvicorn.Config("none:app"), [first], drain=0.0).terminate_all()
        for _ in range(6000):
            try:
                socket.create_connection(address).close()
            except ConnectionRefusedError:
                return
            time.sleep(0.01)
    raise AssertionError("clients are let in for ever")


@pytest.fixture
def handlers_put_back() -> Iterator[None]:
    """The supervisor sets handlers of signals."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
