"""What the service and its worker processes say to each other: a JSON header, and bytes after it.

No pickle goes either way, which is why pebble does not carry these calls: a worker reads hostile files, and whatever
takes it over must not be able to run code in the service.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Files = Sequence[bytes]
TaskAnswer = tuple[dict[str, Any], Files]  # what a task gives back: values that JSON knows, and files

_LENGTH = struct.Struct(">I")
_MAX_HEADER = 64 << 20  # it contains a policy


@dataclass(frozen=True)
class MessageFrame:
    """One message: values that JSON knows, and files."""

    values: dict[str, Any]
    files: tuple[bytes, ...] = field(default=(), repr=False)


def encode(frame: MessageFrame) -> bytes:
    header = json.dumps({**frame.values, "files": [len(each) for each in frame.files]}).encode()
    return b"".join((_LENGTH.pack(len(header)), header, *frame.files))


def decode(read: Callable[[int], bytes], most: float = math.inf) -> MessageFrame:
    """The next message; `read` gives exactly as many bytes as it is asked for, or raises EOFError. A message with files
    of more than `most` bytes is not read on: whatever took a worker over must not fill the service's memory."""
    (length,) = _LENGTH.unpack(read(_LENGTH.size))
    if length > _MAX_HEADER:
        raise EOFError
    values = json.loads(read(length))
    sizes: Sequence[int] = values.pop("files")
    if min(sizes, default=0) < 0 or sum(sizes) > most:
        raise EOFError
    return MessageFrame(values, tuple(read(size) for size in sizes))
