"""Intermediate data of a build, in memory while small and in unnamed files after that (gone when killed)."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayStream

PARTS = 32  # into which records are thrown, so that each fits into memory
_IN_MEMORY = 1 << 20  # bytes of a column before it goes to the disk
_BLOCK = 1 << 20  # bytes that are read back at once

Array = npt.NDArray[Any]


class TemporaryStreams:
    """Streams to write and then read again, all closed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()

    def stream(self) -> IO[bytes]:
        stream = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, dir=str(self._folder))  # noqa: SIM115
        return self._open.enter_context(stream)

    def __enter__(self) -> TemporaryStreams:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


class Column:
    """An array that grows at its end, block by block."""

    def __init__(self, scratch: TemporaryStreams, dtype: str) -> None:
        self.dtype = dtype
        self.size = 0
        self._scratch = scratch
        self._stream = scratch.stream()

    def append(self, values: Array) -> None:
        self._stream.write(np.ascontiguousarray(values, self.dtype).tobytes())
        self.size += values.size

    @classmethod
    def of(cls, scratch: TemporaryStreams, values: Array) -> Column:
        """An array that is there already."""
        column = cls(scratch, values.dtype.str)
        column.append(values)
        return column

    def section(self) -> ArrayStream:
        self._stream.seek(0)
        return ArrayStream(self._stream, self.dtype)

    def starts(self) -> ArrayStream:
        """Lengths turned into where each stretch starts, and where the last one ends."""
        total = self._total()
        found = Column(self._scratch, "<u4" if total < 2**32 else "<u8")
        found.append(np.zeros(1, np.uint64))
        ended = np.uint64(0)
        self._stream.seek(0)
        while block := self._stream.read(_BLOCK):
            ends = np.cumsum(np.frombuffer(block, self.dtype), dtype=np.uint64) + ended
            ended = ends[-1]
            found.append(ends)
        return found.section()

    def _total(self) -> int:
        total = 0
        self._stream.seek(0)
        while block := self._stream.read(_BLOCK):
            total += int(np.frombuffer(block, self.dtype).sum(dtype=np.uint64))
        return total


class SpoolBuckets:
    """Distributes records over files that each fit into memory later."""

    def __init__(self, scratch: TemporaryStreams, dtype: npt.DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        self.sizes = np.zeros(PARTS, np.int64)
        self._scratch = scratch
        self._streams: dict[int, IO[bytes]] = {}

    def append(self, records: Array, parts: Array) -> None:
        """Add records, each to its part, in their order."""
        order = np.argsort(parts, kind="stable")
        ends = np.cumsum(np.bincount(parts, minlength=PARTS))
        for part, group in enumerate(np.split(records[order], ends[:-1])):
            if group.size:
                self.write(part, group.tobytes())
                self.sizes[part] += group.size

    def write(self, part: int, data: bytes) -> None:
        if part not in self._streams:
            self._streams[part] = self._scratch.stream()
        self._streams[part].write(data)

    def take(self, part: int) -> Array:
        """All records of a part, which is forgotten."""
        stream = self._streams.pop(part, None)
        if stream is None:
            return np.empty(0, self.dtype)
        with stream:
            stream.seek(0)
            return np.frombuffer(stream.read(), self.dtype)
