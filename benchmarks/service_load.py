"""A client that costs little: many connections, one thread. Client and server share the machine's cores, so what the
client takes is missing from the server, and a thread for each reader would also measure its own waiting for Python's
lock. It knows as much of HTTP/1.1 as the service's answers need: a status, headers, a body of a stated length."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes


@dataclass
class _Reader:
    """One connection, one request at a time."""

    number: int
    socket: socket.socket
    left: int
    started: float = 0.0
    buffer: bytearray = field(default_factory=bytearray)

    def ask(self, request: bytes) -> None:
        self.started = time.perf_counter()
        self.socket.sendall(request)

    def hear(self) -> Answer | None:
        """The answer, once it is complete."""
        piece = self.socket.recv(_PIECE)
        if not piece:
            raise ConnectionError("the server closed a connection")
        self.buffer += piece
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self.buffer[: end + 2])
        status, length = _STATUS.match(head), _LENGTH.search(head)
        if status is None or length is None:
            raise ValueError("not an answer of the service")
        if len(self.buffer) < end + 4 + int(length[1]):
            return None
        body = bytes(self.buffer[end + 4 :])
        self.buffer.clear()
        return Answer(int(status[1]), body)


def request(path: str, token: str = "", body: bytes = b"") -> bytes:
    """The bytes of a request: a GET, or with a body a POST of JSON."""
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def load(
    port: int, requests: int, clients: int, ask: Callable[[int], bytes], check: Callable[[Answer], bool]
) -> list[float]:
    """Seconds of each request, from so many clients at once, each of which asks again as soon as it is answered.
    `ask` is told which client asks."""
    seconds: list[float] = []
    with selectors.DefaultSelector() as waiting:
        for number in range(clients):
            opened = socket.create_connection(("127.0.0.1", port), timeout=120)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader = _Reader(number, opened, requests // clients)
            waiting.register(opened, selectors.EVENT_READ, reader)
            reader.ask(ask(number))
        while waiting.get_map():
            for key, _ in waiting.select(120):
                heard: _Reader = key.data
                answer = heard.hear()
                if answer is None:
                    continue
                seconds.append(time.perf_counter() - heard.started)
                assert check(answer), f"status {answer.status}"
                heard.left -= 1
                if heard.left:
                    heard.ask(ask(heard.number))
                else:
                    waiting.unregister(heard.socket)
                    heard.socket.close()
    return seconds
