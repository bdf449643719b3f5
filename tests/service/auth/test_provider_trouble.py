"""An identity provider that answers nonsense, or late: strangers gain nothing by it, and nobody else waits."""

from __future__ import annotations

import asyncio
import socketserver
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import httpx
import jwt as pyjwt
import pytest

from efface.service.app import create
from efface.service.auth import jwt, sign_in
from efface.service.auth.jwt import ProviderKeys, fetch, fetch_json
from efface.service.problems import Problem
from efface.service.settings import Oidc, SignIn
from tests.service.auth.test_people import OLD, jwks
from tests.service.hospital import House, Open

_AT_MOST = 60  # seconds until a test gives up; nothing here takes so long unless it waits for ever


@pytest.fixture(params=[b"no HTTP at all\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000, b""])
def nonsense(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that answers what is no HTTP."""

    class Answer(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            self.request.sendall(request.param)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def company(at: str) -> Oidc:
    way = SignIn(client="page", authorize=f"{at}/a", token=f"{at}/t", address="http://localhost")
    return Oidc(issuer=at, audience="efface", jwks=f"{at}/keys", sign_in=way)


def begun(house: House) -> dict[str, str]:
    """What the browser comes back with, after it was sent to the provider."""
    answer = house.client.get("/v1/sign-in/begin", follow_redirects=False)
    asked = httpx.URL(answer.headers["location"]).params
    return {"code": "x", "state": asked["state"]}


def test_nonsense_is_an_error_that_every_asker_expects(nonsense: str) -> None:
    with pytest.raises(OSError):
        fetch(nonsense, b"{}")


def test_json_without_an_end_of_brackets_is_no_json(tmp_path: Any) -> None:
    (tmp_path / "deep").write_text("[" * 200_000)
    with pytest.raises(ValueError):
        fetch_json(f"file:{tmp_path}/deep")


def test_nobody_is_let_in_and_nothing_breaks(open_house: Open, nonsense: str) -> None:
    house = open_house(oidc=company(nonsense))
    token = pyjwt.encode({"sub": "ann"}, OLD, "RS256", headers={"kid": "old"})
    headers = {"Authorization": f"Bearer {token}"}
    assert house.client.get("/v1/me", headers=headers).status_code == 401
    assert house.client.get("/v1/sign-in/return", params=begun(house)).status_code == 403


def test_few_wait_for_keys_and_known_ones_are_used_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    answers.set()

    def late(*_: object) -> bytes:
        assert answers.wait(_AT_MOST)
        return jwks(old=OLD).encode()

    monkeypatch.setattr(jwt, "fetch", late)
    keys = ProviderKeys("https://idp.example/keys")
    assert keys.get("old") is not None
    keys._fetched -= 2 * jwt._PATIENCE
    answers.clear()
    with ThreadPoolExecutor(30) as pool:
        strangers = [pool.submit(keys.get, f"invented {number}") for number in range(30)]
        refused, _ = wait(strangers[: 30 - jwt._WAITING], _AT_MOST, "FIRST_EXCEPTION")
        assert any(isinstance(each.exception(), Problem) for each in refused)
        assert pool.submit(keys.get, "old").result(_AT_MOST) is not None, "nobody who is known waits"
        keys._fetched -= 2 * jwt._KEEP
        assert pool.submit(keys.get, "old").result(_AT_MOST) is not None, "nor when it is time to ask again"
        answers.set()
    waited = [each for each in strangers if each.exception() is None]
    assert len(waited) <= jwt._WAITING and all(each.result() is None for each in waited)


def test_others_are_served_while_many_come_back_from_a_late_provider(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()

    def late(*_: object) -> object:
        assert answers.wait(_AT_MOST)
        return {}

    monkeypatch.setattr(sign_in, "fetch_json", late)
    house = open_house(oidc=company("http://localhost:9"), failures=1000)
    come_back = begun(house)
    cookie = house.client.cookies["efface-sign-in"]

    async def asked() -> tuple[int, list[int]]:
        transport = httpx.ASGITransport(create(house.service))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            headers = {"Cookie": f"efface-sign-in={cookie}"}
            request = client.get
            strangers = [
                asyncio.ensure_future(request("/v1/sign-in/return", params=come_back, headers=headers))
                for _ in range(100)
            ]
            try:
                async with asyncio.timeout(_AT_MOST / 4):
                    while sum(stranger.done() for stranger in strangers) < 100 - 8 - 64:
                        await asyncio.sleep(0.001)
                    other = await request("/v1/tokens", headers=house.as_("low"))
            finally:
                answers.set()
            return other.status_code, [answer.status_code for answer in await asyncio.gather(*strangers)]

    status, strangers = asyncio.run(asked())
    assert status == 200
    assert set(strangers) == {403, 503}, "some wait, and too many do not"
