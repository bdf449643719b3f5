"""What people see in the terminal: colour if it has any, plain text if not, progress after two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, overload
from typing import Literal as Lit

if TYPE_CHECKING:
    from rich.console import Console

    from efface.core import Finding, Plan, Report, Span

COLOURS = {"held": "green", "broken": "red", "unproven": "yellow"}


def console(*, error: bool = False, wrap: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=error, highlight=False, soft_wrap=not wrap)


def escape(text: str) -> str:
    """Text that is no markup."""
    from rich.markup import escape as escaped

    return escaped(text)


def say(message: str) -> None:
    """A line of markup for people, on standard output."""
    console().print(message)


def counted(count: int, noun: str, many: str = "") -> str:
    """`1 term`, `2 terms`; `many` where the plural has no plain s."""
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


def as_json(name: str, data: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """An answer for machines: its first key says what it is, and in which version."""
    import json

    return json.dumps({"schema": f"efface.{name}/1", **data}, ensure_ascii=True, indent=indent)


def show_json(name: str, data: Mapping[str, Any], *, indent: int | None = 2) -> None:
    """Write `as_json` to standard output; on one line where an answer is one of several."""
    import typer

    typer.echo(as_json(name, data, indent=indent))


@overload
def fail(message: str, hint: str = ..., *, code: int = ..., stop: Lit[True] = ...) -> NoReturn: ...
@overload
def fail(message: str, hint: str = ..., *, code: int = ..., stop: Lit[False]) -> None: ...
def fail(message: str, hint: str = "", *, code: int = 2, stop: bool = True) -> None:
    """What is wrong and what to do next, on standard error."""
    out = console(error=True)
    out.print(f"[red]error:[/] {escape(message)}")
    if hint:
        out.print(f"[dim]next:[/]  {escape(hint)}")
    if stop:
        sys.exit(code)


def show_verdict(report: Report, output: str | None) -> None:
    """The verdict, what went and why, in a few lines."""
    from efface.report.counts import is_of_type, place_counts
    from efface.report.coverage import lines as coverage_lines

    out = console()
    colour = COLOURS[report.verdict.value]
    where = f" → {escape(output)}" if output else ""
    out.print(f"[bold {colour}]{report.verdict.value}[/]  {escape(report.document.name)}{where}")
    for leak in report.leaks:
        out.print(f"  [red]leak[/] {leak.type} in {escape(leak.part)} ({leak.encoding})")
    for secret, places, because in _rows(seen_again(report)):
        out.print(
            f"  [red]seen again[/] {escape(secret)}, {counted(places, 'place')} in the release as it was read again  "
            f"[dim]{escape(because)}[/]"
        )
    for count in place_counts(report):
        out.print(f"  {count.places:>5}  {escape(count.type)}  [dim]{escape('; '.join(count.rules))}[/]")
    for outcome in report.outcomes:
        if report.edits and outcome.plan is not None and _is_told(outcome.plan):
            out.print(f"         {escape(outcome.claim.name)}  [dim]{escape(outcome.plan.note)}[/]")
            continue
        hidden = [] if report.edits else [found for found in outcome.after if not is_of_type(found)]
        for secret, places, because in _rows(hidden):
            out.print(f"  {places:>5}  {escape(secret)}  [dim]{escape(because)}[/]")
    for note in (*report.notes, *coverage_lines(report.coverage)):
        out.print(f"  [yellow]note[/] {escape(note)}")


def _is_told(plan: Plan) -> bool:
    """Whether a plan's note is printed. One that is proved to take the fewest words needs no word on how it was made."""
    return bool(plan.note) and plan.optimality.value != "proved"


def seen_again(report: Report) -> list[Finding]:
    """What the finders still saw in a refused release when it was read again, as in pictures that OCR reads otherwise each
    time. A file that was only assessed still has everything, and nothing was written."""
    if report.verdict.value != "broken" or not report.edits:
        return []
    return [found for one in report.outcomes if one.verdict.value == "broken" for found in one.after]


def _rows(findings: Sequence[Finding]) -> Iterator[tuple[str, int, str]]:
    """For each secret at how many places it shows, and the rules that saw it: two may see the same place."""
    places: dict[str, set[Span]] = {}
    rules: dict[str, Counter[str]] = {}
    for finding in findings:
        spans = [mention.span for term in finding.terms for mention in term.mentions]
        places.setdefault(finding.secret, set()).update(spans)
        rules.setdefault(finding.secret, Counter())[finding.because] += len(spans)
    for secret in sorted(places):
        yield secret, len(places[secret]), "; ".join(rule for rule, _ in rules[secret].most_common())


@contextmanager
def counting(what: str, unit: str) -> Iterator[Callable[[int], None]]:
    """A callback for progress: a line with the count and the rate, for people who are looking."""
    if not sys.stderr.isatty():
        yield lambda _count: None
        return
    started = time.monotonic()
    with console(error=True).status(what) as status:
        yield lambda count: status.update(
            f"{what}: {count:,} {unit}, {count / max(time.monotonic() - started, 1e-6):,.0f} a second"
        )


@contextmanager
def progressing(what: str) -> Iterator[Callable[[int, int], None]]:
    """A callback for how much of how much is done: a bar with an estimate, for people who are looking."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class Stages:
    """Names the stage at work, once a run takes longer than two seconds and the output is a terminal."""

    def __init__(self, stage: str = "starting", patience: float = 2.0) -> None:
        self._patience = patience
        self._stage = stage
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, stage: str) -> None:
        self._stage = stage

    def __enter__(self) -> Stages:
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread:
            self._thread.join()

    def _show(self) -> None:
        if self._done.wait(self._patience):
            return
        with console(error=True).status(self._stage) as status:
            while not self._done.wait(0.2):
                status.update(self._stage)
