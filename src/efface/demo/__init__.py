"""The main job on a fictional hospital: one note as three readers may see it. All names are invented."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from efface.alignment import Alignment
from efface.console import console
from efface.core import Report, Verdict
from efface.errors import OutputError, Refused
from efface.files import write_output
from efface.report.page import review_page
from efface.sanitizer import Sanitizer

READERS = {
    "doctor": "treats the patient; her money is none of the doctor's business",
    "administrator": "sends the bills; the illness is none of the administrator's business",
    "researcher": "studies the illness; nothing may tell whose it is",
}
DOCUMENTS = ("note.txt", "letter.html", "referral.eml")
_COLOURS = ("cyan", "yellow", "magenta", "green", "blue", "red")


def run(folder: Path) -> None:
    """Show the note as each reader may see it, and write every document, with a report, for each of them."""
    out = console(wrap=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise OutputError(f"{folder} cannot be a folder.", "Choose another with -o.") from None
    with as_file(files("efface.demo").joinpath("hospital")) as hospital:
        sanitizer = _open(hospital, folder)
        out.print(
            "[bold]One note from St. Orrin's Hospital, as three readers may see it.[/] (All invented.)\n"
        )
        for reader, who in READERS.items():
            reports = list(_sanitize(sanitizer, hospital, reader, folder))
            _show(out, reader, who, reports[0])
    out.print(f"The same for a letter and a mail, with a report to open for each: [bold]{folder}/[/]")
    out.print(f"The policy and the database that decided: [bold]{folder / 'hospital.yaml'}[/]")


def _open(hospital: Path, folder: Path) -> Sanitizer:
    """A fresh database beside a copy of the policy."""
    database = folder / "hospital.db"
    database.unlink(missing_ok=True)
    connection = sqlite3.connect(database)
    try:
        connection.executescript((hospital / "hospital.sql").read_text("utf-8"))
    finally:
        connection.close()
    shutil.copyfile(hospital / "hospital.yaml", folder / "hospital.yaml")
    return Sanitizer.from_policy(folder / "hospital.yaml")


def _sanitize(sanitizer: Sanitizer, hospital: Path, reader: str, folder: Path) -> Iterator[Report]:
    (folder / reader).mkdir(exist_ok=True)
    for name in DOCUMENTS:
        report = sanitizer.sanitize(hospital / name, viewer=reader)
        if report.verdict is not Verdict.HELD or report.released is None:
            raise Refused("The demo's guarantee does not hold on its own bytes.", "Please report this.")
        write_output(folder / reader / name, report.released, force=True)
        page = review_page(report).encode()
        write_output(folder / reader / f"{name}.report.html", page, force=True, private=True)
        yield report


def _show(out: Console, reader: str, who: str, report: Report) -> None:
    title = f"[bold]{reader}[/]: {who}"
    verdict = f"[green]{report.verdict.value}[/]"
    out.print(
        Panel(_highlighted(report), title=title, title_align="left", subtitle=verdict, border_style="dim")
    )
    reasons: dict[tuple[str, str], int] = {}
    for edit in report.edits:
        reasons[edit.type, edit.reason] = reasons.get((edit.type, edit.reason), 0) + 1
    table = Table.grid(padding=(0, 2))
    for (kind, why), count in sorted(reasons.items()):
        table.add_row(f"[{_colour(kind)}]■[/] {kind}", f"{count}x", f"[dim]{why}[/]")
    out.print(table)
    out.print()


def _highlighted(report: Report) -> Text:
    alignment = Alignment(report.edits)
    text = Text(alignment.planned(report.document).text.rstrip("\n"))
    for edit, span in zip(report.edits, alignment.inserted, strict=True):
        text.stylize(f"bold {_colour(edit.type)}", span.start, span.end)
    return text


def _colour(kind: str) -> str:
    return _COLOURS[sum(kind.encode()) % len(_COLOURS)]
