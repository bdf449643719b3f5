"""The demo's first scenes: what a privacy officer meets in an ordinary folder of letters."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from efface.api.sanitizer import Sanitizer
from efface.cli.demo_panels import show_refused, show_released, write_with_report
from efface.cli.who import likeliest
from efface.demo import bring_musicians, copy
from efface.files.local import write_output
from efface.formats.file_text import text_of
from efface.knowledge.people.index import PeopleIndex
from efface.report.page import review_page


def show_letters(out: Console, folder: Path) -> None:
    """A Word file, a PDF with words under boxes, and a letter in two languages, under the default policy."""
    copy("officer", folder)
    sanitizer = Sanitizer()
    referral = write_with_report(sanitizer, folder / "referral.docx", folder)
    says = "a name goes from table, footer, comment, link and title, too"
    show_released(out, "a Word file", says, referral)
    covered = write_with_report(sanitizer, folder / "covered.pdf", folder)
    says = "somebody drew black boxes; the words were still under them"
    show_released(out, "a PDF", says, covered)
    letter = sanitizer.sanitize(folder / "letter.txt")
    write_output(folder / "letter.txt.report.html", review_page(letter).encode(), force=True, private=True)
    show_refused(out, "coverage", "names were looked for, and not in Russian: nothing is written", letter)


def show_portrait(out: Console, folder: Path) -> None:
    """A note without a name: who could it be, out of everybody known, before and after?"""
    bring_musicians(folder)
    report = write_with_report(Sanitizer.from_policy(folder / "portrait.yaml"), folder / "note.txt", folder)
    show_released(out, "who could this be", "a note without a name, and twelve musicians", report)
    index = PeopleIndex.open(folder / "musicians.index")
    table = Table.grid(padding=(0, 2))
    for when, name in (("before", "note.txt"), ("after", "released.note.txt")):
        found = [one for one in likeliest(index, text_of(folder / name), 3) if one.reader == "bm25"]
        table.add_row(f"[dim]{when}[/]", " · ".join(f"{one.rank} {one.person}" for one in found))
    out.print("One reader's list of the likeliest; the note is about Tomas Brennick.")
    out.print(table)
    out.print()
