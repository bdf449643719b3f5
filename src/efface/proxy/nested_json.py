"""JSON of others, read only if it is not nested too deep.

Python's own limit differs between versions: 3.13 reads what 3.11 refuses, and whoever walks through it then fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 100  # a chat completion with tools has about ten levels


def loads(data: str | bytes | bytearray, finite: Callable[[str], Any] | None = None) -> Any:
    """The value. Raises ValueError for what is no JSON or nested too deep; `finite` reads numbers with a point."""
    try:
        value = json.loads(data, parse_float=finite, parse_constant=finite)
    except RecursionError:
        raise ValueError("nested too deep") from None
    level = [value]
    for _ in range(MAX_DEPTH):
        level = _below(level)
        if not level:
            return value
    raise ValueError("nested too deep")


def _below(values: list[Any]) -> list[Any]:
    """All values inside these."""
    inside: list[Any] = []
    for value in values:
        if isinstance(value, dict):
            inside += value.values()
        elif isinstance(value, list):
            inside += value
    return inside
