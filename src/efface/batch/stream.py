"""Text, tables and JSON lines of any length, as a stream of parts in flat memory.

A part ends where a record does: a line of JSON, a row of a table, a line of a text that nothing goes on behind. Each
part is a document of its own: it is judged, searched for leaks and numbered by itself. A part of a table begins with
the table's header, so that columns are read as what they are; the header leaves once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from efface.api.sanitizer import Sanitizer
from efface.batch.text_parts import text_parts
from efface.core import Verdict
from efface.errors import EffaceError, InputError, Refused, describe_internal
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

FORMATS = ("jsonl", "csv", "text")
PART = 1 << 20  # bytes of a part, about
_LONGEST = 64 << 20  # bytes of one record
_BLOCK = 1 << 16
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # marks of encodings in which a line end is not one byte


@dataclass(frozen=True, slots=True)
class Streamed:
    """How a stream went: its parts, and those that may not leave."""

    parts: int
    refused: int
    edits: int


def redact_lines(
    source: BinaryIO,
    sink: BinaryIO,
    sanitizer: Sanitizer,
    viewer: str | None = None,
    *,
    allow_unproven: bool = False,
) -> Streamed:
    """JSON lines, one out for one in, flushed. A line that may not leave becomes an object that says so."""
    sanitizer.bind(viewer)  # mistakes in the policy are found before the first line
    parts = refused = edits = 0
    for line in _lines(source):
        parts += 1
        if line.strip():
            try:
                bound = sanitizer.bind(viewer)  # rights may change from one line to the next
                line, count = _released(line, "line.jsonl", bound, allow_unproven)
                edits += count
            except Exception as error:  # a line that fails must not take the others with it
                refused += 1
                line = _refusal(error)
        sink.write(line)
        sink.flush()
    return Streamed(parts, refused, edits)


def _refusal(error: Exception) -> bytes:
    """What stands in the place of a line, in words without the line's."""
    reason = error.message if isinstance(error, EffaceError) else f"{describe_internal(error)}."
    return json.dumps({"efface_verdict": "refused", "efface_reason": reason}).encode() + b"\n"


def redact_parts(
    source: BinaryIO,
    sink: BinaryIO,
    format: str,
    sanitizer: Sanitizer,
    viewer: str | None = None,
    *,
    allow_unproven: bool = False,
) -> Streamed:
    """A whole file, part by part. One part that may not leave refuses it all: the caller drops what was written."""
    name = {"jsonl": "part.jsonl", "csv": "part.csv", "text": "part.txt"}[format]
    header = b""
    parts = edits = 0
    for part in _parts(source, format, sanitizer.bind(viewer)):
        bound = sanitizer.bind(viewer)  # rights may change from one part to the next
        released, count = _released(header + part, name, bound, allow_unproven)
        if format == "csv":
            released = released[_row_end(released) :] if header else released
            header = header or part[: _row_end(part)]
        parts, edits = parts + 1, edits + count
        sink.write(released)
    return Streamed(parts, 0, edits)


def _released(data: bytes, name: str, bound: BoundPolicy, allow_unproven: bool) -> tuple[bytes, int]:
    report = pipeline.sanitize(data, name, bound)
    may_leave = report.verdict.may_leave(allow_unproven=allow_unproven)
    if not may_leave or report.released is None:
        why = "is broken" if report.verdict is Verdict.BROKEN else "is unproven"
        raise Refused(
            f"The verdict on one part of the stream {why}.", "Try that part alone with `efface assess`."
        )
    return report.released, len(report.edits)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    first = True
    while line := source.readline(_LONGEST + 1):
        if first and line.startswith(_WIDE):
            raise InputError("A stream is UTF-8, or another encoding of single bytes.", "Convert it first.")
        first = False
        if len(line) > _LONGEST:
            raise InputError("One record is longer than 64 MiB.", "Split it.")
        yield line


def _parts(source: BinaryIO, format: str, bound: BoundPolicy) -> Iterator[bytes]:
    """Stretches of about `PART` bytes that end where a record does."""
    if format == "text":
        yield from text_parts(_lines(source), PART, bound)
        return
    waiting: list[bytes] = []
    size = 0
    quoted = False  # whether a quoted cell goes on in the next line
    for line in _lines(source):
        waiting.append(line)
        size += len(line)
        quoted ^= format == "csv" and line.count(b'"') % 2 == 1
        if size > _LONGEST:
            raise InputError(
                "One record is longer than 64 MiB.", "Split it, or mend a quote that is never closed."
            )
        if size >= PART and not quoted:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)


def _row_end(data: bytes) -> int:
    """Where the first row of a table ends."""
    position, quoted = 0, False
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end + 1
        quoted ^= data.count(b'"', position, end) % 2 == 1
        position = end
        if not quoted:
            break
    return position
