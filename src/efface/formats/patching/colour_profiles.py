"""Colour profiles inside pictures and PDFs: the colours stay, the words go."""

from __future__ import annotations

import struct

_MOST_TAGS = 200  # profiles of devices have about twenty
_TEXTS = (b"text", b"desc", b"mluc", b"dict", b"ZXML")


def wordless(profile: bytes) -> bytes:
    """A colour profile with the same colours and no description, copyright or device names."""
    result = bytearray(profile)
    (count,) = struct.unpack_from(">I", profile, 128)
    for index in range(min(count, _MOST_TAGS)):
        offset, size = struct.unpack_from(">II", profile, 132 + 12 * index + 4)
        if profile[offset : offset + 4] in _TEXTS:
            end = min(offset + size, len(result))
            result[offset + 8 : end] = bytes(max(end - offset - 8, 0))
    return bytes(result)
