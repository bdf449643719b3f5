"""Signing in at the company's own page, against a provider of our own on the loopback address."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt as pyjwt
import pytest
from pydantic import ValidationError

from efface.errors import InputError
from efface.service.settings import Oidc, SignIn
from tests.service.auth.test_people import NEW, OLD, jwks
from tests.service.hospital import House, Open

CLIENT, SECRET = "efface-page", "s3cret &=+ of ours"
COOKIE = "efface-sign-in"


@dataclass
class Provider:
    """An issuer as the standard has it: codes are for one client, one address, one verifier, and one use."""

    address: str = ""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    changed: dict[str, Any] = field(
        default_factory=dict
    )  # claims that an attacker, or a mistake, has put there
    key: Any = OLD
    answer: tuple[int, dict[str, str], bytes] | None = None
    seen: list[dict[str, str]] = field(default_factory=list)

    def authorized(self, where: str) -> str:
        """What the provider's page does once somebody has said who they are: a code."""
        asked = dict(parse_qsl(urlsplit(where).query))
        assert asked["response_type"] == "code" and asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return code

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, str], bytes]:
        self.seen.append({**form, "authorization": authorization})
        if self.answer is not None:
            return self.answer
        asked = self.codes.pop(form.get("code", ""), None)
        made = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            asked is None
            or made.rstrip(b"=").decode() != asked["code_challenge"]
            or (form["client_id"], form["redirect_uri"]) != (asked["client_id"], asked["redirect_uri"])
        ):
            return 400, {}, b'{"error": "invalid_grant"}'
        now = int(time.time())
        claims = {
            "iss": self.address, "aud": CLIENT, "sub": "kim", "preferred_username": "low", "roles": ["reader"],
            "iat": now, "exp": now + 60, "nonce": asked["nonce"], **self.changed,
        }  # fmt: skip
        kept = {name: value for name, value in claims.items() if value is not None}
        token = pyjwt.encode(kept, self.key, "RS256", headers={"kid": "old"})
        return (
            200,
            {},
            json.dumps({"access_token": "opaque", "token_type": "Bearer", "id_token": token}).encode(),
        )


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(200, {}, jwks(old=OLD).encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._send(*made.token(form, self.headers.get("authorization", "")))

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()


def settings(provider: Provider, **given: Any) -> Oidc:
    at = provider.address
    sign_in = SignIn(
        client=CLIENT, authorize=f"{at}/authorize", token=f"{at}/token", address="http://localhost", **given
    )
    return Oidc(issuer=at, audience="efface", jwks=f"{at}/keys", viewer="preferred_username", sign_in=sign_in)


@pytest.fixture
def company(open_house: Open, provider: Provider) -> House:
    house = open_house(oidc=settings(provider), failures=1000)
    house.client.follow_redirects = False
    return house


def begin(house: House, to: str | None = None) -> tuple[str, str]:
    """The provider's page, and the state in its address."""
    answer = house.client.get("/v1/sign-in/begin", params={} if to is None else {"to": to})
    assert answer.status_code == 303
    where = answer.headers["location"]
    return where, dict(parse_qsl(urlsplit(where).query))["state"]


def come_back(house: House, code: str, state: str, **more: str) -> Any:
    return house.client.get("/v1/sign-in/return", params={"code": code, "state": state, **more})


def signed_in(house: House) -> bool:
    return house.client.get("/v1/me").status_code == 200


def test_somebody_signs_in_looks_and_signs_out(company: House, provider: Provider) -> None:
    assert company.client.get("/v1/sign-in").json() == {"company": "/v1/sign-in/begin", "sign_out": None}
    assert not signed_in(company)
    where, state = begin(company, "/app/read")
    answer = come_back(company, provider.authorized(where), state, iss=provider.address)
    assert (answer.status_code, answer.headers["location"]) == (303, "/app/read")
    cookies = answer.headers.get_list("set-cookie")
    assert any(row.startswith(f"{COOKIE}=;") and "Max-Age=0" in row for row in cookies), "it was for once"
    session = next(row for row in cookies if row.startswith("efface="))
    assert "HttpOnly" in session and "SameSite=Strict" in session
    me = company.client.get("/v1/me").json()
    assert (me["name"], me["role"], me["viewer"], me["scopes"]) == ("kim", "reader", "low", ["read"])
    assert company.client.post("/v1/tokens", json={}).status_code == 403, "not without the second token"
    assert company.client.delete("/v1/session", headers={"X-CSRF-Token": me["csrf"]}).status_code == 204
    assert not signed_in(company)
    actions = [(row.actor, row.action) for row in company.service.trail.records()]
    assert actions[-2:] == [("kim", "log in"), ("kim", "log out")]


def test_an_administrator_ends_the_session_of_somebody_with_no_user_here(
    company: House, provider: Provider
) -> None:
    where, state = begin(company)
    assert come_back(company, provider.authorized(where), state).status_code == 303 and signed_in(company)
    codes = [company.client.delete("/v1/users/kim", headers=company.as_("admin")).status_code for _ in "12"]
    assert codes == [204, 204] and not signed_in(company), (
        "what they approved counts no more, were there only that"
    )


def test_the_cookie_on_the_way_is_bound_to_the_browser(open_house: Open, provider: Provider) -> None:
    house = open_house(oidc=settings(provider), secure_cookies=True)
    answer = house.client.get("/v1/sign-in/begin", follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-efface-sign-in=") and "Path=/;" in cookie
    assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=Lax", "Max-Age=600"))


def test_nothing_on_the_way_tells_another(company: House) -> None:
    where, _ = begin(company)
    asked = dict(parse_qsl(urlsplit(where).query))
    cookie = company.client.cookies[COOKIE]
    made = [asked[name] for name in ("state", "nonce", "code_challenge")]
    assert len({*made, cookie}) == 4 and not any(value in cookie for value in made)
    again = dict(parse_qsl(urlsplit(begin(company)[0]).query))
    assert not {again[name] for name in ("state", "nonce", "code_challenge")} & set(made)


Change = Callable[[Provider], None]


def _claims(**changed: Any) -> Change:
    return lambda provider: provider.changed.update(changed)


def _answers(status: int, body: bytes, **headers: str) -> Change:
    return lambda provider: setattr(provider, "answer", (status, headers, body))


WRONG: dict[str, Change] = {
    "nonce of another": _claims(nonce="another"),
    "no nonce": _claims(nonce=None),
    "nonce of another kind": _claims(nonce=7),
    "other audience": _claims(aud="payroll"),
    "the audience of programs": _claims(aud="efface"),
    "for another party": _claims(aud=[CLIENT, "payroll"], azp="payroll"),
    "for several, not said for whom": _claims(aud=[CLIENT, "payroll"]),
    "other issuer": _claims(iss="https://evil.example"),
    "expired": _claims(exp=int(time.time()) - 90),
    "no end": _claims(exp=None),
    "no role": _claims(roles=[]),
    "no user": _claims(sub=None),
    "wrong key": lambda provider: setattr(provider, "key", NEW),
    "refused": _answers(400, b'{"error": "invalid_grant"}'),
    "broken": _answers(500, b""),
    "not JSON": _answers(200, b"<html>"),
    "not an object": _answers(200, b"[]"),
    "no token": _answers(200, b'{"access_token": "x"}'),
    "token of another kind": _answers(200, b'{"id_token": {"sub": "kim"}}'),
    "unsigned": _answers(
        200,
        json.dumps({"id_token": pyjwt.encode({"sub": "kim"}, None, "none", headers={"kid": "old"})}).encode(),  # type: ignore[arg-type]
    ),
    "sent elsewhere": _answers(302, b"", location="http://127.0.0.1:1/"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_wrong_with_the_answer_nobody_is_let_in(
    company: House, provider: Provider, wrong: str
) -> None:
    where, state = begin(company)
    code = provider.authorized(where)
    WRONG[wrong](provider)
    answer = come_back(company, code, state)
    assert answer.status_code == 403 and answer.json()["type"] == "/problems/sign-in"
    assert "efface=" not in "".join(answer.headers.get_list("set-cookie")) and not signed_in(company)


def test_for_several_parties_and_meant_for_us(company: House, provider: Provider) -> None:
    provider.changed = {"aud": [CLIENT, "payroll"], "azp": CLIENT}
    where, state = begin(company)
    assert come_back(company, provider.authorized(where), state).status_code == 303


def test_a_return_that_this_browser_did_not_begin(company: House, provider: Provider) -> None:
    """Somebody sends a victim the address of their own return, to have them work in the attacker's account."""
    where, state = begin(company)
    code = provider.authorized(where)
    company.client.cookies.clear()
    assert come_back(company, code, state).status_code == 403, "no cookie at all"
    begin(company)
    assert come_back(company, code, state).status_code == 403, "the cookie of another beginning"
    assert not provider.seen, "the code was not even looked at"


@pytest.mark.parametrize("state", ["", "x", "0" * 64, "é"])
def test_a_state_that_is_not_ours(company: House, provider: Provider, state: str) -> None:
    where, _ = begin(company)
    assert come_back(company, provider.authorized(where), state).status_code == 403
    assert not provider.seen


def test_a_cookie_that_was_touched_or_is_too_old(
    company: House, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for change in (
        lambda cookie: cookie.replace("/app/", "/app/review"),
        lambda cookie: "A" + cookie[1:] if cookie[0] != "A" else "B" + cookie[1:],
        lambda cookie: cookie[:-1] + ("0" if cookie[-1] != "0" else "1"),
        lambda _cookie: "x",
    ):
        where, state = begin(company)
        cookie = company.client.cookies[COOKIE]
        company.client.cookies.clear()
        headers = {"Cookie": f"{COOKIE}={change(cookie)}"}
        params = {"code": provider.authorized(where), "state": state}
        assert company.client.get("/v1/sign-in/return", params=params, headers=headers).status_code == 403
    where, state = begin(company)
    later = time.time() + 601
    monkeypatch.setattr("efface.service.auth.sign_in.time.time", lambda: later)
    assert come_back(company, provider.authorized(where), state).status_code == 403
    assert not provider.seen


def test_a_code_is_for_once_and_for_one_browser(company: House, provider: Provider) -> None:
    where, state = begin(company)
    code, cookie = provider.authorized(where), company.client.cookies[COOKIE]
    assert come_back(company, code, state).status_code == 303
    company.client.cookies.clear()
    again = company.client.get(
        "/v1/sign-in/return", params={"code": code, "state": state}, headers={"Cookie": f"{COOKIE}={cookie}"}
    )
    assert again.status_code == 403 and not signed_in(company), "the same return, replayed"
    stolen = provider.authorized(begin(company)[0])
    company.client.cookies.clear()
    _, state = begin(company)
    assert come_back(company, stolen, state).status_code == 403, "a stolen code lacks its verifier here"


def test_an_answer_of_another_provider(company: House, provider: Provider) -> None:
    where, state = begin(company)
    answer = come_back(company, provider.authorized(where), state, iss="https://evil.example")
    assert answer.status_code == 403 and not provider.seen


@pytest.mark.parametrize(
    "to",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "/app/../v1/audit", "/app/%0d%0aSet-Cookie: a=b",
     "/app//evil.example/../..", "javascript:alert(1)", "/v1/me", "/app/\r\nX: y", "app/", "/app/?x=https://evil.example"],
)  # fmt: skip
def test_nobody_is_sent_elsewhere_afterwards(company: House, provider: Provider, to: str) -> None:
    where, state = begin(company, to)
    assert where.startswith(f"{provider.address}/authorize?")
    found = come_back(company, provider.authorized(where), state).headers["location"]
    assert found.startswith("/app/") and ".." not in found and not found.startswith("//")
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz/")


def test_a_browser_is_shown_the_page_when_it_did_not_work(company: House) -> None:
    params, headers = {"error": "access_denied", "state": "x"}, {"Accept": "text/html,*/*"}
    answer = company.client.get("/v1/sign-in/return", params=params, headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/app/#sign-in-failed")


def test_a_confidential_client_says_its_secret_to_the_provider_alone(
    open_house: Open, provider: Provider, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CLIENT_SECRET", SECRET)
    out = f"{provider.address}/bye"
    house = open_house(oidc=settings(provider, secret="env:CLIENT_SECRET", sign_out=out))
    house.client.follow_redirects = False
    with caplog.at_level(logging.DEBUG):
        where, state = begin(house)
        code = provider.authorized(where)
        answer = come_back(house, code, state)
    assert answer.status_code == 303
    [seen] = provider.seen
    assert base64.b64decode(seen["authorization"].removeprefix("Basic ")).decode() == (
        "efface-page:s3cret+%26%3D%2B+of+ours"
    )
    told = where + answer.headers["location"] + answer.text + repr(house.service.sign_in)
    ours = "".join(row.getMessage() for row in caplog.records if row.name.startswith("efface"))
    for secret in (SECRET, "s3cret", seen["code_verifier"]):
        assert secret not in told + ours
    assert code not in ours and state not in ours
    assert house.client.get("/v1/sign-in").json()["sign_out"] == (
        f"{out}?client_id=efface-page&post_logout_redirect_uri=http%3A%2F%2Flocalhost%2Fapp%2F"
    )


def test_without_a_company_account_there_is_no_such_way(house: House) -> None:
    assert house.client.get("/v1/sign-in").json() == {"company": None, "sign_out": None}
    for path in ("/v1/sign-in/begin", "/v1/sign-in/return?code=x&state=y"):
        assert house.client.get(path, follow_redirects=False).status_code == 404


def test_guessing_returns_is_slowed_down(open_house: Open, provider: Provider) -> None:
    house = open_house(oidc=settings(provider), failures=3)
    codes = [come_back(house, "x", "y").status_code for _ in range(5)]
    assert codes == [403, 403, 403, 429, 429]


@pytest.mark.parametrize("field", ["authorize", "token", "address", "sign_out"])
@pytest.mark.parametrize(
    "value",
    ["http://id.example/x", "file:/etc/passwd", "ftp://id.example", "http://127.0.0.1.evil.example/", ""],
)
def test_addresses_are_of_this_machine_or_encrypted(field: str, value: str) -> None:
    good = dict.fromkeys(("authorize", "token", "address"), "https://id.example/x")
    with pytest.raises(ValidationError):
        SignIn(client=CLIENT, **{**good, field: value})


def test_a_secret_that_is_not_there_stops_the_service(provider: Provider) -> None:
    sign_in = settings(provider, secret="env:NO_SUCH_SECRET").sign_in
    assert sign_in is not None
    with pytest.raises(InputError):
        sign_in.secret_text()
