"""Who is asking, by a JSON Web Token of the company's own identity provider (OpenID Connect)."""

from __future__ import annotations

import hmac
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jwt as pyjwt

from efface.service.identity import NAME, ROLES, Identity, allowed
from efface.service.settings import Oidc

_MAX_ANSWER = 1 << 20  # bytes
_MAX_TOKEN = 16 << 10
_KEEP = 3600.0  # seconds that keys are believed without asking again
_PATIENCE = 30.0  # seconds between two questions for a key that was not there


@dataclass
class Keys:
    """The provider's keys, fetched when needed and again when a token names a new one (rotation)."""

    address: str
    _keys: dict[str, Any] = field(default_factory=dict, repr=False)
    _fetched: float = -_KEEP
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, kid: str) -> Any | None:
        """The key of that name. Strangers who invent names cannot make us ask more than now and then."""
        with self._lock:
            age = time.monotonic() - self._fetched
            if age > _KEEP or (kid not in self._keys and age > _PATIENCE):
                self._refresh()
            return self._keys.get(kid)

    def _refresh(self) -> None:
        self._fetched = time.monotonic()
        try:
            found = json.loads(fetch(self.address))["keys"]
        except (OSError, ValueError, KeyError, TypeError):
            return  # the old keys stand; without any nobody is let in
        fresh: dict[str, Any] = {}
        for entry in found if isinstance(found, list) else []:
            try:
                key = pyjwt.PyJWK(entry)
            except (pyjwt.PyJWTError, TypeError, ValueError, AttributeError):
                continue
            if key.key_id and key.key_type != "oct":  # a shared secret has no place in a public list
                fresh[key.key_id] = key
        self._keys = fresh


def fetch(address: str, form: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    """What an address of the settings answers; with a form, to a POST."""
    if address.startswith("file:"):
        return Path(address.removeprefix("file:")).read_bytes()
    opener = urllib.request.build_opener(_NoRedirects)
    # The settings let in nothing but https, and http to this machine.
    request = urllib.request.Request(address, form, dict(headers or {}))  # noqa: S310
    try:
        with opener.open(request, timeout=5) as answer:
            return bytes(answer.read(_MAX_ANSWER))
    except urllib.error.HTTPError as error:
        error.close()
        raise


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The address is the administrator's; nobody else's counts."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Tokens:
    """Believes tokens of one issuer for one audience."""

    settings: Oidc
    keys: Keys

    def identify(self, text: str) -> Identity | None:
        """Who it says, if every check holds."""
        claims = self._claims(text, self.settings.audience)
        return None if claims is None else self._identity(claims)

    def signed_in(self, text: str, client: str, nonce: str) -> Identity | None:
        """Who signed in: an ID token, for this client alone, that answers this very question."""
        claims = self._claims(text, client)
        if claims is None or not isinstance(claims.get("nonce"), str):
            return None
        same = hmac.compare_digest(claims["nonce"].encode(), nonce.encode())
        several = claims["aud"] != client and claims["aud"] != [client]
        if not same or claims.get("azp", None if several else client) != client:
            return None
        found = self._identity(claims)
        # How long the token may be shown says nothing of how long somebody stays signed in.
        return None if found is None else replace(found, expires=None)

    def _claims(self, text: str, audience: str) -> dict[str, Any] | None:
        if len(text) > _MAX_TOKEN:
            return None
        try:
            kid = pyjwt.get_unverified_header(text).get("kid")
            key = self.keys.get(kid) if isinstance(kid, str) else None
            if key is None:
                return None
            claims: dict[str, Any] = pyjwt.decode(
                text,
                key,
                algorithms=list(self.settings.algorithms),
                audience=audience,
                issuer=self.settings.issuer,
                leeway=self.settings.leeway,
                options={"require": ["exp", "iat", "iss", "aud"], "enforce_minimum_key_length": True},
            )
        except (pyjwt.PyJWTError, ValueError, TypeError):
            return None
        return claims

    def _identity(self, claims: dict[str, Any]) -> Identity | None:
        name, role = claims.get(self.settings.user), self._role(claims.get(self.settings.role))
        viewer = claims.get(self.settings.viewer, name)
        if (
            not isinstance(name, str)
            or not isinstance(viewer, str)
            or not NAME.fullmatch(name)
            or role is None
        ):
            return None
        return Identity(name, role, viewer, allowed(role), "jwt", None, float(claims["exp"]))

    def _role(self, claimed: object) -> str | None:
        """The best of our roles that one of theirs stands for."""
        theirs = claimed if isinstance(claimed, list) else [claimed]
        mapping: Mapping[str, str] = self.settings.roles or {role: role for role in ROLES}
        ours = [mapping[name] for name in theirs if isinstance(name, str) and name in mapping]
        return max(ours, key=list(ROLES).index, default=self.settings.default_role)
