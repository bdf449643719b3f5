"""Zip and tar: every regular member is a document; the same kind of archive comes out, in the same order.

Times, owners, comments and extra fields do not leave. A member that cannot be one document (a link, an
archive, a name twice, a bomb) is left out with its reason, and the others are done.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO

from efface.batch.containers.members import ContainerMember, Options, Result, notes_by_path
from efface.errors import InputError

_MEMBERS = 2_000_000  # of one archive
_RATIO = 200  # what real documents are compressed by, and far more
_SMALL = 16 << 20  # what may be compressed better than that
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".rar", ".zst", ".jar")
_BEGINNINGS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")
_DAMAGED = "The archive is damaged."
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
_COMPRESSED: tuple[tuple[bytes, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", lambda output: gzip.GzipFile("", "wb", 6, output, mtime=0)),
    (b"BZh", partial(bz2.BZ2File, mode="wb")),
    (b"\xfd7zXZ", partial(lzma.LZMAFile, mode="wb")),
)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP file can write


def zip_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    seen: set[str] = set()
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
            _check_count(len(infos))
            left = max(_SMALL, _RATIO * file.stat().st_size)
            for info in infos:
                if info.is_dir():
                    continue
                problem = _problem(info.filename, seen) or _bomb(info, left, options)
                if not problem:
                    left -= info.file_size
                yield _member(info.filename, options, problem, partial(archive.open, info))
    except _BROKEN:
        raise InputError(_DAMAGED) from None


def _bomb(info: zipfile.ZipInfo, left: int, options: Options) -> str:
    """Why it is not opened. `left` is what the whole archive may still expand to."""
    if info.flag_bits & 1:
        return "It is encrypted."
    if info.file_size > options.max_bytes:
        return f"It is larger than {options.max_bytes >> 20} MiB."
    if info.file_size > _SMALL and info.file_size > _RATIO * max(1, info.compress_size):
        return "It expands far beyond its size: a zip bomb."
    if info.file_size > left:
        return "The archive expands far beyond its size: a zip bomb."
    mode = info.external_attr >> 16
    return "It is a link." if mode & 0o170000 == 0o120000 else ""


def _member(
    name: str, options: Options, problem: str, opened: Callable[[], IO[bytes] | None]
) -> ContainerMember:
    """Read one member, at most as much as is allowed."""
    label = name.encode("utf-8", "surrogateescape")
    told = notes_by_path(label, options)
    short = PurePosixPath(name).name
    if problem:
        return ContainerMember(short, None, label, problem)
    try:
        stream = opened()
        assert stream is not None  # only members that are no files have no stream
        with stream:
            data = stream.read(options.max_bytes + 1)
    except _BROKEN:
        return ContainerMember(short, None, label, "It is damaged.")
    if len(data) > options.max_bytes:
        return ContainerMember(short, None, label, f"It is larger than {options.max_bytes >> 20} MiB.")
    if data.startswith(_BEGINNINGS):
        return ContainerMember(short, None, label, "It is an archive in an archive, which is not opened.")
    return ContainerMember(short, data, label, "", told)


def _problem(name: str, seen: set[str]) -> str:
    path = PurePosixPath(name)
    if name in seen:
        return "Another member of the archive has this name."
    seen.add(name)
    if path.is_absolute() or ".." in path.parts or not path.name:
        return "Its name points out of the archive."
    return "It is an archive in an archive, which is not opened." if path.suffix.lower() in _ARCHIVES else ""


def _check_count(count: int) -> None:
    if count > _MEMBERS:
        raise InputError(f"The archive has more than {_MEMBERS} members.")


def write_zip(file: Path, _options: Options, result: Result, output: BinaryIO) -> None:
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as released:
        part = 0
        for info in archive.infolist():
            clean = zipfile.ZipInfo(info.filename, _EPOCH)
            clean.compress_type = zipfile.ZIP_DEFLATED
            clean.create_system, clean.external_attr = 3, (0o755 if info.is_dir() else 0o644) << 16
            if info.is_dir():
                if info.filename not in released.NameToInfo:
                    released.writestr(clean, b"")
                continue
            data = result(part)
            part += 1
            if data is not None:
                released.writestr(clean, data)


def tar_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    seen: set[str] = set()
    try:
        with tarfile.open(file, "r|*", errorlevel=0) as archive:
            for count, info in enumerate(archive):
                _check_count(count)
                archive.members = []  # type: ignore[attr-defined] # a stream is not read twice: what was seen need not be kept
                if info.isdir():
                    continue
                problem = _problem(info.name, seen) or _not_a_file(info, options)
                yield _member(info.name, options, problem, partial(archive.extractfile, info))
    except _BROKEN:
        raise InputError(_DAMAGED) from None


def _not_a_file(info: tarfile.TarInfo, options: Options) -> str:
    if info.islnk() or info.issym():
        return "It is a link."
    if not info.isreg():
        return "It is not a regular file."
    return f"It is larger than {options.max_bytes >> 20} MiB." if info.size > options.max_bytes else ""


def write_tar(file: Path, _options: Options, result: Result, output: BinaryIO) -> None:
    with tarfile.open(file, "r|*", errorlevel=0) as archive, _tar_like(file, output) as released:
        part = 0
        for info in archive:
            archive.members = []  # type: ignore[attr-defined]
            clean = tarfile.TarInfo(info.name)
            if info.isdir():
                clean.type, clean.mode = tarfile.DIRTYPE, 0o755
                released.addfile(clean)
            else:
                data = result(part)
                part += 1
                if data is not None:
                    clean.size = len(data)
                    released.addfile(clean, BytesIO(data))
            released.members = []  # type: ignore[attr-defined]


@contextmanager
def _tar_like(file: Path, output: BinaryIO) -> Iterator[tarfile.TarFile]:
    """Compressed as the original was, without a time in it."""
    with file.open("rb") as stream:
        head = stream.read(6)
    opened = next((opener for mark, opener in _COMPRESSED if head.startswith(mark)), nullcontext)
    with opened(output) as target, tarfile.open(fileobj=target, mode="w") as released:
        yield released
