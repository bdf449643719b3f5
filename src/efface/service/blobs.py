"""Uploaded and released files: in a folder, or in the database where machines share nothing else.

A file's name ends with the digest of what it holds; it appears whole or not at all, and is never changed. Equal
files have different names, so that whoever deletes one takes nothing from anybody else.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from efface.errors import InputError
from efface.files import write_output
from efface.service.store import Store, pieces

_PIECE = 1 << 20
_ID = re.compile(r"[0-9a-f]{96}")


@dataclass(frozen=True)
class FolderBlobs:
    """One file each, below folders named by the first two digits."""

    folder: Path

    def put(self, data: bytes) -> str:
        id = _new_id(data)
        path = self._path(id)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_output(path, data, private=True)
        return id

    def get(self, id: str) -> bytes:
        try:
            data = self._path(id).read_bytes()
        except OSError:
            raise _missing() from None
        return _checked(id, data)

    def delete(self, id: str) -> None:
        self._path(id).unlink(missing_ok=True)

    def older(self, moment: float) -> Iterator[str]:
        """The files written before a moment. What a process that was killed left half-written goes right away."""
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime >= moment:
                    continue
                if _ID.fullmatch(path.name):
                    yield path.name
                else:
                    path.unlink()

    def _path(self, id: str) -> Path:
        if not _ID.fullmatch(id):
            raise _missing()
        return self.folder / id[:2] / id


@dataclass(frozen=True)
class DatabaseBlobs:
    """Pieces of one MiB in a table, written in one transaction."""

    store: Store

    def put(self, data: bytes) -> str:
        id, now = _new_id(data), time.time()
        with self.store.write() as connection:
            for number, start in enumerate(range(0, max(len(data), 1), _PIECE)):
                piece = data[start : start + _PIECE]
                connection.execute(pieces.insert().values(file=id, number=number, data=piece, written=now))
        return id

    def get(self, id: str) -> bytes:
        with self.store.read() as connection:
            chosen = sa.select(pieces.c.data).where(pieces.c.file == id).order_by(pieces.c.number)
            found = connection.execute(chosen).scalars().all()
        if not found:
            raise _missing()
        return _checked(id, b"".join(found))

    def delete(self, id: str) -> None:
        with self.store.write() as connection:
            connection.execute(pieces.delete().where(pieces.c.file == id))

    def older(self, moment: float) -> Iterator[str]:
        """The files written before a moment."""
        chosen = sa.select(pieces.c.file).where(pieces.c.number == 0, pieces.c.written < moment)
        with self.store.read() as connection:
            yield from connection.execute(chosen).scalars().all()


Blobs = FolderBlobs | DatabaseBlobs


def open_blobs(store: Store, home: Path) -> Blobs:
    """Beside a SQLite file a folder; with a server the server itself, which other machines see too."""
    return DatabaseBlobs(store) if store.is_postgres else FolderBlobs(home / "files")


def digest_of(id: str) -> str:
    """The digest of a file's content, which its name tells."""
    return id[32:]


def _new_id(data: bytes) -> str:
    return secrets.token_hex(16) + hashlib.sha256(data).hexdigest()


def _checked(id: str, data: bytes) -> bytes:
    if hashlib.sha256(data).hexdigest() != digest_of(id):
        raise InputError("A stored file is damaged.", "Restore it from a backup.")
    return data


def _missing() -> InputError:
    return InputError("A stored file is missing.", "Restore it from a backup.")
