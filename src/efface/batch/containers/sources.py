"""Where documents come from: folders, globs and files, and the containers among them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import BinaryIO, NamedTuple

from efface.batch.containers import archives, mailboxes, tables
from efface.batch.containers.members import ContainerMember, Options, Result, notes_by_path
from efface.batch.items import WHOLE, Item
from efface.batch.work_folder import stamp
from efface.errors import InputError, UsageError


class ContainerKind(NamedTuple):
    """A kind of container: how its members are read, and how it is written again with what may leave."""

    members: Callable[[Path, Options], Iterator[ContainerMember]]
    write: Callable[[Path, Options, Result, BinaryIO], None]
    endings: tuple[str, ...]
    by_text: bool = False  # only where a column is named: otherwise it is a document


KINDS: dict[str, ContainerKind] = {
    "zip": ContainerKind(archives.zip_members, archives.write_zip, (".zip",)),
    "tar": ContainerKind(
        archives.tar_members,
        archives.write_tar,
        (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz"),
    ),
    "mbox": ContainerKind(mailboxes.mbox_members, mailboxes.write_mbox, (".mbox",)),
    "jsonl": ContainerKind(tables.line_members, tables.write_lines, (".jsonl", ".ndjson")),
    "csv": ContainerKind(tables.csv_members, tables.write_csv, (".csv", ".tsv", ".tab"), by_text=True),
    "parquet": ContainerKind(tables.parquet_members, tables.write_parquet, (".parquet",)),
}
_ENDINGS = tuple(ending for kind in KINDS.values() for ending in kind.endings)


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A file as it was found: where it goes, where it is, its state, and why it is no document."""

    path: bytes
    file: str
    stamp: str = ""
    size: int = 0
    problem: str = ""

    def kind(self, options: Options) -> str | None:
        """The kind of container, if it is one."""
        name = os.path.basename(self.file).lower()  # noqa: PTH119 a Path for each of a million files takes long
        if self.problem or not name.endswith(_ENDINGS):
            return None
        found = (
            k
            for k, kind in KINDS.items()
            if name.endswith(kind.endings) and (options.text or not kind.by_text)
        )
        return next(found, None)

    def item(self, options: Options) -> Item:
        """The file as one document."""
        told = notes_by_path(self.path, options)
        folder, _, name = self.path.rpartition(b"/")
        short = "message.eml" if mailboxes.is_mail_folder(folder) else name.decode("utf-8", "surrogateescape")
        return Item(
            self.path, WHOLE, short, self.file, stamp=self.stamp, problem=self.problem, **told._asdict()
        )

    def items(self, kind: str, options: Options) -> Iterator[Item]:
        """The documents in a container."""
        for part, m in enumerate(KINDS[kind].members(Path(self.file), options)):
            told = m.told._asdict()
            yield Item(
                self.path, part, m.name, "", m.data, m.label, problem=m.problem, is_cell=m.is_cell, **told
            )


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the command names. One folder's tree is the output's; several inputs keep their names in it."""

    roots: tuple[tuple[bytes, str], ...]  # (where in the output, file or folder)

    @classmethod
    def of(cls, sources: Sequence[str]) -> Inputs:
        found = [path for source in sources for path in _globbed(source)]
        if len(found) == 1 and Path(found[0]).is_dir():
            return cls(((b"", str(Path(found[0]).absolute())),))
        roots: dict[bytes, str] = {}
        for path in found:
            name = os.fsencode(Path(path).absolute().name)
            if name in roots:
                raise UsageError("Two of the inputs have the same name.", "Run a batch for each.")
            roots[name] = str(Path(path).absolute())
        return cls(tuple(roots.items()))

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, as the folders list them: order decides nothing, and a million names are not held."""
        for where, root in self.roots:
            status = os.lstat(root)
            if stat.S_ISDIR(status.st_mode) or (stat.S_ISLNK(status.st_mode) and Path(root).is_dir()):
                yield from _walk(where, os.fsencode(root))
            else:
                yield _entry(where, root, status)


def _globbed(source: str) -> list[str]:
    if os.path.lexists(source):
        return [source]
    found = sorted(glob(source, recursive=True)) if has_magic(source) else []  # noqa: PTH207 it may be absolute
    if not found:
        raise InputError("There is no such input.", "Check the path or the pattern.")
    return found


def _walk(where: bytes, folder: bytes) -> Iterator[SourceEntry]:
    waiting = [(where, folder)]
    while waiting:
        where, folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                for found in listing:
                    path = where + b"/" + found.name if where else found.name
                    if found.is_dir(follow_symlinks=False):
                        waiting.append((path, found.path))
                    else:
                        yield _source_entry(path, found)
        except OSError as error:
            yield SourceEntry(
                where or b".", os.fsdecode(folder), problem=f"The folder cannot be read: {error.strerror}."
            )


def _source_entry(path: bytes, found: os.DirEntry[bytes]) -> SourceEntry:
    try:
        return _entry(path, os.fsdecode(found.path), found.stat(follow_symlinks=False))
    except FileNotFoundError:
        return SourceEntry(path, os.fsdecode(found.path), problem="The file vanished before it was read.")


def _entry(path: bytes, file: str, status: os.stat_result) -> SourceEntry:
    problem = ""
    if stat.S_ISLNK(status.st_mode):
        problem = "It is a symbolic link, which is not followed."
    elif not stat.S_ISREG(status.st_mode):
        problem = "It is not a regular file."
    return SourceEntry(path, file, stamp(status), status.st_size, problem)
