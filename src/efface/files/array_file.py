"""The one file format for arrays: counts, taxonomies, vectors, indexes of entities and people, trained models.

    magic · version · length and SHA-256 of the header · header (JSON) · sections, each aligned to 64 bytes

The header names the kind of the file and its version, its facts, and for each section its place, checksum, type, shape and
packing. Every byte stands under a checksum, so a damaged file is never used. The same arrays give the same bytes.

A file is mapped into memory and its arrays are read where they lie, unless they are packed. `write_arrays` writes one that
fits into memory. `stream_arrays` writes one that need not.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.files.local import write_output

VERSION = 1  # of the container; each kind of file has its own beside it
_MAGIC = b"EFFACEKN"
_FIXED = struct.Struct("<8sII32s")  # magic, version, header length, SHA-256 of the header
_ALIGN = 64  # bytes: a line of the processor's cache
_BLOCK = 1 << 20  # bytes that are copied at once
_FEW = 64  # bytes that a section's row in the header may grow by once its place and checksum are known
_LARGE = 16 << 20  # bytes from which two threads check a file
_BUILD_AGAIN = "Build it again."

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ArrayKind:
    """What a file holds, in which version, and what a user does about a file that cannot be used."""

    name: str
    version: int = 1
    remedy: str = _BUILD_AGAIN
    limit: int | None = None  # bytes that packed arrays may have once they are unpacked

    def damaged(self, file: str) -> InputError:
        return InputError(f"{file} is damaged or incomplete.", self.remedy)

    def other_version(self, file: str) -> InputError:
        return InputError(f"{file} was made by another version of efface.", self.remedy)

    def other_kind(self, file: str) -> InputError:
        return InputError(f"{file} is no {self.name}.", "Name a file of this kind.")


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """An opened file. `seal` is the SHA-256 of its header, which names the checksums of all the rest."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, Array] = field(repr=False)
    seal: str


@dataclass(frozen=True, slots=True)
class ArrayStream:
    """The bytes of one array on their way into a file: a stream that starts at its beginning, and their type."""

    stream: IO[bytes]
    dtype: str


@dataclass(frozen=True, slots=True)
class _SectionRow:
    """Where a section stands in the file, and how its bytes become an array."""

    offset: int
    length: int
    checksum: str
    dtype: str = "|u1"
    shape: list[int] | None = None  # None: all bytes in one row
    packing: str = ""

    @property
    def end(self) -> int:
        """Where the padding ends."""
        return self.offset + _aligned(self.length)

    @property
    def unpacked_length(self) -> int:
        if not self.packing or self.shape is None:
            return self.length
        return prod(self.shape) * np.dtype(self.dtype).itemsize


def write_arrays(
    path: Path,
    kind: ArrayKind,
    facts: Mapping[str, Any],
    arrays: Mapping[str, bytes | Array],
    *,
    force: bool = False,
) -> None:
    """Write a file in one go. It appears whole or not at all."""
    write_output(path, dump_arrays(kind, facts, arrays), force=force)


def dump_arrays(
    kind: ArrayKind, facts: Mapping[str, Any], arrays: Mapping[str, bytes | Array], *, packed: bool = False
) -> bytes:
    """The bytes of a file. `packed` sections are smaller, and are unpacked into memory when the file is opened."""
    rows: dict[str, list[Any]] = {}
    sections: list[bytes] = []
    offset = 0
    for name, given in arrays.items():
        data = given if isinstance(given, bytes) else np.ascontiguousarray(given).tobytes()
        if packed:
            data = zlib.compress(data)
        section = data + bytes(-len(data) % _ALIGN)
        row: list[Any] = [offset, len(data), hashlib.sha256(section).hexdigest()]
        if not isinstance(given, bytes):
            row += [given.dtype.str, list(given.shape), "zlib" if packed else ""]
        rows[name] = row
        sections.append(section)
        offset += len(section)
    header = _header(kind, facts, rows)
    header += b" " * (-(_FIXED.size + len(header)) % _ALIGN)
    fixed = _FIXED.pack(_MAGIC, VERSION, len(header), hashlib.sha256(header).digest())
    return b"".join([fixed, header, *sections])


def stream_arrays(
    path: Path, kind: ArrayKind, facts: Mapping[str, Any], arrays: Mapping[str, ArrayStream]
) -> str:
    """Writes a new file, readable by its owner only, syncs it, and returns its seal.

    The header comes first but contains checksums of the sections, so it is written last into space kept for it.
    Sections have a CRC-32, which is several times faster than SHA-256: such a file may have gigabytes.
    """
    rows: dict[str, list[Any]] = {name: [0, 0, "", given.dtype] for name, given in arrays.items()}
    space = _aligned(_FIXED.size + len(_header(kind, facts, rows)) + _FEW * len(rows))
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(bytes(space))
        for name, given in arrays.items():
            start = file.tell() - space
            length, checksum = _copy(given.stream, file)
            rows[name] = [start, length, checksum, given.dtype]
        header = _header(kind, facts, rows).ljust(space - _FIXED.size)
        digest = hashlib.sha256(header)
        file.seek(0)
        file.write(_FIXED.pack(_MAGIC, VERSION, len(header), digest.digest()) + header)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _header(kind: ArrayKind, facts: Mapping[str, Any], rows: Mapping[str, list[Any]]) -> bytes:
    content = {"kind": kind.name, "version": kind.version, "facts": facts, "sections": rows}
    return json.dumps(content, sort_keys=True).encode()


def _aligned(length: int) -> int:
    return -(-length // _ALIGN) * _ALIGN


def _copy(source: IO[bytes], target: IO[bytes]) -> tuple[int, str]:
    """Copy all and pad it. Returns the length without the padding, and the checksum with it."""
    length = checksum = 0
    while block := source.read(_BLOCK):
        target.write(block)
        checksum = zlib.crc32(block, checksum)
        length += len(block)
    padding = bytes(_aligned(length) - length)
    target.write(padding)
    return length, _crc32_text(zlib.crc32(padding, checksum))


def open_arrays(
    path: Path, kind: ArrayKind, *, seal: str | None = None, checked_later: Collection[str] = ()
) -> ArrayFile:
    """Maps a file and checks everything except the sections that the caller checks while reading.

    A complete file put in its place has another `seal`. If a seal is given, such a file is refused.
    """
    return _parsed(_mapped(path, kind), path.name, kind, seal, checked_later)


def load_arrays(data: bytes, kind: ArrayKind, file: str) -> ArrayFile:
    """The arrays of a file that was read whole. Errors call it `file`."""
    return _parsed(data, file, kind, None, ())


def _mapped(path: Path, kind: ArrayKind) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file cannot be mapped
        raise kind.damaged(path.name) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from None


def _parsed(
    data: bytes | mmap.mmap, file: str, kind: ArrayKind, seal: str | None, checked_later: Collection[str]
) -> ArrayFile:
    content, start, own_seal = _read_header(data, file, kind)
    if content["kind"] != kind.name:
        raise kind.other_kind(file)
    if content.get("version", 1) != kind.version:
        raise kind.other_version(file)
    if seal is not None and own_seal != seal:
        raise kind.damaged(file)
    body = memoryview(data)[start:]
    try:
        rows = {name: _SectionRow(*row) for name, row in content["sections"].items()}
        if not _is_undamaged(body, rows, kind, checked_later):
            raise kind.damaged(file)
        arrays = {name: _array(body, row) for name, row in rows.items()}
    except (ValueError, TypeError, zlib.error):  # a row that no version of efface wrote
        raise kind.damaged(file) from None
    return ArrayFile(content["facts"], arrays, own_seal)


def _is_undamaged(
    body: memoryview, rows: Mapping[str, _SectionRow], kind: ArrayKind, checked_later: Collection[str]
) -> bool:
    """Whether the sections fill the file, fit their checksums, and are what this kind of file holds."""
    if max((row.end for row in rows.values()), default=0) != len(body):
        return False
    checked = [row for name, row in rows.items() if name not in checked_later]
    return _are_whole(body, checked) and _fit(rows.values(), kind)


def _read_header(data: bytes | mmap.mmap, file: str, kind: ArrayKind) -> tuple[dict[str, Any], int, str]:
    """The header, where the sections start, and the header's SHA-256."""
    if len(data) < _FIXED.size:
        raise kind.damaged(file)
    magic, version, length, digest = _FIXED.unpack_from(data)
    if magic != _MAGIC:
        raise kind.other_kind(file)
    if version != VERSION:
        raise kind.other_version(file)
    start = _FIXED.size + length
    header = data[_FIXED.size : start]
    if len(header) != length or hashlib.sha256(header).digest() != digest:
        raise kind.damaged(file)
    return json.loads(header), start, digest.hex()


def _are_whole(body: memoryview, rows: Collection[_SectionRow]) -> bool:
    """Whether the checksums fit. Other threads run while one is made, so those of a large file are made side by side."""

    def is_whole(row: _SectionRow) -> bool:
        return _checksum_like(row.checksum)(body[row.offset : row.end]) == row.checksum

    if len(body) < _LARGE:
        return all(map(is_whole, rows))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as threads:
        return all(threads.map(is_whole, rows))


def _checksum_like(checksum: str) -> Callable[[memoryview], str]:
    """What made a checksum. Eight digits are a CRC-32."""
    if len(checksum) == 8:
        return lambda section: _crc32_text(zlib.crc32(section))
    return lambda section: hashlib.sha256(section).hexdigest()


def _crc32_text(checksum: int) -> str:
    return f"{checksum:08x}"


def _fit(rows: Iterable[_SectionRow], kind: ArrayKind) -> bool:
    return kind.limit is None or sum(row.unpacked_length for row in rows) <= kind.limit


def _array(body: memoryview, row: _SectionRow) -> Array:
    dtype = np.dtype(row.dtype)
    data: memoryview | bytes = body[row.offset : row.offset + row.length]
    if row.packing:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(data, max(1, row.unpacked_length))
        if len(data) != row.unpacked_length or not unpacker.eof:
            raise ValueError("packing")
    found = np.frombuffer(data, dtype) if len(data) else np.empty(0, dtype)
    return found if row.shape is None else found.reshape(row.shape)
