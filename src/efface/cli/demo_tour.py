"""The tour of `efface demo`: a privacy officer's letters, then one job for each guarantee. All names are invented."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console

from efface.api.sanitizer import Sanitizer
from efface.cli.demo_officer import show_letters, show_portrait
from efface.cli.demo_panels import require_held, show_released, write_with_report
from efface.cli.shared.console import console
from efface.core import Report, Verdict
from efface.demo import DOCUMENTS, VIEWERS, bring_consultancy, copy, create_hospital_database
from efface.errors import OutputError
from efface.files.local import write_output
from efface.pipeline.sanitize import sanitize
from efface.report.page import Line, contents_page, review_page
from efface.report.strength import tradeoffs

_HELD, _UNPROVEN = Verdict.HELD.value, Verdict.UNPROVEN.value


def _viewers_line(viewer: str, who: str) -> Line:
    return _HELD, f"The {viewer} {who}", tuple(f"{viewer}/{name}" for name in DOCUMENTS)


_SCENES = (  # as the tour goes: a question, and lines of (verdict, what it shows, documents)
    (
        "Letters as a privacy officer gets them",
        (
            (_HELD, "A name goes from table, footer, comment, link and title, too", ("officer/released.referral.docx",)),
            (_HELD, "The words under somebody's black boxes go, too", ("officer/released.covered.pdf",)),
            (_UNPROVEN, "Half of it is in Russian, where names are not looked for: nothing is written", ("officer/letter.txt",)),
        ),
    ),
    (
        "Who could this be?",
        ((_HELD, "A note without a name: at least two other musicians fit it better", ("portrait/released.note.txt",)),),
    ),
    (
        "What may each of three viewers see of the same documents?",
        tuple(_viewers_line(viewer, who) for viewer, who in VIEWERS.items()),
    ),
    (
        "Whose memo is it?",
        ((_HELD, "Other clients fit it better; that the client is a bank still shows", ("consulting/released.memo.txt",)),),
    ),
    (
        "What does a letter say about an illness?",
        ((_HELD, "No word or pair says more about HIV than that there was an infection", ("discharge/released.letter.txt",)),),
    ),
    (
        "May these mails be published?",
        ((_HELD, "An attacker who was trained on the release finds no name in it; here is one mail", ("mails/mail201.txt",)),),
    ),
)  # fmt: skip


def run(folder: Path) -> None:
    """Show the note as each viewer may see it, and write every document, with a report, for each of them."""
    out = console(wrap=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise OutputError(f"{folder} cannot be a folder.", "Choose another with -o.") from None
    out.print("[bold]Three letters, as a privacy officer gets them.[/] (Everything here is invented.)\n")
    show_letters(out, folder / "officer")
    show_portrait(out, folder / "portrait")
    with as_file(files("efface.demo").joinpath("hospital")) as hospital:
        sanitizer = _open(hospital, folder)
        out.print("[bold]One note from St. Orrin's Hospital, as three viewers may see it.[/]\n")
        for viewer, who in VIEWERS.items():
            reports = list(_sanitize(sanitizer, hospital, viewer, folder))
            show_released(out, "views and k-safety", f"the {viewer} {who}", reports[0])
    out.print(f"The same for a letter and a mail, with a report to open for each: [bold]{folder}/[/]\n")
    _memo(out, folder / "consulting")
    _letter(out, folder / "discharge")
    _mails(out, folder / "mails")
    write_output(folder / "index.html", _contents().encode(), force=True, private=True)
    out.print(f"The originals, the policies and the database that decided: [bold]{folder}/[/]")
    out.print(f"All reports, before and after: [bold]{folder / 'index.html'}[/]")


def _memo(out: Console, folder: Path) -> None:
    """A consulting memo: which client it is about is hidden among three, that the client is a bank shows."""
    bring_consultancy(folder)
    report = write_with_report(Sanitizer.from_policy(folder / "consulting.yaml"), folder / "memo.txt", folder)
    show_released(out, "k-confusability", "a colleague may learn from the memo, not whose it is", report)


def _letter(out: Console, folder: Path) -> None:
    """A discharge letter: what is left says no more about HIV than that there was an infection."""
    copy("discharge", folder)
    report = write_with_report(
        Sanitizer.from_policy(folder / "discharge.yaml"), folder / "letter.txt", folder
    )
    show_released(out, "semantic", "the employer's doctor may read of an infection, no more", report)


def _mails(out: Console, folder: Path) -> None:
    """A mail archive: learn names from labelled mails, publish others without them, attack what was published."""
    from efface.batch.release_attack import ReleaseTarget, attack, read_release
    from efface.knowledge.identifiers.corpus import read_labelled
    from efface.knowledge.identifiers.files import save
    from efface.knowledge.identifiers.model import IdentifierSettings
    from efface.knowledge.identifiers.training import train

    copy("mails", folder)
    policy, published = folder / "mails.yaml", folder / "published"
    published.mkdir(exist_ok=True)
    settings = IdentifierSettings(learner="adaboost", min_remaining=100)  # the learner that needs no extra
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
        read_release(published, folder / "outgoing.jsonl"), ReleaseTarget.of(policy, None, None, None, {})
    )
    require_held(attacked.verdict)
    page = review_page(reports[0], tradeoffs(reports[0], bound)).encode()
    write_output(folder / f"{reports[0].document.name}.report.html", page, force=True, private=True)
    show_released(out, "identifiers", f"the public may read {len(reports)} mails; here is one", reports[0])
    left = sum(one.attack.counts.sensitive for one in attacked.types)
    names = sum(one.identifiers for one in attacked.types)
    out.print(
        f"An attacker who learned from the published mails looked for {names} names; {left} are left.\n"
    )


def _contents() -> str:
    """What to open first."""
    said = "Everything here is invented. Each link shows a document before and after."
    return contents_page("efface: the demo", said, _SCENES)


def _open(hospital: Path, folder: Path) -> Sanitizer:
    """A fresh database, beside copies of the policy and the documents to try things with."""
    database = folder / "hospital.db"
    database.unlink(missing_ok=True)
    create_hospital_database(database)
    for name in ("hospital.yaml", *DOCUMENTS):
        shutil.copyfile(hospital / name, folder / name)
    return Sanitizer.from_policy(folder / "hospital.yaml")


def _sanitize(sanitizer: Sanitizer, hospital: Path, viewer: str, folder: Path) -> Iterator[Report]:
    (folder / viewer).mkdir(exist_ok=True)
    for name in DOCUMENTS:
        yield write_with_report(sanitizer, hospital / name, folder / viewer, viewer)
