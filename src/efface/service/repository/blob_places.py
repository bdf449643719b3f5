"""Where stored files lie: in a folder, in the database, or in object storage. A place knows names and bytes only."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from efface.errors import EffaceError, InputError, UsageError
from efface.files.local import HALF_WRITTEN, write_output
from efface.service.problems import Problem, is_full, log_unexpected
from efface.service.store import Store, make_private, pieces

_PIECE = 1 << 20  # bytes of a row in the database
# These errors say nothing about the file that was to be read: the process is short of something.
_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
NAME_LENGTH = 96  # hexadecimal digits of a file's name: other files in the folder are not ours


def missing() -> InputError:
    return InputError("A stored file is missing.", "Restore it from a backup.")


@dataclass(frozen=True)
class FolderPlace:
    """One file each, below folders named by the first two digits."""

    folder: Path

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        make_private(self.folder, path.parent)
        write_output(path, data, private=True)

    def read(self, name: str) -> bytes:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            raise missing() from None
        except OSError as error:
            log_unexpected(error)
            if error.errno in _PASSING:
                raise Problem("busy", "Too many files are open.", headers={"Retry-After": "5"}) from None
            raise InputError("A stored file cannot be read.", "Restore it from a backup.") from None

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def older(self, moment: float) -> Iterator[str]:
        """The files written before a moment. What a process that was killed left half-written goes right away; what
        else lies there is not ours."""
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime >= moment:
                    continue
                if len(path.name) == NAME_LENGTH:
                    yield path.name
                elif path.name.startswith(HALF_WRITTEN):
                    path.unlink()

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name


@dataclass(frozen=True)
class DatabasePlace:
    """Pieces of one MiB in a table, written in one transaction."""

    store: Store

    def write(self, name: str, data: bytes) -> None:
        now = self.store.now
        with self.store.write() as connection:
            for number, start in enumerate(range(0, max(len(data), 1), _PIECE)):
                piece = data[start : start + _PIECE]
                connection.execute(pieces.insert().values(file=name, number=number, data=piece, written=now))

    def read(self, name: str) -> bytes:
        with self.store.read() as connection:
            chosen = sa.select(pieces.c.data).where(pieces.c.file == name).order_by(pieces.c.number)
            found = connection.execute(chosen).scalars().all()
        if not found:
            raise missing()
        return b"".join(found)

    def delete(self, name: str) -> None:
        with self.store.write() as connection:
            connection.execute(pieces.delete().where(pieces.c.file == name))

    def older(self, moment: float) -> Iterator[str]:
        """The files written before a moment."""
        chosen = sa.select(pieces.c.file).where(pieces.c.number == 0, pieces.c.written < moment)
        with self.store.read() as connection:
            yield from connection.execute(chosen).scalars().all()


@dataclass(frozen=True)
class ObjectPlace:
    """Objects of a bucket, or whatever else fsspec reaches by an address such as `s3://bucket/efface`."""

    address: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def _system(self) -> tuple[Any, str]:
        try:
            import fsspec

            found: tuple[Any, str] = fsspec.core.url_to_fs(self.address, **self.options)
        except ImportError:  # fsspec itself, or the client that it loads by the name of the address
            raise UsageError(
                "Files in object storage need fsspec and the client of that storage.",
                "Install them: pip install 'efface[objects]'.",
            ) from None
        return found

    def write(self, name: str, data: bytes) -> None:
        with _answering():
            system, _ = self._system
            system.pipe_file(self._path(name), data)

    def read(self, name: str) -> bytes:
        try:
            with _answering():
                system, _ = self._system
                return bytes(system.cat_file(self._path(name)))
        except FileNotFoundError:
            raise missing() from None

    def delete(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError), _answering():
            system, _ = self._system
            system.rm_file(self._path(name))

    def older(self, moment: float) -> Iterator[str]:
        """The objects written before a moment."""
        try:
            with _answering():
                system, root = self._system
                system.invalidate_cache()
                listed = system.find(root, detail=True)
        except FileNotFoundError:
            return
        for path, facts in listed.items():
            name = path.rpartition("/")[2]
            if len(name) == NAME_LENGTH and _written_at(facts) < moment:
                yield name

    def _path(self, name: str) -> str:
        return f"{self._system[1].rstrip('/')}/{name[:2]}/{name}"


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """What a storage that is away, or refuses, is called. Its client's own words hold addresses and names."""
    try:
        yield
    except (FileNotFoundError, EffaceError):
        raise
    except Exception as error:  # each client has errors of its own
        log_unexpected(error)
        if is_full(error):
            raise Problem("no-room") from None
        raise Problem("busy", "The storage of files does not answer.", headers={"Retry-After": "5"}) from None


def _written_at(facts: Mapping[str, Any]) -> float:
    """When an object was written, as its file system says; one that does not say counts as new."""
    found = facts.get("LastModified", facts.get("mtime", facts.get("created")))
    if isinstance(found, datetime):
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return float(found) if isinstance(found, int | float) else float("inf")


BlobPlace = FolderPlace | DatabasePlace | ObjectPlace
