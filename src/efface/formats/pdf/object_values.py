"""Values of a PDF's objects, whatever the file put there: something else than expected is a default, not an error."""

from __future__ import annotations

import pikepdf
from pikepdf import Stream

_MAX_FONT = 1 << 25  # decoded bytes of a font program or map


def real(value: object, default: float = 0.0) -> float:
    """A number of the file, or the default when it is something else."""
    try:
        result = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return result if abs(result) < 1e12 else default


def integer(value: object, default: int = 0) -> int:
    return int(real(value, float(default)))


def stream_bytes(value: object) -> bytes:
    """A font's stream decoded, or nothing when it is missing, broken or out of proportion."""
    if not isinstance(value, Stream):
        return b""
    try:
        data = bytes(value.get_stream_buffer())
    except pikepdf.PdfError:
        return b""
    return data if len(data) <= _MAX_FONT else b""
