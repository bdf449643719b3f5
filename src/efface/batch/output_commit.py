"""Outputs to their places: written beside, brought to the disk together, renamed, and only then committed."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from efface.batch.items import WHOLE, ItemResult, State
from efface.batch.manifest import Manifest
from efface.batch.work_folder import at, stamp, sync
from efface.errors import OutputError

_GROUP = 256  # outcomes committed together, or as many as come in
_PATIENCE = 0.5  # seconds
_FOLDERS = 100_000  # remembered as made


class OutputCommit:
    """Gathers outcomes and commits them in groups: one sync and one transaction for many documents."""

    def __init__(self, root: Path, temporary: Path, manifest: Manifest) -> None:
        self._root = root
        self._temporary = temporary
        self._manifest = manifest
        self._group: list[ItemResult] = []
        self._since = 0.0
        self._made: set[str] = set()

    def add(self, done: ItemResult) -> None:
        if not self._group:
            self._since = time.monotonic()
        self._group.append(done)
        if len(self._group) >= _GROUP or time.monotonic() - self._since > _PATIENCE:
            self.flush()

    def flush(self) -> None:
        if not self._group:
            return
        try:
            if any(done.spool for done in self._group):
                sync(self._temporary)
            stamps = [self._put_in_place(done) for done in self._group]
        except OSError as error:
            raise _unwritable(error) from None
        with self._manifest.writing():
            self._manifest.finish(list(zip(self._group, stamps, strict=True)))
        self._group.clear()

    def _put_in_place(self, done: ItemResult) -> str:
        """The file's stamp in its place. What may not leave is not there, not even from an earlier run."""
        if done.item.part != WHOLE or done.same:
            return ""
        target = at(self._root, done.item.path)
        if done.state is not State.DONE:
            with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                os.unlink(target)  # noqa: PTH108
            return ""
        return self._move(done.spool, target)

    def _move(self, source: str, target: str) -> str:
        parent = target.rpartition(os.sep)[0]
        if parent not in self._made:
            self._make(Path(parent))
        try:
            os.replace(source, target)  # noqa: PTH105
        except IsADirectoryError:  # it was a folder when it was written before
            shutil.rmtree(target)
            os.replace(source, target)  # noqa: PTH105
        return stamp(os.lstat(target))

    def _make(self, folder: Path) -> None:
        if len(self._made) > _FOLDERS:
            self._made.clear()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):  # a part of it was a file when it was written before
            next(at for at in (folder, *folder.parents) if os.path.lexists(at)).unlink()
            folder.mkdir(parents=True)
        self._made.add(str(folder))

    def write(self, path: bytes, produce: Callable[[BinaryIO], None]) -> tuple[str, str]:
        """A container's output, whole or not at all: its hash and its stamp."""
        temporary = self._temporary / "container"
        try:
            with temporary.open("w+b") as file:
                produce(file)
                file.flush()
                os.fsync(file.fileno())
                file.seek(0)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            return digest, self._move(str(temporary), at(self._root, path))
        except OSError as error:
            raise _unwritable(error) from None
        finally:
            temporary.unlink(missing_ok=True)

    def remove(self, path: bytes) -> None:
        """An output whose input is gone, and the folders that it leaves empty."""
        target = Path(at(self._root, path))
        with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            target.unlink()
        with suppress(OSError):
            for folder in target.parents:
                if folder == self._root:
                    return
                folder.rmdir()
                self._made.discard(str(folder))


def _unwritable(error: OSError) -> OutputError:
    return OutputError(f"The output cannot be written: {error.strerror}.", "Run again when that is mended.")
