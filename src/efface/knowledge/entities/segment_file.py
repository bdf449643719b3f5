"""The file that holds a part of an entity index: sections of arrays, read where they lie (memory-mapped).

    magic · version · length and checksum of the header · header (JSON) · sections, each aligned to 64 bytes

Every byte is under a checksum: the header's covers the header, a section's the section and its padding.
All are checked when the file is opened (about 0.3 s a gigabyte), so a damaged file is never used.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from efface.errors import InputError

VERSION = 9
_MAGIC = b"EFFACEIX"
_FIXED = struct.Struct("<8sIII")  # magic, version, header length, checksum of the header
_ALIGN = 64
_COPY = 1 << 20

Array = npt.NDArray[Any]


def damaged(name: str) -> InputError:
    return InputError(f"The index file {name} is damaged or incomplete.", "Build the index again.")


@dataclass(frozen=True, slots=True)
class Section:
    """Bytes of one array on their way into a file: a stream that starts at its beginning, and their type."""

    stream: IO[bytes]
    dtype: str


def write_segment(path: Path, sections: Mapping[str, Section], facts: Mapping[str, object]) -> int:
    """Write a new file, readable by its owner only, and bring it to the disk. Returns the header's checksum.

    The header comes first but holds checksums of what follows, so it is written last, over its own space.
    """
    table: dict[str, list[int | str]] = {name: [0, 0, section.dtype, 0] for name, section in sections.items()}
    space = _aligned(_FIXED.size + len(_header(table, facts)) + 48 * len(table))
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(bytes(space))
        for name, section in sections.items():
            start = file.tell()
            length, checksum = _copy(section.stream, file)
            table[name] = [start, length, section.dtype, checksum]
        header = _header(table, facts).ljust(space - _FIXED.size)
        seal = zlib.crc32(header)
        file.seek(0)
        file.write(_FIXED.pack(_MAGIC, VERSION, len(header), seal) + header)
        file.flush()
        os.fsync(file.fileno())
    return seal


def _header(table: Mapping[str, list[int | str]], facts: Mapping[str, object]) -> bytes:
    return json.dumps({"facts": facts, "sections": table}, ensure_ascii=True).encode()


def _aligned(length: int) -> int:
    return -(-length // _ALIGN) * _ALIGN


def _copy(source: IO[bytes], target: IO[bytes]) -> tuple[int, int]:
    """Copy all, pad to the alignment; the length without padding, and the checksum with it."""
    length = checksum = 0
    while block := source.read(_COPY):
        target.write(block)
        checksum = zlib.crc32(block, checksum)
        length += len(block)
    padding = bytes(_aligned(length) - length)
    target.write(padding)
    return length, zlib.crc32(padding, checksum)


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """An opened file: its arrays and facts."""

    arrays: Mapping[str, Array] = field(repr=False)
    facts: Mapping[str, Any]
    seal: int


def open_segment(path: Path, seal: int) -> SegmentFile:
    """Map a file and check all of it. `seal` is the header's checksum as the manifest knows it."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file cannot be mapped
        raise damaged(path.name) from None
    if len(data) < _FIXED.size:
        raise damaged(path.name)
    magic, version, length, checksum = _FIXED.unpack_from(data)
    if magic == _MAGIC and version != VERSION:
        raise InputError(
            f"The index was made by another version of efface (format {version}, not {VERSION}).",
            "Build the index again.",
        )
    start = _FIXED.size + length
    header = data[_FIXED.size : start]
    if magic != _MAGIC or checksum != seal or zlib.crc32(header) != seal or len(header) != length:
        raise damaged(path.name)
    content = json.loads(header)
    table: dict[str, list[Any]] = content["sections"]
    _check(path.name, data, start, table.values())
    arrays = {name: _array(data, *place[:3]) for name, place in table.items()}
    return SegmentFile(arrays, content["facts"], seal)


def _check(name: str, data: mmap.mmap, start: int, table: Iterable[list[Any]]) -> None:
    """Compare length and checksums; zlib lets other threads run, so sections are checked side by side."""
    view = memoryview(data)
    places = [(offset, offset + _aligned(length), checksum) for offset, length, _, checksum in table]
    end = max([start, *(stop for _, stop, _ in places)])
    if end != len(data):
        raise damaged(name)
    with ThreadPoolExecutor(2) as threads:
        same = threads.map(lambda place: zlib.crc32(view[place[0] : place[1]]) == place[2], places)
        if not all(same):
            raise damaged(name)


def _array(data: mmap.mmap, offset: int, length: int, dtype: str) -> Array:
    kind = np.dtype(dtype)
    if not length:
        return np.empty(0, kind)
    return np.frombuffer(data, kind, length // kind.itemsize, offset)
