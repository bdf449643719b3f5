"""The rank that a hidden candidate must reach: a secret between k and 2k, drawn for each document.

A planner that always stops at rank k reveals the truth: the candidate at rank k. The rank to reach is
therefore drawn by a keyed hash of the document. Only a holder of the key and the document can draw the same rank again.
A claim, a certificate and a report for others name k alone.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field

from efface.errors import PolicyError

_SHORTEST_KEY = 16  # bytes: 128 bits cannot be tried out


@dataclass(frozen=True, slots=True)
class SecretRank:
    """Draws ranks from a key. The key is in no `repr` and is not compared."""

    key: bytes = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.key) < _SHORTEST_KEY:
            raise ValueError("a key has 16 bytes or more")

    @classmethod
    def of(cls, key: bytes | None) -> SecretRank:
        """With the policy's key; without one, with a random key that is forgotten with the run."""
        return cls(secrets.token_bytes(32) if key is None else key)

    def draw(self, k: int, text: str, purpose: str = "") -> int:
        """A rank from k to 2k, each as likely as the others."""
        return self.between(k, 2 * k, text, purpose)

    def between(self, least: int, most: int, text: str, purpose: str = "") -> int:
        """A number from `least` to `most`, each as likely as the others.

        `text` is the document as it was before anything was removed. `purpose` separates several numbers for one
        document, such as one for each reader.
        """
        message = b"efface secret rank\0" + purpose.encode() + b"\0" + text.encode("utf-8", "surrogatepass")
        digest = hmac.digest(self.key, message, "sha256")
        # 128 bits of the digest: the remainder favours no number by more than 2^-100.
        return least + int.from_bytes(digest[:16]) % (most - least + 1)


def too_few(guarantee: str, k: int, candidates: int, noun: str) -> PolicyError:
    """The refusal of a k that leaves no rank to draw: the truth would always be the last."""
    return PolicyError(
        f"`{guarantee}`: among {candidates} {noun} and with k = {k} the true one would be the last of all, so that "
        "whoever knows k could name it.",
        f"Choose a k of at most {(candidates + 1) // 2}, or add more {noun}."
        if candidates > 2
        else f"Add more {noun}.",
    )


def few_ranks(secret: SecretRank | None, k: int, candidates: int) -> tuple[str, ...]:
    """A note where so few ranks can be drawn that guessing the rank pays more often than once in k; else nothing."""
    ranks = min(k, candidates - k) + 1
    if secret is None or ranks >= k:
        return ()
    note = (
        f"only {ranks} ranks can be drawn among {candidates} candidates: who knows k and guesses the rank is right once in "
        f"{ranks}; a k of at most {(candidates + 1) // 2} hides better"
    )
    return (note,)
