"""Keyed fingerprints, and tokens that only the key opens again.

A token is `[TYPE:efface1.<base64url>]`: no character of it is escaped in HTML, JSON or CSV, and it
ends by itself in any text. It holds a nonce and the AES-256-GCM ciphertext of the padded original; the
type is authenticated with it. The nonce is made from the plaintext (HMAC under its own subkey), so the
same input gives the same bytes and no nonce serves two plaintexts. The price is that equal terms of
one subject give equal tokens, as equal terms give equal placeholders; another subject gives other tokens.
"""

from __future__ import annotations

import binascii
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING

from efface.errors import InputError
from efface.operators.keys import digest, subkey
from efface.operators.placeholders import SEAL
from efface.operators.safety import SHORTEST

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_BLOCK = 32  # plaintexts are padded to multiples of this many bytes: a length can reveal a name
_NONCE = 12  # bytes, as AES-GCM takes it (NIST SP 800-38D)
_TOKEN = re.compile(
    r"\[(?P<label>[A-Z][A-Z0-9_]{0,63}):efface1\.(?P<body>[A-Za-z0-9_-]{80,})\]"
    # What a damaged token looks like, so that it is reported and not passed over.
    r"|:efface1|efface1\.|\[[A-Z0-9_]{1,64}:[^\s\[\]]{0,12}\.[A-Za-z0-9_-]{70,}\]"
)


def fingerprint(secret: bytes, label: str, key: str, length: int) -> str:
    """`[TYPE:#hex]`, the first `length` digits of an HMAC of type and key."""
    attempt = 0
    while True:
        digits = digest(secret, label, key, str(attempt)).hex()[:length]
        if len(key) < SHORTEST or key not in digits:  # "abe" is a name and three hexadecimal digits
            return f"[{label}:#{digits}]"
        attempt += 1


def sealer(key: bytes | None, subject: str) -> Callable[[str, str, int], str]:
    """A function of (label, plaintext, attempt) that gives the token; attempts differ in their nonce."""
    cipher, nonces = _cipher(key), subkey(key, "nonce")

    def seal(label: str, plaintext: str, attempt: int) -> str:
        nonce = digest(nonces, label, subject, plaintext, str(attempt))[:_NONCE]
        sealed = nonce + cipher.encrypt(nonce, _padded(plaintext), label.encode())
        return f"[{label}{SEAL}{_encoded(sealed)}]"

    return seal


def opened_tokens(text: str, key: bytes) -> tuple[tuple[int, int, str], ...]:
    """Returns the place and the content of every token, or raises an error if one cannot be opened.

    A token that was cut out whole, copied or moved leaves no trace in the text and cannot be noticed here.
    """
    cipher = _cipher(key)
    opened: list[tuple[int, int, str]] = []
    for count, match in enumerate(_TOKEN.finditer(text), 1):
        original = _opened(cipher, match)
        if original is None:
            raise InputError(
                f"Encrypted term {count} is damaged, or was made with another key or version of efface.",
                "Restore with the key of the policy that made this document, from an unaltered copy.",
            )
        opened.append((match.start(), match.end(), original))
    return tuple(opened)


def _cipher(key: bytes | None) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(subkey(key, "encrypt"))


def _opened(cipher: AESGCM, match: re.Match[str]) -> str | None:
    from cryptography.exceptions import InvalidTag

    body = match["body"]
    if body is None:
        return None
    try:
        sealed = urlsafe_b64decode(body + "=" * (-len(body) % 4))
        padded = cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], match["label"].encode())
    except (InvalidTag, binascii.Error, ValueError):
        return None
    # Base64 may leave spare bits in its last character; only the one spelling is ours.
    return _unpadded(padded) if _encoded(sealed) == body else None


def _encoded(sealed: bytes) -> str:
    return urlsafe_b64encode(sealed).rstrip(b"=").decode()


def _padded(plaintext: str) -> bytes:
    data = plaintext.encode("utf-8", "surrogatepass") + b"\x80"
    return data + bytes(-len(data) % _BLOCK)


def _unpadded(data: bytes) -> str | None:
    stripped = data.rstrip(b"\0")
    return stripped[:-1].decode("utf-8", "surrogatepass") if stripped.endswith(b"\x80") else None
