"""How the demo shows a document in the terminal, and writes it with its report."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from efface.api.sanitizer import Sanitizer
from efface.cli.shared.console import COLOURS, escape
from efface.core import PartKind, Report, Verdict
from efface.errors import Refused
from efface.files.local import write_output
from efface.pipeline.sanitize import sanitize
from efface.report.coverage import unread
from efface.report.page import review_page
from efface.report.strength import tradeoffs
from efface.text.alignment import Alignment

_COLOURS = ("cyan", "yellow", "magenta", "green", "blue", "red")


def require_held(verdict: Verdict) -> None:
    """Refuse to show a demo whose own guarantee does not hold."""
    if verdict is not Verdict.HELD:
        raise Refused("The demo's guarantee does not hold on its own bytes.", "Please report this.")


def write_with_report(sanitizer: Sanitizer, source: Path, folder: Path, viewer: str | None = None) -> Report:
    """The sanitized document and its report, in a folder; beside the original it is called `released.…`."""
    bound = sanitizer.bind(viewer)
    report = sanitize(source.read_bytes(), source.name, bound)
    require_held(report.verdict)
    assert report.released is not None
    name = f"released.{source.name}" if source.parent == folder else source.name
    write_output(folder / name, report.released, force=True)
    page = review_page(report, tradeoffs(report, bound)).encode()
    write_output(folder / f"{name}.report.html", page, force=True, private=True)
    return report


def show_released(out: Console, what: str, says: str, report: Report) -> None:
    """A document whose guarantee holds, on its own or with the release that it belongs to, and what went."""
    _show_panel(out, what, says, _as_released(report), Verdict.HELD)
    reasons: dict[tuple[str, str], int] = {}
    for edit in report.edits:
        why = edit.reason.partition(", read as ")[0]  # how each word was read is for the report
        reasons[edit.type, why] = reasons.get((edit.type, why), 0) + 1
    table = Table.grid(padding=(0, 2))
    for (kind, why), count in sorted(reasons.items()):
        table.add_row(f"[{_colour(kind)}]■[/] {kind}", f"{count}x", f"[dim]{why}[/]")
    out.print(table)
    out.print()


def show_refused(out: Console, what: str, says: str, report: Report) -> None:
    """A document that is not written, and what was not looked at."""
    _show_panel(out, what, says, Text(report.document.text.rstrip("\n")), report.verdict)
    for line in unread(report.coverage):
        out.print(f"[yellow]note[/] {escape(line)}")
    out.print()


def _show_panel(out: Console, what: str, says: str, text: Text, verdict: Verdict) -> None:
    title = f"[bold]{what}[/]: {says}"
    below = f"[{COLOURS[verdict.value]}]{verdict.value}[/]"
    out.print(Panel(text, title=title, title_align="left", subtitle=below, border_style="dim"))


def _as_released(report: Report) -> Text:
    """The prose as it leaves, with what stands for removed words in colour."""
    alignment = Alignment(report.edits)
    released = alignment.planned(report.document)
    text = Text(released.text)
    for edit, span in zip(report.edits, alignment.inserted, strict=True):
        text.stylize(f"bold {_colour(edit.type)}", span.start, span.end)
    prose = [text[part.start : part.end] for part in released.parts if part.kind is PartKind.PROSE] or [text]
    joined = Text("\n").join(prose)
    joined.rstrip()
    return joined


def _colour(kind: str) -> str:
    return _COLOURS[sum(kind.encode()) % len(_COLOURS)]
