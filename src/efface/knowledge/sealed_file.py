"""The sealed file that holds a corpus index or a taxonomy: a JSON header, then sections read where they lie.

    magic · version · length and SHA-256 of the header · header · sections, each aligned to 64 bytes

The header holds the SHA-256 of every section, so nothing in the file escapes the seal. The file appears
whole or not at all, and a damaged one is never used.

Two other forms hold arrays, each for a reason. A part of an entity index (`entities/segment_file.py`) may be larger than
memory, so it is streamed to the disk with its header last, and the index's manifest seals it. A trained model
(`model_file.py`) is small, loaded whole and compressed.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.files.local import write_output

VERSION = 1
_MAGIC = b"EFFACEKN"
_FIXED = struct.Struct("<8sII32s")  # magic, version, header length, SHA-256 of the header
_ALIGN = 64

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sealed:
    """An opened file: its facts and its sections, memory-mapped."""

    facts: Mapping[str, Any]
    sections: Mapping[str, Bytes] = field(repr=False)


def write_checksummed(
    path: Path, kind: str, facts: Mapping[str, Any], sections: Mapping[str, bytes], *, force: bool = False
) -> None:
    """Write the file in one go; `kind` keeps a taxonomy from being opened as a corpus."""
    table: dict[str, tuple[int, int, str]] = {}
    padded = {name: data + bytes(-len(data) % _ALIGN) for name, data in sections.items()}
    offset = 0
    for name, data in padded.items():
        table[name] = (offset, len(sections[name]), hashlib.sha256(data).hexdigest())
        offset += len(data)
    header = json.dumps({"kind": kind, "facts": facts, "sections": table}, sort_keys=True).encode()
    header += b" " * (-(_FIXED.size + len(header)) % _ALIGN)
    fixed = _FIXED.pack(_MAGIC, VERSION, len(header), hashlib.sha256(header).digest())
    write_output(path, b"".join([fixed, header, *padded.values()]), force=force)


def open_checksummed(path: Path, kind: str) -> Sealed:
    """Map the file and check all of it."""
    data = _mapped(path)
    if len(data) < _FIXED.size:
        raise _damaged(path)
    magic, version, length, seal = _FIXED.unpack_from(data)
    if magic == _MAGIC and version != VERSION:
        raise InputError(f"{path.name} was made by another version of efface.", "Build it again.")
    header = data[_FIXED.size : _FIXED.size + length]
    if magic != _MAGIC or len(header) != length or hashlib.sha256(header).digest() != seal:
        raise _damaged(path)
    content = json.loads(header)
    if content["kind"] != kind:
        raise InputError(f"{path.name} is no {kind}.", f"Give a {kind}.")
    view = memoryview(data)[_FIXED.size + length :]
    sections = {name: _section(path, view, *place) for name, place in content["sections"].items()}
    if len(view) != sum(-(-len(section) // _ALIGN) * _ALIGN for section in sections.values()):
        raise _damaged(path)
    return Sealed(content["facts"], sections)


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file cannot be mapped
        raise _damaged(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from None


def _section(path: Path, view: memoryview, offset: int, length: int, seal: str) -> Bytes:
    padded = view[offset : offset + length + -length % _ALIGN]
    if len(padded) != length + -length % _ALIGN or hashlib.sha256(padded).hexdigest() != seal:
        raise _damaged(path)
    return np.frombuffer(padded[:length], np.uint8)


def _damaged(path: Path) -> InputError:
    return InputError(f"{path.name} is damaged or incomplete.", "Build it again.")
