"""What stands inside a container, and how tables are to be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from efface.errors import UsageError

TOLD_BY_PATH = ("folder", "name")
Result = Callable[[int], bytes | None]  # what may leave of a part; None where nothing may


@dataclass(frozen=True, slots=True)
class Options:
    """Which columns of tables are text and which are copied; what a subject and a link are told by."""

    text: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()
    subject: str = ""
    links: tuple[str, ...] = ()
    max_bytes: int = 256 << 20

    def __post_init__(self) -> None:
        if both := sorted(set(self.text) & set(self.copy)):
            raise UsageError(f"The column {both[0]} is named as text and as a copy.", "Name it once.")


@dataclass(frozen=True, slots=True)
class Member:
    """A document in a container. `name` tells its format, `label` is its own name there."""

    name: str
    data: bytes | None = field(default=None, repr=False)
    label: bytes = b""
    problem: str = ""
    subject: str = ""
    links: tuple[str, ...] = ()


def told_by_path(path: bytes, options: Options) -> tuple[str, tuple[str, ...]]:
    """The subject and the links of a file: its folder or its name, where they are told by these."""
    if not (options.subject or options.links):
        return "", ()
    where = PurePosixPath(path.decode("utf-8", "surrogateescape"))
    return _told(dict(zip(TOLD_BY_PATH, (str(where.parent), where.stem), strict=True)), options)


def told_by_row(row: Mapping[str, object], options: Options) -> tuple[str, tuple[str, ...]]:
    """The subject and the links of a row: values of columns."""
    return _told({name: str(value) for name, value in row.items() if value is not None}, options)


def _told(values: Mapping[str, str], options: Options) -> tuple[str, tuple[str, ...]]:
    links: Sequence[str] = [f"{name} {values[name]}" for name in options.links if values.get(name)]
    return values.get(options.subject, ""), tuple(links)
