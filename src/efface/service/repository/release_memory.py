"""What was released, as the store remembers it: sealed records that change only from the version that was read.

A record says where a document was struck, or which terms of the knowledge a viewer saw. It is encrypted with a key that
comes from the service's own, and bound to its place. So a reader of the store learns only how many records there are.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection

from efface.errors import InputError
from efface.service.store import Store, meta, releases

_NONCE = 12  # bytes, as AES-GCM takes it (NIST SP 800-38D)
_SIGNED = "releases"  # the row of `meta` that says which secret the records are of
_SIGNATURE = sa.select(meta.c.value).where(meta.c.key == _SIGNED)
_FRESH = 3600.0  # seconds by which an expiry may lag before it is written again


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A record as it was read; version 0: there was none."""

    place: str
    version: int = 0
    until: float = 0.0
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ReleaseMemory:
    """The records in the store."""

    store: Store
    key: bytes = field(repr=False)
    clock: Callable[[], float]  # the same for all machines: what one takes for expired is forgotten for all

    def place(self, *names: str) -> str:
        """The key under which a record is stored. It does not reveal whose record it is, or of what."""
        data = json.dumps(names).encode()
        return hmac.new(self._subkey(b"places"), data, hashlib.sha256).hexdigest()

    def digest(self, data: bytes) -> str:
        """A digest of a release that nobody else can compute."""
        return hmac.new(self._subkey(b"digests"), data, hashlib.sha256).hexdigest()

    def read(self, places: Sequence[str]) -> dict[str, MemoryRecord]:
        """The records at these places. What has expired is not remembered."""
        chosen = sa.select(releases).where(releases.c.place.in_(places))
        found = {place: MemoryRecord(place) for place in places}
        now = self.clock()
        with self.store.read() as connection:
            self._require_own(connection, now)
            rows = connection.execute(chosen).all()
        for row in rows:
            content = self._opened(row.place, row.data) if row.until > now else {}
            found[row.place] = MemoryRecord(row.place, row.version, row.until, content)
        return found

    def write(self, changes: Sequence[tuple[MemoryRecord, Mapping[str, Any], float]]) -> bool:
        """Replace the records that were read, each until its expiry. False, with nothing changed, where another process
        has changed one meanwhile."""
        needed = [change for change in changes if _differs(*change)]
        if not needed:
            return True
        now = self.clock()
        try:
            with self.store.write() as connection:
                self._sign(connection, now)
                for record, content, until in sorted(needed, key=lambda change: change[0].place):
                    self._put(connection, record, content, until)
                connection.execute(releases.delete().where(releases.c.until <= now))
        except (_Overtaken, sa.exc.IntegrityError):
            return False
        return True

    def _require_own(self, connection: Connection, now: float) -> None:
        """Refuse a store whose records are of another secret: this one would find none of them."""
        signed = connection.execute(_SIGNATURE).scalar()
        if signed in (None, self._signature):
            return
        if connection.execute(sa.select(releases.c.place).where(releases.c.until > now)).first():
            raise InputError(
                "What was released is remembered under another secret.",
                "Give the service the `secret` that it had, the same on each machine.",
            )

    def _sign(self, connection: Connection, now: float) -> None:
        """Say which secret the records are of, where nothing says so yet."""
        self._require_own(connection, now)
        if connection.execute(_SIGNATURE).scalar() == self._signature:
            return
        same = meta.update().where(meta.c.key == _SIGNED).values(value=self._signature)
        if not connection.execute(same).rowcount:
            connection.execute(meta.insert().values(key=_SIGNED, value=self._signature))

    @property
    def _signature(self) -> str:
        return self.place("signature")

    def _put(
        self, connection: Connection, record: MemoryRecord, content: Mapping[str, Any], until: float
    ) -> None:
        values = {
            "version": record.version + 1,
            "until": until,
            "data": self._sealed(record.place, content),
        }
        if not record.version:
            connection.execute(releases.insert().values(place=record.place, **values))
            return
        same = (releases.c.place == record.place, releases.c.version == record.version)
        if not connection.execute(releases.update().where(*same).values(values)).rowcount:
            raise _Overtaken

    def _sealed(self, place: str, content: Mapping[str, Any]) -> bytes:
        nonce = secrets.token_bytes(_NONCE)
        data = json.dumps(content, sort_keys=True).encode()
        return nonce + AESGCM(self._subkey(b"records")).encrypt(nonce, data, place.encode())

    def _opened(self, place: str, data: bytes) -> dict[str, Any]:
        try:
            plain = AESGCM(self._subkey(b"records")).decrypt(data[:_NONCE], data[_NONCE:], place.encode())
        except (InvalidTag, ValueError):
            raise InputError(
                "What the service remembers of a release is damaged.", "Restore the store from a backup."
            ) from None
        found: dict[str, Any] = json.loads(plain)
        return found

    def _subkey(self, what: bytes) -> bytes:
        return hmac.new(self.key, b"efface releases " + what, hashlib.sha256).digest()


class _Overtaken(Exception):
    """A record is not what was read."""


def _differs(record: MemoryRecord, content: Mapping[str, Any], until: float) -> bool:
    return record.content != content or until - record.until > _FRESH
