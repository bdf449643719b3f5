"""The nouns of a batch: an item to be done, and what became of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

WHOLE = -1  # the part of a file that is one document


class State(StrEnum):
    """The state of an item. All but `pending` are final; `quarantined` is tried again by the next run."""

    PENDING = "pending"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class Item:
    """One document of the batch. `path` is where it goes, relative to the output; `part` its place in a container."""

    path: bytes
    part: int
    name: str  # decides the format
    file: str = ""  # read from here, or
    data: bytes | None = field(default=None, repr=False)
    label: bytes = b""  # a member's own name
    stamp: str = ""  # the file's state as the file system sees it
    subject: str = ""
    links: tuple[str, ...] = ()
    truth: str = field(default="", repr=False)  # the class or the person that it hides
    problem: str = ""  # why it cannot be read at all
    known: str = ""  # the input's hash, where an output of it is at hand
    is_cell: bool = False  # one text of a table: it is no file, whatever it begins with

    def digest(self, data: bytes) -> str:
        """What the outcome depends on: what was read and the class that it hides."""
        told = b"\0" + self.truth.encode("utf-8", "surrogatepass") if self.truth else b""
        return hashlib.sha256(data + told).hexdigest()

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return len(self.data) if self.data is not None else 0

    @property
    def weight(self) -> int:
        """Bytes to be read, as far as they are known."""
        return self.size or int(self.stamp.partition("-")[0] or 0)


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The outcome of an item. `reason` and the names of parts are efface's own and hold nothing of the document."""

    item: Item
    state: State
    reason: str = ""
    verdict: str = ""
    format: str = ""
    input: str = ""  # sha256 of what was read
    output: str = ""  # sha256 of what may leave
    stamp: str = ""
    size: int = 0
    seconds: float = 0.0
    edits: int = 0
    data: bytes | None = field(default=None, repr=False)  # of a member
    spool: str = ""  # of a file: where its output waits to be moved to its place
    same: bool = False  # the input was touched and not changed
    terms: tuple[tuple[str, str], ...] = ()  # (knowledge, key) that are left in what leaves
    tokens: tuple[str, ...] = ()  # what a reader can link documents by, as digests
    outcomes: tuple[tuple[str, str], ...] = ()  # (claim as JSON, verdict)
    released: int = 0  # bytes that may leave
