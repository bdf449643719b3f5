"""One policy key, a separate subkey for every purpose, and deterministic draws from them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from efface.errors import PolicyError
from efface.operators.specs import KEY_HINT

T = TypeVar("T")

MIN_KEY = 16  # bytes: 128 bits cannot be tried out


def subkey(key: bytes | None, purpose: str) -> bytes:
    """HKDF-SHA256 of the policy key: a leaked key of one purpose reveals nothing about another."""
    if key is None:
        raise PolicyError(f"The operator for {purpose} needs a key.", KEY_HINT)
    if len(key) < MIN_KEY:
        raise PolicyError(f"The key is shorter than {MIN_KEY} bytes.", KEY_HINT)
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length=32, salt=None, info=f"efface 1 {purpose}".encode()).derive(key)


def digest(secret: bytes, *parts: str) -> bytes:
    """HMAC-SHA256 of the parts, each preceded by its length so that no two lists of parts look alike."""
    mac = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        mac.update(len(data).to_bytes(8, "big") + data)
    return mac.digest()


class KeyedRandom:
    """Choices that only the key's holder can foretell: the same parts give the same choices."""

    __slots__ = ("_block", "_pool", "_seed")

    def __init__(self, secret: bytes, *parts: str) -> None:
        self._seed = digest(secret, *parts)
        self._block = 0
        self._pool = int.from_bytes(self._seed, "big")

    def below(self, limit: int) -> int:
        """A number in [0, limit); limits stay far under 2**128, so no value is noticeably likelier."""
        if self._pool >> 128 == 0:
            self._block += 1
            self._pool = int.from_bytes(digest(self._seed, str(self._block)), "big")
        self._pool, value = divmod(self._pool, limit)
        return value

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def digits(self, count: int) -> str:
        return "".join(str(self.below(10)) for _ in range(count))
