"""`efface redact -` and files too large to be read at once: a stream of records, in flat memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from efface.cli.shared.console import counted, escape, fail, progressing, say
from efface.cli.shared.one_document import dump, exit_code

if TYPE_CHECKING:
    from efface.api.sanitizer import Sanitizer
    from efface.batch.stream import Streamed

SCHEMA = "efface.stream/1"
NOTES = (
    "The file was read as a stream of records: each part was judged by itself.",
    "A name that was cut in one part was not looked for in the others.",
)


def redact_standard_input(
    format: str | None, sanitizer: Sanitizer, viewer: str | None, *, allow_unproven: bool
) -> NoReturn:
    """Lines in, lines out, each flushed, for pipes and stream processors."""
    from efface.batch.stream import redact_lines

    if format != "jsonl":
        fail("Standard input is read as JSON lines.", "Add --format jsonl, or name a file.")
    if sys.stdin is None or sys.stdout is None:
        fail(
            "Standard input or output is closed.",
            "Connect both, as in `efface redact - < lines.jsonl > safe.jsonl`.",
        )
    done = redact_lines(sys.stdin.buffer, sys.stdout.buffer, sanitizer, viewer, allow_unproven=allow_unproven)
    raise typer.Exit(3 if done.refused else exit_code(done.verdict, allow_unproven))


def is_stream(source: Path, format: str | None, max_bytes: int) -> bool:
    """Whether the file is too large to be read at once, and of a format that is made of records."""
    try:
        is_large = source.stat().st_size > max_bytes
    except OSError:
        return False
    if not is_large:
        return False
    from efface.batch.stream import FORMATS
    from efface.formats import BY_ENDING

    return (format or BY_ENDING.get(source.suffix.lower())) in FORMATS


def redact_file(
    source: Path,
    output: Path,
    format: str | None,
    sanitizer: Sanitizer,
    viewer: str | None,
    *,
    allow_unproven: bool,
    force: bool,
) -> Streamed:
    """The whole file, written beside and renamed when its last part may leave."""
    from efface.batch.stream import redact_parts
    from efface.files.local import writing
    from efface.formats import BY_ENDING

    chosen = format or BY_ENDING[source.suffix.lower()]
    size = source.stat().st_size
    with (
        source.open("rb") as incoming,
        progressing("redacting") as progress,
        writing(output, force=force) as outgoing,
    ):
        return redact_parts(
            incoming,
            outgoing,
            chosen,
            sanitizer,
            viewer,
            allow_unproven=allow_unproven,
            watch=lambda done: progress(done, size),
        )


def tell(done: Streamed, shown: str, *, as_json: bool) -> None:
    """How it went, for a person or for a program."""
    if as_json:
        counts = {"verdict": done.verdict.value, "parts": done.parts, "edits": done.edits}
        typer.echo(dump({"schema": SCHEMA, **counts, "notes": NOTES}))
        return
    told = f"{done.verdict.value}  {counted(done.parts, 'part')}, {counted(done.edits, 'edit')}"
    say(f"{told} → [bold]{escape(shown)}[/]")
    for note in NOTES:
        say(note)
