"""Text, tables and JSON lines of any length, as a stream of parts in flat memory.

A part ends where a record does: a line of JSON, a row of a table, a line of a text that nothing goes on behind. Each
part is a document of its own: it is judged and searched for leaks by itself. Numbers of placeholders go on from part to
part, so that none stands for two things. A part of a table begins with the table's header, so that columns are read as
what they are; the header leaves once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from efface.api.sanitizer import Sanitizer
from efface.batch.table_parts import LONGEST, row_end, table_parts
from efface.batch.text_parts import text_parts
from efface.core import Guarantee, Report, Scope, Verdict, worst
from efface.errors import EffaceError, InputError, OutputError, Refused, describe_internal
from efface.guarantees.abilities import HasStrength, JudgesTogether, LimitsDisclosure
from efface.operators.placeholders import GivenNumbers
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

FORMATS = ("jsonl", "csv", "text")
PART = 1 << 20  # bytes of a part, about
_KNOWN = 200_000  # terms whose numbers are kept from part to part
_WIDE_STREAM = "A stream is UTF-8, or another encoding of single bytes."
_WIDE = (b"\xff\xfe", b"\xfe\xff")  # marks of encodings in which a line end is not one byte


@dataclass(frozen=True, slots=True)
class Streamed:
    """The result of a stream: its parts, the parts that may not leave, and the verdict on the others."""

    parts: int
    refused: int
    edits: int
    verdict: Verdict = Verdict.HELD


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
    verdict = Verdict.HELD
    for line in _lines(source):
        if parts == 0 and b"\0" in line:  # no JSON holds one: this is UTF-16 without its mark
            raise InputError(_WIDE_STREAM, "Convert it first.")
        parts += 1
        if line.strip():
            try:
                bound = sanitizer.bind(viewer)  # rights may change from one line to the next
                report = _released(line, "line.jsonl", bound, allow_unproven)
                line, edits = report.released or b"", edits + len(report.edits)
                verdict = worst((verdict, report.verdict))
            except Exception as error:  # a line that fails must not take the others with it
                refused += 1
                line = _refusal(error)
        _send(line, sink)
    return Streamed(parts, refused, edits, verdict)


def _send(line: bytes, sink: BinaryIO) -> None:
    try:
        sink.write(line)
        sink.flush()
    except BrokenPipeError:  # the reader has enough
        raise
    except OSError as error:
        why = error.strerror or "unknown error"
        raise OutputError(f"A line cannot be written: {why}.", "The lines before it were.") from None


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
    watch: Callable[[int], None] = lambda _done: None,
) -> Streamed:
    """A whole file, part by part. One part that may not leave refuses it all: the caller drops what was written.

    `watch` is told how many bytes of the source are done.
    """
    first = sanitizer.bind(viewer)
    verdict = _refuse_judges_of_the_whole(first, allow_unproven)
    name = {"jsonl": "part.jsonl", "csv": "part.csv", "text": "part.txt"}[format]
    numbers = GivenNumbers()
    header = b""
    parts = edits = done = 0
    for part in _parts(source, format, first):
        bound = sanitizer.bind(viewer)  # rights may change from one part to the next
        bound = replace(bound, operators=replace(bound.operators, ledger=numbers))
        report = _released(header + part, name, bound, allow_unproven)
        released = report.released or b""
        if format == "csv":
            released = released[row_end(released) :] if header else released
            header = header or part[: row_end(part)]
        parts, edits = parts + 1, edits + len(report.edits)
        verdict = worst((verdict, report.verdict))
        numbers.forget(_KNOWN)
        sink.write(released)
        done += len(part)
        watch(done)
    return Streamed(parts, 0, edits, verdict)


def _refuse_judges_of_the_whole(bound: BoundPolicy, allow_unproven: bool) -> Verdict:
    """Refuses guarantees about a whole document. Its parts may disclose together what none discloses alone."""
    names = [late.name for late in bound.late]
    names += [promise.claim.name for promise in bound.guarantees if _judges_the_whole(promise)]
    if names and not allow_unproven:
        raise Refused(
            f"The guarantee {names[0]} speaks of the whole file, and a file of this size is judged part by part.",
            "Raise --max-size so that it is read at once, or take --allow-unproven.",
        )
    return Verdict.UNPROVEN if names else Verdict.HELD


def _judges_the_whole(promise: Guarantee) -> bool:
    """Whether a guarantee adds up what a document says. One about finds looks at each of them alone."""
    if isinstance(promise, JudgesTogether):
        return promise.claim_together is not None
    is_measured = isinstance(promise, HasStrength | LimitsDisclosure)
    return is_measured or promise.claim.scope is Scope.RELEASE


def _released(data: bytes, name: str, bound: BoundPolicy, allow_unproven: bool) -> Report:
    """The report on a part that may leave."""
    report = pipeline.sanitize(data, name, bound)
    may_leave = report.verdict.may_leave(allow_unproven=allow_unproven)
    if not may_leave or report.released is None:
        why = "is broken" if report.verdict is Verdict.BROKEN else "is unproven"
        raise Refused(
            f"The verdict on one part of the stream {why}.", "Try that part alone with `efface assess`."
        )
    return report


def _lines(source: BinaryIO) -> Iterator[bytes]:
    first = True
    while line := source.readline(LONGEST + 1):
        if first and line.startswith(_WIDE):
            raise InputError(_WIDE_STREAM, "Convert it first.")
        first = False
        if len(line) > LONGEST:
            raise InputError("One record is longer than 64 MiB.", "Split it.")
        yield line


def _parts(source: BinaryIO, format: str, bound: BoundPolicy) -> Iterator[bytes]:
    """Stretches of about `PART` bytes that end where a record does."""
    if format != "jsonl":
        yield from (text_parts if format == "text" else table_parts)(_lines(source), PART, bound)
        return
    waiting: list[bytes] = []
    size = 0
    for line in _lines(source):
        waiting.append(line)
        size += len(line)
        if size >= PART:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
