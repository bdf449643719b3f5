"""The files that a policy names, and a mark that changes when one of them does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from efface.policy.model import Policy


def paths_of(value: Any) -> Iterator[Path]:
    """Every path in the policy, without indexes, which are identified by their sources."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            if name != "index":
                yield from paths_of(getattr(value, name))
    elif isinstance(value, dict):
        yield from (path for one in value.values() for path in paths_of(one))
    elif isinstance(value, tuple | list):
        yield from (path for one in value for path in paths_of(one))


def stamps_of(policy: Policy, folder: Path) -> tuple[tuple[str, int, int, int], ...]:
    """Size, time and place of every file that the policy names; those in a named folder too."""
    stamps: list[tuple[str, int, int, int]] = []
    for path in sorted(set(paths_of(policy))):
        named = folder / path
        stamps.extend(_stamp(one) for one in (named, *_files_below(named)))
    return tuple(stamps)


def _files_below(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file())


def _stamp(path: Path) -> tuple[str, int, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), -1, -1, -1
    return str(path), status.st_size, status.st_mtime_ns, status.st_ino
