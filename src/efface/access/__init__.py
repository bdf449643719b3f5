"""Database and viewer in, what that viewer may not learn out. Whatever goes wrong denies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Denial:
    """What is denied of what was asked about, and why. The reason names rules, never rows or values."""

    denied: frozenset[str]
    reason: str


class Access(Protocol):
    """What one viewer may not see, asked for at the moment of reading and never remembered."""

    def denied_entities(self, ids: Sequence[str]) -> Denial: ...

    def denied_columns(self, columns: Sequence[str]) -> Denial: ...


def everything(asked: Collection[str], reason: str) -> Denial:
    """The answer when nobody can say who may see what."""
    return Denial(frozenset(asked), reason)
