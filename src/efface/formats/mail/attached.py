"""The files in a message, for those who show a message as more than its text."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from efface.core import Document


class FileLabel(NamedTuple):
    """What a file in a message is called."""

    label: str = ""  # what the names of its parts begin with in the whole; "" for what is not attached
    file_name: str = ""


class Attached(NamedTuple):
    """A file in a message as a document of its own, whose text starts at `at` in the whole."""

    at: int
    document: Document
    called: FileLabel


@runtime_checkable
class HasAttached(Protocol):
    """The origin of a message."""

    @property
    def attached(self) -> tuple[Attached, ...]: ...
