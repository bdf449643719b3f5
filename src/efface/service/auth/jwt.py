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

from efface.service.auth.identity import NAME, ROLES, Identity, allowed_in_any
from efface.service.settings import Oidc

_MAX_ANSWER = 1 << 20  # bytes
_MAX_TOKEN = 16 << 10
_KEEP = 3600.0  # seconds that keys are used without asking again
_PATIENCE = 30.0  # seconds between two questions for a key that was not there


@dataclass
class ProviderKeys:
    """The provider's keys, fetched when needed and again when a token names a new one (rotation)."""

    address: str
    _keys: dict[str, Any] = field(default_factory=dict, repr=False)
    _fetched: float = -_KEEP
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, kid: str) -> Any | None:
        """The key of that name. Tokens with invented names cannot make the service ask the provider often."""
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
            return  # the old keys stay in use; without any, every sign-in fails
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
    """Refuses redirects: only the address that the administrator set is asked."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class TokenVerifier:
    """Believes tokens of one issuer for one audience."""

    settings: Oidc
    keys: ProviderKeys

    def identify(self, text: str) -> Identity | None:
        """The identity in the token, if every check holds."""
        claims = self._claims(text, self.settings.audience)
        return None if claims is None else self._identity(claims)

    def signed_in(self, text: str, client: str, nonce: str) -> Identity | None:
        """The identity in an ID token that was made for this client alone and for this sign-in."""
        claims = self._claims(text, client)
        if claims is None or not isinstance(claims.get("nonce"), str):
            return None
        same = hmac.compare_digest(claims["nonce"].encode(), nonce.encode())
        several = claims["aud"] != client and claims["aud"] != [client]
        if not same or claims.get("azp", None if several else client) != client:
            return None
        found = self._identity(claims)
        # The token's expiry limits its use for signing in, not the length of the session.
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
        name, claimed = claims.get(self.settings.user), claims.get(self.settings.role)
        role, teams, viewer = self._role(claimed), self._teams(claimed), self._viewer(claims)
        if not isinstance(name, str) or not NAME.fullmatch(name) or viewer is None:
            return None
        if role is None and not teams:
            return None
        scopes = allowed_in_any((role or "", *teams.values()))
        return Identity(name, role or "", viewer, scopes, "jwt", None, float(claims["exp"]), teams=teams)

    def _viewer(self, claims: dict[str, Any]) -> str | None:
        """Their name as a viewer in the databases of the policies. Where the settings map no name, the issuer is put
        before the claimed one, so that it cannot equal a database user's name by chance."""
        settings = self.settings
        claimed = claims.get(settings.viewer or "sub")
        if not isinstance(claimed, str) or not claimed:
            return None
        if claimed in settings.viewers:
            return settings.viewers[claimed]
        if settings.viewers or settings.viewer is None:
            return f"{settings.issuer}#{claimed}"
        return claimed

    def _teams(self, claimed: object) -> dict[str, str]:
        """The best of their roles in each team other than the main one."""
        found: dict[str, str] = {}
        for name in claimed if isinstance(claimed, list) else [claimed]:
            team, slash, role = self.settings.teams.get(name if isinstance(name, str) else "", "").partition(
                "/"
            )
            if slash and list(ROLES).index(role) >= list(ROLES).index(found.get(team, "reader")):
                found[team] = role
        return found

    def _role(self, claimed: object) -> str | None:
        """The best of our roles that one of theirs maps to."""
        theirs = claimed if isinstance(claimed, list) else [claimed]
        mapping: Mapping[str, str] = self.settings.roles or {role: role for role in ROLES}
        ours = [mapping[name] for name in theirs if isinstance(name, str) and name in mapping]
        return max(ours, key=list(ROLES).index, default=self.settings.default_role)
