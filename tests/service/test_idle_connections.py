"""What somebody may send before they are known: a real server process, and connections by hand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from efface.service import idle_connections
from tests.service.hospital import furnish
from tests.service.loops import run_alone
from tests.service.processes import Running, start


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """By the command line, which is where the protocol is chosen."""
    from efface.service.settings import ServiceSettings

    settings = ServiceSettings(home=Path(tmp_path_factory.mktemp("strangers")) / "home")
    opened, tokens = furnish(settings)
    opened.store.close()
    running = start(settings, tokens, as_users_do=True)
    yield running
    running.stop()


def connected(service: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=60)


def read_to_the_end(line: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := line.recv(1 << 16):
            found += piece
    return found


def said(service: Running, *words: bytes) -> bytes:
    """All that the service answers until it closes the connection."""
    with connected(service) as line:
        with contextlib.suppress(ConnectionError):
            for word in words:
                line.sendall(word)
        return read_to_the_end(line)


GET = b"GET /v1/documents HTTP/1.1\r\nHost: x\r\n%s\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n%s\r\n"
LAST = b"Connection: close\r\n"


def test_a_refused_request_closes_its_connection(service: Running) -> None:
    """Fifty requests of a stranger in one piece were all answered, one after the other."""
    assert said(service, (GET % b"") * 50).count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("method", [b"GET", b"HEAD", b"POST"])
def test_a_refusal_is_a_whole_answer(service: Running, method: bytes) -> None:
    """It is written before the application hears of the request, and says the same."""
    answer = said(service, method + b" /v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
    head, _, body = answer.partition(b"\r\n\r\n")
    headers = dict(row.split(b": ", 1) for row in head.split(b"\r\n")[1:])
    assert head.startswith(b"HTTP/1.1 401 Unauthorized\r\n") and b"date" in headers
    assert headers[b"www-authenticate"] == b'Bearer realm="efface"' and headers[b"connection"] == b"close"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert body == b"" if method == b"HEAD" else json.loads(body)["status"] == 401
    assert method == b"HEAD" or len(body) == int(headers[b"content-length"])


@pytest.mark.parametrize("path", [b"/v1/keys", b"/v1/sign-in", b"/app/", b"/health"])
def test_what_is_for_everybody_is_not_refused(service: Running, path: bytes) -> None:
    assert b" 200 OK" in said(service, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n" + LAST + b"\r\n")


def test_a_stranger_behind_somebody_known_is_refused_in_turn(service: Running) -> None:
    """Both came over one connection, as a proxy's may, and the answers are in the order of the requests."""
    known = GET % b"Authorization: Bearer %s\r\n" % service.tokens["low"].encode()
    assert re.findall(rb"HTTP/1.1 (\d+)", said(service, known + GET % b"")) == [b"200", b"401"]


def test_few_requests_of_one_connection_wait(service: Running) -> None:
    answers = said(service, (HEALTH % b"") * 10 + HEALTH % LAST)
    assert answers.count(b"HTTP/1.1 200") == 11
    answers = said(service, (HEALTH % b"") * 5000 + HEALTH % LAST)
    assert answers.count(b"HTTP/1.1 200") <= idle_connections.WAITING


def test_headers_are_few(service: Running) -> None:
    """Each is looked at several times, while others wait."""
    few, many = (b"a:\r\n" * number for number in (100, 5000))
    assert b"200 OK" in said(service, HEALTH % (few + LAST))
    assert b"200 OK" not in said(service, HEALTH % (many + LAST))


@pytest.mark.parametrize(
    ("address", "cookies"),
    [
        (b"/health?" + b"a=b&" * 15_000, b""),
        (b"/health?a=" + b"%41" * 20_000, b""),
        (b"/" + b"%41" * 20_000, b""),
        (b"/health?" + b"&" * 101, b""),
        (b"/health", b"Cookie: " + b"a=b; " * 12_000 + b"\r\n"),
    ],
    ids=["fields", "a field", "a path", "empty fields", "cookies"],
)
def test_addresses_and_cookies_are_short(service: Running, address: bytes, cookies: bytes) -> None:
    """Taking 60 KB of them apart takes the event loop ten to twenty times as long as an opening, before anybody is asked
    who they are."""
    request = b"GET %s HTTP/1.1\r\nHost: x\r\n%s%s\r\n"
    assert b"400 Bad Request" in said(service, request % (address, cookies, LAST))


def test_usual_addresses_and_cookies_are_taken(service: Running) -> None:
    query = b"?q=" + b"%E5%8F%A5" * 500 + b"&x=y" * 50
    cookies = b"Cookie: " + b"; ".join(b"name%d=value" % number for number in range(150)) + b"\r\n"
    assert b"200 OK" in said(
        service, b"GET /health%s HTTP/1.1\r\nHost: x\r\n%s%s\r\n" % (query, cookies, LAST)
    )


@pytest.mark.parametrize("size", [1, 100_000])
def test_chunks_of_any_size_arrive(service: Running, size: int) -> None:
    """They are read in pieces, between which others have their turn."""
    words = b"==== " * max(8_000, 2 * size // 5)
    form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + words
    body = form + b"\r\n--b--\r\n"
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    sent = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    head = (
        b"POST /v1/redact HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        b"Authorization: Bearer %s\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        % service.tokens["reviewer"].encode()
    )
    answer = said(service, head, sent)
    assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(words)


def test_of_too_many_strangers_the_oldest_goes(service: Running) -> None:
    """Connections that ask for nothing, or only for what everybody may have, would take all that there are."""
    with contextlib.ExitStack() as lines:
        known = lines.enter_context(connected(service))
        known.sendall(GET % b"Authorization: Bearer %s\r\n" % service.tokens["low"].encode())
        assert known.recv(1 << 16).startswith(b"HTTP/1.1 200")
        strangers = [lines.enter_context(connected(service)) for _ in range(idle_connections.STRANGERS)]
        strangers[0].sendall(HEALTH % b"")
        assert strangers[0].recv(1 << 16).startswith(b"HTTP/1.1 200")
        last = lines.enter_context(connected(service))
        last.sendall(HEALTH % LAST)
        assert b"200 OK" in read_to_the_end(last)
        assert read_to_the_end(strangers[1]) == b"", "it had said nothing for longest"
        known.sendall(GET % b"Authorization: Bearer %s\r\n" % service.tokens["low"].encode() + GET % LAST)
        assert b"HTTP/1.1 200" in read_to_the_end(known), "somebody known is not among the strangers"
        strangers[0].sendall(HEALTH % LAST)
        assert b"200 OK" in read_to_the_end(strangers[0]), "whoever asked a moment ago stays"


def test_an_answer_that_nobody_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that asks and never reads kept its connection for ever."""
    monkeypatch.setattr(idle_connections, "STALLED_SECONDS", 0.2)
    ended: list[bool] = []

    async def much(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1000):
            await send({"type": "http.response.body", "body": b"x" * (1 << 16), "more_body": True})
        ended.append(True)

    async def asked() -> None:
        config = uvicorn.Config(
            much,
            port=0,
            http="efface.service.idle_connections:Protocol",
            lifespan="off",
            log_level="critical",
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        with socket.create_connection(server.servers[0].sockets[0].getsockname()) as line:
            line.sendall(HEALTH % b"")
            async with asyncio.timeout(60):
                while not ended:
                    await asyncio.sleep(0.05)
        server.should_exit = True
        await running

    run_alone(asked())
    assert ended


def test_a_request_on_its_way_is_answered_though_the_service_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection was made before the port closed: whoever sent it could not know whether it was heard."""
    monkeypatch.setattr(idle_connections, "_CHANCE_SECONDS", 300.0)

    async def hello(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"hi"})

    async def asked() -> bytes:
        http = "efface.service.idle_connections:Protocol"
        server = uvicorn.Server(
            uvicorn.Config(hello, port=0, http=http, lifespan="off", log_level="critical")
        )
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
        while not server.server_state.connections:
            await asyncio.sleep(0.01)
        server.should_exit = True
        while server.servers[0].is_serving():
            await asyncio.sleep(0.01)
        writer.write(HEALTH % b"")
        found = await reader.read()  # to the end: no further request is waited for
        writer.close()
        await running
        return found

    assert run_alone(asked()).endswith(b"hi")
