"""The files of a source tree that are worth a look: what git ignores, binary files and links are not."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pathspec import GitIgnoreSpec

LARGEST = 4 << 20  # bytes; a larger file is data, not source
_SAMPLE = 8192  # bytes in which a zero byte tells a binary file, as git does


class UnreadReason(StrEnum):
    """Why a file or a folder was not looked at."""

    BINARY = "binary"
    LARGE = "larger than 4 MiB"
    CLOSED = "cannot be read"


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not looked at."""

    path: Path
    reason: UnreadReason


def files(paths: Iterable[Path]) -> Iterator[Path | Skipped]:
    """Every file under the paths, once, in order. A path that is named itself is read whatever git ignores."""
    seen: set[Path | Skipped] = set()
    for path in paths:
        for one in _walk(path, _specs_above(path)) if path.is_dir() else [path]:
            if one not in seen:
                seen.add(one)
                yield one


def text_of(path: Path) -> str | Skipped:
    """The file's text, or why it is not read."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):  # a pipe would be waited for
            return Skipped(path, UnreadReason.CLOSED)
        if state.st_size > LARGEST:
            return Skipped(path, UnreadReason.LARGE)
        data = path.read_bytes()
    except OSError:
        return Skipped(path, UnreadReason.CLOSED)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return (
        Skipped(path, UnreadReason.BINARY) if b"\0" in data[:_SAMPLE] else data.decode("utf-8-sig", "replace")
    )


_Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


def _walk(folder: Path, specs: _Specs) -> Iterator[Path | Skipped]:
    """Every file below a folder. A tree may be deeper than calls are."""
    entered = [_entries(folder, specs)]
    while entered:
        one = next(entered[-1], None)
        if one is None:
            entered.pop()
        elif isinstance(one, tuple):
            entered.append(_entries(*one))
        else:
            yield one


def _entries(folder: Path, specs: _Specs) -> Iterator[Path | Skipped | tuple[Path, _Specs]]:
    """The files of a folder, and its folders with what is ignored in them."""
    specs = (*specs, *_spec_in(folder))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield Skipped(folder, UnreadReason.CLOSED)
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_symlink() or entry.name == ".git" or _is_ignored(path, entry.is_dir(), specs):
            continue
        if entry.is_dir():
            yield path, specs
        elif entry.is_file():
            yield path


def _spec_in(folder: Path) -> Iterator[tuple[Path, GitIgnoreSpec]]:
    try:
        data = (folder / ".gitignore").read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError:
        return
    lines = os.fsdecode(data).split("\n")
    yield folder, GitIgnoreSpec(pattern for line in lines for pattern in _patterns(line.removesuffix("\r")))


def _patterns(line: str) -> Iterable[Any]:  # versions of pathspec call the class differently
    """The patterns in a line of `.gitignore`. As in git, a malformed one matches nothing."""
    if line.endswith("\t"):  # git cuts blanks only: such a line matches no name that people give
        return ()
    if line.endswith("/**/"):  # folders at any depth below, and not the files beside them
        line += "*/"
    try:
        return GitIgnoreSpec.from_lines([line]).patterns
    except ValueError:
        return ()


def _specs_above(folder: Path) -> _Specs:
    """What the folders above say, up to the repository's own."""
    specs: list[tuple[Path, GitIgnoreSpec]] = []
    here = folder.absolute()
    while not (here / ".git").exists() and here.parent != here:
        here = here.parent
        specs[:0] = [(_as_given(folder, above), spec) for above, spec in _spec_in(here)]
    return tuple(specs) if (here / ".git").exists() else ()


def _as_given(folder: Path, above: Path) -> Path:
    """A folder above, written so that paths under `folder` are relative to it."""
    return above if folder.is_absolute() else Path(os.path.relpath(above))


def _is_ignored(path: Path, is_folder: bool, specs: _Specs) -> bool:
    """The nearest file that says anything decides."""
    for folder, spec in reversed(specs):
        relative = os.path.relpath(path, folder).replace(os.sep, "/") + ("/" if is_folder else "")
        decided = spec.check_file(relative).include
        if decided is not None:
            return decided
    return False
