"""Operators: what replaces a removed term.

operators = Operators(Replace(), {"PERSON": Surrogate(), "DATE_TIME": Shift(days=200)}, key)
edits = operators.fill(edits, text)
"""

from __future__ import annotations

from efface.operators.fill import Operators
from efface.operators.placeholders import PLAIN, placeholder_pattern
from efface.operators.resolve import resolve
from efface.operators.specs import (
    OPERATORS,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    KnowsOwnWriting,
    Mask,
    Operator,
    OwnOperator,
    Redact,
    Replace,
    SaysWhatItTells,
    Shift,
    Surrogate,
    is_lasting,
    is_operator,
    tells_apart,
)

__all__ = [
    "OPERATORS",
    "PLAIN",
    "Encrypt",
    "Generalise",
    "Hash",
    "Keep",
    "KnowsOwnWriting",
    "Mask",
    "Operator",
    "Operators",
    "OwnOperator",
    "Redact",
    "Replace",
    "SaysWhatItTells",
    "Shift",
    "Surrogate",
    "is_lasting",
    "is_operator",
    "placeholder_pattern",
    "resolve",
    "tells_apart",
]
