"""The digest of a policy: of its text and of every file that it names, models and corpora included."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from efface.policy.model import Policy

_LONGEST_PATH = 1024


def content_digest(data: bytes, policy: Policy, folder: Path) -> str:
    """Of a policy's text and of the content of every file that it names."""
    whole = hashlib.sha256(data)
    for name in sorted(set(_texts(policy.model_dump()))):
        found = _file_digest(folder, name)
        if found is not None:
            whole.update(f"\0{name}\0{found}".encode("utf-8", "backslashreplace"))
    return whole.hexdigest()


def _texts(value: object) -> Iterator[str]:
    """Every text and path in a policy's data."""
    if isinstance(value, str | Path):
        yield str(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _texts(each)


def _file_digest(folder: Path, name: str) -> str | None:
    """Of the file of this name, if there is one. Most texts of a policy name none."""
    try:
        path = folder / name
        found = path.stat() if 0 < len(name) < _LONGEST_PATH else None
    except (OSError, ValueError):
        return None
    if found is None or not stat.S_ISREG(found.st_mode):
        return None
    return _hashed(path, found.st_ino, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=256)
def _hashed(path: Path, _inode: int, _size: int, _changed: int) -> str | None:
    """The content's digest, made again when the file is another one or was changed."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
