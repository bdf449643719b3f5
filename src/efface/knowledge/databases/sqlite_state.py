"""Whether a SQLite file has changed, without a query."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path


def file_state(path: Path) -> str:
    """A SQLite file and its write-ahead log as the file system sees them, and the file's own count of changes:
    two changes within a tick of the file system's clock have one time."""
    marks = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(FileNotFoundError):
            status, head = _looked_at(file)
            marks.append(f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}-{head[24:].hex()}")
    return "-".join(marks)


_OPEN: dict[Path, int] = {}
_OPENING = threading.Lock()


def _looked_at(file: Path) -> tuple[os.stat_result, bytes]:
    """A file's state and its first bytes. It stays open as long as it is the same file: closing it would drop every
    lock that SQLite holds on it in this process, and a view could be made of rows half written."""
    with _OPENING:
        there, known = file.stat(), _OPEN.get(file)
        if known is None or not os.path.samestat(os.fstat(known), there):
            _OPEN[file] = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            if known is not None:
                os.close(known)
        descriptor = _OPEN[file]
        return os.fstat(descriptor), os.pread(descriptor, 32, 0)
