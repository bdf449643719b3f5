"""The files of a source tree that are worth a look: what git ignores, binary files and links are not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

LARGEST = 4 << 20  # bytes; a larger file is data, not source
_SAMPLE = 8192


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """Every file under the paths, once, in order. A path that is named itself is read whatever git ignores."""
    seen: set[Path] = set()
    for path in paths:
        found = [path] if path.is_file() else _walk(path, _specs_above(path))
        for one in found:
            if one not in seen:
                seen.add(one)
                yield one


def text_of(path: Path) -> str | None:
    """The file's text; None where it is binary, too large, or cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data[:_SAMPLE] else data.decode("utf-8", "replace")


_Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


def _walk(folder: Path, specs: _Specs) -> Iterator[Path]:
    specs = (*specs, *_spec_in(folder))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_symlink() or entry.name == ".git" or _is_ignored(path, entry.is_dir(), specs):
            continue
        if entry.is_dir():
            yield from _walk(path, specs)
        elif entry.is_file():
            yield path


def _spec_in(folder: Path) -> Iterator[tuple[Path, GitIgnoreSpec]]:
    try:
        lines = (folder / ".gitignore").read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    yield folder, GitIgnoreSpec.from_lines(lines)


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
