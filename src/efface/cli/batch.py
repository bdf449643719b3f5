"""`efface batch`: many documents at once."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from efface.cli.shared import logs, options
from efface.cli.shared.console import COLOURS, console, counted, escape, fail, say, show_json

if TYPE_CHECKING:
    from efface.api.sanitizer import Sanitizer
    from efface.batch.containers.sources import Inputs
    from efface.batch.items import ItemResult
    from efface.batch.locations import Places
    from efface.batch.run import Batch, BatchOutcome
    from efface.batch.telemetry import Telemetry

_ADVICE = {
    "broken": "Train with a higher --loss-ratio or more labels, or allow the attacker more with a higher limit.",
    "unproven": "See the notes: give what is missing, or --allow-unproven to release it so.",
}
_COLOURS = {"done": "green", "refused": "yellow", "failed": "red", "quarantined": "red"}


SourcesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="IN",
        help="Folders, files, archives, mailboxes, tables, patterns of them, or addresses such as s3://bucket/in.",
        show_default=False,
    ),
]
OutputArgument = Annotated[
    Path,
    typer.Argument(
        metavar="OUT", help="The folder to write to, or its address in a store.", show_default=False
    ),
]
TextOption = Annotated[
    list[str] | None, typer.Option("--text", metavar="COLUMN", help="A column of tables that holds text.")
]
CopyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--copy", metavar="COLUMN", help="A column of tables to leave as it is; others are left out."
    ),
]
SubjectOption = Annotated[
    str,
    typer.Option(
        "--subject",
        metavar="WHAT",
        help="What tells whom a document is about: a column, `folder` or `name`.",
        show_default=False,
    ),
]
LinkOption = Annotated[
    list[str] | None,
    typer.Option(
        "--link",
        metavar="WHAT",
        help="What else a reader can link documents by: a column, `folder` or `name`.",
    ),
]
TruthOption = Annotated[
    str,
    typer.Option(
        "--truth",
        metavar="WHAT",
        help="What tells the class or person to hide: a column, `folder` or `name`.",
        show_default=False,
    ),
]
LabelsOption = Annotated[
    Path | None, typer.Option("--labels", help="Labelled originals, to train the attacker of the release on.")
]
EngineOption = Annotated[
    Literal["local", "spark"], typer.Option("--engine", help="Worker processes here, or Spark.")
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Worker processes.", show_default="one a core")
]
SecondsOption = Annotated[
    float, typer.Option("--time-limit", min=0.1, help="Seconds that one document may take.")
]
MemoryOption = Annotated[int, typer.Option("--memory", min=64, help="MiB that one document may take.")]
WorkOption = Annotated[
    Path | None, typer.Option("--work", help="The folder of the manifest.", show_default="OUT.work")
]
AgainOption = Annotated[bool, typer.Option("--again", help="Do everything again.")]
MetricsOption = Annotated[
    Path | None,
    typer.Option("--metrics", help="Write counts and times here, for Prometheus.", show_default=False),
]


def batch(
    sources: SourcesArgument,
    output: OutputArgument,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    text: TextOption = None,
    copy: CopyOption = None,
    subject: SubjectOption = "",
    link: LinkOption = None,
    truth: TruthOption = "",
    labels: LabelsOption = None,
    allow_unproven: options.AllowUnproven = False,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
    seconds: SecondsOption = 300.0,
    memory: MemoryOption = 2048,
    max_size: options.MaxSize = 256,
    work: WorkOption = None,
    again: AgainOption = False,
    as_json: options.JsonLines = False,
    metrics: MetricsOption = None,
    log_format: logs.LogFormat = None,
) -> None:
    """Sanitize many documents. Run again to go on, or to redo just what has changed.

    Exit code 0: all that was asked for is released. 3: some documents are refused, failed or quarantined
    and the others are released, or the release as a whole is refused. 4: released but unproven.

    Example: efface batch notes/ out/ --policy policy.yaml --subject folder
    """
    from efface.batch.containers.members import Options
    from efface.batch.containers.sources import Inputs
    from efface.batch.engines.pool import Limits
    from efface.batch.locations import Places
    from efface.batch.run import Batch
    from efface.batch.telemetry import Telemetry
    from efface.policy.hidden_subjects import truth_column

    logs.set_up(log_format)
    told = Telemetry(metrics)
    sanitizer = _sanitizer(policy, viewer, max_size << 20)
    places = Places.of(sources, output, work)
    columns = tuple(text or ()), tuple(copy or ()), subject, tuple(link or ())
    members = Options(*columns, max_size << 20, truth_column(sanitizer.policy, truth))
    limits = Limits(workers or len(os.sched_getaffinity(0)), seconds, memory)
    inputs = Inputs.of(places.fetched())
    asked = Batch(
        sanitizer, inputs, places.folders, viewer, members, limits, engine, labels, allow_unproven, again
    )
    raise typer.Exit(_run(asked, told, places, as_json=as_json))


def _run(asked: Batch, told: Telemetry, places: Places, *, as_json: bool) -> int:
    """The exit code, once everything is done, sent and reported."""
    outcome = _done(asked, told, as_json)
    places.send()
    told.close(outcome.published, outcome.judgement.verdict)
    if as_json:
        _show_end(outcome, asked.folders.work)
    else:
        _say_end(outcome, places.shown, asked.folders.work)
    return _exit_code(outcome, asked.allow_unproven)


def _sanitizer(policy: Path | None, viewer: str | None, max_bytes: int) -> Sanitizer:
    from efface.api.sanitizer import Sanitizer

    return Sanitizer(options.load_policy(policy, viewer), policy.parent if policy else Path(), max_bytes)


def _done(asked: Batch, told: Telemetry, as_json: bool) -> BatchOutcome:
    from efface.batch.run import run

    try:
        with _json_lines() if as_json else _progress(asked.inputs) as watch:

            def both(done: ItemResult) -> None:
                watch(done)
                told.watch(done)

            return run(asked, both)
    except KeyboardInterrupt:
        fail("Interrupted; what was finished is kept.", "Run the same command again to go on.", code=130)


def _exit_code(outcome: BatchOutcome, allow_unproven: bool) -> int:
    missing = sum(count for state, count in outcome.counts.items() if state != "done") + outcome.broken
    if not outcome.published or missing:
        return 3
    return 4 if outcome.judgement.verdict == "unproven" and allow_unproven else 0


@contextlib.contextmanager
def _json_lines() -> Iterator[Callable[[ItemResult], None]]:
    """One object a document, for machines."""

    def watch(done: ItemResult) -> None:
        row: dict[str, Any] = {"file": os.fsdecode(done.item.path), "state": done.state.value}
        row["verdict"] = done.verdict
        if done.item.part >= 0:
            row |= {"part": done.item.part, "name": os.fsdecode(done.item.label)}
        row |= {"reason": done.reason, "edits": done.edits, "bytes": done.size, "seconds": done.seconds}
        show_json("batch.document", row, indent=None)

    yield watch


@contextlib.contextmanager
def _progress(inputs: Inputs) -> Iterator[Callable[[ItemResult], None]]:
    """Done, refused, failed, rate and time left, for people who are looking."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    total = sum(entry.size for entry in inputs.entries())
    counts: Counter[str] = Counter()
    said = TextColumn("{task.fields[counts]}")
    columns = (
        BarColumn(),
        TaskProgressColumn(),
        said,
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        task = bar.add_task("batch", total=total or None, counts="starting")

        def watch(done: ItemResult) -> None:
            counts[done.state.value] += 1
            rate = counts.total() / max(bar.tasks[0].elapsed or 0, 1e-6)
            shown = ", ".join(f"{count:,} {state}" for state, count in counts.items())
            bar.update(task, advance=done.size, counts=f"{shown}, {rate:,.0f} a second")

        yield watch


def _show_end(outcome: BatchOutcome, work: Path) -> None:
    """The last line, for machines: what became of the release."""
    judgement = outcome.judgement
    row = {
        "verdict": judgement.verdict.value,
        "published": outcome.published,
        "counts": outcome.counts,
        "kept": outcome.kept,
        "withdrawn": judgement.withdrawn,
        "containers_failed": outcome.broken,
        "notes": list(judgement.notes),
        "summary": str(work / "summary.html"),
        "certificate": str(work / "certificate.json"),
    }
    show_json("batch", row, indent=None)


def _headline(outcome: BatchOutcome) -> str:
    """The verdict on what left. Where every document failed, `held` of an empty release would be misread."""
    if (outcome.counts or outcome.broken) and not outcome.counts.get("done"):
        return "[bold red]nothing released[/]"
    verdict = outcome.judgement.verdict
    return f"[bold {COLOURS[verdict]}]{verdict}[/]"


def _say_end(outcome: BatchOutcome, output: str, work: Path) -> None:
    judgement = outcome.judgement
    counts = ", ".join(
        f"[{_COLOURS.get(s, 'dim')}]{c:,} {s}[/]" for s, c in sorted(outcome.counts.items())
    ) or ("" if outcome.broken else "nothing to do")
    before = f" ({outcome.kept:,} of them before)" if outcome.kept else ""
    target = f" → {escape(output)}" if outcome.published else ""
    say(f"{_headline(outcome)}  {counts}{before}{target}")
    if outcome.broken:
        say(f"  [red]{counted(outcome.broken, 'container')} could not be read and left out[/]")
    for file, reason in outcome.unread:
        say(f"  [red]failed[/] {escape(file)}: {escape(reason)}")
    for file, state, reason in outcome.left:
        say(f"  [{_COLOURS.get(state, 'dim')}]{state}[/] {escape(file)}: {escape(reason)}")
    more = sum(outcome.counts.values()) - outcome.counts.get("done", 0) - len(outcome.left)
    if more > 0:
        say(f"  [dim]and {counted(more, 'document')} more[/]")
    for note in judgement.notes:
        say(f"  [yellow]note[/] {escape(note)}")
    if not outcome.published:
        fail(
            "The release is withheld: nothing is written to the output.",
            _ADVICE[judgement.verdict],
            stop=False,
        )
    say(f"  [dim]{escape(str(work / 'summary.html'))}[/]")
