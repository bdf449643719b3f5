"""The digest of a policy: of its text and of all that it names on the disk, models and corpora included."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from efface.policy.model import Policy

_LONGEST_PATH = 1024  # characters: a longer string is no path, and asking the system for it fails
_FILE = "file:"  # stands before the path of a key
_FILLED = frozenset({"index", "cache"})  # of a database, and of counts


def content_digest(data: bytes, policy: Policy, folder: Path) -> str:
    """A digest of a policy's text and of every file and folder that it names, its key included.

    Files that efface fills while it works are left out, because each machine has its own. A key in the environment is
    left out, too: the person who pushes the policy does not have it.
    """
    whole = hashlib.sha256(data)
    for name, may_be_folder in sorted(set(_texts(policy.model_dump()))):
        for file, found in _file_digests(folder, name, may_be_folder=may_be_folder):
            whole.update(f"\0{file}\0{found}".encode("utf-8", "backslashreplace"))
    return whole.hexdigest()


def _texts(value: object) -> Iterator[tuple[str, bool]]:
    """Every text and path in a policy's data, and whether it is a path."""
    if isinstance(value, str | Path):
        yield str(value).removeprefix(_FILE), isinstance(value, Path)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in _FILLED or not isinstance(each, Path):
                yield from _texts(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _texts(each)


def _file_digests(folder: Path, name: str, *, may_be_folder: bool) -> Iterator[tuple[str, str]]:
    """Of the file of this name, if there is one, or of the files in the folder. Most texts of a policy name none."""
    try:
        path = folder / name
        found = path.stat() if 0 < len(name) < _LONGEST_PATH else None
    except (OSError, ValueError):
        return
    if found is None:
        return
    if stat.S_ISREG(found.st_mode):
        digest = _hashed(path, found.st_ino, found.st_size, found.st_mtime_ns)
        if digest is not None:
            yield name, digest
    elif stat.S_ISDIR(found.st_mode) and may_be_folder:
        for each in _names_in(path):
            yield from _file_digests(folder, f"{name}/{each}", may_be_folder=True)


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except OSError:
        return []


@lru_cache(maxsize=4096)
def _hashed(path: Path, _inode: int, _size: int, _changed: int) -> str | None:
    """The content's digest, made again when the file is another one or was changed."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
