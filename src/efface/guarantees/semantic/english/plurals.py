"""inflect's engine, without its checks of argument types at run time.

typeguard makes those checks by rewriting inflect's source once for each of 23 methods as it is imported. That takes
over two seconds of every process, and typeguard has no setting against it but `python -O`.
"""

from __future__ import annotations

from typing import TypeVar

import typeguard

_Method = TypeVar("_Method")


def _unchecked(method: _Method) -> _Method:
    return method


# The lock of this module's import covers the exchange: two threads cannot do it at once.
_typechecked = typeguard.typechecked
typeguard.typechecked = _unchecked  # type: ignore[assignment]
try:
    from inflect import engine
finally:
    typeguard.typechecked = _typechecked

ENGINE = engine()
