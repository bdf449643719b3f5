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
from efface.pipeline import sanitize
from efface.report.page import review_page
from efface.sanitizer import Sanitizer
from efface.strength import tradeoffs

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
    out.print(f"The same for a letter and a mail, with a report to open for each: [bold]{folder}/[/]\n")
    _memo(out, folder / "consulting")
    _letter(out, folder / "discharge")
    out.print(f"The policies and the database that decided: [bold]{folder / 'hospital.yaml'}[/] and beside")


def _memo(out: Console, folder: Path) -> None:
    """A consulting memo: which client it is about is hidden among three, that the client is a bank shows."""
    from efface.knowledge.classes import Fields, Settings, read_corpus, save, train

    _copy("consulting", folder)
    fields = Fields("client", ("industry",))
    settings = Settings(sensitive=fields.sensitive, utility=fields.utility)
    save(train(read_corpus(folder / "memos.jsonl", fields), settings), folder / "clients.model", force=True)
    report = _written(Sanitizer.from_policy(folder / "consulting.yaml"), folder / "memo.txt", folder)
    _show(out, "colleague", "may learn from the memo; the client is one of three banks", report)


def _letter(out: Console, folder: Path) -> None:
    """A discharge letter: what is left says no more about HIV than that there was a virus."""
    _copy("discharge", folder)
    report = _written(Sanitizer.from_policy(folder / "discharge.yaml"), folder / "letter.txt", folder)
    _show(out, "employer's doctor", "may read the letter; no term or pair tells more than a virus", report)


def _copy(name: str, folder: Path) -> None:
    with as_file(files("efface.demo").joinpath(name)) as source:
        shutil.copytree(source, folder, dirs_exist_ok=True)


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
        yield _written(sanitizer, hospital / name, folder / reader, viewer=reader)


def _written(sanitizer: Sanitizer, source: Path, folder: Path, viewer: str | None = None) -> Report:
    """The sanitized document and its report, in a folder; beside the original it is called `released.…`."""
    bound = sanitizer.bind(viewer)
    report = sanitize(source.read_bytes(), source.name, bound)
    if report.verdict is not Verdict.HELD or report.released is None:
        raise Refused("The demo's guarantee does not hold on its own bytes.", "Please report this.")
    name = f"released.{source.name}" if source.parent == folder else source.name
    write_output(folder / name, report.released, force=True)
    page = review_page(report, tradeoffs(report, bound)).encode()
    write_output(folder / f"{name}.report.html", page, force=True, private=True)
    return report


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
