"""The documents in a zip that somebody puts into the queue. It is read in a worker process, and nothing in it is believed."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from efface.errors import InputError
from efface.pipeline.bound import StageListener
from efface.service.jobs.worker_messages import Files, TaskAnswer
from efface.service.repository.file_responses import name_of

MOST_DOCUMENTS = 500  # of one archive: as many as the queue lists
_MOST_BYTES = 256 << 20  # of all documents once they are unpacked
_ARCHIVES = frozenset(
    {".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".rar", ".zst", ".jar"}
)
# What file managers put beside documents.
_CLUTTER = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_ENCRYPTED = 1  # a bit of an entry's flags
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, NotImplementedError, RuntimeError, struct.error,
)  # fmt: skip


def archive_members(files: Files, _watch: StageListener, *, most: int) -> TaskAnswer:
    """The documents and their names, and the names of what was left out, each with the reason. A document has at most
    `most` bytes."""
    with _opened(files[0]) as archive:
        entries = [each for each in archive.infolist() if not _is_clutter(each)]
        if len(entries) > MOST_DOCUMENTS:
            raise InputError("The archive holds too many files.", f"At most {MOST_DOCUMENTS} are taken.")
        return _taken(archive, entries, most)


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:  # names in no encoding and versions of the future are told by other errors than a bad zip
        raise InputError(
            "The archive is damaged.", "Make it anew, or send the files by themselves."
        ) from None


def _taken(archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], most: int) -> TaskAnswer:
    bare = Counter(PurePosixPath(entry.filename).name for entry in entries)
    names: list[str] = []
    documents: list[bytes] = []
    left_out: list[tuple[str, str]] = []
    room = _MOST_BYTES
    for entry in entries:
        data, problem = _read(archive, entry, min(most, room))
        path = PurePosixPath(entry.filename)
        # Two letters of the same name in different folders are told apart by these.
        name = name_of(path.name if bare[path.name] == 1 else "_".join(path.parts))
        if problem:
            left_out.append((name, problem))
            continue
        room -= len(data)
        names.append(name)
        documents.append(data)
    return {"names": names, "left_out": left_out}, tuple(documents)


def _is_clutter(entry: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(entry.filename)
    is_shadow = path.name.startswith("._") or "__MACOSX" in path.parts
    return entry.is_dir() or is_shadow or path.name.lower() in _CLUTTER


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> tuple[bytes, str]:
    """The bytes, or why they are not taken. Bytes are counted while they are unpacked."""
    if PurePosixPath(entry.filename).suffix.lower() in _ARCHIVES:
        return b"", "It is an archive in an archive, which is not opened."
    if entry.flag_bits & _ENCRYPTED:
        return b"", "It is encrypted."
    try:
        with archive.open(entry) as stream:
            data = stream.read(most + 1)
    except _BROKEN:
        return b"", "It is damaged."
    return (b"", "It is too large, or the archive unpacks to too much.") if len(data) > most else (data, "")
