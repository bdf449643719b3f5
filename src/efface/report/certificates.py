"""Certificates that anybody can check: what was promised, for which bytes, signed with Ed25519.

A certificate names its policy by a commitment: a keyed digest whose key, the opening, the issuer keeps. A plain digest
would let a reader try policies until one fits, and so learn what was protected.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from efface.errors import InputError
from efface.report.data import CERTIFICATE_SCHEMA, is_schema

ALGORITHM = "Ed25519"
_SIGNATURE = frozenset({"algorithm", "key", "value"})  # nothing else: what stands there is not signed
_DOMAIN = b"efface certificate 1\n"  # a signature of a certificate is of nothing else


@dataclass(frozen=True)
class SigningKey:
    """A key and the name under which its public half is found."""

    private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, seed: bytes) -> SigningKey:
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes_raw()

    @property
    def id(self) -> str:
        return key_id(self.public)


def key_id(public: bytes) -> str:
    return hashlib.sha256(public).hexdigest()[:16]


@dataclass(frozen=True)
class Issue:
    """The facts of a certificate beyond those in the report."""

    policy: str  # the digest of the policy's text and of the files it names
    opening: bytes = field(repr=False)
    approvers: Sequence[str] = ()  # roles, no names


def issued(
    claims: Mapping[str, Any], issue: Issue, key: SigningKey, at: datetime | None = None
) -> dict[str, Any]:
    """The signed certificate. `claims` is what `report.data.certificate` says."""
    moment = (at or datetime.now(UTC)).isoformat(timespec="seconds")
    said = {
        **claims,
        "issued": moment,
        "policy": {"commitment": commitment(issue.policy, issue.opening), "by": "HMAC-SHA-256"},
        "approved_by_roles": sorted(issue.approvers),
    }
    value = base64.b64encode(key.private.sign(_signed(said))).decode()
    return {**said, "signature": {"algorithm": ALGORITHM, "key": key.id, "value": value}}


def commitment(policy: str, opening: bytes) -> str:
    return hmac.new(opening, policy.encode(), hashlib.sha256).hexdigest()


def _signed(certificate: Mapping[str, Any]) -> bytes:
    """What the signature is over: everything but itself, in one form of JSON."""
    said = {name: value for name, value in certificate.items() if name != "signature"}
    return _DOMAIN + json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def public_keys(listed: str) -> dict[str, Ed25519PublicKey]:
    """The keys of a list as `GET /v1/keys` gives it (RFC 8037), by their names."""
    found: dict[str, Ed25519PublicKey] = {}
    try:
        for row in _strict_json(listed)["keys"]:
            raw = base64.urlsafe_b64decode(row["x"] + "=" * (-len(row["x"]) % 4))
            found[key_id(raw)] = Ed25519PublicKey.from_public_bytes(raw)
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        raise InputError(
            "The list of keys cannot be read.", "Fetch it from the issuer: GET /v1/keys."
        ) from None
    return found


def listed_key(public: bytes) -> dict[str, str]:
    """A public key as a row of the published list."""
    x = base64.urlsafe_b64encode(public).rstrip(b"=").decode()
    return {"kty": "OKP", "crv": ALGORITHM, "kid": key_id(public), "x": x, "use": "sig"}


def _strict_json(text: str) -> Any:
    """JSON in which no name stands twice. Programs take the last of two equal names, and people read the first."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a name stands twice")
        return found

    return json.loads(text, object_pairs_hook=members)


def parse(text: str) -> dict[str, Any]:
    """A certificate from its file."""
    try:
        found = _strict_json(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not is_schema(found.get("schema"), CERTIFICATE_SCHEMA):
        raise InputError(
            "This is no certificate of efface.", "Give the .json file that came with the release."
        )
    if found["schema"] != CERTIFICATE_SCHEMA:
        raise InputError(
            "The certificate is of another version of efface.", "Verify it with the version that it names."
        )
    return found


@dataclass(frozen=True)
class CertificateEvidence:
    """What a verifier of a certificate has. Without a policy or an opening the policy is not checked."""

    released: bytes = field(repr=False)
    keys: Mapping[str, Ed25519PublicKey]
    policy: str | None = None
    opening: bytes | None = field(default=None, repr=False)


def troubles(certificate: Mapping[str, Any], known: CertificateEvidence) -> Iterator[str]:
    """What is wrong with a certificate, in sentences; nothing when it is right for these bytes."""
    yield from signature_troubles(certificate, known.keys)
    released = certificate.get("released")
    digest = hashlib.sha256(known.released).hexdigest()
    if not isinstance(released, dict) or released.get("sha256") != digest:
        yield "The certificate is for another file."
    if certificate.get("verdict") != "held":
        yield "The certificate does not say that the guarantees held."
    if known.policy is not None and known.opening is not None:
        said = certificate.get("policy")
        expected = commitment(known.policy, known.opening)
        if not isinstance(said, dict) or said.get("commitment") != expected:
            yield "The certificate is for another policy."


def signature_troubles(certificate: Mapping[str, Any], keys: Mapping[str, Ed25519PublicKey]) -> Iterator[str]:
    """What is wrong with a certificate's signature, in sentences; nothing when one of these keys made it."""
    signature = certificate.get("signature")
    if not isinstance(signature, dict) or signature.get("algorithm") != ALGORITHM:
        yield "The certificate is not signed."
        return
    if signature.keys() != _SIGNATURE:
        yield "The certificate's signature says something that nobody signed."
    key = keys.get(str(signature.get("key")))
    if key is None:
        yield "The certificate is signed with a key that is not in the list."
        return
    try:
        key.verify(base64.b64decode(str(signature.get("value")), validate=True), _signed(certificate))
    except (InvalidSignature, ValueError):
        yield "The signature is not right: the certificate was changed, or the issuer is another."
