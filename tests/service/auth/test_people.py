"""Tokens, sessions, roles, JSON Web Tokens, and those who try without."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from efface.service.app import Service
from efface.service.auth import jwt as ours
from efface.service.auth.identity import ROLES
from efface.service.problems import Problem
from efface.service.settings import Oidc, ServiceSettings
from efface.service.store import tokens
from tests.service.conftest import Template, opened
from tests.service.hospital import NOTE, House, Open

ISSUER, AUDIENCE = "https://id.example", "efface"
OLD = rsa.generate_private_key(public_exponent=65537, key_size=2048)
NEW = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def jwks(**keys: Any) -> str:
    rows = []
    for kid, key in keys.items():
        algorithm = pyjwt.algorithms.RSAAlgorithm if key is not CURVE else pyjwt.algorithms.ECAlgorithm
        row = json.loads(algorithm.to_jwk(key.public_key()))
        rows.append({**row, "kid": kid, "use": "sig", "alg": "RS256" if key is not CURVE else "ES256"})
    return json.dumps({"keys": rows})


def claims(**changed: Any) -> dict[str, Any]:
    now = int(time.time())
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": "kim", "preferred_username": "low", "roles": ["reader"]}
    return {**good, "iat": now, "exp": now + 300, **changed}


def signed(key: Any = OLD, kid: str = "old", algorithm: str = "RS256", **changed: Any) -> str:
    body = {name: value for name, value in claims(**changed).items() if value is not None}
    return pyjwt.encode(body, key, algorithm, headers={"kid": kid})


def believer(folder: Path) -> dict[str, Any]:
    """Settings that believe the keys in a file."""
    file = folder / "jwks.json"
    file.write_text(jwks(old=OLD, curve=CURVE))
    return {
        "oidc": Oidc(issuer=ISSUER, audience=AUDIENCE, jwks=f"file:{file}", viewer="preferred_username"),
        "failures": 1000,
    }


@pytest.fixture
def company(open_house: Open, tmp_path: Path) -> House:
    return open_house(**believer(tmp_path))


@pytest.fixture(scope="module")
def shared_company(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("company")
    with opened(template, folder / "home", **believer(folder)) as found:
        yield found


def status(house: House, token: str, path: str = "/v1/me") -> int:
    code: int = house.client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code
    return code


def test_a_good_token_is_believed(company: House) -> None:
    answer = company.client.get("/v1/me", headers={"Authorization": f"Bearer {signed()}"})
    assert answer.json() == {
        "name": "kim",
        "role": "reader",
        "viewer": "low",
        "scopes": ["read"],
        "csrf": None,
        "teams": {"main": "reader"},
    }
    assert status(company, signed(CURVE, "curve", "ES256")) == 200
    assert status(company, signed(roles=["reader", "admin"]), "/v1/users") == 200, "the best of their roles"
    id = company.add("note.txt", NOTE)
    seen = company.client.get(f"/v1/documents/{id}", headers={"Authorization": f"Bearer {signed()}"})
    assert seen.content == company.get("low", f"/v1/documents/{id}").content


def unsigned(**changed: Any) -> str:
    return pyjwt.encode(claims(**changed), None, "none", headers={"kid": "old"})  # type: ignore[arg-type]


def confused() -> str:
    """HMAC with the public key as the secret, for a verifier that lets the token choose."""
    public = json.loads(jwks(old=OLD))["keys"][0]
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": "old"}).encode()).rstrip(b"=")
    body = base64.urlsafe_b64encode(json.dumps(claims(roles=["admin"])).encode()).rstrip(b"=")
    seal = hmac.new(json.dumps(public).encode(), head + b"." + body, hashlib.sha256).digest()
    return (head + b"." + body + b"." + base64.urlsafe_b64encode(seal).rstrip(b"=")).decode()


def tampered() -> str:
    head, _, seal = signed().split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(roles=["admin"])).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{seal}"


def with_header(**more: Any) -> str:
    return pyjwt.encode(claims(), NEW, "RS256", headers={"kid": "mine", **more})


ATTACKS: dict[str, Callable[[], str]] = {
    "none": unsigned,
    "wrong key": lambda: signed(NEW),
    "expired": lambda: signed(exp=int(time.time()) - 61),
    "not yet": lambda: signed(nbf=int(time.time()) + 120),
    "other audience": lambda: signed(aud="payroll"),
    "no audience": lambda: signed(aud=None),
    "other issuer": lambda: signed(iss="https://evil.example"),
    "no end": lambda: signed(exp=None),
    "no role": lambda: signed(roles=[]),
    "a role of no meaning": lambda: signed(roles=["root"]),
    "no name": lambda: signed(sub=None),
    "a name that is markup": lambda: signed(sub="<b>kim\r\nSet-Cookie: a=b"),
    "key confusion": confused,
    "tampered": tampered,
    "unknown key": lambda: signed(kid="other"),
    "no key named": lambda: pyjwt.encode(claims(), OLD, "RS256"),
    "its own key's address": lambda: with_header(
        jku="https://evil.example/jwks", x5u="https://evil.example/x"
    ),
    "its own key": lambda: with_header(jwk=json.loads(jwks(mine=NEW))["keys"][0]),
    "a path for a key": lambda: signed(kid="../../../dev/null"),
    "huge": lambda: signed(padding="x" * 20_000),
    "rubbish": lambda: "a.b.c",
    "nothing": lambda: "",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_forged_token_is_believed(shared_company: House, attack: str) -> None:
    assert status(shared_company, ATTACKS[attack]()) == 401


def test_clocks_may_differ_a_little(shared_company: House) -> None:
    now = int(time.time())
    assert status(shared_company, signed(exp=now - 30)) == 200
    assert status(shared_company, signed(nbf=now + 30, iat=now + 30)) == 200


def test_keys_are_rotated(company: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(company, signed()) == 200
    (tmp_path / "jwks.json").write_text(jwks(new=NEW))
    assert status(company, signed(NEW, "new")) == 401, "asked a moment ago"
    monkeypatch.setattr(ours, "_PATIENCE", 0.0)
    assert status(company, signed(NEW, "new")) == 200
    assert status(company, signed()) == 401, "the old key is gone"
    (tmp_path / "jwks.json").write_text("{")
    assert status(company, signed(NEW, "new")) == 200, "a provider that stammers takes nothing away"


def test_a_shared_secret_in_the_list_of_keys_is_passed_over(company: House, tmp_path: Path) -> None:
    secret = base64.urlsafe_b64encode(b"s" * 32).decode()
    row = {"kty": "oct", "k": secret, "kid": "shared", "alg": "HS256"}
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": [row]}))
    assert status(company, pyjwt.encode(claims(), b"s" * 32, "HS256", headers={"kid": "shared"})) == 401


def test_tokens_are_stored_as_hashes_and_shown_once(house: House) -> None:
    answer = house.post("admin", "/v1/tokens", json={"user": "low", "label": "reports"})
    secret = answer.json()["token"]
    assert status(house, secret) == 200
    with house.service.store.read() as connection:
        rows = connection.execute(tokens.select()).mappings().all()
    assert secret.split("_", 2)[2] not in str([dict(row) for row in rows])
    assert secret not in house.get("admin", "/v1/tokens").text


def test_a_revoked_token_opens_nothing_from_that_moment(house: House) -> None:
    made = house.post("low", "/v1/tokens", json={}).json()
    session = house.client.post("/v1/session", headers={"Authorization": f"Bearer {made['token']}"})
    cookie = session.cookies["efface"]
    house.client.cookies.clear()
    assert house.client.delete(f"/v1/tokens/{made['id']}", headers=house.as_("low")).status_code == 204
    assert status(house, made["token"]) == 401
    assert house.client.get("/v1/me", headers={"Cookie": f"efface={cookie}"}).status_code == 401


def test_an_expired_token_and_its_session_are_over(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = house.post("low", "/v1/tokens", json={"days": 1}).json()["token"]
    cookie = house.client.post("/v1/session", headers={"Authorization": f"Bearer {made}"}).cookies["efface"]
    house.client.cookies.clear()
    later = time.time() + 86401
    monkeypatch.setattr(time, "time", lambda: later)
    assert status(house, made) == 401
    assert house.client.get("/v1/me", headers={"Cookie": f"efface={cookie}"}).status_code == 401


WRONG = [
    "",
    "x",
    "efface_",
    "efface_0000000000000000_" + "A" * 43,
    "Basic",
    "efface_zz_zz",
    "\u00e9",
    "x" * 5000,
]


@pytest.mark.parametrize("guess", WRONG)
def test_a_guess_is_no_token(shared_company: House, guess: str) -> None:
    answer = shared_company.client.get(
        "/v1/me", headers={b"Authorization": f"Bearer {guess}".encode("latin-1", "replace")}
    )
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_right_id_with_another_secret_is_no_token(house: House) -> None:
    id = house.tokens["admin"].split("_")[1]
    other = house.tokens["low"].split("_", 2)[2]
    assert status(house, f"efface_{id}_{other}") == 401


def test_guessing_is_slowed_down_and_keeps_nobody_else_out(open_house: Open) -> None:
    """Twenty-one bad tokens from one address locked out everybody behind it."""
    house = open_house(failures=5)
    guess = f"efface_{house.tokens['low'].split('_')[1]}_{'A' * 43}"
    codes = [status(house, guess) for _ in range(8)]
    assert codes == [401] * 5 + [429] * 3
    assert status(house, house.tokens["low"]) == 200, "the right token of the same id is never refused"
    assert status(house, house.tokens["high"]) == 200
    assert status(house, f"efface_{'0' * 16}_{'A' * 43}") == 401, "another id has failures of its own"


def test_waiting_grows_with_each_failure(open_house: Open) -> None:
    house = open_house(failures=2)
    header = {"Authorization": f"Basic {base64.b64encode(b'low:wrong').decode()}"}
    waits = [house.client.get("/v1/me", headers=header).headers.get("retry-after") for _ in range(6)]
    assert waits == [None, None, "1", "2", "4", "8"]
    right = base64.b64encode(f"low:{house.tokens['low']}".encode()).decode()
    assert house.client.get("/v1/me", headers={"Authorization": f"Basic {right}"}).status_code == 200


def test_rates_are_limited_for_each_person(open_house: Open) -> None:
    house = open_house(rate=1)
    assert [status(house, house.tokens["low"]) for _ in range(4)] == [200, 200, 429, 429]
    assert status(house, house.tokens["high"]) == 200


DOORS = {  # method, path, the roles that get in
    ("GET", "/v1/documents"): {"reader", "reviewer", "admin"},
    ("GET", "/v1/policies"): {"reviewer", "admin"},
    ("GET", "/v1/jobs"): {"reviewer", "admin"},
    ("GET", "/v1/folders"): {"reviewer", "admin"},
    ("POST", "/v1/redact"): {"reviewer", "admin"},
    ("POST", "/v1/assess"): {"reviewer", "admin"},
    ("POST", "/v1/jobs"): {"reviewer", "admin"},
    ("DELETE", "/v1/documents/" + "0" * 24): {"reviewer", "admin"},
    ("GET", "/v1/documents/" + "0" * 24 + "/as/low"): {"admin"},
    ("PUT", "/v1/folders/new"): {"admin"},
    ("GET", "/v1/users"): {"admin"},
    ("PUT", "/v1/users/eve"): {"admin"},
    ("DELETE", "/v1/users/low"): {"admin"},
    ("GET", "/v1/audit"): {"admin"},
    ("GET", "/v1/audit/check"): {"admin"},
}


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_doors_open_for_their_roles_alone(house: House, door: tuple[str, str]) -> None:
    method, path = door
    assert house.client.request(method, path).status_code == 401
    for role, name in {"reader": "high", "reviewer": "reviewer", "admin": "admin"}.items():
        answer = house.client.request(method, path, headers=house.as_(name))
        assert (answer.status_code == 403) == (role not in DOORS[door]), role


def test_nobody_gives_more_than_they_have(house: House) -> None:
    assert house.post("low", "/v1/tokens", json={"scopes": ["read", "admin"]}).status_code == 403
    assert house.post("low", "/v1/tokens", json={"user": "admin"}).status_code == 403
    narrow = house.post("reviewer", "/v1/tokens", json={"scopes": ["read"]}).json()["token"]
    header = {"Authorization": f"Bearer {narrow}"}
    assert house.client.get("/v1/policies", headers=header).status_code == 403
    again = house.client.post("/v1/tokens", json={}, headers=header).json()["token"]
    assert house.client.get("/v1/policies", headers={"Authorization": f"Bearer {again}"}).status_code == 403


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _tokens_of(house: House, user: str) -> list[dict[str, Any]]:
    return [row for row in house.service.people.listed() if row["user"] == user]


def test_a_token_does_not_outlive_what_made_it(house: House) -> None:
    short = house.service.people.issue("reviewer", days=1)[1]
    made = house.client.post("/v1/tokens", json={"days": 3000}, headers=bearer(short)).json()
    forever = house.client.post("/v1/tokens", json={}, headers=bearer(made["token"])).json()
    ends = {row["id"]: row["expires"] for row in _tokens_of(house, "reviewer")}
    for id in (made["id"], forever["id"]):
        assert ends[id] == ends[short.split("_")[1]]


def test_revoking_a_token_revokes_what_it_made(house: House) -> None:
    id, parent = house.service.people.issue("admin")
    child = house.client.post("/v1/tokens", json={}, headers=bearer(parent)).json()["token"]
    session = house.client.post("/v1/session", headers=bearer(child))
    csrf, cookie = session.json()["csrf"], session.cookies["efface"]
    by_session = {"X-CSRF-Token": csrf, "Cookie": f"efface={cookie}"}
    house.client.cookies.clear()
    grandchild = house.client.post("/v1/tokens", json={"user": "low"}, headers=by_session).json()["token"]
    assert [status(house, token) for token in (parent, child, grandchild)] == [200] * 3
    house.service.people.revoke(id)
    assert [status(house, token) for token in (parent, child, grandchild)] == [401] * 3
    assert house.client.get("/v1/me", headers={"Cookie": f"efface={cookie}"}).status_code == 401
    assert status(house, house.tokens["low"]) == 200


@pytest.mark.parametrize("harm", ["revoked", "demoted", "removed"])
def test_no_session_or_token_begins_with_rights_that_were_just_taken(house: House, harm: str) -> None:
    """The request was let in a moment before."""
    id, text = house.service.people.issue("reviewer")
    who = house.service.people.identify(text)
    assert who is not None
    if harm == "revoked":
        house.service.people.revoke(id)
    elif harm == "demoted":
        house.service.people.put("reviewer", "reader")
    else:
        house.service.people.remove("reviewer")
    with pytest.raises(Problem):
        house.service.sessions.begin(who)
    if harm != "demoted":  # otherwise it is made, and means what its user may do now
        with pytest.raises(Problem):
            house.service.people.issue("reviewer", within=who)


def test_an_administrator_with_few_scopes_gives_no_more(house: House) -> None:
    narrow = house.service.people.issue("admin", ["admin"])[1]
    answer = house.client.post("/v1/tokens", json={"scopes": ["admin", "review"]}, headers=bearer(narrow))
    assert answer.status_code == 403
    own = house.client.post("/v1/tokens", json={}, headers=bearer(narrow)).json()["token"]
    assert house.client.get("/v1/reviews", headers=bearer(own)).status_code == 403


def test_a_company_account_makes_tokens_only_if_the_settings_say_so(open_house: Open, tmp_path: Path) -> None:
    house = open_house(**believer(tmp_path))
    house.service.people.put(
        "kim", "reader", "low"
    )  # the same viewer as in the claims, so nothing else stands in the way
    refused = house.client.post("/v1/tokens", json={}, headers=bearer(signed()))
    assert refused.status_code == 403 and "company account" in refused.json()["detail"]
    allowing = believer(tmp_path)
    allowing["oidc"] = allowing["oidc"].model_copy(update={"tokens": True})
    house = open_house(**allowing)
    viewer = house.client.get("/v1/me", headers=bearer(signed())).json()["viewer"]
    house.service.people.put("kim", "admin", viewer)
    made = house.client.post("/v1/tokens", json={"days": 9}, headers=bearer(signed()))
    assert made.status_code == 201
    row = _tokens_of(house, "kim")[0]
    assert row["scopes"] == "read" and row["expires"] <= time.time() + 300


def test_a_company_account_is_not_the_user_of_its_name_who_is_another_viewer(
    open_house: Open, tmp_path: Path
) -> None:
    """Jobs, tokens and the trail know people by their names, so one of the two is not let in."""
    allowing = believer(tmp_path)
    allowing["oidc"] = allowing["oidc"].model_copy(update={"tokens": True})
    house = open_house(**allowing)
    session = house.client.post("/v1/session", headers=bearer(signed()))
    assert session.status_code == 201
    house.service.people.put("kim", "reviewer", "high")
    assert house.client.get("/v1/me").status_code == 401, "a session from before"
    house.client.cookies.clear()
    house.tokens["kim"] = house.service.people.issue("kim")[1]
    files = {"file": ("n.txt", b"Write to ann@example.org")}
    job = house.post("kim", "/v1/jobs", files=files).json()["id"]
    asked = [("GET", "/v1/me"), ("GET", "/v1/jobs"), ("GET", f"/v1/jobs/{job}"), ("GET", "/v1/tokens")]
    for method, path in (*asked, ("POST", "/v1/tokens"), ("POST", "/v1/session")):
        sent: dict[str, str] | None = None if method == "GET" else {}
        answer = house.client.request(method, path, headers=bearer(signed(roles=["admin"])), json=sent)
        assert answer.status_code == 403 and "viewer" in answer.json()["detail"], path
    assert len(_tokens_of(house, "kim")) == 1
    house.service.people.put("kim", "reviewer", "low")  # the operator says that they are one person
    assert status(house, signed(roles=["reviewer"]), f"/v1/jobs/{job}") == 200


def test_a_session_of_a_company_account_does_not_begin_while_its_name_becomes_a_user(company: House) -> None:
    assert company.service.jwt is not None
    kim = company.service.jwt.identify(signed())
    assert kim is not None
    company.service.people.put("kim", "reader", "high")
    with pytest.raises(Problem):
        company.service.sessions.begin(kim)


def test_who_they_are_to_a_database_is_said_in_the_settings(open_house: Open, tmp_path: Path) -> None:
    """A provider's users choose `preferred_username`; a database role of that name must not become theirs."""
    given = believer(tmp_path)

    def viewer(**changed: Any) -> Any:
        oidc = Oidc.model_validate({**given["oidc"].model_dump(), "viewer": None, **changed})
        house = open_house(oidc=oidc)
        return house.client.get("/v1/me", headers=bearer(signed())).json().get("viewer")

    assert viewer() == f"{ISSUER}#kim"
    assert viewer(viewers={"kim": "high"}) == "high"
    assert viewer(viewers={"lee": "high"}) == f"{ISSUER}#kim"
    assert viewer(viewer="preferred_username") == "low"
    assert viewer(viewer="nothing_of_this_name") is None


def test_forwarded_addresses_count_from_configured_proxies_only() -> None:
    import ipaddress

    from efface.service.auth.proxies import Proxies

    def sender(client: str, forwarded: str, *trusted: str) -> str:
        scope = {"client": (client, 1), "headers": [(b"x-forwarded-for", forwarded.encode())]}
        Proxies(tuple(ipaddress.ip_network(each) for each in trusted)).correct(scope)
        found: str = scope["client"][0]  # type: ignore[assignment]
        return found

    assert sender("10.0.0.1", "1.2.3.4") == "10.0.0.1", "no proxy is named"
    assert sender("10.0.0.1", "1.2.3.4", "10.0.0.0/24") == "1.2.3.4"
    assert sender("10.0.0.1", "9.9.9.9, 1.2.3.4", "10.0.0.0/24") == "1.2.3.4", (
        "the first is the sender's word"
    )
    assert sender("10.0.0.1", "1.2.3.4, 10.0.0.2", "10.0.0.0/24") == "1.2.3.4", "two proxies of ours"
    assert sender("8.8.8.8", "1.2.3.4", "10.0.0.0/24") == "8.8.8.8", "not a proxy of ours"
    assert sender("10.0.0.1", "<script>", "10.0.0.0/24") == "10.0.0.1"
    assert sender("10.0.0.1", "::1", "10.0.0.0/24") == "::1"
    assert sender("::ffff:10.0.0.1", "1.2.3.4", "10.0.0.0/24") == "1.2.3.4", "by a socket of IPv6"
    assert sender("10.0.0.1", "1.2.3.4:5678, [::ffff:10.0.0.2]:90", "10.0.0.0/24") == "1.2.3.4", "with ports"


def test_whoever_has_a_network_of_ipv6_is_one_sender() -> None:
    from efface.service.auth.proxies import one_sender

    assert len({one_sender(f"2001:db8:0:1::{each:x}") for each in range(99)}) == 1
    assert one_sender("2001:db8:0:2::1") != one_sender("2001:db8:0:1::1")
    assert one_sender("::ffff:1.2.3.4") == one_sender("1.2.3.4") != one_sender("1.2.3.5")
    assert one_sender("testclient") == "testclient"


def test_a_service_behind_a_proxy_is_open_to_nobody() -> None:
    """A proxy brings strangers to the loopback address."""
    for proxies in ((), ("127.0.0.1",)):
        settings = ServiceSettings.model_validate({"host": "127.0.0.1", "proxies": proxies})
        wanted = "token" if proxies else "open"
        assert settings.exposed(settings.presidio) == settings.exposed(settings.metrics) == wanted
        assert bool(settings.requests_a_second) == settings.secure == bool(proxies)


def test_a_demoted_user_loses_scopes_at_once(house: House) -> None:
    assert status(house, house.tokens["reviewer"], "/v1/policies") == 200
    house.client.put("/v1/users/reviewer", json={"role": "reader"}, headers=house.as_("admin"))
    assert status(house, house.tokens["reviewer"], "/v1/policies") == 403
    house.client.delete("/v1/users/reviewer", headers=house.as_("admin"))
    assert status(house, house.tokens["reviewer"]) == 401


def test_scopes_of_roles_nest() -> None:
    assert ROLES["reader"] < ROLES["reviewer"] < ROLES["admin"]


def test_a_session_needs_its_second_token_for_changes(house: House) -> None:
    begun = house.client.post("/v1/session", headers=house.as_("reviewer"))
    assert begun.status_code == 201
    cookie = begun.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    csrf = begun.json()["csrf"]
    assert house.client.get("/v1/me").json()["csrf"] == csrf
    tries = [
        ({}, 403),
        ({"X-CSRF-Token": "0" * 64}, 403),
        ({"X-CSRF-Token": csrf, "Origin": "https://evil.example"}, 403),
        ({"X-CSRF-Token": csrf, "Origin": "null"}, 403),
        ({"X-CSRF-Token": csrf, "Origin": "http://testserver"}, 201),
        ({"X-CSRF-Token": csrf}, 201),
    ]
    for headers, code in tries:
        assert house.client.post("/v1/tokens", json={}, headers=headers).status_code == code, headers
    assert house.client.delete("/v1/session", headers={"X-CSRF-Token": csrf}).status_code == 204
    assert house.client.get("/v1/me").status_code == 401


def test_cookies_are_secure_outside_of_this_machine(open_house: Open) -> None:
    house = open_house(host="0.0.0.0", rate=0)
    begun = house.client.post("/v1/session", headers=house.as_("low"))
    assert (
        begun.headers["set-cookie"].startswith("__Host-efface=") and "; Secure" in begun.headers["set-cookie"]
    )
    assert "max-age" in begun.headers["strict-transport-security"]
    assert house.client.post("/analyze", json={"text": "x", "language": "en"}).status_code == 401
    assert house.client.get("/metrics").status_code == 401


def test_a_port_that_is_taken_is_said_before_any_token_is_made(tmp_path: Path) -> None:
    import socket

    from typer.testing import CliRunner

    from efface.cli.main import app

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        tried = CliRunner().invoke(app, ["serve", "--home", str(tmp_path / "home"), "--port", port])
    assert tried.exit_code == 2 and "--port" in tried.output and "efface_" not in tried.output
    assert not (tmp_path / "home" / "efface.db").exists()


@pytest.mark.parametrize("terminal", [True, False])
def test_the_first_token_is_told_to_somebody_and_to_no_log(
    terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from efface.cli.serve import _greet

    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    service = Service.open(ServiceSettings(home=tmp_path / "home"))
    _greet(service, demo=False)
    said = capsys.readouterr().out
    assert ("efface_" in said, "efface token issue admin" in said) == (terminal, True)
    assert [record.action for record in service.trail.records()] == (["issue token"] if terminal else [])
    assert bool(service.people.all()) == terminal
    service.trail.close()
    service.store.close()
