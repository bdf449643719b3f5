"""API tokens and the people they belong to. A token is shown once; the store keeps its hash."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from efface.service.identity import NAME, ROLES, Identity, allowed
from efface.service.problems import Problem
from efface.service.store import Store, sessions, tokens, users

PREFIX = "efface_"
_TOKEN = re.compile(PREFIX + r"([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
_BY_ID = (  # made once: every request asks this
    sa.select(tokens, users.c.name, users.c.role, users.c.viewer)
    .join_from(tokens, users, tokens.c.user == users.c.name)
    .where(tokens.c.id == sa.bindparam("token"))
)
_NOBODY = hashlib.sha256(b"nobody's token").hexdigest()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody the service knows."""

    name: str
    role: str
    viewer: str


def _hash(secret: str) -> str:
    """The secret is 256 random bits, so a fast hash is as good as a slow one."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class People:
    """Users and their tokens."""

    store: Store

    def put(self, name: str, role: str, viewer: str | None = None) -> Person:
        """Add somebody, or change their role or viewer."""
        if not NAME.fullmatch(name) or role not in ROLES:
            raise Problem(
                "invalid", "A name has letters, digits and ._@+- only; a role is admin, reviewer or reader."
            )
        person = Person(name, role, viewer or name)
        with self.store.write() as connection:
            values = {"role": role, "viewer": person.viewer}
            changed = connection.execute(users.update().where(users.c.name == name).values(values))
            if not changed.rowcount:
                connection.execute(users.insert().values(name=name, created=time.time(), **values))
            # What somebody could do in an open session is what they could do when it began.
            connection.execute(sessions.delete().where(sessions.c.user == name))
        return person

    def get(self, name: str) -> Person | None:
        with self.store.read() as connection:
            row = connection.execute(sa.select(users).where(users.c.name == name)).first()
        return Person(row.name, row.role, row.viewer) if row else None

    def all(self) -> list[Person]:
        with self.store.read() as connection:
            rows = connection.execute(sa.select(users).order_by(users.c.name)).all()
        return [Person(row.name, row.role, row.viewer) for row in rows]

    def remove(self, name: str) -> bool:
        """With their tokens and sessions. Somebody with a company account may have nothing but a session here."""
        with self.store.write() as connection:
            connection.execute(tokens.delete().where(tokens.c.user == name))
            open_ = connection.execute(sessions.delete().where(sessions.c.user == name)).rowcount
            return bool(connection.execute(users.delete().where(users.c.name == name)).rowcount or open_)

    def issue(
        self, user: str, scopes: Sequence[str] | None = None, label: str = "", days: float | None = None
    ) -> tuple[str, str]:
        """A new token's id, and the token itself, which is not to be had again."""
        person = self.get(user)
        if person is None:
            raise Problem("not-found", "There is no such user.")
        granted = allowed(person.role, scopes)
        if scopes is not None and granted != frozenset(scopes):
            raise Problem("invalid", "The role of this user does not have all these scopes.")
        id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        row = {
            "id": id,
            "user": user,
            "hash": _hash(secret),
            "scopes": " ".join(sorted(granted)) if scopes is not None else "*",
            "label": label,
            "created": time.time(),
            "expires": time.time() + days * 86400 if days is not None else None,
        }
        with self.store.write() as connection:
            connection.execute(tokens.insert().values(row))
        return id, f"efface_{id}_{secret}"

    def revoke(self, id: str, user: str | None = None) -> bool:
        """From this moment on. With `user` only if it is theirs. Sessions it began end too."""
        chosen = tokens.c.id == id if user is None else sa.and_(tokens.c.id == id, tokens.c.user == user)
        with self.store.write() as connection:
            gone = bool(connection.execute(tokens.delete().where(chosen)).rowcount)
            if gone:
                connection.execute(sessions.delete().where(sessions.c.token == id))
            return gone

    def listed(self, user: str | None = None) -> list[dict[str, Any]]:
        """What may be known of tokens: everything but what they are."""
        names = ("id", "user", "scopes", "label", "created", "expires")
        chosen = sa.select(*(tokens.c[name] for name in names)).order_by(tokens.c.created)
        if user is not None:
            chosen = chosen.where(tokens.c.user == user)
        with self.store.read() as connection:
            return [dict(row) for row in connection.execute(chosen).mappings()]

    def identify(self, text: str) -> Identity | None:
        """Whose token this is; the time taken does not tell how much of a guess was right."""
        match = _TOKEN.fullmatch(text)
        row = self._row(match[1]) if match else None
        secret = match[2] if match else text[:256]
        same = hmac.compare_digest(_hash(secret), row.hash if row else _NOBODY)
        if row is None or not same or (row.expires is not None and row.expires <= time.time()):
            return None
        scopes = allowed(row.role, None if row.scopes == "*" else row.scopes.split())
        return Identity(row.name, row.role, row.viewer, scopes, "token", row.id, row.expires)

    def _row(self, id: str) -> Any:
        with self.store.read() as connection:
            return connection.execute(_BY_ID, {"token": id}).first()


def first_run(people: People) -> str | None:
    """The first administrator's token, the first time; afterwards none."""
    with people.store.write() as connection:
        people.store.lock(connection, "first run")
        if connection.execute(sa.select(users.c.name).limit(1)).first():
            return None
        connection.execute(
            users.insert().values(name="admin", role="admin", viewer="admin", created=time.time())
        )
    return people.issue("admin", label="first run")[1]
