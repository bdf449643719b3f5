"""The main jobs on a fictional hospital and consultancy, one for each guarantee. All names are invented."""

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
from efface.report.page import contents_page, review_page
from efface.sanitizer import Sanitizer
from efface.strength import tradeoffs

VIEWERS = {
    "doctor": "treats the patient; sees no bills",
    "administrator": "sends the bills; sees no illness",
    "researcher": "studies the illness, not whose it is",
}
DOCUMENTS = ("note.txt", "letter.html", "referral.eml")
_SAYS = {  # by the folder of a page
    **{viewer: f"views and k-safety: {who}" for viewer, who in VIEWERS.items()},
    "consulting": "k-confusability: the client is one of three banks, the industry shows",
    "discharge": "semantic: no term or pair says more about HIV than that there is a virus",
    "mails": "identifiers: one mail of a release in which a trained attacker finds no name",
}
_COLOURS = ("cyan", "yellow", "magenta", "green", "blue", "red")


def run(folder: Path) -> None:
    """Show the note as each viewer may see it, and write every document, with a report, for each of them."""
    out = console(wrap=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise OutputError(f"{folder} cannot be a folder.", "Choose another with -o.") from None
    with as_file(files("efface.demo").joinpath("hospital")) as hospital:
        sanitizer = _open(hospital, folder)
        out.print(
            "[bold]One note from St. Orrin's Hospital, as three viewers may see it.[/] (All invented.)\n"
        )
        for viewer, who in VIEWERS.items():
            reports = list(_sanitize(sanitizer, hospital, viewer, folder))
            _show(out, "views and k-safety", f"the {viewer} {who}", reports[0])
    out.print(f"The same for a letter and a mail, with a report to open for each: [bold]{folder}/[/]\n")
    _memo(out, folder / "consulting")
    _letter(out, folder / "discharge")
    _mails(out, folder / "mails")
    write_output(folder / "index.html", _contents(folder).encode(), force=True, private=True)
    out.print(f"The originals, the policies and the database that decided: [bold]{folder}/[/]")
    out.print(f"All reports, before and after: [bold]{folder / 'index.html'}[/]")


def _memo(out: Console, folder: Path) -> None:
    """A consulting memo: which client it is about is hidden among three, that the client is a bank shows."""
    bring_consultancy(folder)
    report = _written(Sanitizer.from_policy(folder / "consulting.yaml"), folder / "memo.txt", folder)
    _show(out, "k-confusability", "a colleague may learn from the memo, not whose it is", report)


def bring_consultancy(folder: Path) -> None:
    """The consultancy's memos, its policy, and the model of its clients that the memos teach."""
    from efface.knowledge.classes import Fields, Settings, read_corpus, save, train

    _copy("consulting", folder)
    fields = Fields("client", ("industry",))
    settings = Settings(sensitive=fields.sensitive, utility=fields.utility)
    save(train(read_corpus(folder / "memos.jsonl", fields), settings), folder / "clients.model", force=True)


def _letter(out: Console, folder: Path) -> None:
    """A discharge letter: what is left says no more about HIV than that there was a virus."""
    _copy("discharge", folder)
    report = _written(Sanitizer.from_policy(folder / "discharge.yaml"), folder / "letter.txt", folder)
    _show(out, "semantic", "the employer's doctor may read of a virus, no more", report)


def _mails(out: Console, folder: Path) -> None:
    """A mail archive: learn names from labelled mails, publish others without them, attack what was published."""
    from efface.knowledge.identifiers import Settings
    from efface.knowledge.identifiers_corpus import read_labelled
    from efface.knowledge.identifiers_files import save
    from efface.knowledge.identifiers_training import train
    from efface.release import Wanted, attack, read_release

    _copy("mails", folder)
    policy, published = folder / "mails.yaml", folder / "published"
    published.mkdir(exist_ok=True)
    settings = Settings(learner="adaboost", min_remaining=100)  # the learner that needs no extra
    save(train(read_labelled(folder / "labelled.jsonl"), settings), folder / "names.greedy", force=True)
    bound = Sanitizer.from_policy(policy).bind()
    reports = [
        sanitize(mail.text.encode(), f"{mail.name}.txt", bound)
        for mail in read_labelled(folder / "outgoing.jsonl")
    ]
    for report in reports:
        assert report.released is not None
        write_output(published / report.document.name, report.released, force=True)
    attacked = attack(
        read_release(published, folder / "outgoing.jsonl"), Wanted.of(policy, None, None, None, {})
    )
    _require(attacked.verdict)
    page = review_page(reports[0], tradeoffs(reports[0], bound)).encode()
    write_output(folder / f"{reports[0].document.name}.report.html", page, force=True, private=True)
    _show(out, "identifiers", f"the public may read {len(reports)} mails; here is one", reports[0])
    left = sum(one.attack.counts.sensitive for one in attacked.types)
    names = sum(one.identifiers for one in attacked.types)
    out.print(
        f"An attacker who learned from the published mails looked for {names} names; {left} are left.\n"
    )


def _contents(folder: Path) -> str:
    """What to open first. Every report here was written because its guarantee holds."""
    pages = sorted(page.relative_to(folder).as_posix() for page in folder.rglob("*.report.html"))
    rows = [
        (page, page.removesuffix(".report.html"), Verdict.HELD.value, _SAYS[page.split("/")[0]])
        for page in pages
    ]
    return contents_page("efface: the demo", "Everything here is invented.", rows)


def _require(verdict: Verdict) -> None:
    if verdict is not Verdict.HELD:
        raise Refused("The demo's guarantee does not hold on its own bytes.", "Please report this.")


def _copy(name: str, folder: Path) -> None:
    with as_file(files("efface.demo").joinpath(name)) as source:
        shutil.copytree(source, folder, dirs_exist_ok=True)


def _open(hospital: Path, folder: Path) -> Sanitizer:
    """A fresh database, beside copies of the policy and the documents to try things with."""
    database = folder / "hospital.db"
    database.unlink(missing_ok=True)
    connection = sqlite3.connect(database)
    try:
        connection.executescript((hospital / "hospital.sql").read_text("utf-8"))
    finally:
        connection.close()
    for name in ("hospital.yaml", *DOCUMENTS):
        shutil.copyfile(hospital / name, folder / name)
    return Sanitizer.from_policy(folder / "hospital.yaml")


def _sanitize(sanitizer: Sanitizer, hospital: Path, viewer: str, folder: Path) -> Iterator[Report]:
    (folder / viewer).mkdir(exist_ok=True)
    for name in DOCUMENTS:
        yield _written(sanitizer, hospital / name, folder / viewer, viewer)


def _written(sanitizer: Sanitizer, source: Path, folder: Path, viewer: str | None = None) -> Report:
    """The sanitized document and its report, in a folder; beside the original it is called `released.…`."""
    bound = sanitizer.bind(viewer)
    report = sanitize(source.read_bytes(), source.name, bound)
    _require(report.verdict)
    assert report.released is not None
    name = f"released.{source.name}" if source.parent == folder else source.name
    write_output(folder / name, report.released, force=True)
    page = review_page(report, tradeoffs(report, bound)).encode()
    write_output(folder / f"{name}.report.html", page, force=True, private=True)
    return report


def _show(out: Console, guarantee: str, says: str, report: Report) -> None:
    """A document whose guarantee holds, on its own or with the release that it belongs to."""
    title = f"[bold]{guarantee}[/]: {says}"
    below = f"[green]{Verdict.HELD.value}[/]"
    out.print(
        Panel(_highlighted(report), title=title, title_align="left", subtitle=below, border_style="dim")
    )
    reasons: dict[tuple[str, str], int] = {}
    for edit in report.edits:
        why = edit.reason.partition(", read as ")[0]  # how each word was read is for the report
        reasons[edit.type, why] = reasons.get((edit.type, why), 0) + 1
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
