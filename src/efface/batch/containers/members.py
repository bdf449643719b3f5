"""What is inside a container, and how tables are to be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from efface.errors import UsageError

TOLD_BY_PATH = ("folder", "name")
Result = Callable[[int], bytes | None]  # what may leave of a part; None where nothing may


@dataclass(frozen=True, slots=True)
class Options:
    """Which columns of tables are text, which are copied, and which hold the subject, links and the hidden class."""

    text: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()
    subject: str = ""
    links: tuple[str, ...] = ()
    max_bytes: int = 256 << 20
    truth: str = ""

    def __post_init__(self) -> None:
        if both := sorted(set(self.text) & set(self.copy)):
            raise UsageError(f"The column {both[0]} is named as text and as a copy.", "Name it once.")
        if self.truth and self.truth in (*self.text, *self.copy, *self.links):
            raise UsageError(
                f"The column {self.truth} holds what is hidden, and would leave.",
                "Name it neither as text nor as a copy nor as a link.",
            )


class MemberNotes(NamedTuple):
    """What is known of a document beside its text."""

    subject: str = ""
    links: tuple[str, ...] = ()
    truth: str = ""


_NO_NOTES = MemberNotes()


@dataclass(frozen=True, slots=True)
class ContainerMember:
    """A document in a container. `name` decides its format, `label` is its own name there."""

    name: str
    data: bytes | None = field(default=None, repr=False)
    label: bytes = b""
    problem: str = ""
    told: MemberNotes = field(default=_NO_NOTES, repr=False)
    is_cell: bool = False  # one text of a table


def notes_by_path(path: bytes, options: Options) -> MemberNotes:
    """What is known of a file by its folder or its name."""
    if not (options.subject or options.links or options.truth):
        return _NO_NOTES
    where = PurePosixPath(path.decode("utf-8", "surrogateescape"))
    return _notes_of(dict(zip(TOLD_BY_PATH, (str(where.parent), where.stem), strict=True)), options)


def notes_of_row(row: Mapping[str, object], options: Options) -> MemberNotes:
    """What is known of a row by its columns."""
    return _notes_of({name: str(value) for name, value in row.items() if value is not None}, options)


def _notes_of(values: Mapping[str, str], options: Options) -> MemberNotes:
    links: Sequence[str] = [f"{name} {values[name]}" for name in options.links if values.get(name)]
    return MemberNotes(values.get(options.subject, ""), tuple(links), values.get(options.truth, ""))


def stated_columns(options: Options) -> tuple[str, ...]:
    """The columns of a table that hold a row's subject, links or hidden class."""
    return tuple(name for name in (options.subject, *options.links, options.truth) if name)
