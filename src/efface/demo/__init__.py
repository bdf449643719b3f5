"""The demo's data: letters, musicians, a fictional hospital and consultancy, and mails. All names are invented."""

from __future__ import annotations

import shutil
import sqlite3
from importlib.resources import as_file, files
from pathlib import Path

VIEWERS = {
    "doctor": "treats the patient; sees no bills",
    "administrator": "sends the bills; sees no illness",
    "researcher": "studies the illness, not whose it is",
}
DOCUMENTS = ("note.txt", "letter.html", "referral.eml")


def copy(name: str, folder: Path) -> None:
    """Copy one of the demo's folders."""
    with as_file(files("efface.demo").joinpath(name)) as source:
        shutil.copytree(source, folder, dirs_exist_ok=True)


def create_hospital_database(database: Path) -> None:
    """Create the hospital's SQLite database."""
    connection = sqlite3.connect(database)
    try:
        connection.executescript(files("efface.demo").joinpath("hospital", "hospital.sql").read_text("utf-8"))
    finally:
        connection.close()


def bring_consultancy(folder: Path) -> None:
    """The consultancy's memos, its policy, and the model of its clients that the memos teach."""
    from efface.knowledge.classes import RecordFields, TrainingSettings, read_corpus, save, train

    copy("consulting", folder)
    fields = RecordFields("client", ("industry",))
    settings = TrainingSettings(sensitive=fields.sensitive, utility=fields.utility)
    save(train(read_corpus(folder / "memos.jsonl", fields), settings), folder / "clients.model", force=True)


def bring_musicians(folder: Path) -> None:
    """A note about a person, its policy, and the index of the people whom it could be about."""
    from efface.knowledge.classes import RecordFields, read_corpus
    from efface.knowledge.people.build import build_people

    copy("portrait", folder)
    known = read_corpus(folder / "musicians.jsonl", RecordFields("person", (), "background"))
    build_people(known, folder / "musicians.index", force=True)
