"""Who is asking, by a JSON Web Token of the company's own identity provider (OpenID Connect)."""

from __future__ import annotations

import hmac
import http.client
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
from efface.service.problems import Problem
from efface.service.settings import Oidc

_MAX_ANSWER = 1 << 20  # bytes
_MAX_TOKEN = 16 << 10  # bytes: providers' tokens have a few thousand
_KEEP = 3600.0  # seconds that keys are used without asking again
_PATIENCE = 30.0  # seconds between two questions for a key that was not there
_WAITING = 4  # requests that wait for the provider at a time; anybody can name a key that there is not


@dataclass
class ProviderKeys:
    """The provider's keys, fetched when needed and again when a token names a new one (rotation)."""

    address: str
    _keys: dict[str, Any] = field(default_factory=dict, repr=False)
    _fetched: float = -_KEEP
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _room: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_WAITING), repr=False)

    def get(self, kid: str) -> Any | None:
        """The key of that name. Tokens with invented names can neither make the service ask the provider often, nor take
        many threads while it answers: a known key is used meanwhile, and of the others few wait."""
        known = self._keys.get(kid)
        if not self._is_due(kid) or (known is not None and self._lock.locked()):
            return known
        if not self._room.acquire(blocking=False):
            raise Problem("busy", "The identity provider is being asked.", headers={"Retry-After": "2"})
        try:
            with self._lock:
                if self._is_due(kid):  # nobody asked while this request waited
                    self._refresh()
                return self._keys.get(kid)
        finally:
            self._room.release()

    def _is_due(self, kid: str) -> bool:
        """Whether the provider is asked before this key is used, or refused."""
        age = time.monotonic() - self._fetched
        return age > _KEEP or (kid not in self._keys and age > _PATIENCE)

    def _refresh(self) -> None:
        try:
            self._keys = self._fetch_keys()
        except (OSError, ValueError, KeyError, TypeError):
            pass  # the old keys stay in use; without any, every sign-in fails
        finally:
            self._fetched = time.monotonic()

    def _fetch_keys(self) -> dict[str, Any]:
        found = fetch_json(self.address)["keys"]
        fresh: dict[str, Any] = {}
        for entry in found if isinstance(found, list) else []:
            try:
                key = pyjwt.PyJWK(entry)
            except (pyjwt.PyJWTError, TypeError, ValueError, AttributeError):
                continue
            if key.key_id and key.key_type != "oct":  # a shared secret has no place in a public list
                fresh[key.key_id] = key
        return fresh


def fetch(address: str, form: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    """What an address of the settings answers; with a form, to a POST. Whatever goes wrong is an `OSError`."""
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
    except http.client.HTTPException as error:  # no HTTP, or less than was promised
        raise OSError(type(error).__name__) from None


def fetch_json(address: str, form: bytes | None = None, headers: Mapping[str, str] | None = None) -> Any:
    """The same, parsed; what is no JSON is a `ValueError`."""
    try:
        return json.loads(fetch(address, form, headers))
    except RecursionError:
        raise ValueError("nested too deep") from None


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
