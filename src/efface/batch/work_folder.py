"""A batch's folders: the output, and beside it the work folder with the manifest, the key and the lock."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from efface.errors import InputError, OutputError

_TICK = 2_000_000_000  # nanoseconds: a change so soon after a look may have the same time stamp


@dataclass(frozen=True, slots=True)
class BatchFolders:
    """Where a batch writes. Until a release is judged, its files are in `withheld`."""

    output: Path
    work: Path

    @property
    def manifest(self) -> Path:
        return self.work / "manifest.db"

    @property
    def withheld(self) -> Path:
        return self.work / "withheld"

    @property
    def temporary(self) -> Path:
        return self.work / "tmp"

    def prepare(self) -> None:
        """Make what is missing; refuse what is not ours to write to."""
        try:
            self._check()
            self.work.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.output.parent.mkdir(parents=True, exist_ok=True)
            self._check_writable()
        except OSError as error:
            raise OutputError(f"{self.output} cannot be written: {error.strerror}.") from None
        if self.work.stat().st_dev != _device(self.output):
            raise OutputError("The work folder is on another file system than the output.", "Give --work.")

    def _check(self) -> None:
        for folder in (self.output, self.work):
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                raise OutputError(f"{folder} is not a folder.", "Name a folder.")
        known = self.manifest.exists()
        if not known and self.output.exists() and any(self.output.iterdir()):
            raise OutputError(
                f"{self.output} is not empty, and no batch wrote it.", "Name a new or an empty folder."
            )

    def _check_writable(self) -> None:
        probe = (
            self.output if self.output.exists() else self.output.parent
        ) / f".efface-{secrets.token_hex(8)}"
        probe.touch()
        probe.unlink()

    def clean(self) -> Path:
        """Remove what a run that was killed left half-written; a fresh folder for this run's."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        for stray in self.work.glob(".efface-*"):  # of a key, a certificate or a summary
            stray.unlink(missing_ok=True)
        fresh = self.temporary / secrets.token_hex(8)
        fresh.mkdir(mode=0o700, parents=True)
        return fresh

    def key(self) -> bytes:
        """The key of surrogates and shifts where the policy names none: made once for this output."""
        path = self.work / "key"
        with contextlib.suppress(FileNotFoundError):
            return path.read_bytes()
        from efface.files.local import write_output

        write_output(path, secrets.token_bytes(32), private=True)
        return path.read_bytes()

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Held while a batch writes here; a second one is refused."""
        descriptor = os.open(self.work / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise OutputError(
                f"Another batch is writing to {self.output}.", "Wait for it, or stop it."
            ) from None
        finally:
            os.close(descriptor)


def _device(folder: Path) -> int:
    return (folder if folder.exists() else folder.parent).stat().st_dev


def at(root: Path, path: bytes) -> str:
    """The file of that name, of whatever bytes, under a folder. No Path: making one takes longer than a rename."""
    return f"{root}{os.sep}{os.fsdecode(path)}"


def stamp(status: os.stat_result) -> str:
    """A file's state as the file system sees it: it changes whenever the content may have."""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"


def is_settled(status: os.stat_result) -> bool:
    """Whether a later change must show in the stamp: the last one is more than a tick of the clock ago.

    A time in the future says that the clock went back, and then nothing is sure.
    """
    return max(status.st_mtime_ns, status.st_ctime_ns) + _TICK < time.time_ns()


def read_steadily(path: str, limit: int) -> tuple[bytes, str]:
    """A file's bytes and its stamp, or one sentence why not. What changes while it is read is read once more."""
    for _ in range(2):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            raise InputError("The file vanished before it was read.") from None
        except OSError as error:
            raise InputError(f"The file cannot be read: {error.strerror}.") from None
        with os.fdopen(descriptor, "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise InputError("It is not a regular file.")
            if before.st_size > limit:
                raise InputError(f"It is larger than {limit >> 20} MiB.", "Raise --max-size.")
            try:
                data = file.read(before.st_size + 1)  # a limit as a size would take that memory
            except OSError as error:
                raise InputError(f"The file cannot be read: {error.strerror}.") from None
            after = os.fstat(file.fileno())
        if stamp(before) == stamp(after) and len(data) == after.st_size:
            return data, f"{stamp(after)}{'' if is_settled(after) else '?'}"
    raise InputError("The file changed while it was read.", "Run again when it is complete.")


def unchanged(path: str, known: str) -> bool:
    """Whether the file is there in exactly this state."""
    try:
        return stamp(os.lstat(path)) == known
    except OSError:
        return False


def sync(folder: Path) -> None:
    """Bring everything written to the folder's file system to the disk, in one go for many files."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        syncfs = getattr(ctypes.CDLL(None), "syncfs", None)
        if syncfs is None or syncfs(descriptor):
            os.sync()
    finally:
        os.close(descriptor)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
