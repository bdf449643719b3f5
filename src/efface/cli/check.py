"""`efface check`: identifiers in a source tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from efface.cli.shared import options
from efface.cli.shared.console import console, counted, escape, fail, say

if TYPE_CHECKING:
    from efface.check.tree import Skipped


def check(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files and folders.", show_default=False)
    ],
    type_: Annotated[
        list[str] | None,
        typer.Option(
            "--type", metavar="TYPE", help="A type to look for.", show_default="all but what code is full of"
        ),
    ] = None,
    format: Annotated[
        Literal["text", "json", "sarif", "github"], typer.Option("--format", help="How findings are written.")
    ] = "text",
    baseline: Annotated[Path | None, typer.Option("--baseline", help="Findings that are known.")] = None,
    write_baseline: Annotated[
        Path | None, typer.Option("--write-baseline", help="Write what is found now as known.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Find identifiers in source: e-mail addresses, numbers of people, keys. What git ignores is left out.

    Example: efface check src tests --baseline .efface-baseline.json
    """
    from efface.check.outputs import WRITERS
    from efface.check.scan import baseline_of, beyond, load_baseline, scan
    from efface.check.tree import files
    from efface.files.local import write_output

    missing = [path for path in paths if not path.exists()]
    if missing:
        fail(f"{missing[0]} does not exist.", "Check the path.")
    known = load_baseline(baseline) if baseline is not None else {}
    looked = scan(files(paths), frozenset(type_) if type_ else None)
    for line in _unread(looked.skipped):
        console(error=True).print(escape(line))
    if write_baseline is not None:
        write_output(write_baseline, baseline_of(looked.found, write_baseline.parent).encode(), force=True)
        say(f"{counted(len(looked.found), 'finding')} written as known.")
        return
    folder = baseline.parent if baseline is not None else Path()
    new = list(beyond(looked.found, known, folder))
    said = WRITERS["json" if as_json else format](new)
    if said:
        typer.echo(said)
    raise typer.Exit(3 if new else 0)


def _unread(skipped: Sequence[Skipped]) -> Iterator[str]:
    """What was not looked at. Binary files are counted alone: a tree is full of pictures."""
    from efface.check.outputs import printable
    from efface.check.tree import UnreadReason

    binary = sum(one.reason is UnreadReason.BINARY for one in skipped)
    if binary:
        yield f"not read: {counted(binary, 'binary file')}"
    for one in skipped:
        if one.reason is not UnreadReason.BINARY:
            yield f"not read: {printable(one.path.as_posix())} ({one.reason})"
