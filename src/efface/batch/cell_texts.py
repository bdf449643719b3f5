"""Values of a table's cells as text, for columns that hold something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from numbers import Number
from typing import Any
from uuid import UUID

from efface.errors import UsageError

_SCALARS = (Number, date, time, timedelta, UUID)
_WHOLE = 2.0**53  # from this number on a float no longer tells one whole number from the next


def text_of(value: Any, column: str) -> str:
    """What a value says. Texts inside of a list are written as they are: an escaped line break would hide the word
    after it, and escaped bytes a name."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return _decoded(bytes(value), column)
    if isinstance(value, Mapping):
        items = [f"{text_of(key, column)}: {text_of(one, column)}" for key, one in value.items()]
        return f"{{{', '.join(items)}}}"
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE:
        return str(int(value))  # a column of whole numbers with a gap is one of floats
    if value is None or isinstance(value, _SCALARS):
        return str(value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):  # a number of NumPy's
        return text_of(value.item(), column)
    if isinstance(value, Iterable):
        return f"[{', '.join(text_of(one, column) for one in value)}]"
    raise _no_text(type(value).__name__, column)


def _decoded(data: bytes, column: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _no_text("bytes in another encoding than UTF-8", column) from None


def _no_text(what: str, column: str) -> UsageError:
    return UsageError(
        f"The column {column} holds {what}, which cannot be converted to text.", "Cast it first."
    )
