"""Signing in with a browser at the company's own page: OpenID Connect's authorization code flow with PKCE.

The browser carries a random seed in a cookie from the beginning to the return. The state that comes back, the nonce in
the ID token and the secret of PKCE are made from the seed with the service's key, so a return is believed only in the
browser that began it, nothing of it is kept here, and any machine with the key can answer. Authlib's client would keep
all three in a session between the two requests, so it is not used; PyJWT checks the tokens.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import quote_plus, urlencode

from anyio import CapacityLimiter, to_thread

from efface.service.auth.identity import Identity
from efface.service.auth.jwt import TokenVerifier, fetch_json
from efface.service.problems import Problem
from efface.service.settings import SignIn

_EXCHANGES = 8  # codes that are exchanged at a time: each takes a thread, and anybody can send one
_WAITING = 64  # people who wait for that; further ones are refused for now
_SECONDS = 600  # seconds that a person has to sign in at the provider
_PLACE = re.compile(r"/app/[A-Za-z0-9/_-]{0,200}")
_COOKIE = re.compile(r"([A-Za-z0-9_-]{43})\.([0-9]{1,12})\.(/app/[A-Za-z0-9/_-]{0,200})\.([0-9a-f]{64})")


def place(wanted: str | None) -> str:
    """Where to go afterwards: a place in the page itself, whatever was asked for."""
    return wanted if wanted and _PLACE.fullmatch(wanted) else "/app/"


@dataclass(frozen=True, slots=True)
class Returned:
    """What the provider sent the browser back with."""

    code: str = field(repr=False)
    state: str = field(repr=False)
    issuer: str | None = None  # RFC 9207; not every provider says


T = TypeVar("T")


@dataclass
class Exchanges:
    """Threads that wait for the provider: strangers who come back in crowds, while it answers late, take no others. All
    of it happens on the event loop, so nothing needs a lock."""

    _threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_EXCHANGES))
    _under_way: int = 0

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        if self._under_way >= _EXCHANGES + _WAITING:
            raise Problem("busy", headers={"Retry-After": "2"})
        self._under_way += 1
        try:
            return await to_thread.run_sync(work, *arguments, limiter=self._threads)
        finally:
            self._under_way -= 1


@dataclass(frozen=True)
class CompanySignIn:
    """The way to the provider and back."""

    settings: SignIn
    tokens: TokenVerifier
    key: bytes = field(repr=False)
    secret: str | None = field(repr=False)
    secure: bool
    exchanges: Exchanges = field(default_factory=Exchanges, repr=False)

    @classmethod
    def of(cls, tokens: TokenVerifier, key: bytes, secure: bool) -> CompanySignIn | None:
        settings = tokens.settings.sign_in
        if settings is None:
            return None
        own = hmac.new(key, b"sign in", hashlib.sha256).digest()
        return cls(settings, tokens, own, settings.secret_text(), secure)

    @property
    def cookie(self) -> str:
        return "__Host-efface-sign-in" if self.secure else "efface-sign-in"

    def begin(self, to: str) -> tuple[str, str]:
        """The provider's page, and the header that sets the cookie."""
        seed = secrets.token_urlsafe(32)
        body = f"{seed}.{int(time.time()) + _SECONDS}.{place(to)}"
        challenge = hashlib.sha256(self._derived("verifier", seed).encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.settings.client,
            "redirect_uri": self.settings.returns_to,
            "scope": self.settings.scope,
            "state": self._derived("state", seed),
            "nonce": self._derived("nonce", seed),
            "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in self.settings.authorize else "?"
        cookie = self.set_cookie(f"{body}.{self._derived('cookie', body)}")
        return f"{self.settings.authorize}{joint}{urlencode(asked)}", cookie

    def end(self, cookie: str | None, returned: Returned) -> tuple[Identity, str]:
        """Who signed in, and where they wanted to go; or a problem, which does not say what was wrong."""
        match = _COOKIE.fullmatch(cookie or "")
        if match is None:
            raise _failed()
        seed, expires, to, seal = match.groups()
        body = f"{seed}.{expires}.{to}"
        if not _is_equal_secret(seal, self._derived("cookie", body)) or int(expires) <= time.time():
            raise _failed()
        if not _is_equal_secret(returned.state, self._derived("state", seed)):
            raise _failed()
        if returned.issuer is not None and returned.issuer != self.tokens.settings.issuer:
            raise _failed()  # an answer of another provider, mixed up with ours
        token = self._exchanged(returned.code, self._derived("verifier", seed))
        found = self.tokens.signed_in(token, self.settings.client, self._derived("nonce", seed))
        if found is None:
            raise _failed()
        return found, to

    def sign_out(self) -> str | None:
        """Where people sign out of the company's account too."""
        if self.settings.sign_out is None:
            return None
        back = f"{self.settings.address.rstrip('/')}/app/"
        asked = urlencode({"client_id": self.settings.client, "post_logout_redirect_uri": back})
        return f"{self.settings.sign_out}{'&' if '?' in self.settings.sign_out else '?'}{asked}"

    def set_cookie(self, value: str) -> str:
        """The header's text; an empty value takes the cookie away. The provider's redirect must bring it along,
        so it is `Lax`, unlike the session's."""
        secure = "; Secure" if self.secure else ""
        age = _SECONDS if value else 0
        return f"{self.cookie}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}"

    def _exchanged(self, code: str, verifier: str) -> str:
        """The ID token for a code, from the provider itself."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.returns_to,
            "client_id": self.settings.client,
            "code_verifier": verifier,
        }
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        if self.secret is not None:
            pair = f"{quote_plus(self.settings.client)}:{quote_plus(self.secret)}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        try:
            token = fetch_json(self.settings.token, urlencode(form).encode(), headers)["id_token"]
        except (OSError, ValueError, KeyError, TypeError):
            raise _failed() from None
        if not isinstance(token, str):
            raise _failed()
        return token

    def _derived(self, what: str, seed: str) -> str:
        return hmac.new(self.key, f"{what} {seed}".encode(), hashlib.sha256).hexdigest()


def _is_equal_secret(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _failed() -> Problem:
    return Problem("sign-in", "Begin again at /app/. If it happens again, tell whoever runs the service.")
