"""Files in and out. Output appears whole or not at all; nothing half-written is left behind."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from efface.errors import InputError, OutputError

MAX_BYTES = 256 * 1024 * 1024  # of a document, unless the caller says otherwise
HALF_WRITTEN = ".efface-"  # how the name of a file begins that is being written


def read_input(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The file's bytes, or one clear sentence why not."""
    try:
        # Non-blocking, so that a pipe without a writer is refused instead of waited for.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError(f"{path} is not a regular file.", "Give a file.")
            if status.st_size > limit:
                raise InputError(
                    f"{path} has {status.st_size / 2**20:.0f} MiB; the limit is {limit / 2**20:.0f} MiB.",
                    "Split the file, or raise --max-size.",
                )
            data = file.read(status.st_size + 1)  # the limit as a size would take that memory
            if len(data) > status.st_size:
                data += file.read(limit + 1 - len(data))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", "Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder.", "Give a file; `efface batch` takes folders.") from None
    except PermissionError:
        raise InputError(f"{path} may not be read.", "Check its permissions.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or 'unknown error'}.") from None
    if len(data) > limit:
        raise InputError(f"{path} grew while it was read.", "Try again when it is complete.")
    return data


def check_output(path: Path, *, force: bool = False) -> None:
    """Refuse early what would fail, or do harm, at the end."""
    if str(path) == "-":
        raise OutputError("A pipe would get half a file when something goes wrong.", "Name a file.")
    if path.is_symlink():
        raise OutputError(
            f"{path} is a symbolic link.", "Name the real file: efface does not write through links."
        )
    if path.is_dir():
        raise OutputError(f"{path} is a folder.", "Name a file.")
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is not a regular file.", "Name a file.")
    if path.exists() and not force:
        raise OutputError(f"{path} exists already.", "Choose another name, or add --force.")
    if not path.parent.is_dir():
        raise OutputError(f"The folder {path.parent} does not exist.", "Make it first.")


def write_output(path: Path, data: bytes, *, force: bool = False, private: bool = False) -> None:
    """Write beside, fsync, rename. `private` files are readable by their owner only."""
    with writing(path, force=force, private=private) as file:
        file.write(data)


@contextlib.contextmanager
def writing(path: Path, *, force: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A stream beside the file that takes its name when all is written. An error leaves nothing."""
    check_output(path, force=force)
    try:
        with _temporary_beside(path) as (descriptor, temporary):
            os.fchmod(descriptor, 0o600 if private else 0o666 & ~_umask())
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if force:
                temporary.replace(path)
            else:
                _publish(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or 'unknown error'}.") from None


@contextlib.contextmanager
def _temporary_beside(path: Path) -> Iterator[tuple[int, Path]]:
    """A temporary file in the same folder that is gone afterwards, whatever happens."""
    descriptor, name = tempfile.mkstemp(prefix=HALF_WRITTEN, dir=path.parent)
    temporary = Path(name)
    try:
        yield descriptor, temporary
    finally:
        temporary.unlink(missing_ok=True)


def _publish(temporary: Path, path: Path) -> None:
    """Rename without replacing: a file that appeared in the meantime is not overwritten."""
    try:
        os.link(temporary, path, follow_symlinks=False)
    except FileExistsError:
        raise OutputError(f"{path} exists already.", "Choose another name, or add --force.") from None
    except OSError:  # a file system without hard links
        temporary.replace(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
