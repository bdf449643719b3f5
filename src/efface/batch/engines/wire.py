"""The messages between the parent and its workers: a JSON header and bytes, each preceded by its length."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

_LENGTHS = struct.Struct(">II")
INLINE = 1 << 18  # bytes sent through the pipe; more go through a file


def frame(header: dict[str, Any], data: bytes | None = None) -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    return _LENGTHS.pack(len(text), len(data or b"")) + text + (data or b"")


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next frame; None at the end of the stream."""
    head = stream.read(_LENGTHS.size)
    if len(head) < _LENGTHS.size:
        return None
    length, size = _LENGTHS.unpack(head)
    header = json.loads(stream.read(length))
    return header, stream.read(size)


class Frames:
    """Frames out of pieces of a stream, however it was cut."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, piece: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        self._buffer += piece
        position = 0
        while len(self._buffer) - position >= _LENGTHS.size:
            length, size = _LENGTHS.unpack_from(self._buffer, position)
            start = position + _LENGTHS.size
            if len(self._buffer) < start + length + size:
                break
            position = start + length + size
            yield (
                json.loads(self._buffer[start : start + length]),
                bytes(self._buffer[start + length : position]),
            )
        del self._buffer[:position]
