"""Operators: what stands in a removed term's place, and how a sealed term comes back.

operators = Operators(Replace(), {"PERSON": Surrogate(), "DATE_TIME": Shift(days=200)}, key)
edits = operators.fill(edits, text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efface.operators.fill import Operators
from efface.operators.placeholders import PLAIN, placeholder_pattern
from efface.operators.resolve import resolve
from efface.operators.specs import (
    OPERATORS,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Mask,
    Operator,
    Redact,
    Replace,
    Shift,
    Surrogate,
)

if TYPE_CHECKING:
    from efface.operators.seal import restore

__all__ = [
    "OPERATORS",
    "PLAIN",
    "Encrypt",
    "Generalise",
    "Hash",
    "Keep",
    "Mask",
    "Operator",
    "Operators",
    "Redact",
    "Replace",
    "Shift",
    "Surrogate",
    "placeholder_pattern",
    "resolve",
    "restore",
]


def __getattr__(name: str) -> Any:
    """Import the cryptographic part only when it is used, so that the command line starts quickly."""
    if name == "restore":
        from efface.operators.seal import restore

        return restore
    raise AttributeError(f"module 'efface.operators' has no attribute {name!r}")
