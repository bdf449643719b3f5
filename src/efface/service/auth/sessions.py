"""Browser sessions: a cookie that scripts cannot read, and a second token that other sites cannot send."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass, field

import sqlalchemy as sa

from efface.service.auth.identity import Identity
from efface.service.auth.tokens import require_bearer
from efface.service.store import Store, sessions

CSRF_HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND"})


@dataclass(frozen=True)
class Sessions:
    """Open sessions. The store keeps a hash of the cookie; the CSRF token is made from it with the key."""

    store: Store
    key: bytes = field(repr=False)
    hours: float
    secure: bool

    @property
    def cookie(self) -> str:
        return "__Host-efface" if self.secure else "efface"

    def begin(self, identity: Identity) -> tuple[str, str]:
        """The cookie's value and the CSRF token."""
        value = secrets.token_urlsafe(32)
        latest = time.time() + self.hours * 3600
        row = {
            "hash": _hash(value),
            "user": identity.name,
            "role": identity.role,
            "viewer": identity.viewer,
            "scopes": " ".join(sorted(identity.scopes)),
            "token": identity.token,
            "expires": min(latest, identity.expires or latest),
            "teams": json.dumps(dict(identity.teams)),
            "makers": " ".join(sorted(identity.makers)),
        }
        with self.store.write() as connection:
            if identity.is_company_account:
                self.store.lock(connection, "members")  # nobody becomes a user of this name meanwhile
            require_bearer(connection, identity)
            connection.execute(sessions.delete().where(sessions.c.expires <= time.time()))
            connection.execute(sessions.insert().values(row))
        return value, self.csrf(value)

    def end(self, value: str) -> None:
        with self.store.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.hash == _hash(value)))

    def identify(self, value: str) -> Identity | None:
        """Whose session it is, as they were when it began; a user removed or changed since has none."""
        with self.store.read() as connection:
            row = connection.execute(sa.select(sessions).where(sessions.c.hash == _hash(value))).first()
        if row is None or row.expires <= time.time():
            return None
        scopes = frozenset(row.scopes.split())
        return Identity(
            row.user,
            row.role,
            row.viewer,
            scopes,
            "session",
            row.token,
            row.expires,
            teams=json.loads(row.teams),
            makers=frozenset(row.makers.split()),
        )

    def csrf(self, value: str) -> str:
        return hmac.new(self.key, b"csrf " + value.encode(), hashlib.sha256).hexdigest()

    def genuine(self, value: str, sent: str | None, origin: str | None, host: str | None) -> bool:
        """Whether a request that changes something came from our own page."""
        if origin is not None and origin.split("://", 1)[-1] != (host or ""):
            return False
        return sent is not None and hmac.compare_digest(sent.encode(), self.csrf(value).encode())

    def set_cookie(self, value: str) -> str:
        """The header's text; an empty value takes the cookie away."""
        age = int(self.hours * 3600) if value else 0
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}"


def _hash(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()
