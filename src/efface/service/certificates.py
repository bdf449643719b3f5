"""The service's signing keys, and certificates signed with them.

Private keys are made from the service's secret and a number, so that every machine with the secret signs with the same
key and none is stored. Public keys stay in the store for good: certificates outlive the keys that signed them. Only those
are given out that the secret makes: a key that somebody else wrote into the store would let them sign as this service.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter
from pydantic import BaseModel

from efface.report.certificates import Issue, SigningKey, issued, listed_key
from efface.service.auth.credentials import Running
from efface.service.problems import log_bug
from efface.service.store import Store, certificate_keys

router = APIRouter(tags=["certificates"])
KEYS = "/v1/keys"
OPENING = "Efface-Policy-Opening"  # the header that tells an issuer's own people the opening of a commitment


@dataclass(frozen=True)
class Certificates:
    """Signs, rotates, and lists public keys."""

    store: Store
    secret: bytes = field(repr=False)

    def sign(self, claims: Mapping[str, Any], policy: str, approvers: Sequence[str] = ()) -> dict[str, Any]:
        """The certificate for what `claims` says. `policy` is the policy's digest."""
        return issued(claims, Issue(policy, self.opening(claims), approvers), self._current())

    def opening(self, claims: Mapping[str, Any]) -> bytes:
        """The opening of the commitment to the policy: another one for each release."""
        released = claims.get("released") or {}
        return self._derived_key(f"opening {released.get('sha256', '')}")

    def rotate(self) -> str:
        """Sign with a new key from now on, and return its name. The old keys still verify."""
        with self.store.write() as connection:
            self.store.lock(connection, "certificate keys")
            last = connection.execute(sa.select(sa.func.max(certificate_keys.c.number))).scalar() or 0
            key = self._key(last + 1)
            public = base64.b64encode(key.public).decode()
            row = {"number": last + 1, "id": key.id, "public": public, "created": time.time()}
            connection.execute(certificate_keys.insert().values(row))
        return key.id

    def listed(self) -> list[dict[str, str]]:
        """Every public key that this secret ever made, the newest first."""
        found = list(self._own_keys())
        if not found:
            self.rotate()
            return self.listed()
        return [listed_key(key.public) for key in found]

    def _current(self) -> SigningKey:
        key = next(self._own_keys(), None)
        if key is None:
            self.rotate()
            return self._current()
        return key

    def _own_keys(self) -> Iterator[SigningKey]:
        """The keys of the store that are this service's own, the newest first."""
        chosen = sa.select(certificate_keys.c.number, certificate_keys.c.public)
        with self.store.read() as connection:
            rows = connection.execute(chosen.order_by(certificate_keys.c.number.desc())).all()
        for number, public in rows:
            key = self._key(number)
            if base64.b64encode(key.public).decode() == public:
                yield key
            else:
                log_bug("a public key in the store is of another secret: it is not given out")

    def _key(self, number: int) -> SigningKey:
        return SigningKey.of(self._derived_key(f"key {number}"))

    def _derived_key(self, what: str) -> bytes:
        return hmac.new(self.secret, f"certificate {what}".encode(), hashlib.sha256).digest()


class JsonWebKeys(BaseModel):
    """Public keys as RFC 8037 writes them."""

    keys: list[dict[str, str]]


@router.get(KEYS)
def keys(service: Running) -> JsonWebKeys:
    """The public keys with which certificates are checked. Anybody may have them."""
    return JsonWebKeys(keys=service.certificates.listed())
